// SPDX-License-Identifier: MIT
// A process with a lock engine of its own, driven line by line, for tests that crash, freeze or outlive it.
//   lockworker URL
// Commands: those of workercommands.h, and
//   once TYPE ID TTL_MS WAIT_MS   "working" when the job runs, which ends with the next line: true | false; then
//                                 done | alreadydone | running | timedout | notdone | lost | other
//   sql STATEMENT                 on a connection of its own: done ROWS | failed TEXT
//   pass KEY                      there, with the lease's token, in table stock: passed SEEN | stale SEEN | notfound |
//                                 failed TEXT
#include "workercommands.h"

#include "lockscope/fenceguard.h"
#include "lockscope/once.h"

#include <QtCore/QCoreApplication>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <iostream>

using namespace lockscope;
using namespace lockscope::test;

namespace {

std::string onceText(LockEngine &engine, std::istringstream &words)
{
    std::string type;
    std::string id;
    long ttl = 0;
    long wait = 0;
    words >> type >> id >> ttl >> wait;
    LockRequest request;
    request.ttl = std::chrono::milliseconds(ttl);
    request.wait = std::chrono::milliseconds(wait);
    const auto work = [](LockHandle &) {
        std::cout << "working" << std::endl;
        std::string line;
        std::getline(std::cin, line);
        return line == "true";
    };
    switch (once(engine, {QByteArray::fromStdString(type), QByteArray::fromStdString(id)}, work, request).outcome) {
    case OnceOutcome::Done:
        return "done";
    case OnceOutcome::AlreadyDone:
        return "alreadydone";
    case OnceOutcome::Running:
        return "running";
    case OnceOutcome::TimedOut:
        return "timedout";
    case OnceOutcome::NotDone:
        return "notdone";
    case OnceOutcome::Lost:
        return "lost";
    default:
        return "other";
    }
}

/// The application's own connection, beside those of the engine.
QSqlDatabase openDatabase(const ServerUrl &url)
{
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"));
    database.setUserName(url.user);
    database.setDatabaseName(url.schema);
    database.setConnectOptions(QStringLiteral("UNIX_SOCKET=%1").arg(url.socket));
    database.open();
    return database;
}

std::string sqlText(const QSqlDatabase &database, std::istringstream &words)
{
    std::string statement;
    std::getline(words, statement);
    QSqlQuery query(database);
    if (!query.exec(QString::fromStdString(statement)))
        return "failed " + query.lastError().text().toStdString();
    return "done " + std::to_string(query.numRowsAffected());
}

std::string passText(QSqlDatabase &database, std::istringstream &words, quint64 token)
{
    std::string key;
    words >> key;
    const FenceGuard guard({QStringLiteral("stock"), QStringLiteral("name"), QStringLiteral("fence_seen"), {}});
    const FenceResult result = guard.pass(database, QByteArray::fromStdString(key), token);
    switch (result.outcome) {
    case FenceOutcome::Passed:
        return "passed " + std::to_string(result.seen);
    case FenceOutcome::Stale:
        return "stale " + std::to_string(result.seen);
    case FenceOutcome::NotFound:
        return "notfound";
    case FenceOutcome::Failed:
        break;
    }
    return "failed " + result.error->toString().toStdString();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    EngineConfig config;
    QString error;
    if (argc != 2 || !ServerUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &error)) {
        std::cerr << "lockworker URL: " << error.toStdString() << '\n';
        return 64;
    }
    config.service = QStringLiteral("worker");
    LossNews news; // outlives the engine, whose threads tell it
    LockEngine engine(config);
    QSqlDatabase database = openDatabase(config.server);
    runWorker(
        engine, news,
        [&](const std::string &command, std::istringstream &words, LockHandle &handle) -> std::optional<std::string> {
            if (command == "once")
                return onceText(engine, words);
            if (command == "sql")
                return sqlText(database, words);
            if (command == "pass")
                return passText(database, words, handle.token());
            return std::nullopt;
        });
    return 0;
}
