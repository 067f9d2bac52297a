// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labevent.h"

#include <QtCore/QHash>
#include <QtCore/QList>

#include <vector>

namespace lockscope::ui {

/// What each worker of a run was doing when, and who had a resource before whom, from its events. Bounded: far back,
/// moments that are too short for the eye are put together.
class Lanes
{
public:
    using Kind = LabEvent::Kind;

    enum class State { Resting, Waiting, Holding, Stale, Refused, Crashed, Frozen, CutOff, Slowed };

    struct Span
    {
        qint64 from = 0; ///< microseconds of the machine's monotonic clock
        qint64 to = 0;   ///< 0 = goes on
        State state = State::Resting;
        Kind why = Kind::Ask; ///< the event that began it
        int resource = -1;
        /// Waiting: who held the resource when it was asked for. Holding: who had it before. -1 = nobody.
        int other = -1;
        Kind otherEnd = Kind::Got; ///< how that hold ended: Finished, Crashed; Got = it went on
        qint64 otherEndedAt = 0;
        int count = 0;  ///< Waiting: conflicts; Resting: changes of others that its write wrote over
        int merged = 0; ///< how many holds were put together in it; 0 = it is one span
    };

    /// Spans that ended longer ago than this are forgotten, and there are never many more than these.
    static constexpr qint64 Kept = 30'000'000;
    static constexpr std::size_t Max = 120'000;
    /// Shorter than this, and far back, they are put together.
    static constexpr qint64 Moment = 20'000;

    void clear(int workers);
    /// In the order of time.
    void add(const QList<LabEvent> &events);
    /// A recording forgets nothing, and takes nothing more when it is full.
    void setRecording(bool isRecording) { m_isRecording = isRecording; }
    /// Of a recording: what follows is not whole.
    void endRecording() { m_isEnded = true; }
    bool isFull() const { return m_isRecording && (m_isEnded || m_total > 2 * Max); }

    int count() const { return int(m_lanes.size()); }
    const std::vector<Span> &spans(int worker) const { return m_lanes[std::size_t(worker)].spans; }
    /// CutOff and Slowed, beside whatever the worker does.
    const std::vector<Span> &networks(int worker) const { return m_lanes[std::size_t(worker)].networks; }
    /// The span at a moment; null when nothing is known of it.
    const Span *at(int worker, qint64 time) const;
    /// The one before a span of that worker; null when there is none any more.
    const Span *before(int worker, const Span &span) const;

    struct Change
    {
        int worker = 0;
        Span span;
    };
    /// The first span that began after a moment, or the last that began before it.
    std::optional<Change> next(qint64 after) const;
    std::optional<Change> previous(qint64 before) const;

private:
    struct Lane
    {
        std::vector<Span> spans;
        std::vector<Span> networks;
        State beforeFrozen = State::Resting;
    };
    struct Holder
    {
        int worker = -1;
        qint64 endedAt = 0;
        Kind end = Kind::Got;
    };

    void apply(const LabEvent &event);
    void begin(const LabEvent &event, State state, int resource = -1);
    void endHold(int worker, const LabEvent &event);
    void changeNetwork(const LabEvent &event);
    void forget(qint64 before);
    void merge();
    static std::vector<Span> merged(const std::vector<Span> &spans, qint64 before);

    std::vector<Lane> m_lanes;
    QHash<int, Holder> m_holders; ///< by resource: who has it, or had it last
    std::size_t m_total = 0;
    bool m_isRecording = false;
    bool m_isEnded = false;
};

} // namespace lockscope::ui
