// SPDX-License-Identifier: MIT
#pragma once

#include <lockscope/lockengine.h>

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <cstdlib>
#include <iostream>

// What the examples share beside locks: a command line, and the application's own tables.
namespace example {

/// One line at a time, at once: several processes may write to one terminal.
inline void say(const QString &line)
{
    std::cout << line.toStdString() << std::endl;
}

[[noreturn]] inline void fail(const QString &why, int exitCode = 1)
{
    std::cerr << why.toStdString() << std::endl;
    std::exit(exitCode);
}

[[noreturn]] inline void fail(const lockscope::LockError &error)
{
    fail(error.toString());
}

struct Arguments
{
    lockscope::EngineConfig config;
    QStringList words;
};

/// `--url URL`, or the variable LOCKSCOPE_URL, and between `least` and `most` words. The password is never on the
/// command line, where others could read it.
inline Arguments arguments(const QString &usage, int least, int most)
{
    QCommandLineParser parser;
    const QCommandLineOption url(QStringLiteral("url"), {}, QStringLiteral("URL"),
                                 qEnvironmentVariable("LOCKSCOPE_URL"));
    parser.addOption(url);
    const bool isParsed = parser.parse(QCoreApplication::arguments());
    Arguments result;
    result.words = parser.positionalArguments();
    if (!isParsed || result.words.size() < least || result.words.size() > most)
        fail(QStringLiteral("usage: ") + usage, 64);
    QString error;
    if (!lockscope::ServerUrl::parse(parser.value(url), &result.config.server, &error))
        fail(error + QStringLiteral(" Name a server with --url or LOCKSCOPE_URL."), 64);
    result.config.password = qEnvironmentVariable("LOCKSCOPE_PASSWORD");
    result.config.service = QCoreApplication::applicationName();
    return result;
}

/// The application's own connection, closed: an idle one would not live for long.
inline QSqlDatabase database(const lockscope::EngineConfig &config)
{
    if (!config.server.isLocal()) // an application of its own would ask for TLS here
        fail(QStringLiteral("This example keeps a table, and only on a server on this machine."), 64);
    QSqlDatabase made = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), QStringLiteral("application"));
    made.setHostName(config.server.host);
    made.setPort(config.server.port);
    if (!config.server.socket.isEmpty())
        made.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + config.server.socket);
    made.setUserName(config.server.user);
    made.setPassword(config.password);
    made.setDatabaseName(config.server.schema);
    return made;
}

/// Opens the connection if it is closed. A process that was frozen while it opened finds that the server has not waited
/// for it; nothing was asked yet, so it may safely try once more.
inline void open(QSqlDatabase &database)
{
    if (!database.isOpen() && !database.open() && !database.open())
        fail(database.lastError().text());
}

/// Runs `sql` with `values` in place of its question marks; the number of rows that it changed.
inline int execute(QSqlDatabase &database, const QString &sql, const QVariantList &values = {})
{
    open(database);
    QSqlQuery query(database);
    bool isDone = query.prepare(sql);
    for (const QVariant &value : values)
        query.addBindValue(value);
    isDone = isDone && query.exec();
    if (!isDone)
        fail(query.lastError().text());
    return query.numRowsAffected();
}

} // namespace example
