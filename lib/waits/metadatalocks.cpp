// SPDX-License-Identifier: MIT
#include "metadatalocks.h"

#include "foldedleases.h"

#include <algorithm>
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

/// "Table metadata lock" → "TABLE".
QString scopeOf(const QString &pluginType)
{
    return pluginType.section(u' ', 0, 0).toUpper();
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

/// Of so many threads each is found by itself, a thousandth of a second where there are a hundred thousand locks; else
/// all locks are gone through with all their columns.
constexpr qsizetype kFewThreads = 40;

/// Which threads to ask for. Engines have a lock for each lease, so most locks may be of no interest.
std::optional<LockError> chooseThreads(Session &session, BusyThreads *threads, Params *params)
{
    const auto error = threads->look(session);
    const QList<quint64> ids = threads->ids().values();
    const bool isFew = ids.size() <= kFewThreads;
    params->number("all", qint64(!isFew)).numberList("threads", isFew ? ids : QList<quint64>());
    return error;
}

bool isLease(const MetadataLock &one)
{
    return one.lock.object.kind == ServerLockKind::User && isEngines(one.lock.object.name);
}

/// Somebody waits for what nobody holds of those that were read. Who holds an engine's is asked for by itself.
bool lacksHolder(const QList<MetadataLock> &locks)
{
    QSet<ServerObject> held;
    for (const MetadataLock &one : locks) {
        if (one.lock.isGranted)
            held.insert(one.lock.object);
    }
    return std::any_of(locks.begin(), locks.end(), [&held](const MetadataLock &one) {
        return !one.lock.isGranted && !isLease(one) && !held.contains(one.lock.object);
    });
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

MetadataTable readMetadataTable(Session &session, const Capabilities &capabilities, BusyThreads *threads,
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
        table.error = chooseThreads(session, threads, &params);
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
    if (isMySql && threads->areKept() && lacksHolder(table.locks)) {
        threads->forget();
        return readMetadataTable(session, capabilities, threads, options);
    }
    if (isMySql)
        table.error = addHoldersOfNames(session, options.hasRowWaiters, capabilities.hasStatements, &table);
    return table;
}

} // namespace lockscope
