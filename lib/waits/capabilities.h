// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"
#include "session/session.h"

namespace lockscope {

/// What a server can tell and do for the user that asks. Probed at connect, never assumed from a version.
struct Capabilities
{
    Family family = Family::MariaDb;
    QString version;
    QString account; ///< of the user, as GRANT takes it
    QString hosting; ///< "Amazon RDS", "Azure", …; empty: nothing tells
    bool isReadOnly = false;
    bool isReplica = false; ///< its locks are not those of the primary
    bool isCluster = false; ///< Galera or Group Replication: locks are this node's own

    bool isPerformanceSchemaOn = false;
    bool hasPerformanceSchema = false; ///< and this user may read it
    bool hasMetadataLocks = false;     ///< the instrument of metadata locks is on
    bool countsUserLocks = false;      ///< MySQL: how many user-level locks each thread has
    bool hasStatements = false;        ///< last statements are kept
    bool hasHistory = false;           ///< and those before them
    bool hasXaStates = false;          ///< states of XA transactions are kept
    bool hasMetadataPlugin = false;    ///< MariaDB's METADATA_LOCK_INFO
    bool hasHeldTimes = false;         ///< it tells for how long
    bool hasLockRows = false;          ///< the tables of engines are in the connection's schema, and may be read
    bool mayProcess = false;           ///< sees the sessions of others
    bool mayRecover = false;           ///< sees the names of prepared transactions
    bool mayKill = false;              ///< may end those of other users
    QByteArray killProcedure;          ///< of a hosted server in its schema mysql, "rds_kill"; empty: none
    QByteArray killQueryProcedure;
    /// Of this run of the server: host, port and when it started, so that a number of a session is not taken for one
    /// from before a restart.
    QString identity;

    /// What each source will be, with its reason and what would add it.
    SourceStatus status(WaitSource source) const;
};

/// Whether two identities are of the same run: the start is known to a second or two only.
bool isSameRun(const QString &a, const QString &b);
/// When a run began.
ServerTime startOf(const QString &identity);

/// Reads them, and keeps an identity that is there when the server still is in the same run. Whatever only means that
/// less can be seen is not an error. Thread: that of `session`.
std::optional<LockError> probe(Session &session, Capabilities *capabilities);

} // namespace lockscope
