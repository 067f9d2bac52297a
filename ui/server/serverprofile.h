// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"
#include "ui/style/tint.h"
#include "waits/serverwaits.h"

#include <QtCore/QList>
#include <QtCore/QSet>
#include <QtCore/QString>

class QSettings;

namespace lockscope::ui {

/// A server as a person knows it. Holds no password.
struct ServerProfile
{
    QString name;
    ServerUrl url;          ///< empty for the private server: it is known once that runs
    QString store;          ///< instead: the address of a Redis, a ZooKeeper or an etcd; empty: MySQL or MariaDB
    bool isPrivate = false; ///< Lockscope's own server
    QString folder;         ///< of the private server's data; empty = the default one
    QString recording;      ///< a file instead of a server; empty: a server
    Tint tint = Tint::None;
    bool remembersPassword = false; ///< in the desktop's keyring
    bool isProduction = false;      ///< tagged by the person: said in red letters wherever something could be changed
    QString ownName;                ///< ServerInfo::ownName when it last answered; empty: it did not yet, or is a store
    bool isRecognized = false;      ///< as one that is tagged, see recognize(); of a connection, and never kept
    QSet<WaitSource> waitsOff;      ///< what the person does not want the waits to be read from

    static ServerProfile privateServer(const QString &folder = {});
    /// What a recording has, called by its file.
    static ServerProfile ofRecording(const QString &path);
    /// One that nobody named: it is called by its address.
    static ServerProfile unnamed(const ServerUrl &url);
    static ServerProfile unnamedStore(const QString &url);
    bool isStore() const { return !store.isEmpty(); }
    /// What is done to it is asked for twice, and the lab leaves it alone.
    bool isGuarded() const { return isProduction || isRecognized; }
    /// "Redis", "ZooKeeper", "etcd"; of a store.
    QString storeTitle() const;
    /// As which user of the server; empty: of a store, as anybody.
    QString user() const;
    /// Whole, as command lines take it; empty: that of the private server is not known, and a recording has none.
    QString urlText() const;
    /// The same address, whatever it is called.
    bool isAt(const ServerProfile &other) const { return url == other.url && store == other.store; }
    /// What the entry of its password is called in the keyring.
    QString keyringName() const;
    /// "db1:3307" or the socket's path, always whole: two servers may run on one host. Of the private server its
    /// folder, where it is not the usual one.
    QString address() const;
    /// Wherever somebody has to know which server is meant: its name, and its address unless that is the name.
    QString fullName() const;
    /// What a person types before something is done to it that cannot be taken back: its address, or what
    /// Lockscope's own is called.
    QString nameToType() const { return isPrivate ? fullName() : address(); }
    /// Its full name does as well.
    bool isMeantBy(const QString &typed) const;
    bool operator==(const ServerProfile &) const = default;
};

/// Whether it is tagged as production, or the settings have one that is: at this address, by whatever name, or one that
/// calls itself the same.
bool isTaggedAsProduction(const ServerProfile &profile);

/// The server answered, and calls itself this. Entries of the settings at its address keep it too. True: that is news.
bool hearOwnName(ServerProfile *profile, const QString &ownName);
/// Whether one that is tagged as production calls itself the same, as the settings are now. True: whether it is guarded
/// changed.
bool recognize(ServerProfile *profile);

/// Servers that the person named, in the order they were added.
QList<ServerProfile> loadProfiles(QSettings &settings);
void saveProfiles(QSettings &settings, const QList<ServerProfile> &profiles);

} // namespace lockscope::ui
