// SPDX-License-Identifier: MIT
#include "serverprogram.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QStandardPaths>

#include <array>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

/// Servers are in sbin, which is not in everybody's PATH.
QString findProgram(const QString &name)
{
    const QString inPath = QStandardPaths::findExecutable(name);
    if (!inPath.isEmpty())
        return inPath;
    return QStandardPaths::findExecutable(name,
                                          {u"/usr/sbin"_s, u"/usr/local/sbin"_s, u"/usr/libexec"_s, u"/usr/local/bin"_s,
                                           u"/usr/local/mysql/bin"_s, u"/opt/mysql/bin"_s, u"/opt/homebrew/bin"_s});
}

/// Beside the server first: the one in PATH may belong to another version.
QString findInstaller(const QString &server)
{
    const QDir folder(QFileInfo(server).canonicalPath());
    for (const QString &name : {u"mariadb-install-db"_s, u"mysql_install_db"_s}) {
        const QString beside = QStandardPaths::findExecutable(
            name, {folder.path(), folder.filePath(u"../bin"_s), folder.filePath(u"../scripts"_s)});
        const QString path = beside.isEmpty() ? findProgram(name) : beside;
        if (!path.isEmpty())
            return QDir::cleanPath(path);
    }
    return {};
}

/// "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)"
QString versionText(const QString &path)
{
    QProcess process;
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(path, {u"--no-defaults"_s, u"--version"_s}, QIODevice::ReadOnly);
    if (!process.waitForFinished(10'000))
        process.kill();
    return QString::fromUtf8(process.readAllStandardOutput());
}

QString wantedPath(const QString &wanted)
{
    if (!wanted.isEmpty())
        return wanted;
    const QString named = qEnvironmentVariable("LOCKSCOPE_SERVER_PROGRAM");
    if (!named.isEmpty())
        return named;
    const QString mariadb = findProgram(u"mariadbd"_s);
    return mariadb.isEmpty() ? findProgram(u"mysqld"_s) : mariadb;
}

QStringList asRoot()
{
    return ::geteuid() == 0 ? QStringList{u"--user=root"_s} : QStringList{};
}

} // namespace

std::optional<ServerProgram> ServerProgram::find(const QString &wanted, QString *error)
{
    ServerProgram program;
    program.path = wantedPath(wanted);
    if (program.path.isEmpty()) {
        *error = u"No MariaDB or MySQL server is installed: neither mariadbd nor mysqld was found. On Debian and "
                 u"Ubuntu, `apt install mariadb-server-core` brings it."_s;
        return std::nullopt;
    }
    const QFileInfo file(program.path);
    if (!file.isFile() || !file.isExecutable()) {
        *error = u"The server program %1 does not exist or cannot be run."_s.arg(program.path);
        return std::nullopt;
    }
    program.path = file.absoluteFilePath();
    const QString text = versionText(program.path);
    static const QRegularExpression version(u"\\bVer ([0-9][^ ]*)"_s);
    const QRegularExpressionMatch match = version.match(text);
    if (!match.hasMatch()) {
        *error = u"%1 is not a MariaDB or MySQL server: it does not tell its version."_s.arg(program.path);
        return std::nullopt;
    }
    program.version = match.captured(1);
    program.family = text.contains(u"MariaDB"_s) ? Family::MariaDb : Family::MySql;
    if (program.family == Family::MariaDb) {
        program.installer = findInstaller(program.path);
        if (program.installer.isEmpty()) {
            *error = u"mariadb-install-db, which makes the data folder, was not found beside %1 or in PATH."_s.arg(
                program.path);
            return std::nullopt;
        }
    }
    return program;
}

std::optional<ServerProgram> ServerProgram::findOf(Family family, QString *error)
{
    const QString named = qEnvironmentVariable(variableOf(family));
    const QString path = named.isEmpty() ? findProgram(family == Family::MySql ? u"mysqld"_s : u"mariadbd"_s) : named;
    std::optional<ServerProgram> program;
    if (!path.isEmpty())
        program = find(path, error);
    if (program && program->family == family)
        return program;
    return std::nullopt; // or what calls itself so is of the other family
}

const char *ServerProgram::variableOf(Family family)
{
    return family == Family::MySql ? "LOCKSCOPE_MYSQL_PROGRAM" : "LOCKSCOPE_MARIADB_PROGRAM";
}

QStringList ServerProgram::installCommand(const QString &dataFolder) const
{
    if (family == Family::MySql)
        return QStringList{path, u"--no-defaults"_s, u"--initialize-insecure"_s, u"--datadir="_s + dataFolder,
                           u"--innodb-redo-log-capacity=16M"_s}
        + asRoot();
    // A relative path: as root, mariadb-install-db breaks on a space in it.
    // No password for root: what guards the server is that nobody else can reach its socket.
    return QStringList{installer,
                       u"--no-defaults"_s,
                       u"--auth-root-authentication-method=normal"_s,
                       u"--skip-test-db"_s,
                       u"--datadir=./"_s + QFileInfo(dataFolder).fileName(),
                       u"--innodb-log-file-size=16M"_s}
    + asRoot();
}

namespace {

/// Who holds and awaits metadata and user-level locks, what each session ran last and for which program: MariaDB tells
/// this only with its performance schema, which is off by itself and large. Whatever else it would count gets no room.
QStringList smallPerformanceSchema()
{
    constexpr std::array unused = {"accounts-size",
                                   "hosts-size",
                                   "users-size",
                                   "digests-size",
                                   "events-stages-history-long-size",
                                   "events-stages-history-size",
                                   "events-statements-history-long-size",
                                   "events-transactions-history-long-size",
                                   "events-transactions-history-size",
                                   "events-waits-history-long-size",
                                   "events-waits-history-size",
                                   "max-cond-instances",
                                   "max-file-handles",
                                   "max-file-instances",
                                   "max-index-stat",
                                   "max-memory-classes",
                                   "max-mutex-instances",
                                   "max-prepared-statements-instances",
                                   "max-program-instances",
                                   "max-rwlock-instances",
                                   "max-socket-instances",
                                   "max-table-handles",
                                   "max-table-instances",
                                   "max-table-lock-stat"};
    QStringList words{u"--performance-schema=ON"_s, u"--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON"_s,
                      u"--performance-schema-consumer-events-statements-current=ON"_s,
                      u"--performance-schema-consumer-events-statements-history=ON"_s,
                      u"--performance-schema-consumer-statements-digest=OFF"_s};
    for (const char *name : unused)
        words += u"--performance-schema-%1=0"_s.arg(QLatin1String(name));
    return words;
}

} // namespace

QStringList ServerProgram::serveCommand(const QString &dataFolder, const QString &socket, const QString &pidFile) const
{
    QStringList words{path, u"--no-defaults"_s, u"--datadir="_s + dataFolder, u"--socket="_s + socket,
                      u"--pid-file="_s + pidFile, u"--skip-networking"_s, u"--skip-name-resolve"_s,
                      u"--character-set-server=utf8mb4"_s,
                      // Little memory,
                      u"--innodb-buffer-pool-size=32M"_s, u"--key-buffer-size=1M"_s, u"--table-open-cache=400"_s,
                      u"--max-connections=500"_s,
                      // but nothing that a lock's token depends on may be lost: see innodb_flush_log_at_trx_commit.
                      u"--innodb-flush-log-at-trx-commit=1"_s};
    if (family == Family::MariaDb) {
        // A line in the log for each connection that only looked for the server would be noise.
        words += {u"--innodb-log-file-size=16M"_s, u"--aria-pagecache-buffer-size=8M"_s, u"--log-warnings=1"_s,
                  u"--innodb-status-output-locks=ON"_s}; // lessons show granted row locks from it
        words += smallPerformanceSchema();
    } else {
        // performance_schema stays on, since on MySQL row locks are seen in it, but keeps no history.
        words += {u"--mysqlx=OFF"_s,
                  u"--disable-log-bin"_s,
                  u"--secure-file-priv=NULL"_s,
                  u"--innodb-redo-log-capacity=16M"_s,
                  u"--innodb-log-buffer-size=2M"_s,
                  u"--innodb-purge-rseg-truncate-frequency=1"_s, // else it cannot be told that purge is done: lessons
                  u"--performance-schema-digests-size=200"_s,
                  u"--performance-schema-events-statements-history-long-size=100"_s,
                  u"--performance-schema-events-stages-history-long-size=100"_s,
                  u"--performance-schema-events-waits-history-long-size=100"_s,
                  u"--performance-schema-events-transactions-history-long-size=100"_s};
    }
    return words + asRoot();
}

} // namespace lockscope
