#include "guessedwaits.h"

#include "foldedleases.h"

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

bool isKnownWaiter(const ServerWaits &waits, quint64 session)
{
    return std::any_of(waits.edges.cbegin(), waits.edges.cend(),
                       [session](const WaitEdge &edge) { return edge.waiter == session; });
}

/// The mode that a statement needs of the tables that it names.
QString modeOf(const QByteArray &statement)
{
    const QByteArray word = statement.trimmed().left(6).toUpper();
    if (!redefinedTable(statement).isEmpty() || word.startsWith("RENAME"))
        return QStringLiteral("EXCLUSIVE");
    if (word.startsWith("LOCK"))
        return QStringLiteral("SHARED_NO_READ_WRITE");
    return word.startsWith("SELECT") ? QStringLiteral("SHARED_READ") : QStringLiteral("SHARED_WRITE");
}

/// Waiters for definitions, those that came first first.
QList<const ServerSession *> metadataWaiters(const ServerWaits &waits)
{
    QList<const ServerSession *> found;
    for (const ServerSession &session : waits.sessions) {
        if (waitsForMetadata(session) && !isKnownWaiter(waits, session.id))
            found.append(&session);
    }
    std::sort(found.begin(), found.end(), [](const ServerSession *a, const ServerSession *b) {
        return std::make_pair(a->commandSince, a->id) < std::make_pair(b->commandSince, b->id);
    });
    return found;
}

/// Locks that the waiter needs by its own words, where the server tells what others hold.
QList<ServerLock> wantedLocks(const ServerWaits &waits, const ServerSession &waiter)
{
    QList<ServerLock> wanted;
    QSet<ServerObject> seen;
    for (const ServerLock &lock : waits.locks) {
        if (lock.object.kind != ServerLockKind::Metadata || !lock.isGranted || lock.session == waiter.id
            || seen.contains(lock.object) || !mentions(waiter.statement.text, lock.object.name))
            continue;
        seen.insert(lock.object);
        const auto age = waiter.commandSince ? std::optional(Age{AgeOf::Wait, *waiter.commandSince}) : std::nullopt;
        wanted.append({lock.object, modeOf(waiter.statement.text), false, waiter.id, age});
    }
    return wanted;
}

WaitEdge inferred(const ServerSession &waiter, quint64 blocker, const QByteArray &table)
{
    WaitEdge edge;
    edge.waiter = waiter.id;
    edge.blocker = blocker;
    edge.object.kind = ServerLockKind::Metadata;
    edge.object.scope = QStringLiteral("TABLE");
    edge.object.schema = waiter.schema;
    edge.object.name = table;
    edge.mode = modeOf(waiter.statement.text);
    edge.since = waiter.commandSince;
    edge.isInferred = true;
    return edge;
}

/// Whoever redefines a table that the waiter names, and waits since before.
std::optional<WaitEdge> behindAnother(const QList<const ServerSession *> &before, const ServerSession &waiter)
{
    for (const ServerSession *other : before) {
        const QByteArray table = redefinedTable(other->statement.text);
        if (!table.isEmpty() && mentions(waiter.statement.text, table))
            return inferred(waiter, other->id, table);
    }
    return std::nullopt;
}

/// The only transaction that is older than the wait and does not wait for a definition itself.
std::optional<WaitEdge> behindTheOnlyTransaction(const ServerWaits &waits, const ServerSession &waiter)
{
    const QByteArray table = redefinedTable(waiter.statement.text);
    if (table.isEmpty() || !waiter.commandSince)
        return std::nullopt;
    QList<quint64> found;
    for (const ServerSession &session : waits.sessions) {
        if (session.id != waiter.id && session.transaction && session.transaction->started <= *waiter.commandSince
            && !isKnownWaiter(waits, session.id) && !waitsForMetadata(session))
            found.append(session.id);
    }
    return found.size() == 1 ? std::optional(inferred(waiter, found.first(), table)) : std::nullopt;
}

void guessMetadata(ServerWaits *waits)
{
    const auto waiters = metadataWaiters(*waits);
    QList<ServerLock> wanted;
    for (const ServerSession *waiter : waiters)
        wanted += wantedLocks(*waits, *waiter);
    for (WaitEdge edge : metadataEdges(waits->locks + wanted)) {
        edge.isInferred = true;
        waits->edges.append(edge);
    }
    for (qsizetype i = 0; i < waiters.size(); ++i) {
        const ServerSession &waiter = *waiters.at(i);
        if (isKnownWaiter(*waits, waiter.id))
            continue;
        auto edge = behindAnother(waiters.mid(0, i), waiter);
        if (!edge)
            edge = behindTheOnlyTransaction(*waits, waiter);
        if (edge)
            waits->edges.append(*edge);
        else
            waits->lost.append({waiter.id, ServerLockKind::Metadata, waiter.commandSince});
    }
}

std::optional<LockError> guessUserLock(Session &session, const ServerSession &waiter, QHash<QByteArray, quint64> *asked,
                                       ServerWaits *waits)
{
    const auto names = userLockNames(waiter.statement.text);
    if (std::any_of(names.cbegin(), names.cend(), isEngines))
        return std::nullopt; // it waits for a lease
    for (const QByteArray &name : names) {
        if (!asked->contains(name)) {
            if (asked->size() >= kMaxNames)
                break;
            const Reply holder = session.run("waits/user_lock_holder", Params().bytes("name", name));
            if (holder.error && holder.error->connectionGone)
                return holder.error;
            asked->insert(name, holder.value().toULongLong()); // 0 for a name that the server refuses
            if (asked->value(name) != 0)
                waits->locks.append({{ServerLockKind::User, {}, {}, name, {}, {}},
                                     QStringLiteral("EXCLUSIVE"),
                                     true,
                                     asked->value(name),
                                     std::nullopt});
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

QByteArray redefinedTable(const QByteArray &statement)
{
    static const QRegularExpression definition(
        QStringLiteral(R"re(^\s*(?:/\*.*?\*/\s*)*)re"
                       R"re((?:(?:ALTER|DROP|OPTIMIZE|REPAIR|CREATE)\s+(?:\w+\s+)*?TABLE|TRUNCATE(?:\s+TABLE)?)re"
                       R"re(|(?:CREATE|DROP)\s+(?:\w+\s+)*?INDEX\s+.*?\bON)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?)re"
                       R"re((?:(?:`(?:[^`]|``)+`|[\w$]+)\s*\.\s*)?(`(?:[^`]|``)+`|[\w$]+))re"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption
            | QRegularExpression::UseUnicodePropertiesOption);
    const auto match = definition.match(toText(statement));
    QString name = match.captured(1);
    if (name.startsWith(u'`'))
        name = name.mid(1, name.size() - 2).replace(QLatin1String("``"), QLatin1String("`"));
    return name.toUtf8();
}

bool mentions(const QByteArray &statement, const QByteArray &name)
{
    if (name.isEmpty())
        return false;
    const QRegularExpression word(
        QStringLiteral("(?<![\\w$])%1(?![\\w$])").arg(QRegularExpression::escape(QString::fromUtf8(name))),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    return word.match(toText(statement)).hasMatch();
}

std::optional<LockError> guessWaits(Session &session, const QSet<WaitSource> &off, ServerWaits *waits)
{
    if (!off.contains(WaitSource::Metadata))
        guessMetadata(waits);
    if (off.contains(WaitSource::UserLocks))
        return std::nullopt;
    QHash<QByteArray, quint64> asked;
    QList<quint64> waiters;
    for (const ServerSession &one : std::as_const(waits->sessions)) {
        if (waitsForUserLock(one) && !isKnownWaiter(*waits, one.id))
            waiters.append(one.id);
    }
    std::sort(waiters.begin(), waiters.end());
    for (const quint64 waiter : std::as_const(waiters)) {
        if (auto error = guessUserLock(session, waits->sessions.value(waiter), &asked, waits))
            return error;
    }
    return std::nullopt;
}

} // namespace lockscope
