// SPDX-License-Identifier: MIT
// What watching a server's own locks costs it, and whether a kill ever meets the wrong session:
//   lockscope_waits_bench cost [looks] [rows]
//       with that many row locks held (1,048,576) and ten waiters, a look a second; then all that a window asks
//   lockscope_waits_bench victims [incidents]
//       random incidents whose sessions go on to other work before the kill
// Both start a private server (LOCKSCOPE_TEST_MYSQL: a MySQL) and print what they found; `victims` ends with 1 when a
// session died that was not the one chosen.
#include "actor.h"
#include "statistics.h"
#include "victims.h"
#include "waitsbench.h"

#include "feeds/monitor.h"
#include "feeds/waitsfeed.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>
#include <QtCore/QFile>
#include <QtCore/QThread>
#include <QtCore/QTimer>

#include <cstdio>
#include <ctime>

#include <unistd.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::bench;

namespace {

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

/// CPU time of this process with all its threads.
double clientMilliseconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// One transaction with many row locks, and ten sessions that wait for the row of another one.
class Scene
{
public:
    Scene(TestServer &server, int rows)
        : m_setup(open(server))
        , m_big(open(server))
        , m_holder(server)
    {
        resetTables(server);
        must(*m_setup, "CREATE DATABASE shop");
        must(*m_setup, "CREATE TABLE shop.many (id INT PRIMARY KEY AUTO_INCREMENT, n INT) ENGINE=InnoDB");
        must(*m_setup, "CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT) ENGINE=InnoDB");
        must(*m_setup, "INSERT INTO shop.stock VALUES (1, 0)");
        must(*m_setup, "INSERT INTO shop.many (n) VALUES (0)");
        for (int made = 1; made < rows; made *= 2)
            must(*m_setup, "INSERT INTO shop.many (n) SELECT n FROM shop.many");
        must(*m_big, "BEGIN");
        must(*m_big, "SELECT COUNT(n) FROM (SELECT n FROM shop.many FOR UPDATE) AS locked");
        m_holder.run("BEGIN");
        m_holder.run("UPDATE shop.stock SET n = n + 1");
        for (int i = 0; i < 10; ++i) {
            m_waiters.push_back(std::make_unique<Actor>(server));
            m_waiters.back()->start("UPDATE shop.stock SET n = n + 1");
        }
    }
    ~Scene()
    {
        must(*m_setup, "KILL " + QByteArray::number(m_holder.id()));
        for (const auto &waiter : m_waiters)
            waiter->finish();
    }
    Scene(const Scene &) = delete;
    Scene &operator=(const Scene &) = delete;

private:
    std::unique_ptr<Session> m_setup;
    std::unique_ptr<Session> m_big;
    Actor m_holder;
    std::vector<std::unique_ptr<Actor>> m_waiters;
};

void measureLooks(const TestServer &server, int looks)
{
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
    std::printf("%s: %llu row locks held by one transaction, %lld edges\n", qPrintable(watching->info().version),
                locked, qlonglong(edges));
    std::printf("a look: p50 %.2f ms, p95 %.2f ms, longest %.2f ms (target p95: 50)\n", quantile(costs, 0.5),
                quantile(costs, 0.95), quantile(costs, 1));
    std::printf("CPU of the server's thread %.2f ms and of the client %.2f ms a look: %.2f %% of a core (target 1)\n",
                serverCpu / looks, clientCpu / looks, (serverCpu + clientCpu) / looks / 10);
}

/// All that a window asks whatever its page, each on a connection of its own, at its default interval.
void measureWindow(const TestServer &server, int seconds)
{
    const auto asking = open(server);
    const bool isMariaDb = server.family() == Family::MariaDb;
    const QByteArray newThreads = (isMariaDb ? "SELECT tid FROM information_schema.processlist WHERE id > "
                                             : "SELECT thread_os_id FROM performance_schema.threads WHERE "
                                               "processlist_id > ")
        + QByteArray::number(asking->connectionId());
    Monitor monitor(targetFor(server));
    WaitsFeed waits(targetFor(server));
    QObject::connect(&waits, &WaitsFeed::updated, &monitor, &Monitor::setServerWaits);
    monitor.start();
    waits.start();
    const auto letRun = [](int forSeconds) {
        QEventLoop loop;
        QTimer::singleShot(forSeconds * 1000, &loop, &QEventLoop::quit);
        loop.exec();
    };
    letRun(3); // all are connected, and have looked
    const auto threads = must(*asking, newThreads).set(-1).rows;
    const auto serverCpu = [&] {
        double sum = 0;
        for (const QVariantList &row : threads)
            sum += serverMilliseconds(server, row.value(0).toLongLong());
        return sum;
    };
    const double serverBefore = serverCpu();
    const double clientBefore = clientMilliseconds();
    letRun(seconds);
    const double serverTook = serverCpu() - serverBefore;
    const double clientTook = clientMilliseconds() - clientBefore;
    std::printf(
        "all that a window asks, on %lld connections: server %.2f ms and client %.2f ms a second: %.2f %% of a core "
        "(target 1)\n",
        qlonglong(threads.size()), serverTook / seconds, clientTook / seconds,
        (serverTook + clientTook) / seconds / 10);
}

int measureCost(int looks, int rows)
{
    TestServer server({QStringLiteral("--innodb-buffer-pool-size=512M")});
    const Scene scene(server, rows);
    measureLooks(server, looks);
    measureWindow(server, looks);
    return 0;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.value(1) == QLatin1String("cost"))
        return measureCost(words.value(2, QStringLiteral("60")).toInt(),
                           words.value(3, QStringLiteral("1048576")).toInt());
    if (words.value(1) == QLatin1String("victims"))
        return countVictims(words.value(2, QStringLiteral("10000")).toInt());
    std::fprintf(stderr, "usage: lockscope_waits_bench cost [looks] [rows] | victims [incidents]\n");
    return 64;
}
