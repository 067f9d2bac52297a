// SPDX-License-Identifier: MIT
// How each type is written, for itemarchive.h: what tells it from others of its kind (`name`), and the rest (`fields`).
// Plain values have fields alone.
#pragma once

#include "itemarchive.h"
#include "locks/snapshot.h"
#include "locktables/tablereader.h"
#include "waits/capabilities.h"

namespace lockscope {

template<typename A>
void fields(A &archive, Owner &owner)
{
    archive(owner.service, owner.host, owner.pid, owner.thread, owner.session, owner.key);
}

template<typename A>
void fields(A &archive, LockKey &key)
{
    archive(key.kind, key.resource, key.slot, key.session);
}

template<typename A>
void fields(A &archive, AttemptCounts &counts)
{
    archive(counts.commits, counts.conflicts);
}

template<typename A>
void fields(A &archive, Attempts &attempts)
{
    archive(attempts.version, attempts.committedAt, attempts.total, attempts.retries, attempts.since,
            attempts.countedAt, attempts.recent);
}

template<typename A>
void fields(A &archive, LockRow &row)
{
    archive(row.state, row.owner, row.connectionId, row.token, row.note, row.acquiredAt, row.ageOf, row.expiresAt,
            row.ttl, row.waiters, row.sessionAlive, row.attempts);
}

template<typename A>
void fields(A &archive, Waiter &waiter)
{
    archive(waiter.owner, waiter.note, waiter.connectionId, waiter.account, waiter.since, waiter.ttl);
}

template<typename A>
void fields(A &archive, LockCounts &counts)
{
    archive(counts.held, counts.orphan, counts.expired, counts.kept, counts.open, counts.unknown, counts.waiting,
            counts.isWaitingKnown);
}

template<typename A>
void fields(A &archive, Capabilities &can)
{
    archive(can.family, can.version, can.account, can.hosting, can.isReadOnly, can.isReplica, can.isCluster,
            can.isPerformanceSchemaOn, can.hasPerformanceSchema, can.hasMetadataLocks, can.hasStatements,
            can.hasHistory, can.hasXaStates, can.hasMetadataPlugin, can.hasHeldTimes, can.hasLockRows, can.mayProcess,
            can.mayRecover, can.mayKill, can.killProcedure, can.killQueryProcedure, can.identity);
}

template<typename A>
void fields(A &archive, ServerObject &object)
{
    archive(object.kind, object.scope, object.schema, object.name, object.index, object.record, object.isGap);
}

template<typename A>
void fields(A &archive, Age &age)
{
    archive(age.of, age.since);
}

template<typename A>
void fields(A &archive, SourceStatus &status)
{
    archive(status.state, status.reason, status.remedy, status.isCut, status.rows, status.isOfFamily);
}

template<typename A>
void fields(A &archive, Statement &statement)
{
    archive(statement.source, statement.text, statement.isFailed);
}

template<typename A>
void fields(A &archive, PastStatement &statement)
{
    archive(statement.text, statement.tookLock);
}

template<typename A>
void fields(A &archive, Transaction &transaction)
{
    archive(transaction.id, transaction.state, transaction.started, transaction.waitStarted, transaction.rowsLocked,
            transaction.rowsChanged, transaction.mayBePrepared);
}

template<typename A>
void fields(A &archive, ServerSession &session)
{
    archive(session.user, session.host, session.schema, session.program, session.osPid, session.command, session.state,
            session.commandSince, session.statement, session.history, session.statementNumber, session.transaction,
            session.owner, session.protection);
}

template<typename A>
void name(A &archive, ServerLock &lock)
{
    archive(lock.session, lock.object, lock.mode, lock.isGranted, lock.event);
}

template<typename A>
void fields(A &archive, ServerLock &lock)
{
    archive(lock.age);
}

template<typename A>
void fields(A &archive, LockOrigin &origin)
{
    archive(origin.thread, origin.event);
}

template<typename A>
void name(A &archive, WaitEdge &edge)
{
    archive(edge.waiter, edge.blocker, edge.object, edge.mode);
}

template<typename A>
void fields(A &archive, WaitEdge &edge)
{
    archive(edge.since, edge.isInferred, edge.origin);
}

template<typename A>
void name(A &archive, LostWaiter &lost)
{
    archive(lost.session, lost.kind);
}

template<typename A>
void fields(A &archive, LostWaiter &lost)
{
    archive(lost.since, lost.mayBeBehindPrepared);
}

template<typename A>
void fields(A &archive, Xid &xid)
{
    archive(xid.format, xid.gtrid, xid.bqual);
}

template<typename A>
void fields(A &archive, PreparedTransaction &prepared)
{
    archive(prepared.transaction, prepared.session, prepared.isAttached, prepared.xids, prepared.isTold);
}

/// As it is shown.
template<typename A>
void fields(A &archive, TableColumn &column)
{
    archive(column.name);
}

template<typename A>
void name(A &archive, TableLock &lock)
{
    archive(lock.table.schema, lock.table.name, lock.key);
}

template<typename A>
void fields(A &archive, TableLock &lock)
{
    TableProfile &profile = lock.table.profile;
    archive(profile.id, profile.title, profile.note, profile.clock, lock.values, lock.candidate, lock.holder,
            lock.state, lock.reason, lock.since, lock.until, lock.isForever, lock.needsZone, lock.table.columns,
            lock.table.isLookAlike, lock.unread);
}

template<typename A>
void fields(A &archive, LockError &error)
{
    archive(error.kind, error.code, error.message, error.serverText);
}

template<typename A>
void name(A &archive, UnreadTable &table)
{
    archive(table.place);
}

template<typename A>
void fields(A &archive, UnreadTable &table)
{
    archive(table.isLookAlike, table.isPartly, table.error);
}

} // namespace lockscope
