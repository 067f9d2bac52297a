// SPDX-License-Identifier: MIT
#include "statementend.h"

#include "waits/inferredwaits.h"
#include "waits/metadatamodes.h"
#include "waits/sessionfacts.h"

#include <algorithm>

namespace lockscope {

namespace {

bool runsOneOf(const ServerSession &session, std::initializer_list<const char *> beginnings)
{
    return session.statement.source == Statement::Source::Running && beginsWithOne(session, beginnings);
}

bool isLockTables(const ServerSession &session)
{
    return runsOneOf(session, {"LOCK TABLE"});
}

/// Each commits before it begins, so that whatever it holds is its own. What concerns a temporary table does not.
bool isDefinition(const ServerSession &session)
{
    return runsOneOf(session, {"ALTER ", "CREATE ", "DROP ", "RENAME ", "TRUNCATE ", "OPTIMIZE ", "REPAIR "})
        && !runsOneOf(session, {"CREATE TEMPORARY ", "CREATE OR REPLACE TEMPORARY ", "DROP TEMPORARY "});
}

/// By the statement that runs; none: not told.
std::optional<bool> isTakenNow(const ServerSession &session, const ServerLock &lock)
{
    return lock.event && session.statementEvent ? std::optional(*lock.event > *session.statementEvent) : std::nullopt;
}

bool isCommit(const WaitEdge &edge)
{
    return edge.object.scope == QLatin1String("COMMIT") || edge.mode == QLatin1String("BACKUP_COMMIT");
}

/// Of what concerns the whole server: as statements take it, and not who stops them.
bool isWeak(const QString &mode)
{
    for (const char *weak : {"INTENTION_EXCLUSIVE", "BACKUP_DML", "BACKUP_TRANS_DML", "BACKUP_SYS_DML", "BACKUP_DDL",
                             "BACKUP_ALTER_COPY", "BACKUP_COMMIT"}) {
        if (mode == QLatin1String(weak))
            return true;
    }
    return false;
}

bool isServerWide(const ServerObject &object)
{
    for (const char *scope : {"GLOBAL", "COMMIT", "BACKUP", "BACKUP LOCK"}) {
        if (object.scope == QLatin1String(scope))
            return true;
    }
    return false;
}

/// As LOCK TABLES and FLUSH TABLES take it, and keep it until UNLOCK TABLES. Where it is not told whether the statement
/// that runs has taken it, that goes by its words.
bool isOfLockTables(const ServerSession &session, const ServerLock &lock)
{
    const bool isToRead = lock.mode == QLatin1String("SHARED_NO_WRITE");
    const bool isSuch = isToRead || lock.mode == QLatin1String("SHARED_NO_READ_WRITE")
        || lock.mode == QLatin1String("SHARED_READ_ONLY");
    if (!isSuch || !lock.object.isOfTable())
        return false;
    if (const auto isNow = isTakenNow(session, lock))
        return !*isNow;
    return isToRead ? !isDefinition(session) && !runsOneOf(session, {"FLUSH "}) : !isLockTables(session);
}

/// MariaDB's, until BACKUP UNLOCK.
bool isOfBackupLock(const ServerLock &lock)
{
    return lock.object.isOfTable() && lock.mode == QLatin1String("SHARED_HIGH_PRIO");
}

/// False: the wait is not for this lock. The mode of a row lock that is held is not read.
bool mayHoldUp(const ServerLock &held, const WaitEdge &edge)
{
    return edge.object.kind != ServerLockKind::Metadata || waitsFor(edge.object, edge.mode, held.mode, true);
}

bool waitsToCommit(const ServerWaits &waits, const ServerSession &session)
{
    return std::any_of(waits.edges.cbegin(), waits.edges.cend(),
                       [&session](const WaitEdge &edge) { return edge.waiter == session.id && isCommit(edge); });
}

TransactionEnd transactionEnd(const ServerSession &session, bool isCommitting)
{
    if (isCommitting || isLockTables(session) || isDefinition(session))
        return TransactionEnd::Yes;
    if (!session.transaction)
        return TransactionEnd::Perhaps;
    const bool isYoung =
        session.commandSince && session.transaction->started + std::chrono::seconds(1) >= *session.commandSince;
    return isYoung && session.history.isEmpty() ? TransactionEnd::Perhaps : TransactionEnd::No;
}

} // namespace

StatementEnd::StatementEnd(const ServerWaits &waits, const ServerSession &session)
    : m_session(session)
    , m_isCommitting(waitsToCommit(waits, session))
    , m_transaction(transactionEnd(session, m_isCommitting))
{
    for (const ServerLock &lock : waits.locks) {
        if (lock.session != session.id || !lock.isGranted)
            continue;
        m_held.append(lock);
        m_isTold = m_isTold || lock.object.kind == ServerLockKind::Metadata;
        m_keepsTables = m_keepsTables || isOfLockTables(session, lock);
    }
    for (const WaitEdge &edge : waits.edges) {
        if (edge.waiter == session.id)
            m_wanted.insert(edge.object);
    }
}

StatementEnd::Effect StatementEnd::on(const ServerLock &lock) const
{
    return isServerWide(lock.object) ? onServerWide(isWeak(lock.mode)) : onHeld(lock);
}

StatementEnd::Effect StatementEnd::on(const WaitEdge &edge) const
{
    if (edge.mode == QLatin1String("AUTO_INC"))
        return Effect::Freed; // until the statement has all its numbers
    if (edge.object.kind == ServerLockKind::Metadata && edge.mode.isEmpty())
        return unlessLocked(); // until the statement closes its tables
    Effect strictest = Effect::Freed;
    bool isHeld = false;
    for (const ServerLock &lock : m_held) {
        if (lock.object == edge.object && mayHoldUp(lock, edge)) {
            isHeld = true;
            strictest = std::max(strictest, on(lock));
        }
    }
    if (isHeld)
        return strictest;
    // An insert may wait for the lock that this session waits for, or for an older one of its at the same record. Who
    // wants the record itself waits for whoever holds it, too.
    if (m_wanted.contains(edge.object))
        return edge.object.isGap ? withTransaction(Effect::FreedIfUnheld) : Effect::Freed;
    // What is held is not told: who stops statements waits for those that take the weak modes.
    ServerLock untold;
    untold.object = edge.object;
    return isServerWide(edge.object) ? onServerWide(!isWeak(edge.mode)) : onHeld(untold);
}

/// What ends with the transaction, and `otherwise` if that goes on.
StatementEnd::Effect StatementEnd::withTransaction(Effect otherwise) const
{
    if (m_transaction == TransactionEnd::Yes)
        return Effect::Freed;
    return m_transaction == TransactionEnd::Perhaps ? Effect::FreedIfOwn : otherwise;
}

/// What ends with the statement, but not under LOCK TABLES.
StatementEnd::Effect StatementEnd::unlessLocked() const
{
    if (m_keepsTables)
        return Effect::Kept;
    return m_isTold || m_transaction == TransactionEnd::Yes ? Effect::Freed : Effect::FreedIfOwn;
}

StatementEnd::Effect StatementEnd::onServerWide(bool isWeak) const
{
    return isWeak ? unlessLocked() : Effect::Kept;
}

StatementEnd::Effect StatementEnd::onHeld(const ServerLock &lock) const
{
    const bool isMetadata = lock.object.kind == ServerLockKind::Metadata;
    const bool isExplicit = lock.object.kind == ServerLockKind::User
        || lock.object.scope == QLatin1String("LOCKING SERVICE") || isOfBackupLock(lock)
        || (isMetadata && m_keepsTables);
    const bool isOlder = !m_isCommitting && isTakenNow(m_session, lock) == false; // a definition has committed before
    if (isExplicit || isOlder)
        return Effect::Kept;
    return withTransaction(isMetadata ? onOpened(lock) : Effect::Kept);
}

/// A statement that waits for one of its tables gives back the others when that fails.
StatementEnd::Effect StatementEnd::onOpened(const ServerLock &lock) const
{
    const auto isTable = [](const ServerObject &one) { return one.isOfTable(); };
    if (!isTable(lock.object) || std::none_of(m_wanted.cbegin(), m_wanted.cend(), isTable))
        return Effect::Kept;
    if (const auto isNow = isTakenNow(m_session, lock))
        return *isNow ? Effect::Freed : Effect::Kept;
    const bool isNamed = mentions(QString::fromUtf8(m_session.statement.text), QString::fromUtf8(lock.object.name));
    return isNamed ? Effect::FreedIfUnheld : Effect::Kept;
}

} // namespace lockscope
