// SPDX-License-Identifier: MIT
#pragma once

#include "waits/serverwaits.h"

namespace lockscope {

/// What to end: the whole connection, or only the statement that it runs.
enum class KillKind { Connection, Query };

/// InnoDB's own number, which no other transaction of the same run of the server gets. Those that only read have none:
/// MySQL makes one up for them, from an address that comes again, and MariaDB tells 0.
bool isOwnNumber(quint64 transaction);

/// As far as readings in whole seconds tell.
bool isSameTime(const std::optional<ServerTime> &a, const std::optional<ServerTime> &b);

/// A lock by which a session without a transaction is recognised.
struct TargetLock
{
    ServerObject object;
    std::optional<quint64> event;    ///< ServerLock::event
    std::optional<ServerTime> since; ///< only MariaDB's plugin tells it

    bool operator==(const TargetLock &) const = default;
};

/// Who it was when the person looked. Whoever has the same number later is somebody else.
struct KillTarget
{
    quint64 session = 0;
    QString identity; ///< ServerWaits::identity
    QString user;
    QString host;
    ServerTime seen{}; ///< by the server's clock, not after anything else here was read
    std::optional<quint64> transaction;
    std::optional<ServerTime> transactionStarted;
    std::optional<TargetLock> lock;         ///< where it had no transaction
    QByteArray statement;                   ///< that it ran; empty: it was idle
    std::optional<ServerTime> since;        ///< since when it was idle or at its statement
    std::optional<quint64> statementNumber; ///< ServerSession::statementNumber

    static KillTarget of(const ServerWaits &waits, quint64 session);
    bool operator==(const KillTarget &) const = default;

    /// A connection may well go on to another statement of the same transaction, or under the same lock where the
    /// server tells that it is the same; its statement may not.
    bool isKnownByStatement(KillKind kind) const;
    /// What it is recognised by began so shortly before the look that something that followed would look the same.
    bool isInDoubt(KillKind kind) const;
    /// The time alone does not tell its statement from the next one.
    bool hasYoungStatement() const;
};

/// Whether the session still does, by a later look, what the kill will ask for. Pure; any thread.
bool isSameWork(const KillTarget &chosen, const ServerWaits &now, KillKind kind);

} // namespace lockscope
