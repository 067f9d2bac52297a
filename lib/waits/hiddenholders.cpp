// SPDX-License-Identifier: MIT
#include "hiddenholders.h"

#include "inferredwaits.h"
#include "metadatamodes.h"
#include "sessionfacts.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

/// What tells that a session holds more than is shown.
enum class Evidence {
    Statement, ///< it runs, or ran last, what needs the stronger mode
    Idle       ///< it is idle without a transaction, and keeps the lock nevertheless
};

bool isMetadata(const ServerLock &lock)
{
    return lock.object.kind == ServerLockKind::Metadata;
}

bool redefines(const ServerSession &session, const ServerObject &object)
{
    const TableName table = redefinedTable(session.statement.text);
    const QString &schema = table.schema.isEmpty() ? session.schema : table.schema;
    return session.statement.source == Statement::Source::Running && object.isOfTable()
        && schema.compare(object.schema, Qt::CaseInsensitive) == 0
        && table.name.compare(object.name, Qt::CaseInsensitive) == 0;
}

/// Only one session can be at one, and goes on to further stages.
bool isStageOfBackup(const QString &mode)
{
    for (const char *stage :
         {"BACKUP_START", "BACKUP_FLUSH", "BACKUP_WAIT_FLUSH", "BACKUP_WAIT_DDL", "BACKUP_BLOCK_DDL"}) {
        if (mode == QLatin1String(stage))
            return true;
    }
    return false;
}

/// The mode that a lock may have by now; empty: the one that is shown.
QString upgradedMode(const ServerLock &lock, const ServerSession &session, Evidence evidence)
{
    const bool isByStatement = evidence == Evidence::Statement;
    if (lock.mode.startsWith(QLatin1String("BACKUP_FTWRL")))
        return QStringLiteral("BACKUP_FTWRL2");
    if (isStageOfBackup(lock.mode))
        return isByStatement == beginsWithOne(session, {"BACKUP STAGE"}) ? QStringLiteral("BACKUP_WAIT_COMMIT")
                                                                         : QString();
    if (isByStatement && lock.mode == QLatin1String("SHARED_UPGRADABLE") && redefines(session, lock.object))
        return QStringLiteral("SHARED_NO_WRITE");
    const bool isLocked =
        isByStatement ? beginsWithOne(session, {"LOCK TABLE"}) : session.isIdle() && !session.transaction;
    return isLocked && lock.object.isOfTable() && lock.mode == QLatin1String("SHARED_READ")
        ? QStringLiteral("SHARED_READ_ONLY")
        : QString();
}

/// As statements of a transaction take it.
bool isUse(const QString &mode)
{
    return mode == QLatin1String("SHARED_READ") || mode == QLatin1String("SHARED_WRITE");
}

/// Looks for those who hold one lock in a stronger mode than is shown.
class Upgrades
{
public:
    explicit Upgrades(ServerWaits *waits)
        : m_waits(waits)
    {
        for (const ServerLock &lock : std::as_const(waits->locks)) {
            if (isMetadata(lock))
                (lock.isGranted ? m_held : m_wanted)[lock.object].append(lock);
        }
        for (const WaitEdge &edge : std::as_const(waits->edges))
            m_blockers[{edge.waiter, edge.object}].insert(edge.blocker);
    }

    void add()
    {
        for (const QList<ServerLock> &waiters : std::as_const(m_wanted)) {
            for (const ServerLock &waiter : waiters)
                addTo(waiter);
        }
    }

private:
    void addTo(const ServerLock &waiter);
    bool isHeldUp(const ServerLock &waiter) const;
    QSet<quint64> byEvidence(const ServerLock &waiter, Evidence evidence) const;
    QSet<quint64> theOnlyOne(const ServerLock &waiter) const;

    ServerWaits *m_waits;
    QHash<ServerObject, QList<ServerLock>> m_held;
    QHash<ServerObject, QList<ServerLock>> m_wanted;
    QHash<std::pair<quint64, ServerObject>, QSet<quint64>> m_blockers;
};

/// By one that holds the lock, and does not merely stand before it.
bool Upgrades::isHeldUp(const ServerLock &waiter) const
{
    const QSet<quint64> blockers = m_blockers.value({waiter.session, waiter.object});
    const auto held = m_held.value(waiter.object);
    return std::any_of(held.cbegin(), held.cend(), [&](const ServerLock &lock) {
        return blockers.contains(lock.session) && waitsFor(waiter.object, waiter.mode, lock.mode, true);
    });
}

QSet<quint64> Upgrades::byEvidence(const ServerLock &waiter, Evidence evidence) const
{
    QSet<quint64> found;
    for (const ServerLock &lock : m_held.value(waiter.object)) {
        const ServerSession *session = m_waits->session(lock.session);
        const QString mode = session ? upgradedMode(lock, *session, evidence) : QString();
        if (lock.session != waiter.session && waitsFor(waiter.object, waiter.mode, mode, true))
            found.insert(lock.session);
    }
    return found;
}

/// A lock that was taken before the server listed any is not seen: who only uses the table is no reason then.
QSet<quint64> Upgrades::theOnlyOne(const ServerLock &waiter) const
{
    QSet<quint64> found;
    bool isOrdinary = false;
    for (const ServerLock &lock : m_held.value(waiter.object)) {
        if (lock.session == waiter.session)
            continue;
        found.insert(lock.session);
        const ServerSession *session = m_waits->session(lock.session);
        isOrdinary = isOrdinary || (isUse(lock.mode) && session && session->transaction);
    }
    return found.size() == 1 && !isOrdinary ? found : QSet<quint64>();
}

void Upgrades::addTo(const ServerLock &waiter)
{
    if (isHeldUp(waiter))
        return;
    QSet<quint64> blockers = byEvidence(waiter, Evidence::Statement);
    if (blockers.isEmpty())
        blockers = byEvidence(waiter, Evidence::Idle);
    const QSet<quint64> known = m_blockers.value({waiter.session, waiter.object});
    if (blockers.isEmpty() && known.isEmpty())
        blockers = theOnlyOne(waiter);
    const auto since = waiter.age ? std::optional(waiter.age->since) : std::nullopt;
    for (const quint64 blocker : std::as_const(blockers)) {
        if (!known.contains(blocker))
            m_waits->edges.append({waiter.session, blocker, waiter.object, waiter.mode, since, true});
    }
}

bool waitsForFlush(const ServerSession &session)
{
    return session.state == QLatin1String("Waiting for table flush");
}

/// Tables that somebody waits to be closed: those that its statement names or has locked, or all.
bool concerns(const ServerSession &waiter, const ServerObject &table, const QSet<ServerObject> &own)
{
    static const QRegularExpression all(
        QStringLiteral(
            R"re(^\s*FLUSH\s+(?:NO_WRITE_TO_BINLOG\s+|LOCAL\s+)?TABLES?(?:\s+WITH\s+READ\s+LOCK)?\s*;?\s*$)re"),
        QRegularExpression::CaseInsensitiveOption);
    const QString text = QString::fromUtf8(waiter.statement.text);
    return own.contains(table) || all.match(text).hasMatch()
        || (beginsWithOne(waiter, {"FLUSH"}) && mentions(text, QString::fromUtf8(table.name)));
}

/// A statement has its tables open until it ends, and all others wait until the old ones are closed.
void addFlushes(ServerWaits *waits)
{
    QHash<quint64, QSet<ServerObject>> open;
    for (const ServerLock &lock : std::as_const(waits->locks)) {
        if (lock.isGranted && lock.object.isOfTable())
            open[lock.session].insert(lock.object);
    }
    std::optional<ServerTime> flushed; // since when
    for (const ServerSession &session : std::as_const(waits->sessions)) {
        if (waitsForFlush(session) && session.commandSince && (!flushed || *session.commandSince < *flushed))
            flushed = session.commandSince;
    }
    const auto addEdge = [&](const ServerSession &waiter, const ServerSession &other) {
        for (const ServerObject &table : open.value(other.id)) {
            if (!concerns(waiter, table, open.value(waiter.id)))
                continue;
            waits->edges.append({waiter.id, other.id, table, {}, waiter.commandSince, true});
            return;
        }
    };
    for (const ServerSession &waiter : std::as_const(waits->sessions)) {
        if (!waitsForFlush(waiter))
            continue;
        for (const ServerSession &other : std::as_const(waits->sessions)) {
            const bool mayHaveOpened = !other.isIdle() && other.commandSince && flushed
                && *other.commandSince <= *flushed && !waitsForFlush(other);
            if (mayHaveOpened && other.id != waiter.id)
                addEdge(waiter, other);
        }
    }
}

} // namespace

void addHiddenHolders(Family family, ServerWaits *waits)
{
    if (family == Family::MariaDb)
        Upgrades(waits).add();
    addFlushes(waits);
}

} // namespace lockscope
