// SPDX-License-Identifier: MIT
#include "metadatalocks.h"

#include "foldedleases.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockscope {

namespace {

/// Columns of waits/metadata.
enum MetadataColumn { TypeCol, SchemaCol, NameCol, ModeCol, DurationCol, PendingCol, SessionCol, EventCol, ThreadCol };
/// Columns of waits/metadata_plugin.
enum PluginColumn { PluginModeCol, PluginTypeCol, PluginSchemaCol, PluginNameCol, PluginSessionCol, PluginHeldCol };

MetadataLock toMetadataLock(const QVariantList &values, bool countsEvents)
{
    MetadataLock found;
    const QString type = values.value(TypeCol).toString();
    ServerLock &lock = found.lock;
    lock.object.name = values.value(NameCol).toByteArray();
    if (type == QLatin1String("USER LEVEL LOCK")) {
        lock.object.kind = ServerLockKind::User;
    } else {
        lock.object.kind = ServerLockKind::Metadata;
        lock.object.scope = type;
        lock.object.schema = values.value(SchemaCol).toString();
    }
    lock.mode = values.value(ModeCol).toString();
    lock.isGranted = !values.value(PendingCol).toBool();
    lock.session = values.value(SessionCol).toULongLong();
    if (countsEvents && !values.value(EventCol).isNull())
        lock.event = values.value(EventCol).toULongLong();
    found.duration = values.value(DurationCol).toString();
    found.thread = values.value(ThreadCol).toULongLong();
    return found;
}

/// "Table metadata lock" → "TABLE", "Stored function metadata lock" → "STORED FUNCTION", "Backup lock" → "BACKUP": as
/// waits/target_lock_plugin does.
QString scopeOf(const QString &pluginType)
{
    return pluginType.section(QStringLiteral(" metadata"), 0, 0).section(QStringLiteral(" lock"), 0, 0).toUpper();
}

MetadataLock fromPlugin(const QVariantList &values, ServerTime now)
{
    MetadataLock found;
    ServerLock &lock = found.lock;
    const QString type = values.value(PluginTypeCol).toString();
    if (type == QLatin1String("User lock")) {
        lock.object.kind = ServerLockKind::User;
        lock.object.name = values.value(PluginSchemaCol).toByteArray();
    } else {
        lock.object.kind = ServerLockKind::Metadata;
        lock.object.scope = scopeOf(type);
        lock.object.schema = values.value(PluginSchemaCol).toString();
        lock.object.name = values.value(PluginNameCol).toByteArray();
    }
    lock.mode = values.value(PluginModeCol).toString().mid(int(qstrlen("MDL_")));
    lock.session = values.value(PluginSessionCol).toULongLong();
    if (!values.value(PluginHeldCol).isNull()) {
        const std::chrono::milliseconds held(values.value(PluginHeldCol).toLongLong());
        lock.age = Age{AgeOf::Lock, now - held};
    }
    return found;
}

bool isUserLock(const MetadataLock &one)
{
    return one.lock.object.kind == ServerLockKind::User;
}

bool isLease(const MetadataLock &one)
{
    return isUserLock(one) && isEngines(one.lock.object.name);
}

/// Reads the table of MySQL by many statements in one packet, none of which takes long.
class MySqlReading
{
public:
    MySqlReading(Session &session, bool countsEvents, int limit, MetadataTable *table)
        : m_session(session)
        , m_countsEvents(countsEvents)
        , m_limit(limit)
        , m_table(table)
    {
    }

    /// `threads`: null where the server does not count user-level locks.
    std::optional<LockError> run(UserLockThreads *threads, bool hasRowWaiters);

private:
    QByteArrayList userLocks(const UserLockThreads *threads) const;
    QByteArray locksOf(const char *first, const char *second) const;
    std::optional<LockError> addHoldersOfUserLocks();
    std::optional<LockError> addHoldersOfNames(bool othersWait);
    void add(const Reply &reply);
    void keepFirst();

    Session &m_session;
    bool m_countsEvents;
    int m_limit;
    MetadataTable *m_table;
};

void MySqlReading::add(const Reply &reply)
{
    for (const ResultSet &set : reply.sets) {
        for (const QVariantList &values : set.rows)
            m_table->locks.append(toMetadataLock(values, m_countsEvents));
    }
}

constexpr const char *kKinds[] = {"GLOBAL", "BACKUP LOCK", "TABLE"};
/// Of interest only where somebody waits for one; who has that of commits has the global one too. By two, as each
/// statement has its cost on a server with few locks.
constexpr std::pair<const char *, const char *> kRareKinds[] = {
    {"COMMIT", "BACKUP TABLES"},        {"LOCKING SERVICE", "SCHEMA"},
    {"FUNCTION", "PROCEDURE"},          {"TRIGGER", "EVENT"},
    {"LIBRARY", "TABLESPACE"},          {"FOREIGN KEY", "CHECK CONSTRAINT"},
    {"ACL CACHE", "COLUMN STATISTICS"}, {"RESOURCE_GROUPS", "SRID"}};

/// Those of which there are few come first, so that keepFirst() does not leave them out for those of tables.
std::optional<LockError> MySqlReading::run(UserLockThreads *threads, bool hasRowWaiters)
{
    if (threads) {
        const auto error = threads->look(m_session);
        if (error && error->kind != LockError::Kind::NoPermission) // which it had when that was looked at
            return error;
        if (error)
            threads = nullptr;
    }
    QByteArrayList packet = userLocks(threads);
    if (!threads || threads->hasRareWaits()) {
        for (const auto &[first, second] : kRareKinds)
            packet += locksOf(first, second);
    }
    for (const char *kind : kKinds)
        packet += locksOf(kind, kind);
    const Reply reply = m_session.run(packet.join(";\n"), "waits/metadata");
    if (reply.error) // some of it would look like all of it
        return reply.error;
    add(reply);
    keepFirst();
    if (auto error = addHoldersOfUserLocks())
        return error;
    return addHoldersOfNames(hasRowWaiters);
}

QByteArray MySqlReading::locksOf(const char *first, const char *second) const
{
    Params params;
    params.text("first", QLatin1String(first)).text("second", QLatin1String(second)).number("limit", qint64(m_limit));
    return renderSql(sqlText("waits/metadata", Family::MySql), params);
}

/// Of so many threads each is found by itself, two thousandths of a second where there are a hundred thousand locks;
/// else all locks are gone through with all their columns.
constexpr qsizetype kFewThreads = 40;
/// In one statement.
constexpr qsizetype kThreadsAtOnce = 10;

/// Engines have one for each lease, so most may be of no interest.
QByteArrayList MySqlReading::userLocks(const UserLockThreads *threads) const
{
    const QByteArray sql = sqlText("waits/user_locks", Family::MySql);
    Params params;
    params.number("limit", qint64(m_limit));
    if (!threads || threads->ids().size() > kFewThreads)
        return {renderSql(sql, params.number("all", qint64(1)).numberList("threads", {}))};
    params.number("all", qint64(0));
    QByteArrayList statements;
    for (qsizetype i = 0; i < threads->ids().size(); i += kThreadsAtOnce)
        statements += renderSql(sql, params.numberList("threads", threads->ids().mid(i, kThreadsAtOnce)));
    return statements;
}

/// Each statement has its first ones; of all together the limit is kept in the same order.
void MySqlReading::keepFirst()
{
    auto &locks = m_table->locks;
    m_table->isCut = locks.size() >= m_limit;
    if (locks.size() <= m_limit)
        return;
    QSet<ServerObject> wanted;
    for (const MetadataLock &one : std::as_const(locks)) {
        if (!one.lock.isGranted)
            wanted.insert(one.lock.object);
    }
    const auto order = [&wanted](const MetadataLock &one) {
        return std::tuple(!wanted.contains(one.lock.object), one.lock.isGranted,
                          one.duration != QLatin1String("EXPLICIT"));
    };
    std::ranges::stable_sort(locks, {}, order);
    locks.resize(m_limit);
}

/// Who holds what somebody waits for and nobody holds of those that were read: locked while the server did not count
/// such locks, or on an engine's connection.
std::optional<LockError> MySqlReading::addHoldersOfUserLocks()
{
    QSet<QByteArray> lacking;
    for (const MetadataLock &one : std::as_const(m_table->locks)) {
        if (isUserLock(one) && !one.lock.isGranted && !isLease(one))
            lacking.insert(one.lock.object.name);
    }
    for (const MetadataLock &one : std::as_const(m_table->locks)) {
        if (isUserLock(one) && one.lock.isGranted)
            lacking.remove(one.lock.object.name);
    }
    for (const QByteArray &name : std::as_const(lacking)) {
        MetadataLock holder;
        if (auto error = readUserLock(m_session, name, &holder.lock))
            return error;
        if (holder.lock.session != 0) // else it was released meanwhile
            m_table->locks.append(holder);
    }
    return std::nullopt;
}

/// Whose lock is waited for where that is an engine's: only behind somebody who waits for another kind does it matter,
/// see foldLeases().
std::optional<LockError> MySqlReading::addHoldersOfNames(bool othersWait)
{
    QList<QByteArray> names;
    for (const MetadataLock &one : std::as_const(m_table->locks)) {
        if (!one.lock.isGranted && isLease(one))
            names.append(one.lock.object.name);
        othersWait = othersWait || (!one.lock.isGranted && !isLease(one));
    }
    if (names.isEmpty() || !othersWait)
        return std::nullopt;
    const Reply reply = m_session.run("waits/metadata_names", Params().bytesList("names", names));
    add(reply);
    return reply.error;
}

/// The table of MariaDB, or what its plugin tells.
std::optional<LockError> readOnMariaDb(Session &session, const Capabilities &capabilities,
                                       const MetadataOptions &options, MetadataTable *table)
{
    Params params;
    params.number("limit", qint64(options.limit));
    if (capabilities.hasHeldTimes)
        params.identifier("held", QStringLiteral("LOCK_TIME_MS"));
    else
        params.null("held");
    const bool byPlugin = !capabilities.hasMetadataLocks;
    const Reply reply = session.run(byPlugin ? "waits/metadata_plugin" : "waits/metadata", params);
    for (const QVariantList &values : reply.set(-1).rows)
        table->locks.append(byPlugin ? fromPlugin(values, options.now)
                                     : toMetadataLock(values, capabilities.hasStatements));
    table->isCut = table->locks.size() >= options.limit;
    return reply.error;
}

} // namespace

MetadataTable readMetadataTable(Session &session, const Capabilities &capabilities, UserLockThreads *threads,
                                const MetadataOptions &options)
{
    MetadataTable table;
    if (capabilities.hasMetadataLocks && capabilities.family == Family::MySql) {
        MySqlReading reading(session, capabilities.hasStatements, options.limit, &table);
        table.error = reading.run(capabilities.countsUserLocks ? threads : nullptr, options.hasRowWaiters);
    } else if (capabilities.hasMetadataLocks || capabilities.hasMetadataPlugin) { // else inferred waits stand in for it
        table.error = readOnMariaDb(session, capabilities, options, &table);
    }
    return table;
}

std::optional<LockError> readUserLock(Session &session, const QByteArray &name, ServerLock *lock)
{
    const Reply reply = session.run("waits/user_lock_holder", Params().bytes("name", name));
    *lock = {{ServerLockKind::User, {}, {}, name, {}, {}},
             QStringLiteral("EXCLUSIVE"),
             true,
             reply.value().toULongLong(),
             std::nullopt};
    return reply.error;
}

} // namespace lockscope
