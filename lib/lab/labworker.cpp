// SPDX-License-Identifier: MIT
#include "labworker.h"

#include "labstores.h"
#include "lockscope/optimistic.h"

#include <QtSql/QSqlDatabase>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;
using Kind = LabEvent::Kind;

namespace {

constexpr Duration kSlice = 20ms;
/// After something that should not happen, so that a server that is away is not hammered.
constexpr Duration kAfterFailure = 100ms;
constexpr Duration kLongestBackOff = 20ms;
/// How often a worker rests between the two steps by which it takes a lock, and for how long: so that whoever crashes
/// it there is told in time.
constexpr int kHalfwayOneIn = 4;
constexpr Duration kHalfwayRest = 150ms;

Kind kindOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Granted:
        return Kind::Got;
    case Outcome::Busy:
        return Kind::Busy;
    case Outcome::TimedOut:
        return Kind::TimedOut;
    case Outcome::Cancelled:
        return Kind::Left;
    case Outcome::Deadlock:
        return Kind::Deadlock;
    case Outcome::Unknown:
    case Outcome::Failed:
        break;
    }
    return Kind::Failed;
}

VersionedTable stockTable()
{
    VersionedTable table;
    table.table = QStringLiteral("lab_stock");
    table.keyColumn = QStringLiteral("resource");
    table.versionColumn = QStringLiteral("version");
    table.readColumns = {QStringLiteral("amount"), QStringLiteral("sold")};
    return table;
}

} // namespace

LabDice::LabDice(const LabPlan &plan, int worker)
    : m_plan(plan)
    , m_worker(worker)
{
    std::seed_seq seed{quint32(plan.seed), quint32(plan.seed >> 32), quint32(worker)};
    m_random.seed(seed);
    std::vector<double> weights;
    for (int i = 0; i < plan.resources && plan.skew != LabSkew::Uniform; ++i) {
        const double cold = plan.resources > 1 ? 0.1 / (plan.resources - 1) : 0;
        weights.push_back(plan.skew == LabSkew::Zipf ? 1.0 / (i + 1) : i == 0 ? 0.9 : cold);
    }
    m_resources = std::discrete_distribution<int>(weights.begin(), weights.end());
}

int LabDice::resource()
{
    if (m_plan.skew == LabSkew::Own)
        return m_worker % m_plan.resources;
    if (m_plan.skew != LabSkew::Uniform)
        return m_resources(m_random);
    return std::uniform_int_distribution<int>(0, m_plan.resources - 1)(m_random);
}

int LabDice::resources() const
{
    return m_plan.skew == LabSkew::Own ? 1 : m_plan.resources;
}

Duration LabDice::length(const LabTime &time)
{
    const double mean = double(time.mean.count());
    if (time.shape == LabTime::Shape::Fixed || mean <= 0)
        return time.mean;
    const double drawn = time.shape == LabTime::Shape::Uniform
        ? std::uniform_real_distribution<double>(0, 2 * mean)(m_random)
        : std::exponential_distribution<double>(1 / mean)(m_random);
    return Duration(qint64(drawn));
}

bool LabDice::isOneIn(int many)
{
    return std::uniform_int_distribution<int>(1, many)(m_random) == 1;
}

LabWorker::LabWorker(const LabShared &shared, int number, LabEvents &events)
    : m_shared(shared)
    , m_number(number)
    , m_events(events)
    , m_dice(shared.plan, number)
    , m_stock(shared.plan)
    , m_session(shared.target)
{
}

LabWorker::~LabWorker() = default;

void LabWorker::tell(Kind kind, int resource, quint64 token, qint64 value, quint64 version)
{
    m_events.add({LabEvent::now(), kind, m_number, resource, token, value, version});
}

void LabWorker::reportError(const std::optional<LockError> &error)
{
    if (error)
        m_events.reportError(error->message);
}

bool LabWorker::pause(Duration length, const std::stop_token &stop, const LabLock *lock)
{
    const auto end = std::chrono::steady_clock::now() + length;
    for (;;) {
        if (lock)
            lock->heldUntil(); // renewals move it
        const auto left = std::chrono::duration_cast<Duration>(end - std::chrono::steady_clock::now());
        if (left <= Duration::zero())
            return true;
        if (stop.stop_requested())
            return false;
        std::this_thread::sleep_for(std::min(left, kSlice));
    }
}

void LabWorker::run(const std::stop_token &stop)
{
    const auto lock = makeLabLock(m_shared);
    std::unique_ptr<OptimisticStore> store;
    if (m_shared.plan.way == LabWay::Optimistic)
        store = std::make_unique<OptimisticStore>(*m_shared.engine, stockTable());
    while (!stop.stop_requested() && !isThrough()) {
        if (lock)
            turn(*lock, stop);
        else
            swapTurn(store.get(), stop);
        if (const Duration think = m_dice.length(m_shared.plan.think); think > Duration::zero())
            pause(think, stop);
    }
}

/// Nothing that was sold comes back, and nothing is undone. Where nobody is kept out a late write may put pieces back
/// that it did not see go: whoever has stopped does not buy these as well.
bool LabWorker::isThrough() const
{
    return int(m_done.size()) == m_dice.resources();
}

void LabWorker::turn(LabLock &lock, const std::stop_token &stop)
{
    const int resource = m_dice.resource();
    tell(Kind::Ask, resource);
    if (m_shared.plan.restsHalfway())
        lock.setOnHalfway([&] { restHalfway(resource, stop); });
    const LabLock::Entry entry = lock.enter(LabStock::resourceName(resource), m_shared.plan.wait, stop);
    tell(kindOf(entry.outcome), resource, entry.token, entry.outcome == Outcome::Granted ? lock.heldUntil() : 0);
    if (entry.outcome != Outcome::Granted) {
        m_events.reportError(entry.error);
        if (entry.outcome == Outcome::Failed)
            pause(kAfterFailure, stop);
        return;
    }
    const Kind done = hold(lock, resource, entry.token, stop);
    if (done == Kind::Failed)
        m_events.reportError(m_stock.error());
    if (done == Kind::Skipped)
        m_done.insert(resource);
    tell(Kind::Finished, resource, entry.token, lock.heldUntil());
    if (done != Kind::Released)
        tell(done, resource, entry.token, m_over.unseen, m_over.version);
    tell(lock.leave() ? Kind::Released : Kind::NotHeld, resource, entry.token);
}

void LabWorker::restHalfway(int resource, const std::stop_token &stop)
{
    if (!m_dice.isOneIn(kHalfwayOneIn))
        return;
    tell(Kind::Halfway, resource);
    pause(kHalfwayRest, stop);
}

/// What became of the work; Released when there was none to do.
Kind LabWorker::hold(LabLock &lock, int resource, quint64 token, const std::stop_token &stop)
{
    const Duration length = m_dice.length(m_shared.plan.hold);
    m_over = {};
    if (m_shared.plan.job == LabJob::Nothing) {
        pause(length, stop, &lock);
        return Kind::Released;
    }
    LabSight sight;
    Kind kind = Kind::Failed; // there was no connection for it
    const bool hasPolled = lock.work([&](const QSqlDatabase &database) {
        kind = m_stock.look(database, resource, token, &sight);
        return kind != Kind::Failed;
    });
    if (!hasPolled || kind != Kind::Wrote)
        return hasPolled ? kind : Kind::Refused;
    if (!m_stock.isWanted(sight, m_number))
        return Kind::Skipped;
    pause(length, stop, &lock);
    kind = Kind::Failed;
    const bool hasWritten = lock.work([&](const QSqlDatabase &database) {
        kind = m_stock.write(database, resource, token, sight, m_number, &m_over);
        return kind != Kind::Failed;
    });
    return hasWritten ? kind : Kind::Refused;
}

void LabWorker::swapTurn(OptimisticStore *store, const std::stop_token &stop)
{
    const int resource = m_dice.resource();
    tell(Kind::Ask, resource);
    const auto end = std::chrono::steady_clock::now() + m_shared.plan.wait;
    Duration backOff = 500us;
    for (;;) {
        m_over = {};
        const Kind kind = swapOnce(store, resource, stop);
        if (kind != Kind::Conflict) {
            if (kind == Kind::Failed)
                pause(kAfterFailure, stop);
            if (kind == Kind::Wrote || kind == Kind::Duplicate) {
                const qint64 now = LabEvent::now(); // one moment: nothing is held, so nothing can be held beside it
                m_events.add({now, Kind::Got, m_number, resource, 0, 0});
                m_events.add({now, Kind::Finished, m_number, resource, 0, 0});
            } else if (kind == Kind::Skipped) {
                m_done.insert(resource);
                tell(Kind::Busy, resource); // ends the request; nothing was wanted
            }
            return tell(kind, resource, 0, m_over.unseen, m_over.version);
        }
        tell(Kind::Conflict, resource);
        if (stop.stop_requested())
            return tell(Kind::Left, resource);
        if (std::chrono::steady_clock::now() >= end)
            return tell(Kind::TimedOut, resource);
        pause(m_dice.length({LabTime::Shape::Uniform, backOff / 2}), stop); // full jitter
        backOff = std::min(2 * backOff, kLongestBackOff);
    }
}

Kind LabWorker::swapOnce(OptimisticStore *store, int resource, const std::stop_token &stop)
{
    if (store)
        return swapByStore(*store, resource, stop);
    Session *session = m_session.get();
    LabSight sight;
    if (!session || m_stock.look(session->database(), resource, 0, &sight) != Kind::Wrote) {
        m_events.reportError(m_stock.error());
        m_session.drop();
        return Kind::Failed;
    }
    if (!m_stock.isWanted(sight, m_number))
        return Kind::Skipped;
    pause(m_dice.length(m_shared.plan.hold), stop);
    const Kind kind = m_stock.swapBySeconds(session->database(), resource, sight, m_number, &m_over);
    if (kind == Kind::Failed) {
        m_events.reportError(m_stock.error());
        m_session.drop();
    }
    return kind;
}

Kind LabWorker::swapByStore(OptimisticStore &store, int resource, const std::stop_token &stop)
{
    const ReadResult read = store.read(LabStock::resourceName(resource));
    if (read.outcome != ReadOutcome::Read) {
        reportError(read.error);
        return Kind::Failed;
    }
    LabSight sight;
    sight.amount = read.snapshot.values.value(0).toLongLong();
    sight.version = quint64(read.snapshot.version);
    if (!m_stock.isWanted(sight, m_number))
        return Kind::Skipped;
    pause(m_dice.length(m_shared.plan.hold), stop);
    const qint64 after = m_stock.amountAfter(sight, m_number);
    ColumnValues values{{QStringLiteral("amount"), after}};
    if (m_shared.plan.job == LabJob::Sale)
        values[QStringLiteral("sold")] = read.snapshot.values.value(1).toLongLong() + sight.amount - after;
    const CommitResult result = store.commit(read.snapshot, values);
    reportError(result.error);
    switch (result.outcome) {
    case CommitOutcome::Committed:
        return Kind::Wrote;
    case CommitOutcome::Conflict:
        return Kind::Conflict;
    case CommitOutcome::Unknown:
    case CommitOutcome::Failed:
        break;
    }
    return Kind::Failed;
}

void LabWorker::clean(const std::stop_token &stop)
{
    const auto params = Params().microseconds("ttl", m_shared.plan.ttl);
    while (pause(m_shared.plan.ttl / 4, stop))
        m_session.run("lab/clean", params);
}

LabCrew::LabCrew(LabPlan plan, SessionTarget target, LabNodeAccess nodes, int firstWorker, int count,
                 LabEvents::Listener listener)
    : m_plan(std::move(plan))
    , m_events(std::move(listener))
    , m_shared{m_plan, std::move(target), nullptr, std::move(nodes)}
{
    if (traitsOf(m_plan.way).isEngine)
        makeEngine(count);
    if (m_plan.way == LabWay::Cleaner && firstWorker == 0)
        m_threads.emplace_back([this] { LabWorker(m_shared, -1, m_events).clean(m_stop.get_token()); });
    for (int i = 0; i < count; ++i) {
        m_threads.emplace_back(
            [this, number = firstWorker + i] { LabWorker(m_shared, number, m_events).run(m_stop.get_token()); });
    }
}

void LabCrew::makeEngine(int workers)
{
    EngineConfig config;
    config.service = QStringLiteral("lockscope-lab");
    // Of a pessimistic engine half are for locks.
    config.maxConnections = m_plan.connections > 0 ? m_plan.connections : std::max(8, 2 * workers + 4);
    if (const LabStoreKit *kit = labStoreKit(traitsOf(m_plan.way).store)) {
        config.store = kit->makeStore(m_plan, m_shared.nodes, config.maxConnections);
    } else {
        config.server = m_shared.target.url;
        config.password = m_shared.target.password;
    }
    m_engine = std::make_unique<LockEngine>(config);
    m_shared.engine = m_engine.get();
}

LabCrew::~LabCrew()
{
    stop();
}

void LabCrew::stop()
{
    m_stop.request_stop();
    m_events.endWaiting();
    for (std::thread &thread : m_threads)
        thread.join();
    m_threads.clear();
}

} // namespace lockscope
