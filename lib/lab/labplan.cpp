// SPDX-License-Identifier: MIT
#include "labplan.h"

#include <QtCore/QJsonArray>

#include <algorithm>
#include <array>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr std::array<LabWayTraits, 24> kWays{{
    {"unique", true, true, false, false},
    {"pessimistic", true, false, true, false},
    {"optimistic", true, false, false, true},
    {"central", true, false, true, false},
    {"stripes", true, false, true, false},
    {"none", false, false, false, false},
    {"insert-poll", false, false, false, false},
    {"auto-increment", false, true, false, false},
    {"release-by-name", false, false, false, false},
    {"check-then-insert", false, false, false, false},
    {"cleaner", false, false, false, false},
    {"whole-seconds", false, false, false, true},
    {"duplicate-key", false, false, true, false},
    {"missing-row", false, false, true, false},
    {"no-index", false, false, true, false},
    {"redis-setnx", false, false, false, false, LabStore::Redis},
    {"redis-getset", false, false, false, false, LabStore::Redis},
    {"redis-set", false, false, false, false, LabStore::Redis},
    {"redis-wake", false, false, false, false, LabStore::Redis},
    {"redis-fair", true, true, false, false, LabStore::Redis},
    {"redlock", false, false, false, false, LabStore::Redis},
    {"zookeeper", true, true, false, false, LabStore::ZooKeeper},
    {"zookeeper-herd", false, false, false, false, LabStore::ZooKeeper},
    {"etcd", true, true, false, false, LabStore::Etcd},
}};
static_assert(kWays.size() == std::size_t(LabWay::Etcd) + 1);

/// Of an enum whose values count from 0, in its order.
template<typename Enum, std::size_t Count>
struct Names
{
    std::array<const char *, Count> names;

    QString operator()(Enum value) const { return QString::fromLatin1(names[std::size_t(value)]); }
    std::optional<Enum> parse(const QString &name) const
    {
        for (std::size_t i = 0; i < Count; ++i) {
            if (name == QLatin1StringView(names[i]))
                return Enum(int(i));
        }
        return std::nullopt;
    }
};

constexpr Names<LabTime::Shape, 3> kShapes{{"fixed", "uniform", "exponential"}};
constexpr Names<LabSkew, 4> kSkews{{"uniform", "zipf", "hot", "own"}};
constexpr Names<LabJob, 4> kJobs{{"nothing", "stock", "sale", "once"}};
constexpr Names<LabKeeping, 3> kKeepings{{"memory", "everysec", "durable"}};
constexpr Names<LabStore, 4> kStores{{"MySQL", "Redis", "ZooKeeper", "etcd"}};
constexpr Names<LabFault::Kind, 13> kFaults{{"kill-session", "crash", "freeze", "restart", "crowd", "cut", "slow",
                                             "node-forgets", "clock-jump", "failover", "server-pause", "leader-kill",
                                             "node-cut"}};

/// Reads the members of an object, and remembers the first that is wrong.
class Reader
{
public:
    explicit Reader(const QJsonObject &json)
        : m_json(json)
    {
    }

    template<typename Number>
    void number(const char *key, Number *value)
    {
        const QJsonValue found = take(key);
        if (found.isUndefined())
            return;
        if (!found.isDouble())
            return fail(key);
        *value = Number(found.toInteger());
    }
    void duration(const char *key, Duration *value)
    {
        qint64 microseconds = value->count();
        number(key, &microseconds);
        *value = Duration(microseconds);
    }
    void flag(const char *key, bool *value)
    {
        const QJsonValue found = take(key);
        if (found.isUndefined())
            return;
        if (!found.isBool())
            return fail(key);
        *value = found.toBool();
    }
    template<typename Value, typename Parse>
    void word(const char *key, Value *value, Parse parse)
    {
        const QJsonValue found = take(key);
        if (found.isUndefined())
            return;
        const std::optional<Value> parsed = parse(found.toString());
        if (!parsed)
            return fail(key);
        *value = *parsed;
    }
    QJsonValue take(const char *key) { return m_json.take(QLatin1StringView(key)); }
    void fail(const QString &key)
    {
        if (m_error.isEmpty())
            m_error = u"The member \"%1\" has a value that this version does not know."_s.arg(key);
    }
    /// Members nobody asked for are of a newer version, and may change what the rest means.
    QString error()
    {
        if (m_error.isEmpty() && !m_json.isEmpty())
            m_error = u"The member \"%1\" is not known to this version."_s.arg(m_json.begin().key());
        return m_error;
    }

private:
    void fail(const char *key) { fail(QString::fromLatin1(key)); }

    QJsonObject m_json;
    QString m_error;
};

QJsonObject toJson(const LabTime &time)
{
    return {{u"shape"_s, kShapes(time.shape)}, {u"meanUs"_s, qint64(time.mean.count())}};
}

void readTime(Reader &plan, const char *key, LabTime *time)
{
    const QJsonValue found = plan.take(key);
    if (found.isUndefined())
        return;
    Reader reader(found.toObject());
    reader.word("shape", &time->shape, [](const QString &name) { return kShapes.parse(name); });
    reader.duration("meanUs", &time->mean);
    if (!reader.error().isEmpty())
        plan.fail(QString::fromLatin1(key));
}

QJsonObject toJson(const LabFault &fault)
{
    return {{u"kind"_s, kFaults(fault.kind)},
            {u"atUs"_s, qint64(fault.at.count())},
            {u"everyUs"_s, qint64(fault.every.count())},
            {u"lengthUs"_s, qint64(fault.length.count())},
            {u"count"_s, fault.count}};
}

std::optional<LabFault> faultOf(const QJsonObject &json)
{
    LabFault fault;
    Reader reader(json);
    reader.word("kind", &fault.kind, labFaultOf);
    reader.duration("atUs", &fault.at);
    reader.duration("everyUs", &fault.every);
    reader.duration("lengthUs", &fault.length);
    reader.number("count", &fault.count);
    return reader.error().isEmpty() ? std::optional(fault) : std::nullopt;
}

bool isTime(Duration time, Duration most)
{
    return time >= Duration::zero() && time <= most;
}

} // namespace

const LabWayTraits &traitsOf(LabWay way)
{
    return kWays[std::size_t(way)];
}

QList<LabWay> allLabWays()
{
    QList<LabWay> ways;
    for (std::size_t i = 0; i < kWays.size(); ++i)
        ways.append(LabWay(int(i)));
    return ways;
}

std::optional<LabWay> labWayOf(const QString &name)
{
    for (const LabWay way : allLabWays()) {
        if (name == QLatin1StringView(traitsOf(way).name))
            return way;
    }
    return std::nullopt;
}

std::optional<LabFault::Kind> labFaultOf(const QString &name)
{
    return kFaults.parse(name);
}

bool needsProcesses(LabFault::Kind kind)
{
    return kind == LabFault::Kind::Crash || kind == LabFault::Kind::Freeze || isOfNetwork(kind);
}

bool isOfNetwork(LabFault::Kind kind)
{
    return kind == LabFault::Kind::Cut || kind == LabFault::Kind::Slow || kind == LabFault::Kind::NodeCut;
}

QString labKeepingName(LabKeeping keeping)
{
    return kKeepings(keeping);
}

std::optional<LabKeeping> labKeepingOf(const QString &name)
{
    return kKeepings.parse(name);
}

QString labShapeName(LabTime::Shape shape)
{
    return kShapes(shape);
}

QString labStoreName(LabStore store)
{
    return kStores(store);
}

bool mayBeEnsemble(LabStore store)
{
    return store == LabStore::ZooKeeper || store == LabStore::Etcd;
}

bool choosesKeeping(LabStore store)
{
    return store == LabStore::Redis || store == LabStore::ZooKeeper;
}

bool isOfNode(LabFault::Kind kind)
{
    return makesRedisForget(kind) || kind == LabFault::Kind::ServerPause || kind == LabFault::Kind::LeaderKill
        || kind == LabFault::Kind::NodeCut;
}

bool makesRedisForget(LabFault::Kind kind)
{
    return kind == LabFault::Kind::NodeForgets || kind == LabFault::Kind::ClockJump || kind == LabFault::Kind::Failover;
}

bool LabPlan::needsProcesses() const
{
    return usesProcesses || std::any_of(faults.begin(), faults.end(), [](const LabFault &fault) {
               return lockscope::needsProcesses(fault.kind);
           });
}

bool LabPlan::mayForget() const
{
    return traitsOf(way).store == LabStore::Redis
        && std::any_of(faults.begin(), faults.end(),
                       [](const LabFault &fault) { return makesRedisForget(fault.kind); });
}

bool LabPlan::restsHalfway() const
{
    return way == LabWay::RedisSetnx && hasFault(LabFault::Kind::Crash);
}

bool LabPlan::hasFault(LabFault::Kind kind) const
{
    return std::any_of(faults.begin(), faults.end(), [kind](const LabFault &fault) { return fault.kind == kind; });
}

std::optional<QString> LabPlan::validate() const
{
    if (workers < 1 || workers > MaxWorkers)
        return u"The number of workers must be between 1 and %1."_s.arg(MaxWorkers);
    if (needsProcesses() && workers > MaxProcesses)
        return u"Workers that are processes of their own (which these faults need) may be %1 at most."_s.arg(
            MaxProcesses);
    if (resources < 1 || resources > MaxResources)
        return u"The number of resources must be between 1 and %1."_s.arg(MaxResources);
    if (duration < 100ms || duration > MaxRun)
        return u"The duration must be between 100 ms and 24 h."_s;
    if (!isTime(hold.mean, 1h) || !isTime(think.mean, 1h))
        return u"Hold and think time must be between 0 and 1 h."_s;
    if (ttl < 10ms || ttl > 1h)
        return u"The TTL must be between 10 ms and 1 h."_s;
    if (traitsOf(way).isEngine && traitsOf(way).isInTransaction && ttl < 1s)
        return u"The TTL of this mode must be at least 1 s: the server counts whole seconds."_s;
    if (traitsOf(way).store == LabStore::ZooKeeper && ttl < ShortestSession)
        return u"The TTL of this mode must be at least 1 s: it is that of a session, and ZooKeeper knows no shorter one."_s;
    if (traitsOf(way).store == LabStore::Etcd && (ttl < ShortestEtcdTtl || ttl % 1s != 0s))
        return u"The TTL of this mode must be 2 s or more, in whole seconds: etcd counts in them."_s;
    if (servers != 1 && servers != 3)
        return u"ZooKeeper and etcd run on 1 or 3 servers here."_s;
    if (!isTime(wait, 1h))
        return u"The wait budget must be between 0 and 1 h."_s;
    if (connections != 0 && (connections < 4 || connections > 4 * MaxWorkers))
        return u"The number of connections must be 0 (as many as are of use) or between 4 and %1."_s.arg(4
                                                                                                         * MaxWorkers);
    if (stock < 0 || stock > 1'000'000'000)
        return u"The stock must be between 0 and 1,000,000,000."_s;
    for (const LabFault &fault : faults) {
        if (!isTime(fault.at, duration) || !isTime(fault.every, duration) || !isTime(fault.length, duration))
            return u"The times of a fault must lie within the run."_s;
        if (fault.every != Duration::zero() && fault.every < 50ms)
            return u"A fault may come again after 50 ms at the earliest."_s;
        if (fault.count < 0 || fault.count > MaxWorkers)
            return u"A crowd may have %1 workers at most."_s.arg(MaxWorkers);
    }
    return std::nullopt;
}

QJsonObject LabPlan::toJson() const
{
    QJsonArray faultList;
    for (const LabFault &fault : faults)
        faultList.append(lockscope::toJson(fault));
    return {{u"name"_s, name},
            {u"mode"_s, QString::fromLatin1(traitsOf(way).name)},
            {u"workers"_s, workers},
            {u"resources"_s, resources},
            {u"skew"_s, kSkews(skew)},
            {u"fair"_s, isFair},
            {u"hold"_s, lockscope::toJson(hold)},
            {u"think"_s, lockscope::toJson(think)},
            {u"ttlUs"_s, qint64(ttl.count())},
            {u"waitUs"_s, qint64(wait.count())},
            {u"connections"_s, connections},
            {u"durationUs"_s, qint64(duration.count())},
            {u"seed"_s, qint64(seed)},
            {u"job"_s, kJobs(job)},
            {u"stock"_s, stock},
            {u"fenced"_s, isFenced},
            {u"processes"_s, usesProcesses},
            {u"store"_s, kKeepings(keeping)},
            {u"servers"_s, servers},
            {u"faults"_s, faultList}};
}

std::optional<LabPlan> LabPlan::fromJson(const QJsonObject &json, QString *error)
{
    LabPlan plan;
    Reader reader(json);
    plan.name = reader.take("name").toString();
    reader.word("mode", &plan.way, labWayOf);
    reader.number("workers", &plan.workers);
    reader.number("resources", &plan.resources);
    reader.word("skew", &plan.skew, [](const QString &word) { return kSkews.parse(word); });
    reader.flag("fair", &plan.isFair);
    readTime(reader, "hold", &plan.hold);
    readTime(reader, "think", &plan.think);
    reader.duration("ttlUs", &plan.ttl);
    reader.duration("waitUs", &plan.wait);
    reader.number("connections", &plan.connections);
    reader.duration("durationUs", &plan.duration);
    reader.number("seed", &plan.seed);
    reader.word("job", &plan.job, [](const QString &word) { return kJobs.parse(word); });
    reader.number("stock", &plan.stock);
    reader.flag("fenced", &plan.isFenced);
    reader.flag("processes", &plan.usesProcesses);
    reader.word("store", &plan.keeping, labKeepingOf);
    reader.number("servers", &plan.servers);
    const QJsonArray faults = reader.take("faults").toArray();
    for (const auto &value : faults) {
        if (const auto fault = faultOf(value.toObject()))
            plan.faults.append(*fault);
        else
            reader.fail(u"faults"_s);
    }
    *error = reader.error();
    if (error->isEmpty())
        *error = plan.validate().value_or(QString());
    return error->isEmpty() ? std::optional(plan) : std::nullopt;
}

} // namespace lockscope
