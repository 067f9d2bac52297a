// SPDX-License-Identifier: MIT
// A process with a lock engine of its own, driven line by line, for tests that crash, freeze or outlive it.
//   lockworker URL
// Commands on stdin, one answer line each on stdout ("ready" comes first):
//   acquire NAME TTL_MS WAIT_MS   an outcome of locknews.h
//   release                       the same
//   held                          yes | no
//   lost                          waits until the lease is lost: a reason of locknews.h
//   once TYPE ID TTL_MS WAIT_MS   "working" when the job runs, which ends with the next line: true | false; then
//                                 done | alreadydone | running | timedout | notdone | lost | other
//   sql STATEMENT                 on a connection of its own: done ROWS | failed TEXT
//   pass KEY                      there, with the lease's token, in table stock: passed SEEN | stale SEEN | notfound |
//                                 failed TEXT
#include "locknews.h"

#include "lockscope/fenceguard.h"
#include "lockscope/once.h"

#include <QtCore/QCoreApplication>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <iostream>
#include <sstream>
#include <string>

using namespace lockscope;
using namespace lockscope::test;

namespace {

AcquireResult acquire(LockEngine &engine, std::istringstream &words, LossNews &news)
{
    std::string name;
    long ttl = 0;
    long wait = 0;
    words >> name >> ttl >> wait;
    LockRequest request;
    request.resource = QByteArray::fromStdString(name);
    request.ttl = std::chrono::milliseconds(ttl);
    request.wait = std::chrono::milliseconds(wait);
    request.onLost = [&news](LossReason reason) { news.tell(reason); };
    return engine.acquire(request);
}

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
    LockHandle handle;
    QSqlDatabase database = openDatabase(config.server);
    std::cout << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "acquire") {
            AcquireResult result = acquire(engine, words, news);
            std::cout << outcomeText(result) << std::endl;
            handle = std::move(result.handle);
        } else if (command == "release") {
            std::cout << outcomeText(handle.release()) << std::endl;
        } else if (command == "held") {
            std::cout << (handle.isHeld() ? "yes" : "no") << std::endl;
        } else if (command == "lost") {
            std::cout << news.wait() << std::endl;
        } else if (command == "once") {
            std::cout << onceText(engine, words) << std::endl;
        } else if (command == "sql") {
            std::cout << sqlText(database, words) << std::endl;
        } else if (command == "pass") {
            std::cout << passText(database, words, handle.token()) << std::endl;
        }
    }
    return 0;
}
