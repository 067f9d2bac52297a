// SPDX-License-Identifier: MIT
#pragma once

class QSqlDatabase;

namespace lockscope {

/// While this is there, each packet of a session is one statement: the server itself refuses what stands behind it
/// (error 1064), whatever the text looks like. CALL answers with several results as before. Qt's driver always asks for
/// several statements; MariaDB's client library can take that back, with another one nothing is refused.
/// Thread: the session's.
class SingleStatements
{
public:
    /// Cost: a round trip.
    explicit SingleStatements(const QSqlDatabase &ofSession);
    ~SingleStatements();
    SingleStatements(const SingleStatements &) = delete;
    SingleStatements &operator=(const SingleStatements &) = delete;

    /// Whether there is one in this thread.
    static bool areAsked();
};

} // namespace lockscope
