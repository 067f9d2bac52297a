// SPDX-License-Identifier: MIT
#include "deadlockfeed.h"

#include "deadlockreport.h"
#include "session/session.h"

#include <QtCore/QSet>

#include <utility>

namespace lockscope {

namespace {

/// One that comes while the text is written can be in the text and not in the count; then all is read once more.
constexpr int kMaxReadings = 3;
/// Whose columns are read: nobody reads the keys of more.
constexpr int kMaxTables = 20;

struct Reading
{
    std::optional<quint64> before;
    std::optional<quint64> after;
    QByteArray status;
};

std::optional<quint64> countIn(const ResultSet &set)
{
    if (set.rows.isEmpty() || set.rows.first().size() < 2)
        return std::nullopt;
    bool isNumber = false;
    const quint64 count = set.rows.first()[1].toULongLong(&isNumber);
    return isNumber ? std::optional(count) : std::nullopt;
}

std::optional<LockError> readOnce(Session &session, Reading *reading)
{
    const Reply reply = session.run("deadlocks/read", Params());
    if (!reply)
        return reply.error;
    const ResultSet &status = reply.set(1);
    reading->before = countIn(reply.set(0));
    reading->after = countIn(reply.set(2));
    reading->status = status.rows.isEmpty() ? QByteArray() : status.rows.first().value(2).toByteArray();
    return std::nullopt;
}

/// Keys are read by them. Without the right to know, or with a server that has no time, digits must do.
void readColumns(Session &session, Deadlock *deadlock)
{
    QSet<QString> asked;
    for (const DeadlockSide &side : std::as_const(deadlock->sides)) {
        for (const PrintedLock &lock : side.holds + side.waitsFor) {
            const QString table = lock.schema + u'\n' + lock.table;
            if (lock.index.isEmpty() || asked.contains(table) || asked.size() >= kMaxTables || session.isGone())
                continue;
            asked += table;
            addIndexColumns(session, lock.schema, lock.table, &deadlock->columns[lock.schema]);
        }
    }
}

} // namespace

std::optional<LockError> DeadlockFeed::read(Session &session, DeadlockNews *news)
{
    *news = {};
    if (m_count && m_session == session.number()) { // else it may be another run of the server, with the same count
        const Reply reply = session.run("deadlocks/count", Params());
        if (!reply)
            return reply.error;
        if (countIn(reply.set(0)) == m_count)
            return std::nullopt;
    }
    Reading reading;
    for (int i = 0; i < kMaxReadings; ++i) {
        if (auto error = readOnce(session, &reading))
            return error;
        if (reading.before == reading.after)
            break;
    }
    auto latest = latestDeadlock(reading.status);
    const QByteArray text = latest ? latest->text : QByteArray();
    if (latest && text != m_text) {
        readColumns(session, &*latest);
        news->latest = std::move(latest);
    }
    const auto known = std::exchange(m_count, reading.after);
    news->isRestarted = m_wasRead && known && m_count && *m_count < *known;
    if (m_count && (known || !m_wasRead)) {
        const quint64 since = known && !news->isRestarted ? *m_count - *known : *m_count;
        const quint64 seen = news->latest ? 1 : 0;
        news->notCaptured = since > seen ? since - seen : 0;
    } else {
        news->notCaptured.reset();
    }
    m_text = text;
    m_wasRead = true;
    m_session = session.number();
    return std::nullopt;
}

} // namespace lockscope
