// SPDX-License-Identifier: MIT
#pragma once

#include "serverprofile.h"

#include <QtWidgets/QListWidget>

namespace lockscope::ui {

/// The private server, the known ones, and a row for a new one. One is always chosen.
class ServerList : public QListWidget
{
    Q_OBJECT
public:
    explicit ServerList(QWidget *parent = nullptr);

    /// Keeps the choice, without a signal, when it is still there.
    void setServers(const QList<ServerProfile> &known);
    /// Chooses the server of that name; one that is not known is the new one.
    void choose(const ServerProfile &profile);
    void chooseNew() { setCurrentRow(count() - 1); }
    bool isPrivate() const { return currentRow() <= 0; }
    /// Empty: none of the known ones.
    QString knownName() const;
};

} // namespace lockscope::ui
