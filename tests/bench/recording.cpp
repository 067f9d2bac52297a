// SPDX-License-Identifier: MIT
// What a recording costs, in time and in bytes:
//   lockscope_recording_bench [seconds] [sessions] [leases]
//       records a server without traffic, and one on which that many sessions (60) change hot rows, each statement
//       another text, and that many leases (300) are held and renewed while some are taken and given back all the time
// Starts a private server (LOCKSCOPE_TEST_MYSQL: a MySQL) and prints what one hour would be.
#include "waitsbench.h"

#include "lockscope/lockengine.h"
#include "recording/recorder.h"
#include "recording/recording.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtCore/QThread>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <thread>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::bench;
using namespace std::chrono_literals;

namespace {

using Values = std::vector<double>;

constexpr int kHotRows = 12;
constexpr int kLeaseThreads = 8;
constexpr size_t kStretch = 10; // seconds

double threadMilliseconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// Short transactions of a shop, all on few rows.
void shop(const std::stop_token &isOver, const TestServer &server, quint32 seed)
{
    const auto session = open(server);
    QRandomGenerator random(seed);
    while (!isOver.stop_requested()) {
        session->run("BEGIN", "bench");
        const QByteArray row = QByteArray::number(random.bounded(1, kHotRows + 1));
        const QByteArray note = QByteArray::number(random.generate64(), 16);
        const QByteArray sql = "UPDATE shop.stock SET n = n + " + QByteArray::number(random.bounded(1000))
            + ", note = '" + note + "' WHERE id = " + row + " AND (SELECT count(*) FROM shop.orders WHERE customer = '"
            + note + "' AND paid = 0) < 5 /* shop-frontend checkout v2 */";
        session->run(sql, "bench");
        std::this_thread::sleep_for(std::chrono::milliseconds(random.bounded(30)));
        session->run(random.bounded(10) == 0 ? "ROLLBACK" : "COMMIT", "bench");
        std::this_thread::sleep_for(std::chrono::milliseconds(random.bounded(60)));
    }
}

void takeLeases(const std::stop_token &isOver, LockEngine &engine, quint32 seed)
{
    QRandomGenerator random(seed);
    while (!isOver.stop_requested()) {
        LockRequest request;
        request.resource = "import/" + QByteArray::number(random.bounded(20));
        request.wait = 200ms;
        const AcquireResult result = engine.acquire(request);
        std::this_thread::sleep_for(std::chrono::milliseconds(random.bounded(40)));
    }
}

/// All that goes on, until it is destroyed.
class Traffic
{
public:
    Traffic(const TestServer &server, int sessions, int leases)
    {
        EngineConfig config;
        config.server = server.url();
        config.service = QStringLiteral("importer");
        m_engine = std::make_unique<LockEngine>(config);
        for (int i = 0; i < leases; ++i) {
            LockRequest request;
            request.resource = "orders/" + QByteArray::number(i);
            request.ttl = 10s;
            request.note = "batch " + QByteArray::number(i);
            m_held.push_back(m_engine->acquire(request));
        }
        for (int i = 0; i < kLeaseThreads; ++i)
            m_threads.emplace_back(
                [this, i](const std::stop_token &isOver) { takeLeases(isOver, *m_engine, quint32(i)); });
        for (int i = 0; i < sessions; ++i)
            m_threads.emplace_back(
                [&server, i](const std::stop_token &isOver) { shop(isOver, server, quint32(i + 1)); });
    }
    ~Traffic()
    {
        for (std::jthread &thread : m_threads)
            thread.request_stop();
        m_threads.clear();
        m_held.clear();
    }
    Traffic(const Traffic &) = delete;
    Traffic &operator=(const Traffic &) = delete;

private:
    std::unique_ptr<LockEngine> m_engine;
    std::vector<AcquireResult> m_held;
    std::vector<std::jthread> m_threads;
};

/// The processor time of each look, in milliseconds.
struct Cost
{
    Values reading;
    Values writing;
    Values both;

    void add(double read, double written)
    {
        reading.push_back(read);
        writing.push_back(written);
        both.push_back(read + written);
    }
    /// Looks are a second apart.
    double percentOfACore(size_t from, size_t count) const
    {
        const auto first = both.begin() + std::ptrdiff_t(from);
        return std::accumulate(first, first + std::ptrdiff_t(count), 0.0) / double(count) / 10;
    }
    double busiestPercent() const
    {
        double most = 0;
        for (size_t from = 0; from + kStretch <= both.size(); ++from)
            most = std::max(most, percentOfACore(from, kStretch));
        return most;
    }
};

double most(const Values &values)
{
    return *std::max_element(values.begin(), values.end());
}

double mean(const Values &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// What recording for so long took, at the default interval.
void record(const char *what, const TestServer &server, int seconds)
{
    const QTemporaryDir dir;
    RecordingOptions options;
    options.path = dir.filePath(QStringLiteral("bench.lockscope"));
    QString error;
    auto writer = RecordingWriter::open(options, QStringLiteral("bench"), &error);
    if (!writer)
        give(error);
    const double empty = double(writer->bytes()) / 1e6; // its first pages
    Recorder recorder(options, std::move(writer));
    RecordingPoll poll;
    poll.setTarget(targetFor(server));
    RecordedNews first; // connects and probes
    poll.poll(&first);
    Cost cost;
    qint64 waits = 0;
    for (int look = 0; look < seconds; ++look) {
        std::this_thread::sleep_until(*poll.pace().next());
        const double before = threadMilliseconds();
        RecordedNews news;
        if (const auto failed = poll.poll(&news))
            give(failed->toString());
        const double read = threadMilliseconds();
        recorder.take(news);
        cost.add(read - before, threadMilliseconds() - read);
        waits += news.look.waits.edges.size();
    }
    recorder.end();
    const double megabytes = double(recorder.status().bytes) / 1e6 - empty;
    std::printf("%-6s %4d looks, %5.1f waits each; CPU %.2f ms a look to read (at most %.2f), %.2f ms to write (%.2f), "
                "%.2f ms at most together: %.2f %% of a core, %.2f %% in the busiest ten seconds; %.2f MB, %.1f MB an "
                "hour\n",
                what, seconds, double(waits) / seconds, mean(cost.reading), most(cost.reading), mean(cost.writing),
                most(cost.writing), most(cost.both), cost.percentOfACore(0, cost.both.size()), cost.busiestPercent(),
                megabytes, megabytes / seconds * 3600);
    const double began = threadMilliseconds();
    const auto recording = Recording::open(options.path, &error);
    const auto moment = recording->at(recording->info().to);
    std::printf("       opened, and its last moment made: %.1f ms; %lld sessions, %lld locks\n",
                threadMilliseconds() - began, qint64(moment->look.waits.sessions.size()),
                qint64(moment->look.locks.rows.size()));
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    const int seconds = words.value(1, QStringLiteral("120")).toInt();
    TestServer server({QStringLiteral("--max-connections=500")});
    resetTables(server);
    const auto setup = open(server);
    must(*setup, "CREATE DATABASE IF NOT EXISTS shop");
    must(*setup, "CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT, note VARCHAR(40)) ENGINE=InnoDB");
    must(*setup, "CREATE TABLE shop.orders (customer VARCHAR(40) PRIMARY KEY, paid INT) ENGINE=InnoDB");
    for (int i = 1; i <= kHotRows; ++i)
        must(*setup, "INSERT INTO shop.stock VALUES (" + QByteArray::number(i) + ", 0, '')");
    record("calm", server, seconds / 4);
    const Traffic traffic(server, words.value(2, QStringLiteral("60")).toInt(),
                          words.value(3, QStringLiteral("300")).toInt());
    record("busy", server, seconds);
    return 0;
}
