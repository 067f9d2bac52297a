// SPDX-License-Identifier: MIT
#include "waitsjson.h"

#include "blockingtree.h"
#include "preparedtext.h"
#include "terminal/output.h"
#include "waits/userlocknames.h"
#include "waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QString sourceName(Statement::Source source)
{
    switch (source) {
    case Statement::Source::Running:
        return u"running"_s;
    case Statement::Source::Last:
        return u"last"_s;
    case Statement::Source::None:
        return u"none"_s;
    case Statement::Source::NotAsked:
        return u"notAsked"_s;
    case Statement::Source::NotInstrumented:
        return u"notInstrumented"_s;
    case Statement::Source::NotAllowed:
        break;
    }
    return u"notAllowed"_s;
}

QString protectionName(Protection protection)
{
    switch (protection) {
    case Protection::Own:
        return u"own"_s;
    case Protection::System:
        return u"system"_s;
    case Protection::Replication:
        return u"replication"_s;
    case Protection::None:
        break;
    }
    return {};
}

QJsonValue toJson(const std::optional<Transaction> &transaction)
{
    if (!transaction)
        return {};
    return QJsonObject{{u"id"_s, number(transaction->id)},
                       {u"state"_s, transaction->state},
                       {u"startedAt"_s, ctl::toJson(std::optional(transaction->started))},
                       {u"rowsLocked"_s, number(transaction->rowsLocked)},
                       {u"rowsChanged"_s, number(transaction->rowsChanged)}};
}

QJsonValue toJson(const Statement &statement)
{
    const bool hasText = statement.source == Statement::Source::Running || statement.source == Statement::Source::Last;
    return QJsonObject{{u"source"_s, sourceName(statement.source)},
                       {u"text"_s, hasText ? QJsonValue(QString::fromUtf8(statement.text)) : QJsonValue()}};
}

QJsonArray toJson(const QList<PastStatement> &history)
{
    QJsonArray array;
    for (const PastStatement &statement : history)
        array.append(QJsonObject{{u"text"_s, QString::fromUtf8(statement.text)}, {u"tookLock"_s, statement.tookLock}});
    return array;
}

/// The tree of one look.
class TreeToJson
{
public:
    TreeToJson(const ServerWaits &waits, const WaitGraph &graph, ServerTime now)
        : m_waits(waits)
        , m_graph(graph)
        , m_now(now)
        , m_schemas(schemasOf(waits))
    {
    }

    QJsonArray convert(const QList<int> &nodes) const
    {
        QJsonArray array;
        for (const int node : nodes)
            array.append(convert(m_graph.nodes[node]));
        return array;
    }

private:
    QJsonObject convert(const WaitNode &node) const;
    void addObject(const WaitNode &node, QJsonObject *json) const;
    void addWait(const WaitNode &node, QJsonObject *json) const;
    std::optional<ServerTime> waitsSince(const WaitNode &node) const;

    const ServerWaits &m_waits;
    const WaitGraph &m_graph;
    const ServerTime m_now;
    const QStringList m_schemas;
};

QJsonObject TreeToJson::convert(const WaitNode &node) const
{
    QJsonObject json = node.isCycle() ? QJsonObject() : sessionToJson(m_waits, node.session);
    const PreparedTransaction *prepared = m_waits.preparedTransaction(node.session);
    json.insert(u"connectionId"_s, node.isCycle() || prepared ? QJsonValue() : number(node.session));
    json.insert(u"prepared"_s, preparedToJson(prepared));
    addObject(node, &json);
    addWait(node, &json);
    json.insert(u"blocksDirectly"_s, node.direct);
    json.insert(u"waitersBehind"_s, node.behind);
    json.insert(u"frees"_s, node.frees);
    json.insert(u"freesAtOnce"_s, node.atOnce);
    json.insert(u"freesWaitedMs"_s, milliseconds(node.waited));
    if (node.isCycle()) {
        QJsonArray ring;
        for (const quint64 member : m_graph.cycles[node.cycle])
            ring.append(holderToJson(member));
        json.insert(u"ring"_s, ring);
    }
    json.insert(u"waiters"_s, convert(node.children));
    return json;
}

void TreeToJson::addObject(const WaitNode &node, QJsonObject *json) const
{
    const LostWaiter *lost = lostOf(m_waits, node);
    const WaitEdge *cause = causeOf(m_graph, node);
    json->insert(u"isBehindPrepared"_s, cause && isPreparedNumber(cause->blocker));
    json->insert(u"mayBeBehindPrepared"_s, lost && lost->mayBeBehindPrepared);
    const auto object = objectOf(m_graph, node);
    json->insert(u"resource"_s, QJsonValue());
    json->insert(u"resourceHex"_s, QJsonValue());
    json->insert(u"takenBy"_s, QJsonValue());
    if (!object) {
        json->insert(u"kind"_s, lost ? QJsonValue(kindText(lost->kind)) : QJsonValue());
        return;
    }
    json->insert(u"kind"_s, kindText(*object));
    if (object->kind != ServerLockKind::User)
        addResource(json, object->toString().toUtf8());
    else if (!object->isLease() || !object->name.isEmpty())
        addResource(json, object->name);
    if (object->kind == ServerLockKind::User && !object->isLease())
        json->insert(u"takenBy"_s, textOrNull(userLockProgram(object->name, m_schemas)));
}

std::optional<ServerTime> TreeToJson::waitsSince(const WaitNode &node) const
{
    if (const WaitEdge *edge = causeOf(m_graph, node))
        return edge->since;
    if (const LostWaiter *lost = lostOf(m_waits, node))
        return lost->since;
    return std::nullopt;
}

void TreeToJson::addWait(const WaitNode &node, QJsonObject *json) const
{
    const WaitEdge *edge = causeOf(m_graph, node);
    const auto since = waitsSince(node);
    std::optional<Microseconds> waited;
    if (since)
        waited = m_now - *since;
    else if (!edge && !node.isLost)
        waited = node.waited;
    json->insert(u"waitedMs"_s, milliseconds(waited));
    json->insert(u"waitsSince"_s, ctl::toJson(since));
    json->insert(u"mode"_s, edge ? textOrNull(edge->mode) : QJsonValue());
    json->insert(u"isInferred"_s, edge && edge->isInferred);
    json->insert(u"isHolderKnown"_s, !node.isLost);
    QJsonArray others;
    for (const quint64 other : node.alsoBlockedBy)
        others.append(holderToJson(other));
    json->insert(u"alsoBlockedBy"_s, others);
}

} // namespace

QJsonObject sessionToJson(const ServerWaits &waits, quint64 id)
{
    const ServerSession *known = waits.session(id);
    ServerSession session = known ? *known : ServerSession();
    const PreparedTransaction *prepared = waits.preparedTransaction(id);
    if (prepared)
        session.transaction = prepared->transaction;
    return {{u"connectionId"_s, prepared ? QJsonValue() : number(id)},
            {u"isGone"_s, !known && !prepared && areSessionsSeen(waits)},
            {u"user"_s, textOrNull(session.user)},
            {u"host"_s, textOrNull(session.host)},
            {u"schema"_s, textOrNull(session.schema)},
            {u"program"_s, textOrNull(session.program)},
            {u"osPid"_s, session.osPid == 0 ? QJsonValue() : QJsonValue(session.osPid)},
            {u"owner"_s, session.owner == Owner() ? QJsonValue() : QJsonValue(ctl::toJson(session.owner))},
            {u"command"_s, textOrNull(session.command)},
            {u"state"_s, textOrNull(session.state)},
            {u"commandSince"_s, ctl::toJson(session.doneSince())},
            {u"isIdle"_s, session.isIdle()},
            {u"statement"_s, toJson(session.statement)},
            {u"history"_s, toJson(session.history)},
            {u"transaction"_s, toJson(session.transaction)},
            {u"protection"_s, textOrNull(protectionName(session.protection))}};
}

QJsonArray blockersToJson(const ServerWaits &waits, const WaitGraph &graph, ServerTime now)
{
    return TreeToJson(waits, graph, now).convert(graph.roots);
}

} // namespace lockscope::ctl
