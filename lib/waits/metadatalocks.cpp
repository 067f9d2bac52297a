// SPDX-License-Identifier: MIT
#include "metadatalocks.h"

#include "foldedleases.h"

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

/// Of so many threads each is found by itself, two thousandths of a second where there are a hundred thousand locks;
/// else all locks are gone through with all their columns.
constexpr qsizetype kFewThreads = 40;

/// Whose user-level locks to ask for. Engines have one for each lease, so most may be of no interest.
std::optional<LockError> chooseThreads(Session &session, const Capabilities &capabilities, UserLockThreads *threads,
                                       Params *params)
{
    bool isTold = capabilities.countsUserLocks;
    if (isTold) {
        const auto error = threads->look(session);
        isTold = !error;
        if (error && error->kind != LockError::Kind::NoPermission) // which it had when that was looked at
            return error;
    }
    const bool isFew = isTold && threads->ids().size() <= kFewThreads;
    params->number("all", qint64(!isFew))
        .number("rare", qint64(!isTold || threads->hasRareWaits()))
        .numberList("threads", isFew ? threads->ids() : QList<quint64>());
    return std::nullopt;
}

bool isUserLock(const MetadataLock &one)
{
    return one.lock.object.kind == ServerLockKind::User;
}

bool isLease(const MetadataLock &one)
{
    return isUserLock(one) && isEngines(one.lock.object.name);
}

/// Who holds what somebody waits for and nobody holds of those that were read: locked while the server did not count
/// such locks, or on an engine's connection.
std::optional<LockError> addHoldersOfUserLocks(Session &session, MetadataTable *table)
{
    QSet<QByteArray> lacking;
    for (const MetadataLock &one : std::as_const(table->locks)) {
        if (isUserLock(one) && !one.lock.isGranted && !isLease(one))
            lacking.insert(one.lock.object.name);
    }
    for (const MetadataLock &one : std::as_const(table->locks)) {
        if (isUserLock(one) && one.lock.isGranted)
            lacking.remove(one.lock.object.name);
    }
    for (const QByteArray &name : std::as_const(lacking)) {
        MetadataLock holder;
        if (auto error = readUserLock(session, name, &holder.lock))
            return error;
        if (holder.lock.session != 0) // else it was released meanwhile
            table->locks.append(holder);
    }
    return std::nullopt;
}

/// Whose lock is waited for where that is an engine's: only behind somebody who waits for another kind does it matter,
/// see foldLeases().
std::optional<LockError> addHoldersOfNames(Session &session, bool othersWait, bool countsEvents, MetadataTable *table)
{
    QList<QByteArray> names;
    for (const MetadataLock &one : std::as_const(table->locks)) {
        if (!one.lock.isGranted && isLease(one))
            names.append(one.lock.object.name);
        othersWait = othersWait || (!one.lock.isGranted && !isLease(one));
    }
    if (names.isEmpty() || !othersWait)
        return std::nullopt;
    const Reply reply = session.run("waits/metadata_names", Params().bytesList("names", names));
    for (const QVariantList &values : reply.set(-1).rows)
        table->locks.append(toMetadataLock(values, countsEvents));
    return reply.error;
}

} // namespace

MetadataTable readMetadataTable(Session &session, const Capabilities &capabilities, UserLockThreads *threads,
                                const MetadataOptions &options)
{
    MetadataTable table;
    const bool byPlugin = !capabilities.hasMetadataLocks;
    if (byPlugin && !capabilities.hasMetadataPlugin) // inferred waits stand in for it
        return table;
    const bool isMySql = !byPlugin && capabilities.family == Family::MySql;
    Params params;
    params.number("limit", qint64(options.limit));
    if (capabilities.hasHeldTimes)
        params.identifier("held", QStringLiteral("LOCK_TIME_MS"));
    else
        params.null("held");
    if (isMySql)
        table.error = chooseThreads(session, capabilities, threads, &params);
    if (table.error)
        return table;
    const Reply reply = session.run(byPlugin ? "waits/metadata_plugin" : "waits/metadata", params);
    table.error = reply.error;
    if (reply.error)
        return table;
    const auto &rows = reply.set(-1).rows;
    table.isCut = rows.size() >= options.limit;
    for (const QVariantList &values : rows)
        table.locks.append(byPlugin ? fromPlugin(values, options.now)
                                    : toMetadataLock(values, capabilities.hasStatements));
    if (isMySql)
        table.error = addHoldersOfUserLocks(session, &table);
    if (isMySql && !table.error)
        table.error = addHoldersOfNames(session, options.hasRowWaiters, capabilities.hasStatements, &table);
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
