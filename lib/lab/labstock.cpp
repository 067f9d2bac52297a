// SPDX-License-Identifier: MIT
#include "labstock.h"

#include <QtSql/QSqlDatabase>

namespace lockscope {

namespace {

using Kind = LabEvent::Kind;

} // namespace

/// One packet of named statements.
Reply LabStock::send(const QSqlDatabase &database, std::initializer_list<const char *> names,
                     const Params &params) const
{
    QByteArray packet;
    for (const char *name : names)
        packet += (packet.isEmpty() ? "" : "; ") + renderSql(sqlText(name, Family::MariaDb), params); // alike on both
    Reply reply = runPacket(database, packet, *names.begin());
    m_error = reply.error ? reply.error->message : QString();
    return reply;
}

QByteArray LabStock::resourceName(int resource)
{
    return "resource-" + QByteArray::number(resource + 1);
}

Kind LabStock::look(const QSqlDatabase &database, int resource, quint64 token, LabSight *sight) const
{
    const auto params = Params().bytes("resource", resourceName(resource)).number("token", token);
    const Reply reply =
        isFenced(token) ? send(database, {"lab/fence", "lab/read"}, params) : send(database, {"lab/read"}, params);
    const QVariantList row = reply.set(-1).rows.value(0);
    if (!reply || row.isEmpty())
        return Kind::Failed;
    sight->amount = row.value(0).toLongLong();
    sight->version = row.value(1).toULongLong();
    sight->changed = row.value(2).toDateTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    if (!isFenced(token) || reply.set(0).affected == 1)
        return Kind::Wrote;
    // An equal token changes nothing and counts no row: then the write decides.
    return Kind::Refused;
}

bool LabStock::isWanted(const LabSight &sight, int worker) const
{
    if (m_plan.job == LabJob::Once)
        return sight.version == 0;
    return m_plan.job != LabJob::Sale || sight.amount >= piecesFor(worker);
}

qint64 LabStock::amountAfter(const LabSight &sight, int worker) const
{
    return sight.amount - (m_plan.job == LabJob::Sale ? piecesFor(worker) : 1);
}

Kind LabStock::judged(quint64 before, const LabSight &sight, LabOverwrite *over) const
{
    *over = {before, qint64(before - sight.version)};
    if (m_plan.job == LabJob::Once && before > 0)
        return Kind::Duplicate;
    return Kind::Wrote;
}

Kind LabStock::write(const QSqlDatabase &database, int resource, quint64 token, const LabSight &sight, int worker,
                     LabOverwrite *over) const
{
    const auto params = Params()
                            .bytes("resource", resourceName(resource))
                            .number("amount", amountAfter(sight, worker))
                            .number("sold", qint64(m_plan.job == LabJob::Sale ? piecesFor(worker) : 0))
                            .number("token", token)
                            .number("fenced", qint64(isFenced(token)));
    const Reply reply = send(database, {"lab/write"}, params);
    if (!reply)
        return Kind::Failed;
    if (reply.set(0).affected < 1)
        return Kind::Refused;
    const Kind kind = judged(reply.set(0).insertId, sight, over);
    return token > 0 && reply.value().toBool() ? Kind::Stale : kind;
}

Kind LabStock::swapBySeconds(const QSqlDatabase &database, int resource, const LabSight &sight, int worker,
                             LabOverwrite *over) const
{
    const auto params = Params()
                            .bytes("resource", resourceName(resource))
                            .number("amount", amountAfter(sight, worker))
                            .number("sold", qint64(m_plan.job == LabJob::Sale ? piecesFor(worker) : 0))
                            .text("changed", sight.changed);
    const Reply reply = send(database, {"lab/swap_seconds"}, params);
    if (!reply)
        return Kind::Failed;
    return reply.set(0).affected == 1 ? judged(reply.set(0).insertId, sight, over) : Kind::Conflict;
}

} // namespace lockscope
