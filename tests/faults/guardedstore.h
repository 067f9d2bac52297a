// SPDX-License-Identifier: MIT
#pragma once

#include "checker.h"

#include "lockscope/optimistic.h"
#include "session/reconnectingsession.h"

namespace lockscope::faults {

/// The names of what a run locks and guards.
QByteArray resourceName(int resource);
/// The store for OptimisticStore: `total` is read and written, `writer` written.
VersionedTable storeTable();
/// "3.17": who wrote, and the owner key of the request.
QByteArray writerName(int process, qint64 request);
std::optional<std::pair<int, qint64>> writerOf(const QString &name);

/// Makes the store with so many rows, and the journal in which a trigger keeps what was accepted.
QByteArray storeSql(int resources);
/// Resource, token, writer and sum of each accepted write, in the order in which they were accepted.
QByteArray journalSql();
/// A commit that waits for nobody.
QByteArray pulseSql();

/// What the locks guard, as an application would: each row has a sum, which a write makes larger by one than it was
/// read. Thread: one.
class GuardedStore
{
public:
    GuardedStore(SessionTarget target, bool isFenced);

    /// Reads the sum. With the fence the row remembers the token first, so no smaller one writes from now on. None: a
    /// larger token was there, or the server did not answer.
    std::optional<qint64> read(int resource, quint64 token);
    /// Writes one more than was read, in one statement.
    Answer write(int resource, quint64 token, qint64 read, const QByteArray &writer);
    /// Both in one transaction behind FenceGuard, with `pause` between, which is told the moment before the write.
    Answer readAndWrite(int resource, quint64 token, const QByteArray &writer, const std::function<void()> &pause);

private:
    Reply send(const QByteArray &sql) { return m_link.run(sql, "faults/store"); }

    ReconnectingSession m_link;
    const bool m_isFenced;
};

/// The same in the transaction of a row lock; none and false after an error.
std::optional<qint64> readSum(const QSqlDatabase &database, int resource);
bool writeSum(const QSqlDatabase &database, int resource, quint64 token, qint64 read, const QByteArray &writer);

} // namespace lockscope::faults
