// SPDX-License-Identifier: MIT
#pragma once

#include "deadlockfeed.h"

#include <QtCore/QHash>
#include <QtCore/QStringList>

#include <memory>

namespace lockscope {

/// Deadlocks of one shape: the same statements, but for their values, that met at the same indexes.
struct DeadlockShape
{
    QByteArray shape;     ///< shapeOf() each of them
    quint64 count = 0;    ///< how many were captured
    QString first;        ///< when the first of them was, as Deadlock::at says it
    bool isOfRun = false; ///< all were made on purpose, by lessons or the lab
    DeadlockCause cause = DeadlockCause::Unknown;
    QStringList tables = {}; ///< "shop.orders", each once
    Deadlock latest = {};

    friend bool operator==(const DeadlockShape &a, const DeadlockShape &b)
    {
        return a.shape == b.shape && a.count == b.count && a.latest.text == b.latest.text;
    }
};

/// Every deadlock that was seen of one server, each shape once, the latest first. A value; the thread that reads it
/// with a session is that of the session.
class DeadlockInbox
{
public:
    /// Of those that came last; together they keep this many bytes of the server's texts.
    static constexpr qsizetype MaxShapes = 500;
    static constexpr qsizetype MaxBytes = qsizetype(16) * 1024 * 1024;

    /// Of the others it is known how many there were.
    static constexpr qsizetype MaxDropped = 100'000;

    /// Asks the server and takes what is new; `*isChanged` when there is.
    std::optional<LockError> read(Session &session, bool *isChanged);
    /// False when it tells nothing new.
    bool take(const DeadlockNews &news);

    const QList<DeadlockShape> &shapes() const { return m_shapes; }
    /// Was asked at least once.
    bool isRead() const { return m_isRead; }
    /// Captured since the first reading, without those that were made on purpose: what a person may have to know.
    quint64 arrived() const { return m_arrived; }
    /// How many were not captured: before the first reading, and since, between two readings.
    quint64 missedBefore() const { return m_missedBefore; }
    quint64 missedSince() const { return m_missedSince; }
    /// False: the server's counter is off, so that nobody knows how many there were.
    bool isCounted() const { return m_isCounted; }
    /// The server was started anew since the first reading; it has forgotten what is kept here.
    bool isRestarted() const { return m_isRestarted; }
    /// Shapes that had to go for lack of room, at most MaxDropped. One that comes back is counted on.
    quint64 dropped() const { return quint64(m_dropped.size()); }

private:
    struct Dropped
    {
        quint64 count = 0;
        QString first;
    };

    void add(const Deadlock &deadlock);
    void shrink();

    DeadlockFeed m_feed;
    QList<DeadlockShape> m_shapes;
    QHash<QByteArray, Dropped> m_dropped; ///< by what idOf() makes of a shape
    quint64 m_arrived = 0;
    quint64 m_missedBefore = 0;
    quint64 m_missedSince = 0;
    bool m_isRead = false;
    bool m_isCounted = true;
    bool m_isRestarted = false;
};

using DeadlockInboxPtr = std::shared_ptr<const DeadlockInbox>;

} // namespace lockscope
