#pragma once

#include "lab/labevent.h"

#include <QtCore/QList>

#include <vector>

namespace lockscope::ui {

/// What each worker of a run was doing when, from its events.
class Lanes
{
public:
    enum class State { Resting, Waiting, Holding, Stale, Crashed, Frozen };

    struct Span
    {
        qint64 from = 0; ///< microseconds of the machine's monotonic clock
        qint64 to = 0;   ///< 0 = goes on
        State state = State::Resting;
        int resource = -1;
    };

    /// Spans that ended longer ago than this are forgotten.
    static constexpr qint64 kept = 30'000'000;

    void clear(int workers);
    /// By time, each batch behind the one before but for half a second.
    void add(const QList<LabEvent> &events);

    int count() const { return int(m_lanes.size()); }
    const std::vector<Span> &spans(int worker) const { return m_lanes[std::size_t(worker)]; }
    /// The span at a moment; null when nothing is known of it.
    const Span *at(int worker, qint64 time) const;

private:
    void change(const LabEvent &event, State state);
    void forget(qint64 before);

    std::vector<std::vector<Span>> m_lanes;
};

} // namespace lockscope::ui
