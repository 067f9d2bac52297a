// SPDX-License-Identifier: MIT
// Times that a user of the queue relies on, each the median of at least 20:
//  - how long a first waiter that died, timed out or was cancelled delays the second, from the holder's release on;
//  - how far a wait runs over its budget;
//  - how long after the first's lease expired the second has it, when the first was granted while frozen.
//
// Waiters that are killed or frozen are processes of their own: this program, started with --child-wait.
#include "benchmark.h"
#include "child.h"
#include "worker.h"

#include <array>
#include <csignal>
#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kRounds = 20;
constexpr double kSoonMs = 50;
constexpr auto kFrozenTtl = 400ms;
const QByteArray kResource = "bench:facts";

double milliseconds(Clock::duration duration)
{
    return microseconds(duration) / 1000;
}

/// One resource with a holder, a first waiter that will not make it, and a second whose wait is measured.
class Queue
{
public:
    explicit Queue(const Context &context)
        : m_control(context.url)
        , m_holder(engineConfig(context))
        , m_first(engineConfig(context))
        , m_second(engineConfig(context))
    {
        hold();
    }
    ~Queue()
    {
        expectReleased(std::move(m_held.handle));
        m_firstThread.stop();
        m_secondThread.stop();
    }
    Queue(const Queue &) = delete;
    Queue &operator=(const Queue &) = delete;

    RawClient &control() { return m_control; }

    void hold() { m_held = expect(Outcome::Granted, m_holder.acquire(request(kResource, Forever))); }
    void release() { expectReleased(std::move(m_held.handle)); }

    /// The first waits in a thread; the answer is how it ended.
    std::future<Outcome> letFirstWait(Duration wait, const std::stop_token &stop)
    {
        auto ended = m_firstThread.post([this, wait, stop] {
            LockRequest asked = request(kResource, wait);
            asked.stop = stop;
            return m_first.acquire(asked).outcome;
        });
        waitForRow(m_control, firstBlocksSql(kResource));
        return ended;
    }
    /// The second waits behind it; the answer is when it had the lease, which it gives back at once.
    std::future<Clock::time_point> letSecondWait()
    {
        auto granted = m_secondThread.post([this] {
            auto result = expect(Outcome::Granted, m_second.acquire(request(kResource, Forever)));
            const auto at = Clock::now();
            expectReleased(std::move(result.handle));
            return at;
        });
        waitForRow(m_control, secondBlocksSql(kResource));
        return granted;
    }

private:
    RawClient m_control;
    LockEngine m_holder;
    LockEngine m_first;
    LockEngine m_second;
    AcquireResult m_held;
    Worker m_firstThread;
    Worker m_secondThread;
};

/// From the holder's release to the second's grant, in milliseconds, after `lose` has made the first go.
template<typename Function>
double delayAfter(Queue &queue, Function lose)
{
    auto granted = lose();
    const auto start = Clock::now();
    queue.release();
    const double delay = milliseconds(granted.get() - start);
    queue.hold();
    return delay;
}

double delayAfterDeath(Queue &queue, const Context &context)
{
    return delayAfter(queue, [&] {
        Child first(context, kResource, 30s);
        waitForRow(queue.control(), firstBlocksSql(kResource));
        auto granted = queue.letSecondWait();
        first.kill();
        std::this_thread::sleep_for(5ms); // the server must have read the end of the connection
        return granted;
    });
}

double delayAfterTimeout(Queue &queue)
{
    return delayAfter(queue, [&] {
        auto ended = queue.letFirstWait(250ms, {});
        auto granted = queue.letSecondWait();
        if (ended.get() != Outcome::TimedOut)
            qFatal("The first waiter did not time out");
        return granted;
    });
}

double delayAfterCancel(Queue &queue)
{
    return delayAfter(queue, [&] {
        std::stop_source source;
        auto ended = queue.letFirstWait(Forever, source.get_token());
        auto granted = queue.letSecondWait();
        source.request_stop();
        if (ended.get() != Outcome::Cancelled)
            qFatal("The first waiter was not cancelled");
        return granted;
    });
}

/// From the end of a frozen first's lease to the second's grant, in milliseconds. The holder releases `after` the
/// second began to wait: from that moment on the second looks again once per TTL, so it matters.
double delayAfterFreeze(Queue &queue, const Context &context, Duration after)
{
    Child first(context, kResource, kFrozenTtl);
    waitForRow(queue.control(), firstBlocksSql(kResource));
    auto granted = queue.letSecondWait();
    first.signal(SIGSTOP);
    std::this_thread::sleep_for(after);
    queue.release();
    const auto asked = Clock::now();
    const double left = queue.control()
                            .value("SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) "
                                   "FROM lock_lease WHERE resource = '"
                                   + kResource + "'")
                            .toDouble();
    const double delay = milliseconds(granted.get() - asked) - left / 1000;
    first.kill();
    queue.hold();
    return delay;
}

/// Runs `round` often enough; it gets its number as a share of all, 0 … 1.
Values repeat(const Context &context, const std::function<double(double share)> &round)
{
    const int rounds = context.quick ? 3 : kRounds;
    Values values;
    for (int i = 0; i < rounds; ++i)
        values.push_back(round(double(i) / rounds));
    return values;
}

void addDelay(Report &report, const QString &key, const QString &what, const Values &values)
{
    report.add(key, what, medianInterval(values), u"ms"_s, atMost(kSoonMs));
    report.add(key + u"Most"_s, what + u", longest"_s, quantile(values, 1), u"ms"_s);
}

/// Budgets side by side, each on a resource of its own, so that 20 rounds take half a minute.
void measureBudgets(const Context &context, Report &report)
{
    constexpr std::array budgets{100ms, 250ms, 400ms, 1500ms};
    LockEngine holder(engineConfig(context));
    LockEngine engine(engineConfig(context));
    std::array<Worker, budgets.size()> workers;
    std::vector<AcquireResult> held;
    std::vector<std::future<Values>> overshoots;
    for (std::size_t i = 0; i < budgets.size(); ++i) {
        const QByteArray resource = kResource + ":budget" + QByteArray::number(qint64(budgets[i].count()));
        held.push_back(expect(Outcome::Granted, holder.acquire(request(resource))));
        overshoots.push_back(workers[i].post([&engine, &context, resource, budget = budgets[i]] {
            return repeat(context, [&](double) {
                const auto start = Clock::now();
                expect(Outcome::TimedOut, engine.acquire(request(resource, budget)));
                return milliseconds(Clock::now() - start - budget);
            });
        }));
    }
    for (std::size_t i = 0; i < budgets.size(); ++i) {
        const QString budget = QString::number(budgets[i].count());
        addDelay(report, u"overshoot"_s + budget, u"wait of %1 ms: over its budget"_s.arg(budget), overshoots[i].get());
        expectReleased(std::move(held[i].handle));
        workers[i].stop();
    }
}

} // namespace

Report factsBenchmark(const Context &context)
{
    Report report;
    {
        Queue queue(context);
        addDelay(report, u"deadDelay"_s, u"release to grant behind a killed waiter"_s,
                 repeat(context, [&](double) { return delayAfterDeath(queue, context); }));
        addDelay(report, u"timedOutDelay"_s, u"release to grant behind a timed-out waiter"_s,
                 repeat(context, [&](double) { return delayAfterTimeout(queue); }));
        addDelay(report, u"cancelledDelay"_s, u"release to grant behind a cancelled waiter"_s,
                 repeat(context, [&](double) { return delayAfterCancel(queue); }));
        addDelay(report, u"frozenDelay"_s, u"expiry to grant behind a frozen grantee"_s,
                 repeat(context, [&](double share) {
                     const auto after = std::chrono::duration_cast<Duration>(share * kFrozenTtl);
                     return delayAfterFreeze(queue, context, after);
                 }));
        addDelay(report, u"frozenAtOnceDelay"_s, u"the same, granted as the second came"_s,
                 repeat(context, [&](double) { return delayAfterFreeze(queue, context, 0ms); }));
    }
    measureBudgets(context, report);
    return report;
}

} // namespace lockscope::bench
