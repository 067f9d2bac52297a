// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

namespace lockscope {

/// One thing that a worker did. Times are of the machine's monotonic clock, which all processes on it share.
struct LabEvent
{
    enum class Kind {
        Ask,  ///< begins to ask for `resource`
        Got,  ///< has it; `token` where there is one, `value`: held by its own deadline until then (µs), 0 = no end
        Busy, ///< did not get it, and did not wait
        TimedOut, ///< did not get it in time
        Deadlock,
        Conflict,  ///< the write met another: the work is done again
        Wrote,     ///< the guarded write was accepted; `version`; `value`: how many writes it wrote over unseen
        Stale,     ///< the guarded write was accepted although a later holder had been here
        Refused,   ///< the store refused the write for its token
        Duplicate, ///< a job was done that had been done before
        Skipped,   ///< a job was found done, or nothing was left to sell
        Finished,  ///< is through with its work and about to release; nothing after it belongs to the hold; `value` as
                   ///< Got
        Released,
        NotHeld, ///< the release found that it was not its own any more
        Failed,  ///< something that should not happen; the worker goes on
        Crashed, ///< told by whoever did it to the worker
        Frozen,
        Thawed,
        CutOff, ///< its network carries nothing
        Slowed, ///< … carries everything late
        Healed, ///< … is as it was
        Left,   ///< the run ended while it asked
        Halfway ///< is between the two steps by which it takes the lock, and rests
    };

    /// False: done to the worker, and told by whoever did it.
    static bool isItsOwn(Kind kind)
    {
        return kind != Kind::Crashed && kind != Kind::Frozen && kind != Kind::Thawed && kind != Kind::CutOff
            && kind != Kind::Slowed && kind != Kind::Healed;
    }

    qint64 at = 0; ///< microseconds
    Kind kind = Kind::Ask;
    int worker = 0;
    int resource = -1;
    quint64 token = 0;
    qint64 value = 0;
    quint64 version = 0; ///< that was written over

    static qint64 now();
    /// One line without its end, and back; none for anything else.
    QByteArray toLine() const;
    static std::optional<LabEvent> fromLine(const QByteArray &line);
    bool operator==(const LabEvent &) const = default;
};

/// Where workers put their events: for somebody to collect, or at once to functions. Thread: any.
class LabEvents
{
public:
    /// Called by one thread at a time.
    struct Listener
    {
        std::function<void(const LabEvent &)> onEvent;
        std::function<void(const QString &)> onFirstError;
    };

    /// As many events wait for take(): whoever has one more waits as well.
    static constexpr qsizetype MostWaiting = 100'000;

    /// Without a listener events wait for take().
    explicit LabEvents(Listener listener = {})
        : m_listener(std::move(listener))
    {
    }

    void add(const LabEvent &event)
    {
        std::unique_lock lock(m_mutex);
        if (m_listener.onEvent)
            return m_listener.onEvent(event);
        m_room.wait(lock, [this] { return m_events.size() < MostWaiting || m_isEnding; });
        m_events.append(event);
    }
    /// Nobody waits for room any more: what is still to come is little, and nobody may come to take it.
    void endWaiting()
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        m_room.notify_all();
    }
    /// Why something failed. The first reason is kept: others mostly follow from it.
    void reportError(const QString &error)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_firstError.isEmpty() || error.isEmpty())
            return;
        m_firstError = error;
        if (m_listener.onFirstError)
            m_listener.onFirstError(error);
    }
    QString firstError()
    {
        const std::lock_guard lock(m_mutex);
        return m_firstError;
    }
    QList<LabEvent> take()
    {
        const std::lock_guard lock(m_mutex);
        m_room.notify_all();
        return std::exchange(m_events, {});
    }

private:
    const Listener m_listener;
    std::mutex m_mutex;
    std::condition_variable m_room;
    bool m_isEnding = false;
    QList<LabEvent> m_events;
    QString m_firstError;
};

} // namespace lockscope
