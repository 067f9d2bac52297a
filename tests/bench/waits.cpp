// What watching a server's own locks costs it, and whether a kill ever meets the wrong session:
//   lockscope_waits_bench cost [looks] [rows]     with that many row locks held (1,048,576) and ten waiters, a look a
//   second lockscope_waits_bench victims [incidents]     random incidents whose sessions go on to other work before the
//   kill
// Both start a private server (LOCKSCOPE_TEST_MYSQL: a MySQL) and print what they found; `victims` ends with 1 when a
// session died that was not the one chosen.
#include "actor.h"
#include "statistics.h"
#include "testserver.h"

#include "waits/sessionkill.h"
#include "waits/waitsreader.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QSet>
#include <QtCore/QThread>

#include <cstdio>
#include <ctime>
#include <random>

#include <unistd.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::bench;

namespace {

/// InnoDB tells nothing new to who asks more often.
constexpr auto kInnoDbKeeps = 120;
constexpr int kSessions = 25;
constexpr int kRestartEvery = 2'000;

[[noreturn]] void give(const QString &why)
{
    std::fprintf(stderr, "%s\n", qPrintable(why));
    std::exit(2);
}

std::unique_ptr<Session> open(const TestServer &server)
{
    LockError error;
    auto session = Session::open(targetFor(server), &error);
    if (!session)
        give(error.toString());
    return session;
}

Reply must(Session &session, const QByteArray &sql)
{
    Reply reply = session.run(sql, "bench");
    if (!reply)
        give(reply.error->toString());
    return reply;
}

ServerWaits look(WaitsReader &reader)
{
    ServerWaits waits;
    if (const auto error = reader.read(&waits))
        give(error->toString());
    return waits;
}

double threadMilliseconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// CPU time of the server's thread that serves a session, by the kernel's account; in steps of 10 ms.
double serverMilliseconds(const TestServer &server, qint64 thread)
{
    QFile file(QStringLiteral("/proc/%1/task/%2/schedstat").arg(server.pid()).arg(thread));
    if (file.open(QIODevice::ReadOnly)) // in nanoseconds
        return file.readAll().split(' ').value(0).toDouble() / 1e6;
    give(QStringLiteral("The server's thread %1 is not there.").arg(thread));
}

qint64 threadOf(Session &session, Family family)
{
    const QByteArray sql = family == Family::MariaDb
        ? "SELECT tid FROM information_schema.processlist WHERE id = CONNECTION_ID()"
        : "SELECT thread_os_id FROM performance_schema.threads WHERE processlist_id = CONNECTION_ID()";
    return must(session, sql).value().toLongLong();
}

int measureCost(TestServer &server, int looks, int rows)
{
    const auto setup = open(server);
    must(*setup, "CREATE DATABASE shop");
    must(*setup, "CREATE TABLE shop.many (id INT PRIMARY KEY AUTO_INCREMENT, n INT) ENGINE=InnoDB");
    must(*setup, "CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT) ENGINE=InnoDB");
    must(*setup, "INSERT INTO shop.stock VALUES (1, 0)");
    must(*setup, "INSERT INTO shop.many (n) VALUES (0)");
    int made = 1;
    for (; made < rows; made *= 2)
        must(*setup, "INSERT INTO shop.many (n) SELECT n FROM shop.many");
    const auto big = open(server);
    must(*big, "BEGIN");
    must(*big, "SELECT COUNT(n) FROM (SELECT n FROM shop.many FOR UPDATE) AS locked");
    Actor holder(server);
    holder.run("BEGIN");
    holder.run("UPDATE shop.stock SET n = n + 1");
    std::vector<std::unique_ptr<Actor>> waiters;
    for (int i = 0; i < 10; ++i) {
        waiters.push_back(std::make_unique<Actor>(server));
        waiters.back()->start("UPDATE shop.stock SET n = n + 1");
    }
    const auto watching = open(server);
    WaitsReader reader(*watching);
    look(reader); // probes
    const qint64 thread = threadOf(*watching, server.family());
    Values costs;
    qsizetype edges = 0;
    quint64 locked = 0;
    const double serverBefore = serverMilliseconds(server, thread);
    const double clientBefore = threadMilliseconds();
    for (int i = 0; i < looks; ++i) {
        const ServerWaits waits = look(reader);
        costs.push_back(double(waits.cost.count()) / 1e3);
        edges = waits.edges.size();
        for (const ServerSession &session : waits.sessions)
            locked = std::max(locked, session.transaction ? session.transaction->rowsLocked : 0);
        QThread::msleep(1000);
    }
    const double serverCpu = serverMilliseconds(server, thread) - serverBefore;
    const double clientCpu = threadMilliseconds() - clientBefore;
    std::printf("%s: %d rows made, %llu row locks held by one transaction, %lld edges\n",
                qPrintable(watching->info().version), made, locked, qlonglong(edges));
    std::printf("a look: p50 %.2f ms, p95 %.2f ms, longest %.2f ms (target p95: 50)\n", quantile(costs, 0.5),
                quantile(costs, 0.95), quantile(costs, 1));
    std::printf("CPU of the server's thread %.2f ms and of the client %.2f ms a look: %.2f %% of a core (target 1)\n",
                serverCpu / looks, clientCpu / looks, (serverCpu + clientCpu) / looks / 10);
    must(*setup, "KILL " + QByteArray::number(holder.id()));
    for (const auto &waiter : waiters)
        waiter->finish();
    return 0;
}

/// What a session of an application does at the moment.
struct Application
{
    std::unique_ptr<Session> session;
    int row = 0;
    bool hasUserLock = false;
};

void work(Application &application, int number, bool withUserLock, std::mt19937 &random)
{
    application.hasUserLock = withUserLock;
    if (withUserLock) {
        must(*application.session, "SELECT GET_LOCK('job" + QByteArray::number(number) + "', 0)");
        return;
    }
    application.row = number * 100 + int(random() % 100);
    must(*application.session, "BEGIN");
    must(*application.session, "UPDATE shop.stock SET n = n + 1 WHERE id = " + QByteArray::number(application.row));
}

void stop(Application &application)
{
    must(*application.session, application.hasUserLock ? "DO RELEASE_ALL_LOCKS()" : "COMMIT");
}

/// The ways in which a number comes to mean something else. False: the session is still what was chosen.
bool disturb(TestServer &server, Application &application, int number, std::mt19937 &random)
{
    switch (random() % 10) {
    case 0: // a pooled connection that serves the next request, at the very same row
    case 1:
        stop(application);
        if (application.hasUserLock) {
            work(application, number, false, random);
        } else {
            must(*application.session, "BEGIN");
            must(*application.session,
                 "UPDATE shop.stock SET n = n + 1 WHERE id = " + QByteArray::number(application.row));
        }
        return true;
    case 2: // … or at another one
    case 3:
        stop(application);
        work(application, number + kSessions, false, random);
        return true;
    case 4: // done, and idle
        stop(application);
        return true;
    case 5: // gone; somebody else connects and does the same
        application.session = open(server);
        work(application, number, application.hasUserLock, random);
        return true;
    default:
        return false;
    }
}

KillOrder orderFor(const ServerWaits &waits, quint64 session)
{
    KillOrder order;
    order.target = KillTarget::of(waits, session);
    order.operatorName = order.reason = QStringLiteral("bench");
    return order;
}

QSet<quint64> alive(Session &session)
{
    QSet<quint64> ids;
    const Reply listed = must(session, "SELECT id FROM information_schema.processlist");
    for (const QVariantList &row : listed.set(-1).rows)
        ids.insert(row.value(0).toULongLong());
    return ids;
}

struct Tally
{
    int incidents = 0;
    int chosen = 0; ///< still what was chosen
    int ended = 0;  ///< of these
    int spared = 0; ///< other work by then, left alone
    int reused = 0; ///< numbers that a restarted server had given to others
    int wrong = 0;  ///< sessions that died and were not the chosen one
    int missed = 0; ///< chosen and still alive
};

/// One look at all applications, then a kill of each after most went on to something else.
void runRound(TestServer &server, bool restarts, std::mt19937 &random, Tally *tally)
{
    std::vector<Application> applications(kSessions);
    const auto begin = [&] {
        for (int i = 0; i < kSessions; ++i) {
            applications[size_t(i)].session = open(server);
            work(applications[size_t(i)], i, server.family() == Family::MySql && random() % 4 == 0, random);
        }
    };
    begin();
    auto killing = open(server);
    QThread::msleep(kInnoDbKeeps);
    auto reader = std::make_unique<WaitsReader>(*killing);
    const ServerWaits waits = look(*reader);
    std::vector<KillOrder> orders;
    std::vector<bool> isOther(kSessions, restarts);
    for (int i = 0; i < kSessions; ++i)
        orders.push_back(orderFor(waits, applications[size_t(i)].session->connectionId()));
    if (restarts) {
        for (Application &one : applications)
            one.session.reset();
        reader.reset();
        killing.reset();
        QThread::sleep(3); // a server that ran for less cannot be told from the one after it
        server.restart();
        begin();
        killing = open(server);
        reader = std::make_unique<WaitsReader>(*killing);
        look(*reader);
        for (const KillOrder &order : orders)
            tally->reused += alive(*killing).contains(order.target.session);
    } else {
        for (int i = 0; i < kSessions; ++i)
            isOther[size_t(i)] = disturb(server, applications[size_t(i)], i, random);
    }
    for (int i = 0; i < kSessions; ++i) {
        const QSet<quint64> before = alive(*killing);
        const KillReport report = SessionKill(*killing, reader->capabilities()).act(orders[size_t(i)]);
        if (report.error && report.outcome == KillReport::Outcome::Failed)
            give(report.error->toString());
        QSet<quint64> died = before;
        for (int tries = 0; tries < 100; ++tries) { // a killed session is listed for a moment
            died = before - alive(*killing);
            if (isOther[size_t(i)] || !died.isEmpty())
                break;
            QThread::msleep(5);
        }
        ++tally->incidents;
        const quint64 chosen = orders[size_t(i)].target.session;
        if (isOther[size_t(i)]) {
            tally->spared += died.isEmpty();
            tally->wrong += int(died.size());
        } else {
            ++tally->chosen;
            tally->ended += died.contains(chosen);
            tally->missed += !died.contains(chosen);
            tally->wrong += int(died.size()) - int(died.contains(chosen));
        }
    }
}

int countVictims(TestServer &server, int incidents)
{
    std::mt19937 random(7);
    {
        const auto setup = open(server);
        must(*setup, "CREATE DATABASE shop");
        must(*setup, "CREATE TABLE shop.stock (id INT PRIMARY KEY AUTO_INCREMENT, n INT) ENGINE=InnoDB");
        must(*setup, "INSERT INTO shop.stock (n) VALUES (0)");
        for (int rows = 1; rows < 2 * kSessions * 100 + 100; rows *= 2)
            must(*setup, "INSERT INTO shop.stock (n) SELECT 0 FROM shop.stock");
        must(*setup, "SET @row = -1");
        must(*setup, "UPDATE shop.stock SET n = 0, id = 1000000 + (@row := @row + 1)");
        must(*setup, "UPDATE shop.stock SET id = id - 1000000");
    }
    Tally tally;
    int nextRestart = kRestartEvery;
    while (tally.incidents < incidents) {
        const bool restarts = tally.incidents + kSessions >= nextRestart;
        runRound(server, restarts, random, &tally);
        if (restarts)
            nextRestart += kRestartEvery;
        if (tally.incidents % 1'000 == 0) {
            std::printf("%d incidents, %d wrong\n", tally.incidents, tally.wrong);
            std::fflush(stdout);
        }
    }
    std::printf("%d incidents: %d sessions were still what was chosen and %d of them ended (%d missed); %d others were "
                "left alone, %d of them with a number given anew by a restarted server; wrong victims %d\n",
                tally.incidents, tally.chosen, tally.ended, tally.missed, tally.spared, tally.reused, tally.wrong);
    return tally.wrong == 0 && tally.missed == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    const QStringList words = application.arguments();
    TestServer server({QStringLiteral("--innodb-buffer-pool-size=512M")});
    if (words.value(1) == QLatin1String("cost"))
        return measureCost(server, words.value(2, QStringLiteral("60")).toInt(),
                           words.value(3, QStringLiteral("1048576")).toInt());
    if (words.value(1) == QLatin1String("victims"))
        return countVictims(server, words.value(2, QStringLiteral("10000")).toInt());
    std::fprintf(stderr, "usage: lockscope_waits_bench cost [looks] [rows] | victims [incidents]\n");
    return 64;
}
