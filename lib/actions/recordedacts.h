// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditlog.h"
#include "locks/snapshot.h"
#include "lockscope/serverurl.h"

namespace lockscope {

struct KeyReleaseOrder;
struct KillTarget;
struct PreparedOrder;
struct ReleaseOrder;
struct TableReleaseOrder;

/// Of a reason in a server's record, what was done and what came of it take up no more.
constexpr int MaxDoneCharacters = 512;
/// What a record says of an act that failed; `mayBeDone`: the server may have gone on with it.
QString failureText(const std::optional<LockError> &error, bool mayBeDone);

/// A reason with what was done and what came of it, for a server's record, which has no columns of their own for these.
QString reasonWithResult(const QString &reason, const QString &done, const QString &outcome);
/// Why an act is not in the server's record; empty where it is, where there is none (most servers have no such table),
/// and for a user who may not write to it, who is not told whether there is one.
QString whyNotOnServer(const std::optional<LockError> &error);

/// How the record of this machine names what was acted on: AuditEntry::target.
QString recordedTarget(const ReleaseOrder &order);
QString recordedTarget(const KillTarget &target);
QString recordedTarget(const PreparedOrder &order);
QString recordedTarget(const TableReleaseOrder &order);
QString recordedTarget(const KeyReleaseOrder &order);
/// What finds an act there: what it was done to, and why.
AuditEntry recordedAct(const QString &target, const QString &reason);

/// What the record of this machine and that of a server tell of one thing.
struct RecordedEvent
{
    Event event; ///< as the server tells it; else what the line says, by this machine's clock
    bool isOnServer = false;
    std::optional<AuditLine> line; ///< none: the record of this machine has nothing of it

    /// False: it was only tried, or nobody knows what became of it.
    bool isDone() const;
    /// Two states of one thing.
    bool isSame(const RecordedEvent &other) const;
    bool operator==(const RecordedEvent &) const = default;
};

/// The lines that tell of acts on this server, by whatever user. Asks the file system about sockets: not for a GUI.
QList<AuditLine> actsOn(const ServerUrl &url, const QList<AuditLine> &acts);
/// The same of a Redis, a ZooKeeper or an etcd.
QList<AuditLine> actsOnStore(const QString &url, const QList<AuditLine> &acts);
/// Both records as one list, newest first: what both tell is one entry. Pure; any thread.
QList<RecordedEvent> mergedRecords(const QList<Event> &events, const QList<AuditLine> &acts);

} // namespace lockscope
