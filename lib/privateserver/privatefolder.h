// SPDX-License-Identifier: MIT
#pragma once

#include "ownfolder.h"
#include "session/statement.h"

#include <QtCore/QDir>
#include <QtCore/QString>

namespace lockscope {

/// The folder of a private server:
///
///     control.lock  held while somebody starts or stops the server; marks the folder as ours
///     users.lock    shared by those who use the server: PrivateServerUser
///     server.lock   held by the server's own process for as long as it lives; its process id stands in it
///     server.json   what made the data, and where the socket is
///     server.log    the server's words
///     server.pid    written by the server when it is ready
///     data/         the server's data
///     tmp/          its temporary files: a starting MariaDB removes temporary tables of others from a shared folder
///     s             its socket, unless the path would be too long for one
///
/// Thread: one at a time.
class PrivateFolder
{
public:
    /// `folder` or, when empty, the default. Makes it (0700) when missing. False and `*error` when it cannot serve.
    static bool prepare(const QString &folder, PrivateFolder *result, QString *error);
    /// The same without making anything; false when there is no private server's folder, or, with `*error`, when it is
    /// not this user's.
    static bool find(const QString &folder, PrivateFolder *result, QString *error);
    /// lockscope/private-server below the user's data location; the same for every program of the project.
    static QString defaultPath();

    QString path() const { return m_dir.path(); }
    /// For what has to be read or locked there.
    const OwnFolder &own() const { return m_own; }
    QString file(const char *name) const { return m_dir.filePath(QString::fromLatin1(name)); }
    QString dataFolder() const { return file("data"); }
    QString log() const { return file("server.log"); }
    QString temporaryFolder() const { return file("tmp"); }

    /// server.json
    struct Record
    {
        QString family; ///< "MariaDB" or "MySQL"; empty when there is no data yet
        QString version;
        QString socket;
        bool endsWithUsers = false; ///< else it stays until somebody stops it
    };
    Record record() const;
    bool write(const Record &record, QString *error) const;

    /// Where the next server's socket is to be: here, or in a folder of its own in one of shortOwnFolders() when this
    /// folder's path is too long or holds a character that a server URL cannot. Makes that folder. Empty and `*error`
    /// on failure.
    QString chooseSocket(QString *error) const;
    /// Removes a dead server's socket, where chooseSocket() puts it, and the folder made for it.
    void removeSocket() const;

    /// Keeps the log below about 1 MiB. Call while no server runs.
    void rotateLog() const;
    /// The server's own error lines in the log from `offset` on, without times; its last lines when it marked none.
    QString errorsSince(qint64 offset) const;

private:
    bool isMarked() const { return m_dir.exists(QStringLiteral("control.lock")); }
    QString shortName() const;

    QDir m_dir;
    OwnFolder m_own;
};

} // namespace lockscope
