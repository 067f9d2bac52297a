// SPDX-License-Identifier: MIT
#include "metadatalocks.h"

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

} // namespace

MetadataTable readMetadataTable(Session &session, const Capabilities &capabilities, int limit, ServerTime now)
{
    MetadataTable table;
    const bool byPlugin = !capabilities.hasMetadataLocks;
    if (byPlugin && !capabilities.hasMetadataPlugin) // inferred waits stand in for it
        return table;
    Params params;
    params.number("limit", qint64(limit));
    if (capabilities.hasHeldTimes)
        params.identifier("held", QStringLiteral("LOCK_TIME_MS"));
    else
        params.null("held");
    const Reply reply = session.run(byPlugin ? "waits/metadata_plugin" : "waits/metadata", params);
    table.error = reply.error;
    if (reply.error)
        return table;
    const auto &rows = reply.set(-1).rows;
    table.isCut = rows.size() >= limit;
    for (const QVariantList &values : rows)
        table.locks.append(byPlugin ? fromPlugin(values, now) : toMetadataLock(values, capabilities.hasStatements));
    return table;
}

} // namespace lockscope
