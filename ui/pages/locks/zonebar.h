// SPDX-License-Identifier: MIT
#pragma once

#include "locktables/tablereader.h"

#include <QtCore/QSet>
#include <QtWidgets/QFrame>

class QComboBox;
class QLabel;
class QPushButton;

namespace lockscope::ui {

class ServerConnection;

/// Asks for the time zone of a program's connections where its lock tables cannot be read without it: once for each
/// profile, one at a time. What a person says is kept for this window and lockctl; what is put off, until the next
/// start.
class ZoneBar : public QFrame
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the bar.
    ZoneBar(ServerConnection *connection, QWidget *parent);

    QComboBox *zones() const { return m_zones; }
    QPushButton *useButton() const { return m_use; }
    QPushButton *laterButton() const { return m_later; }

Q_SIGNALS:
    /// A person said it, or put it off.
    void answered();

private:
    void onTables(const TableLocks &tables);
    void ask(const TableProfile &profile);
    void use();
    void putOff();

    ServerConnection *m_connection;
    QString m_asked; ///< the profile that is asked for; empty: none
    QSet<QString> m_over;
    QLabel *m_question;
    QComboBox *m_zones;
    QPushButton *m_use;
    QPushButton *m_later;
};

} // namespace lockscope::ui
