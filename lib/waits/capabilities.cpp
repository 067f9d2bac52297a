// SPDX-License-Identifier: MIT
#include "capabilities.h"

#include <QtCore/QSet>

#include <algorithm>
#include <chrono>

namespace lockscope {

namespace {

using State = SourceStatus::State;

/// Sets of waits/capabilities.
enum Set { ServerSet, StatusSet, RoutineSet, PrivilegeSet, PluginSet, HeldTimeSet, LockRowSet };
/// Columns of its first set.
enum ServerColumn { HostCol, PortCol, VersionCol, CommentCol, ReadOnlyCol, PerformanceSchemaCol, FolderCol, NowCol };

/// What two readings of an uptime in whole seconds may differ by.
constexpr std::chrono::seconds kUptimeJitter{2};

bool isOn(const QVariant &variable)
{
    const QString value = variable.toString();
    return value == QLatin1String("1") || value == QLatin1String("ON");
}

/// The server cannot tell it, and not only this time.
bool isRefusal(const Reply &reply)
{
    return reply.error && !reply.error->connectionGone && reply.error->kind != LockError::Kind::Interrupted;
}

QString hostingOf(const QString &comment, const QString &folder, const QSet<QString> &routines)
{
    const auto hasRoutine = [&routines](const char *prefix) {
        return std::any_of(routines.cbegin(), routines.cend(),
                           [prefix](const QString &name) { return name.startsWith(QLatin1String(prefix)); });
    };
    if (folder.contains(QLatin1String("rdsdbbin")) || hasRoutine("rds_"))
        return QStringLiteral("Amazon RDS");
    if (hasRoutine("az_"))
        return QStringLiteral("Azure");
    if (comment.contains(QLatin1String("(Google)")))
        return QStringLiteral("Google Cloud SQL");
    return {};
}

QByteArray procedureOf(const QSet<QString> &routines, const QString &suffix)
{
    for (const QString &prefix : {QStringLiteral("rds"), QStringLiteral("az")}) {
        if (routines.contains(prefix + suffix))
            return (prefix + suffix).toLatin1();
    }
    return {};
}

QSet<QString> wordsOf(const ResultSet &set, int column = 0)
{
    QSet<QString> words;
    for (const QVariantList &row : set.rows)
        words.insert(row.value(column).toString());
    return words;
}

void readServer(const Reply &reply, Capabilities *capabilities)
{
    const QVariantList server = reply.set(ServerSet).rows.value(0);
    capabilities->version = server.value(VersionCol).toString();
    capabilities->isReadOnly = isOn(server.value(ReadOnlyCol));
    capabilities->hasPerformanceSchema = isOn(server.value(PerformanceSchemaCol));
    qint64 uptime = 0;
    for (const QVariantList &row : reply.set(StatusSet).rows) {
        const QString name = row.value(0).toString();
        const QString value = row.value(1).toString();
        if (name == QLatin1String("Uptime"))
            uptime = qint64(value.toULongLong()); // wraps below 0 where the clock was set back to before the start
        else if (name == QLatin1String("Slaves_running"))
            capabilities->isReplica = value.toInt() > 0;
        else if (name == QLatin1String("wsrep_ready"))
            capabilities->isCluster = value == QLatin1String("ON");
    }
    capabilities->identity = QStringLiteral("%1:%2@%3")
                                 .arg(server.value(HostCol).toString(), server.value(PortCol).toString())
                                 .arg(server.value(NowCol).toLongLong() - uptime);
    const QSet<QString> routines = wordsOf(reply.set(RoutineSet));
    capabilities->hosting =
        hostingOf(server.value(CommentCol).toString(), server.value(FolderCol).toString(), routines);
    capabilities->killProcedure = procedureOf(routines, QStringLiteral("_kill"));
    capabilities->killQueryProcedure = procedureOf(routines, QStringLiteral("_kill_query"));
    const QSet<QString> plugins = wordsOf(reply.set(PluginSet));
    capabilities->hasMetadataPlugin = plugins.contains(QLatin1String("METADATA_LOCK_INFO"));
    capabilities->hasHeldTimes = reply.set(HeldTimeSet).rows.value(0).value(0).toInt() > 0;
    capabilities->hasLockRows = reply.set(LockRowSet).rows.value(0).value(0).toInt() > 0;
    capabilities->isCluster = capabilities->isCluster || plugins.contains(QLatin1String("group_replication"));
    capabilities->account = reply.set(PrivilegeSet).rows.value(0).value(0).toString();
    const QSet<QString> privileges = wordsOf(reply.set(PrivilegeSet), 1);
    capabilities->mayKill = privileges.contains(QLatin1String("SUPER"))
        || privileges.contains(QLatin1String("CONNECTION_ADMIN"))
        || privileges.contains(QLatin1String("CONNECTION ADMIN"));
}

SourceStatus statusOf(WaitSource source, State state, const QString &reason = {}, const QString &remedy = {})
{
    SourceStatus status;
    status.source = source;
    status.state = state;
    status.reason = reason;
    status.remedy = remedy;
    return status;
}

/// What no setting and no grant adds to.
SourceStatus ofFamily(WaitSource source, const QString &reason)
{
    SourceStatus status = statusOf(source, State::Partial, reason);
    status.isOfFamily = true;
    return status;
}

QString grant(const char *what, const QString &account)
{
    return QStringLiteral("GRANT %1 TO %2").arg(QLatin1String(what), account);
}

/// All lines at once, as each restart costs whoever is blocked: MariaDB's performance schema keeps neither metadata
/// locks nor statements by itself.
QString switchOnPerformanceSchema(Family family)
{
    const QString lines = family == Family::MariaDb
        ? QStringLiteral("performance_schema=ON, performance_schema_instrument='wait/lock/metadata/sql/mdl=ON' and "
                         "performance_schema_consumer_events_statements_current=ON")
        : QStringLiteral("performance_schema=ON");
    return lines + QStringLiteral(" in the server's option file, then a restart");
}

SourceStatus metadataStatus(const Capabilities &server, const QString &noPerformanceSchema,
                            const QString &addPerformanceSchema)
{
    if (server.hasMetadataLocks && server.family == Family::MySql)
        return statusOf(WaitSource::Metadata, State::Complete);
    if (server.hasMetadataLocks)
        return ofFamily(WaitSource::Metadata,
                        QStringLiteral("MariaDB shows each lock in the mode in which it was first asked for; where a "
                                       "statement holds a stronger one by now, that is taken from its text."));
    if (server.hasPerformanceSchema)
        return statusOf(WaitSource::Metadata, server.hasMetadataPlugin ? State::Partial : State::Missing,
                        QStringLiteral("The instrument of metadata locks is off; locks taken before it is switched "
                                       "on stay unseen."),
                        QStringLiteral("UPDATE performance_schema.setup_instruments SET enabled = 'YES' WHERE name "
                                       "= 'wait/lock/metadata/sql/mdl'"));
    if (server.hasMetadataPlugin)
        return statusOf(WaitSource::Metadata, State::Partial,
                        noPerformanceSchema
                            + QStringLiteral(" The plugin METADATA_LOCK_INFO tells who holds what; what somebody "
                                             "waits for is taken from the text of the statement."),
                        addPerformanceSchema);
    return statusOf(WaitSource::Metadata, State::Missing,
                    noPerformanceSchema
                        + QStringLiteral(" Who waits is seen, but not for whom; where only one transaction can be "
                                         "the reason, it is named."),
                    server.family == Family::MariaDb ? addPerformanceSchema
                            + QStringLiteral("; or INSTALL SONAME 'metadata_lock_info', which needs no restart")
                                                     : addPerformanceSchema);
}

} // namespace

bool isSameRun(const QString &a, const QString &b)
{
    const auto place = [](const QString &identity) { return identity.left(identity.lastIndexOf(u'@')); };
    return place(a) == place(b) && std::chrono::abs(startOf(a) - startOf(b)) <= kUptimeJitter;
}

ServerTime startOf(const QString &identity)
{
    return ServerTime(std::chrono::seconds(identity.mid(identity.lastIndexOf(u'@') + 1).toLongLong()));
}

SourceStatus Capabilities::status(WaitSource source) const
{
    const bool isMariaDb = family == Family::MariaDb;
    const QString noProcess = QStringLiteral("The user lacks PROCESS.");
    const QString noPerformanceSchema = isPerformanceSchemaOn
        ? QStringLiteral("The user may not read the performance schema.")
        : QStringLiteral("The server's performance schema is off.");
    const QString addPerformanceSchema =
        isPerformanceSchemaOn ? grant("SELECT ON performance_schema.*", account) : switchOnPerformanceSchema(family);
    switch (source) {
    case WaitSource::Sessions:
        if (mayProcess || (!isMariaDb && hasPerformanceSchema))
            break;
        return statusOf(source, State::Partial, noProcess + QStringLiteral(" Only its own sessions are seen."),
                        grant("PROCESS ON *.*", account));
    case WaitSource::Transactions:
        if (mayProcess)
            break;
        return statusOf(source, State::Missing, noProcess, grant("PROCESS ON *.*", account));
    case WaitSource::RowWaits:
        if (!mayProcess)
            return statusOf(source, State::Missing, noProcess, grant("PROCESS ON *.*", account));
        if (!isMariaDb && !hasPerformanceSchema)
            return statusOf(source, State::Missing, noPerformanceSchema, addPerformanceSchema);
        if (isMariaDb)
            return ofFamily(source,
                            QStringLiteral("MariaDB lists row locks only while somebody waits for them; how many a "
                                           "transaction holds stands in for the others."));
        break;
    case WaitSource::Metadata:
        return metadataStatus(*this, noPerformanceSchema, addPerformanceSchema);
    case WaitSource::UserLocks:
        if (hasMetadataLocks || hasMetadataPlugin)
            break;
        return statusOf(source, State::Partial,
                        QStringLiteral("Only locks that somebody waits for with the name in the statement are seen."),
                        status(WaitSource::Metadata).remedy);
    case WaitSource::Statements:
        if (hasStatements)
            break;
        if (!hasPerformanceSchema)
            return statusOf(source, State::Missing,
                            noPerformanceSchema + QStringLiteral(" What an idle session ran last is not kept."),
                            addPerformanceSchema);
        return statusOf(source, State::Missing,
                        QStringLiteral("Last statements are not kept: a consumer of the performance schema is off."),
                        QStringLiteral("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = "
                                       "'events_statements_current'"));
    case WaitSource::Attributes:
        if (hasPerformanceSchema)
            break;
        return statusOf(source, State::Missing,
                        noPerformanceSchema + QStringLiteral(" Programs and their process numbers are not told."),
                        addPerformanceSchema);
    }
    return statusOf(source, State::Complete);
}

std::optional<LockError> probe(Session &session, Capabilities *capabilities)
{
    Capabilities found;
    found.family = session.info().family;
    const Reply server = session.run("waits/capabilities", Params());
    if (!server)
        return server.error;
    readServer(server, &found);
    found.isPerformanceSchemaOn = found.hasPerformanceSchema;

    const Reply process = session.run("waits/may_process", Params());
    if (process.error && process.error->connectionGone)
        return process.error;
    // A user who may read it may still meet what the server cannot show.
    found.mayProcess = !process.error || process.error->kind != LockError::Kind::NoPermission;

    if (found.hasPerformanceSchema) {
        const Reply instruments = session.run("waits/instruments", Params());
        if (instruments.error && !isRefusal(instruments))
            return instruments.error;
        found.hasPerformanceSchema = !instruments.error;
        found.hasMetadataLocks =
            !instruments.error && instruments.set(0).rows.value(0).value(0).toString() == QLatin1String("YES");
        found.hasStatements = !instruments.error && instruments.set(1).rows.value(0).value(0).toInt() == 3;
        found.hasXaStates = !instruments.error && instruments.set(2).rows.value(0).value(0).toInt() == 3;
        found.hasHistory = found.hasStatements && instruments.set(4).rows.value(0).value(0).toInt() > 0;
    }
    if (found.family == Family::MySql && found.hasPerformanceSchema) {
        const Reply replication = session.run("waits/replication", Params());
        if (replication.error && !isRefusal(replication))
            return replication.error;
        found.isReplica = replication.value().toInt() > 0;
        const Reply counted = session.run("waits/counted_user_locks", Params());
        if (counted.error && !isRefusal(counted))
            return counted.error;
        found.countsUserLocks = counted.value().toInt() > 0; // 0 where it was refused
    }
    const Reply prepared = session.run("waits/prepared", Params());
    if (prepared.error && !isRefusal(prepared))
        return prepared.error;
    found.mayRecover = !prepared.error;
    if (isSameRun(found.identity, capabilities->identity))
        found.identity = capabilities->identity;
    *capabilities = found;
    return std::nullopt;
}

} // namespace lockscope
