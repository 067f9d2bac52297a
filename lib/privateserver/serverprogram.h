// SPDX-License-Identifier: MIT
#pragma once

#include "session/statement.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace lockscope {

/// A server program of this machine, and how it is told to be a small private server.
struct ServerProgram
{
    QString path;      ///< absolute
    QString installer; ///< what makes an empty MariaDB data folder; empty for MySQL, whose server does it itself
    Family family = Family::MariaDb;
    QString version; ///< "10.11.19-MariaDB-0+deb12u1"

    /// `wanted`, or the one that LOCKSCOPE_SERVER_PROGRAM names, or mariadbd, or mysqld, in PATH and where
    /// distributions put servers. Null and one sentence when there is none. Runs the program with --version.
    static std::optional<ServerProgram> find(const QString &wanted, QString *error);

    /// One of this family: the one that LOCKSCOPE_MARIADB_PROGRAM or LOCKSCOPE_MYSQL_PROGRAM names, or where it is
    /// installed. Null when there is none, and one sentence where it is there and of no use.
    static std::optional<ServerProgram> findOf(Family family, QString *error);
    /// What names it in the environment.
    static const char *variableOf(Family family);

    /// The command that makes an empty data folder; its parent must be the working directory.
    QStringList installCommand(const QString &dataFolder) const;
    /// The command that serves.
    QStringList serveCommand(const QString &dataFolder, const QString &socket, const QString &pidFile) const;
};

} // namespace lockscope
