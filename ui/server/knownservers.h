// SPDX-License-Identifier: MIT
#pragma once

#include "serverprofile.h"

#include <QtCore/QObject>

#include <functional>

namespace lockscope::ui {

/// The servers that the person named: kept in the settings, their passwords in the desktop's keyring or not at all.
/// GUI thread only; nothing here blocks.
class KnownServers : public QObject
{
    Q_OBJECT
public:
    explicit KnownServers(QObject *parent = nullptr);

    const QList<ServerProfile> &list() const { return m_list; }
    bool has(const QString &name) const;
    /// Takes the place of the one called `before`, and of one that has the same name. The password goes into the
    /// keyring when the profile says so; empty: what is there stays. Otherwise the keyring forgets it.
    /// A production tag that another window has set or taken off stays so, unless `profile` differs from list() in it.
    void put(ServerProfile profile, const QString &password, const QString &before = {});
    void remove(const QString &name);
    /// Of a server that is in the list: what its waits are not read from.
    void keepWaitsOff(const ServerProfile &profile);

    /// `done` gets `typed`, or else what the keyring has, or nothing. It runs later unless `context` is gone by then.
    void findPassword(const ServerProfile &profile, const QString &typed, QObject *context,
                      std::function<void(const QString &password)> done);

Q_SIGNALS:
    void changed();
    /// The keyring did not take it: it will be asked for each time.
    void passwordNotKept(const QString &server, const QString &why);

private:
    /// Other windows change the list too.
    void load();
    void save();
    void forgetUnlessUsed(const ServerProfile &gone);

    QList<ServerProfile> m_list;
};

} // namespace lockscope::ui
