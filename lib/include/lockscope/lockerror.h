// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope_export.h"

#include <QtCore/QString>

namespace lockscope {

/// Something that should not happen, worded so that a person knows what to do next.
/// Outcomes that a caller must expect (busy, timed out, …) are not errors: see `Outcome`. A plain value.
struct LOCKSCOPE_EXPORT LockError
{
    enum class Kind {
        BadRequest,     ///< refused before any I/O: the request itself is wrong
        Unavailable,    ///< the server is not there, refuses connections, or shuts down
        AccessDenied,   ///< wrong user or password
        NoPermission,   ///< connected, but a privilege is missing
        SchemaMissing,  ///< the lock tables are not installed: run `lockctl init`
        SchemaTooNew,   ///< the tables were made by a newer program
        UnsafeServer,   ///< a server setting makes locks unsafe (the message names it and its fix)
        ReadOnlyServer, ///< the server or session refuses writes
        DiskFull,       ///< the server cannot write
        LimitReached,   ///< the engine's own bound on connections or asynchronous requests is reached
        ConnectionLost, ///< the session ended while the statement ran
        Contention,     ///< 1205, 1213, 1467: others were in the way, which passes: try again. For the lock itself
                        ///< acquire() answers Busy, TimedOut or Deadlock instead; all other calls may report it
        LockLost,       ///< the lock that the work relied on is not held any more
        Interrupted,    ///< 1317, 3024, 1969: the statement was killed or ran into its time limit
        ServerFault     ///< any other error of the server
    };

    Kind kind = Kind::ServerFault;
    int code = 0;                 ///< the server's or client library's number; 0 where there is none. No SQLSTATE: Qt's
                                  ///< driver does not give it
    QString message;              ///< one plain sentence: what is wrong and what to do (English, for logs and consoles)
    QString serverText;           ///< the server's own words, unchanged; may be empty
    QString statement;            ///< name of the statement in sql/, e.g. "engine/acquire"; may be empty
    bool connectionGone = false;  ///< the session that ran it can no longer be used
    bool transactionGone = false; ///< an open transaction was rolled back

    /// `message` with the server's text and number behind it.
    QString toString() const;
};

} // namespace lockscope
