// SPDX-License-Identifier: MIT
#include "inferredwaits.h"

#include "foldedleases.h"

#include "metadatalocks.h"
#include "metadatamodes.h"
#include "sessionfacts.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

/// Names asked for in one look; more would cost a round trip each.
constexpr int kMaxNames = 50;

QString toText(const QByteArray &statement)
{
    return QString::fromUtf8(statement);
}

QSet<quint64> waitersOf(const QList<WaitEdge> &edges)
{
    QSet<quint64> waiters;
    for (const WaitEdge &edge : edges)
        waiters.insert(edge.waiter);
    return waiters;
}

bool isWordPart(QChar c)
{
    return c.isLetterOrNumber() || c == u'_' || c == u'$';
}

/// Not for the whole server, whose statement's tables say nothing of that.
bool waitsForDefinition(const ServerSession &session)
{
    return session.state.endsWith(QLatin1String("metadata lock")) && waitsForMetadata(session);
}

/// Who waits for a definition, and what the statement tells of it.
struct Waiter
{
    const ServerSession *session;
    QString text;
    TableName redefined; ///< without a name: none
    QString mode;        ///< that the statement needs of the tables that it names

    QString schema() const { return redefined.schema.isEmpty() ? session->schema : redefined.schema; }
};

QString modeOf(const QByteArray &statement, bool redefines)
{
    const QByteArray word = statement.trimmed().left(6).toUpper();
    if (redefines || word.startsWith("RENAME"))
        return QStringLiteral("EXCLUSIVE");
    if (word.startsWith("LOCK"))
        return QStringLiteral("SHARED_NO_READ_WRITE");
    return word.startsWith("SELECT") ? QStringLiteral("SHARED_READ") : QStringLiteral("SHARED_WRITE");
}

Waiter toWaiter(const ServerSession &session)
{
    const QByteArray &statement = session.statement.text;
    const TableName redefined = redefinedTable(statement);
    return {&session, toText(statement), redefined, modeOf(statement, !redefined.name.isEmpty())};
}

/// Those without an edge for whom the condition holds, in the order in which they came.
template<typename Condition>
QList<const ServerSession *> waitersThat(const ServerWaits &waits, Condition isOne)
{
    const QSet<quint64> known = waitersOf(waits.edges);
    QList<const ServerSession *> found;
    for (const ServerSession &session : waits.sessions) {
        if (isOne(session) && !known.contains(session.id))
            found.append(&session);
    }
    std::sort(found.begin(), found.end(), [](const ServerSession *a, const ServerSession *b) {
        return std::make_pair(a->commandSince, a->id) < std::make_pair(b->commandSince, b->id);
    });
    return found;
}

/// In this schema; another one may have a table of the same name.
bool isNamed(const Waiter &waiter, const QString &schema, const QByteArray &table)
{
    const bool isItsOwn = schema.compare(waiter.session->schema, Qt::CaseInsensitive) == 0;
    return mentions(waiter.text, toText(table)) && (isItsOwn || mentions(waiter.text, schema));
}

QList<ServerObject> heldDefinitions(const QList<ServerLock> &locks)
{
    QList<ServerObject> held;
    QSet<ServerObject> seen;
    for (const ServerLock &lock : locks) {
        if (lock.object.kind != ServerLockKind::Metadata || !lock.isGranted || seen.contains(lock.object))
            continue;
        seen.insert(lock.object);
        held.append(lock.object);
    }
    return held;
}

/// Locks that they need by their own words, where the server tells what others hold.
QList<ServerLock> wantedLocks(const QList<Waiter> &waiters, const QList<ServerObject> &held)
{
    QList<ServerLock> wanted;
    for (const Waiter &waiter : waiters) {
        const auto &since = waiter.session->commandSince;
        const auto age = since ? std::optional(Age{AgeOf::Wait, *since}) : std::nullopt;
        for (const ServerObject &object : held) {
            if (isNamed(waiter, object.schema, object.name))
                wanted.append({object, waiter.mode, false, waiter.session->id, age});
        }
    }
    return wanted;
}

WaitEdge inferred(const Waiter &waiter, quint64 blocker, const QString &schema, const QByteArray &table)
{
    WaitEdge edge;
    edge.waiter = waiter.session->id;
    edge.blocker = blocker;
    edge.object.kind = ServerLockKind::Metadata;
    edge.object.scope = QStringLiteral("TABLE");
    edge.object.schema = schema;
    edge.object.name = table;
    edge.mode = waiter.mode;
    edge.since = waiter.session->commandSince;
    edge.isInferred = true;
    return edge;
}

/// Whoever redefines a table that number `waiter` names, and has waited for longer.
std::optional<WaitEdge> behindAnother(const QList<Waiter> &waiters, qsizetype waiter)
{
    for (qsizetype i = 0; i < waiter; ++i) {
        const Waiter &other = waiters[i];
        const QByteArray &table = other.redefined.name;
        if (!table.isEmpty() && isNamed(waiters[waiter], other.schema(), table))
            return inferred(waiters[waiter], other.session->id, other.schema(), table);
    }
    return std::nullopt;
}

/// Those that wait for a row or a lock of the table that the waiter redefines: they have it open.
QList<WaitEdge> behindThoseInside(const ServerWaits &waits, const Waiter &waiter)
{
    QList<WaitEdge> edges;
    const QByteArray &table = waiter.redefined.name;
    if (table.isEmpty())
        return edges;
    QSet<quint64> blockers;
    for (const WaitEdge &edge : waits.edges) {
        const bool isStorage = edge.object.kind == ServerLockKind::Record || edge.object.kind == ServerLockKind::Table;
        if (!isStorage || edge.waiter == waiter.session->id || blockers.contains(edge.waiter)
            || edge.object.name.compare(table, Qt::CaseInsensitive) != 0
            || edge.object.schema.compare(waiter.schema(), Qt::CaseInsensitive) != 0)
            continue;
        blockers.insert(edge.waiter);
        edges.append(inferred(waiter, edge.waiter, waiter.schema(), table));
    }
    return edges;
}

/// The only transaction that is older than the wait and does not wait for a definition itself.
std::optional<WaitEdge> behindTheOnlyTransaction(const ServerWaits &waits, const Waiter &waiter,
                                                 const QSet<quint64> &known)
{
    const auto &since = waiter.session->commandSince;
    if (waiter.redefined.name.isEmpty() || !since)
        return std::nullopt;
    QList<quint64> found;
    for (const ServerSession &session : waits.sessions) {
        if (session.id != waiter.session->id && session.transaction && session.transaction->started <= *since
            && !known.contains(session.id) && !waitsForMetadata(session) && !waits.preparedBy(session.id))
            found.append(session.id);
    }
    for (auto it = waits.prepared.cbegin(); it != waits.prepared.cend(); ++it) {
        if (it->transaction.started <= *since)
            found.append(it.key());
    }
    return found.size() == 1 ? std::optional(inferred(waiter, found.first(), waiter.schema(), waiter.redefined.name))
                             : std::nullopt;
}

/// By MariaDB's plugin: a session that is not among its locks holds up nobody, and a holder need not have a
/// transaction.
bool hasAllHolders(const ServerWaits &waits)
{
    return std::any_of(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        return status.source == WaitSource::Metadata && status.state == SourceStatus::State::Partial && !status.isCut;
    });
}

/// As held; MySQL tells names in small letters.
bool isListed(const ServerWaits &waits, const ServerLock &held)
{
    return std::any_of(waits.locks.cbegin(), waits.locks.cend(), [&held](const ServerLock &lock) {
        return lock.isGranted && lock.session == held.session && lock.object.kind == held.object.kind
            && lock.object.name.compare(held.object.name, Qt::CaseInsensitive) == 0;
    });
}

/// Those that wait for an engine's, with or without an edge.
QSet<quint64> waitersOfLeases(const QList<ServerLock> &locks)
{
    QSet<quint64> waiters;
    for (const ServerLock &lock : locks) {
        if (!lock.isGranted && lock.object.kind == ServerLockKind::User && isEngines(lock.object.name))
            waiters.insert(lock.session);
    }
    return waiters;
}

std::optional<LockError> inferUserLock(Session &session, const ServerSession &waiter, QHash<QByteArray, quint64> *asked,
                                       ServerWaits *waits)
{
    const auto names = userLockNames(waiter.statement.text);
    if (std::any_of(names.cbegin(), names.cend(), isEngines))
        return std::nullopt; // it waits for a lease
    for (const QByteArray &name : names) {
        if (!asked->contains(name)) {
            if (asked->size() >= kMaxNames)
                break;
            ServerLock held;
            const auto error = readUserLock(session, name, &held);
            if (error && error->connectionGone)
                return error;
            asked->insert(name, held.session);
            if (held.session != 0 && !isListed(*waits, held))
                waits->locks.append(held);
        }
        const quint64 holder = asked->value(name);
        if (holder == 0 || holder == waiter.id)
            continue;
        WaitEdge edge;
        edge.waiter = waiter.id;
        edge.blocker = holder;
        edge.object.kind = ServerLockKind::User;
        edge.object.name = name;
        edge.mode = QStringLiteral("EXCLUSIVE");
        edge.since = waiter.commandSince;
        edge.isInferred = QSet<QByteArray>(names.cbegin(), names.cend()).size() > 1; // it has some of them already
        waits->edges.append(edge);
        return std::nullopt;
    }
    waits->lost.append({waiter.id, ServerLockKind::User, waiter.commandSince});
    return std::nullopt;
}

} // namespace

QList<QByteArray> userLockNames(const QByteArray &statement)
{
    static const QRegularExpression call(
        QStringLiteral(R"re(\bGET_LOCK\s*\(\s*(?:_\w+\s*)?)re"
                       R"re((?:'((?:[^'\\]|''|\\.)*)'|"((?:[^"\\]|""|\\.)*)"|x'([0-9a-f]*)'|0x([0-9a-f]+)))re"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression backslash(QStringLiteral(R"re(\\(.))re"));
    QList<QByteArray> names;
    for (auto match = call.globalMatch(toText(statement)); match.hasNext();) {
        const auto found = match.next();
        const QString hex = found.captured(3) + found.captured(4);
        if (!hex.isEmpty()) {
            names.append(QByteArray::fromHex(hex.toLatin1()));
            continue;
        }
        QString name = found.captured(1) + found.captured(2);
        name.replace(QLatin1String("''"), QLatin1String("'")).replace(QLatin1String("\"\""), QLatin1String("\""));
        names.append(name.replace(backslash, QStringLiteral("\\1")).toUtf8());
    }
    return names;
}

TableName redefinedTable(const QByteArray &statement)
{
    static const QRegularExpression definition(
        QStringLiteral(R"re(^\s*(?:(?>/\*.*?\*/)\s*)*+)re"
                       R"re((?:(?:ALTER|DROP|OPTIMIZE|REPAIR|CREATE)\s+(?:\w+\s+)*?TABLE|TRUNCATE(?:\s+TABLE)?)re"
                       R"re(|(?:CREATE|DROP)\s+(?:\w+\s+)*?INDEX\s+.*?\bON)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?)re"
                       R"re((?:(`(?:[^`]|``)+`|[\w$]+)\s*\.\s*)?(`(?:[^`]|``)+`|[\w$]+))re"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption
            | QRegularExpression::UseUnicodePropertiesOption);
    const auto match = definition.match(toText(statement));
    const auto name = [&match](int group) {
        const QString text = match.captured(group);
        if (!text.startsWith(u'`'))
            return text;
        return text.mid(1, text.size() - 2).replace(QLatin1String("``"), QLatin1String("`"));
    };
    return {name(1), name(2).toUtf8()};
}

bool mentions(const QString &statement, const QString &name)
{
    if (name.isEmpty())
        return false;
    for (auto at = statement.indexOf(name, 0, Qt::CaseInsensitive); at >= 0;
         at = statement.indexOf(name, at + 1, Qt::CaseInsensitive)) {
        const auto end = at + name.size();
        if ((at == 0 || !isWordPart(statement[at - 1])) && (end == statement.size() || !isWordPart(statement[end])))
            return true;
    }
    return false;
}

void inferMetadata(ServerWaits *waits)
{
    const bool isListed = hasAllHolders(*waits);
    QList<Waiter> waiters;
    for (const ServerSession *session : waitersThat(*waits, waitsForDefinition))
        waiters.append(toWaiter(*session));
    addMetadataEdges(waits->locks + wantedLocks(waiters, heldDefinitions(waits->locks)), waits, true);
    QSet<quint64> known = waitersOf(waits->edges);
    for (qsizetype i = 0; i < waiters.size(); ++i) {
        if (known.contains(waiters[i].session->id))
            continue;
        auto edge = behindAnother(waiters, i);
        QList<WaitEdge> edges;
        if (!edge && !isListed) {
            edge = behindTheOnlyTransaction(*waits, waiters[i], known);
            edges = behindThoseInside(*waits, waiters[i]);
        }
        if (edge)
            edges.prepend(*edge);
        if (edges.isEmpty())
            continue;
        waits->edges += edges;
        known.insert(waiters[i].session->id);
    }
    addLostWaiters(waits);
}

void addLostWaiters(ServerWaits *waits)
{
    const auto waitsHere = [](const ServerSession &one) { return waitsForMetadata(one) || waitsForTable(one); };
    for (const ServerSession *session : waitersThat(*waits, waitsHere))
        waits->lost.append({session->id, ServerLockKind::Metadata, session->commandSince, !waits->prepared.isEmpty()});
}

std::optional<LockError> inferWaits(Session &session, const QSet<WaitSource> &off, ServerWaits *waits)
{
    if (!off.contains(WaitSource::Metadata))
        inferMetadata(waits);
    return off.contains(WaitSource::UserLocks) ? std::nullopt : inferUserLocks(session, waits);
}

std::optional<LockError> inferUserLocks(Session &session, ServerWaits *waits)
{
    QHash<QByteArray, quint64> asked;
    const QSet<quint64> known = waitersOf(waits->edges) + waitersOfLeases(waits->locks);
    QList<quint64> waiters;
    for (const ServerSession &one : std::as_const(waits->sessions)) {
        if (waitsForUserLock(one) && !known.contains(one.id))
            waiters.append(one.id);
    }
    std::sort(waiters.begin(), waiters.end());
    for (const quint64 waiter : std::as_const(waiters)) {
        if (auto error = inferUserLock(session, waits->sessions.value(waiter), &asked, waits))
            return error;
    }
    return std::nullopt;
}

} // namespace lockscope
