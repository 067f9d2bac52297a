// SPDX-License-Identifier: MIT
#include "demoservice.h"

#include "lockscope/lockengine.h"
#include "lockscope/optimistic.h"

#include <QtCore/QHash>

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <random>
#include <stop_token>
#include <thread>
#include <unistd.h>
#include <vector>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using Millis = std::chrono::milliseconds;

/// What one thread of a service does over and over: wait for the lock, hold it, pause.
struct Task
{
    QByteArray resource;
    Millis ttl;
    Millis hold; ///< half of it up to one and a half
    Millis pause;
    QByteArray note = {};
    Mode mode = Mode::Unique;
    bool isOptimistic = false; ///< holds nothing: works for `hold` and commits
    bool diesHolding = false;  ///< ends the whole process with SIGKILL, to leave an orphan behind
};

const QHash<QString, std::vector<Task>> &services()
{
    static const QHash<QString, std::vector<Task>> all{
        {QStringLiteral("scheduler"), {{"scheduler/leader", 15s, 60s, 2s, "elected leader"}}},
        {QStringLiteral("scheduler-standby"), {{"scheduler/leader", 15s, 60s, 2s, "elected leader"}}},
        {QStringLiteral("billing"),
         {{"orders/42", 12s, 5s, 300ms, "charge card"}, {"orders/57", 12s, 4s, 5s, "refund"}}},
        {QStringLiteral("shipping"), {{"orders/42", 12s, 4s, 300ms, "print label"}}},
        {QStringLiteral("web"), {{"orders/42", 12s, 3s, 300ms, "edit address"}}},
        {QStringLiteral("inventory"),
         {{"stock/7", 10s, 3s, 1s, "count"}, {"stock/8", 10s, 2s, 2s, "count"}, {"stock/7", 10s, 2s, 2s, "reserve"}}},
        {QStringLiteral("cron"), {{"jobs/nightly", 120s, 90s, 3s, "nightly report"}}},
        {QStringLiteral("indexer"), {{"search/reindex", 600s, 300s, 1s, "full rebuild"}}},
        {QStringLiteral("import"), {{"imports/customers", 12s, 4s, 1s, "csv from partner", Mode::Unique, false, true}}},
        {QStringLiteral("ledger"), {{"ledger/month", 10s, 30s, 1s, "closing the month", Mode::Pessimistic}}},
        {QStringLiteral("audit"), {{"ledger/month", 10s, 8s, 4s, "checking totals", Mode::Pessimistic}}},
        {QStringLiteral("pricing"), {{"prices/list", {}, 60ms, 90ms, {}, Mode::Unique, true}}},
        {QStringLiteral("shop"), {{"prices/list", {}, 40ms, 150ms, {}, Mode::Unique, true}}},
        {QStringLiteral("import-standby"), {{"imports/customers", 10s, 4s, 20s, "csv from partner"}}},
    };
    return all;
}

/// A pause that a stop cuts short.
void rest(const std::stop_token &stop, Millis time)
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, time, [] { return false; });
}

/// Around a time: half of it up to one and a half.
class About
{
public:
    Millis operator()(Millis time)
    {
        return Millis(std::uniform_int_distribution<Millis::rep>(time.count() / 2, time.count() * 3 / 2)(m_random));
    }

private:
    std::mt19937 m_random{std::random_device{}()};
};

void hold(LockEngine &engine, const Task &task, const std::stop_token &stop)
{
    About about;
    while (!stop.stop_requested()) {
        LockRequest request;
        request.resource = task.resource;
        request.mode = task.mode;
        request.ttl = task.ttl;
        request.wait = Forever;
        request.note = task.note;
        request.stop = stop;
        AcquireResult result = engine.acquire(request);
        if (result.outcome == Outcome::Granted) {
            rest(stop, about(task.hold));
            if (task.diesHolding && !stop.stop_requested())
                ::raise(SIGKILL);
            result.handle.release();
        }
        rest(stop, result.error ? Millis(1s) : about(task.pause));
    }
}

void commit(LockEngine &engine, const Task &task, const std::stop_token &stop)
{
    About about;
    OptimisticStore store(engine);
    RetryPolicy policy;
    policy.stop = stop;
    const auto change = [&](const Snapshot &) {
        rest(stop, about(task.hold));
        return ColumnValues();
    };
    while (!stop.stop_requested()) {
        const RunResult result = store.run(task.resource, change, policy);
        rest(stop, result.error ? Millis(1s) : about(task.pause));
    }
}

void work(LockEngine &engine, const Task &task, const std::stop_token &stop)
{
    task.isOptimistic ? commit(engine, task, stop) : hold(engine, task, stop);
}

/// Returns when standard input ends.
void waitForParent()
{
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) { }
}

} // namespace

QStringList demoServices()
{
    QStringList names = services().keys();
    names.sort();
    return names;
}

int runDemoService(const QString &name, const ServerUrl &url)
{
    const auto tasks = services().value(name);
    if (tasks.empty()) {
        std::fprintf(stderr, "lockscope: no demo service is called %s.\n", qPrintable(name));
        return 64;
    }
    ::signal(SIGINT, SIG_IGN); // Ctrl+C in the terminal is for the window, which then ends its services in order
    EngineConfig config;
    config.server = url;
    config.service = name;
    LockEngine engine(config);
    std::vector<std::jthread> threads;
    threads.reserve(tasks.size());
    for (const Task &task : tasks)
        threads.emplace_back([&engine, &task](const std::stop_token &stop) { work(engine, task, stop); });
    waitForParent();
    return 0; // the threads are stopped and joined, then the engine gives back what is held
}

} // namespace lockscope
