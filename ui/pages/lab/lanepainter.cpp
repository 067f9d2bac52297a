// SPDX-License-Identifier: MIT
#include "lanepainter.h"

#include "console/duration.h"
#include "lanetext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

#include <algorithm>

namespace lockscope::ui {

namespace {

using State = Lanes::State;

/// Of something that is over in a moment and must not be missed.
constexpr int kLeastWidth = 6;
/// More arrows than this would hide everything.
constexpr int kMaxHandOvers = 300;
/// A recording has its moment at the last step but one.
constexpr int kScaleSteps = 4;

Mark markOf(State state)
{
    switch (state) {
    case State::Waiting:
        return Mark::Waiting;
    case State::Holding:
        return Mark::Held;
    case State::Stale:
        return Mark::Violation;
    case State::Refused:
        return Mark::Released;
    case State::Crashed:
    case State::CutOff:
    case State::Slowed:
        return Mark::Orphan;
    case State::Frozen:
    case State::Resting:
        break;
    }
    return Mark::Expired;
}

/// Told apart by height as well as by colour: a holder fills its lane.
double heightOf(State state)
{
    switch (state) {
    case State::Holding:
    case State::Stale:
        return 1;
    case State::Refused:
        return 0.8;
    case State::Crashed:
    case State::Frozen:
        return 0.6;
    case State::Waiting:
        return 0.3;
    case State::CutOff:
    case State::Slowed:
        return 0.12;
    case State::Resting:
        break;
    }
    return 0;
}

/// Which of two states in one pixel is shown: the larger.
int weightOf(State state)
{
    switch (state) {
    case State::Stale:
        return 6;
    case State::Crashed:
        return 5;
    case State::Refused:
        return 4;
    case State::Frozen:
        return 3;
    case State::Holding:
        return 2;
    case State::Waiting:
        return 1;
    default:
        return 0;
    }
}

} // namespace

int LaneScene::width() const
{
    return std::max(1, queue.width());
}

double LaneScene::perMicrosecond() const
{
    return double(width()) / double(end - begin);
}

int LaneScene::x(qint64 at) const
{
    return queue.left() + int(double(at - begin) * perMicrosecond());
}

qint64 LaneScene::timeAt(int x) const
{
    return begin + qint64((x - queue.left()) / perMicrosecond());
}

LanePainter::LanePainter(QPainter *painter, const Lanes &lanes, const LaneScene &scene, const QPalette &palette)
    : m_painter(painter)
    , m_lanes(lanes)
    , m_scene(scene)
    , m_palette(palette)
{
}

/// What is seen of each pixel is decided first, so that thousands a second cost no more paint than a few.
void LanePainter::paintLane(int worker) const
{
    const QRect lane(m_scene.queue.left(), m_scene.top(worker) + 2, m_scene.queue.width(), m_scene.laneHeight - 4);
    m_painter->setPen(QPen(lineColor(m_palette), 1));
    m_painter->drawLine(lane.left(), lane.bottom(), lane.right(), lane.bottom());
    std::vector<State> seen(std::size_t(std::max(1, lane.width())), State::Resting);
    const auto &spans = m_lanes.spans(worker);
    auto span = std::lower_bound(spans.begin(), spans.end(), m_scene.begin,
                                 [](const Lanes::Span &it, qint64 at) { return it.to != 0 && it.to < at; });
    for (; span != spans.end() && span->from < m_scene.end; ++span) {
        if (span->state == State::Resting)
            continue;
        const bool isBrief =
            span->state == State::Crashed || span->state == State::Stale || span->state == State::Refused;
        const int left = std::clamp(m_scene.x(span->from) - lane.left(), 0, lane.width() - 1);
        const qint64 to = span->to == 0 ? std::min(m_scene.end, m_scene.newest) : std::min(span->to, m_scene.end);
        const int right =
            std::min(lane.width(), std::max(left + (isBrief ? kLeastWidth : 1), m_scene.x(to) - lane.left()));
        for (int x = left; x < right; ++x) {
            if (weightOf(span->state) > weightOf(seen[std::size_t(x)]))
                seen[std::size_t(x)] = span->state;
        }
    }
    for (std::size_t from = 0, to = 0; from < seen.size(); from = to) {
        while (to < seen.size() && seen[to] == seen[from])
            ++to;
        if (seen[from] == State::Resting)
            continue;
        const int height = std::max(2, int(lane.height() * heightOf(seen[from])));
        m_painter->fillRect(QRect(lane.left() + int(from), lane.bottom() - height, int(to - from), height),
                            markColor(markOf(seen[from]), m_palette));
    }
    for (const Lanes::Span &cut : m_lanes.networks(worker)) {
        const qint64 to = cut.to == 0 ? std::min(m_scene.end, m_scene.newest) : cut.to;
        if (to < m_scene.begin || cut.from > m_scene.end)
            continue;
        const int left = std::max(lane.left(), m_scene.x(cut.from));
        QPen pen(markColor(markOf(cut.state), m_palette), std::max(2.0, lane.height() * heightOf(cut.state)));
        pen.setStyle(cut.state == State::CutOff ? Qt::DotLine : Qt::DashLine);
        m_painter->setPen(pen);
        m_painter->drawLine(left, lane.top() + 1, std::min(lane.right(), m_scene.x(to)), lane.top() + 1);
    }
}

/// From the end of each hold to the next one of the same resource.
void LanePainter::paintHandOvers() const
{
    QPainterPath path;
    int count = 0;
    for (int worker = 0; worker < m_lanes.count(); ++worker) {
        const auto &spans = m_lanes.spans(worker);
        auto span = std::lower_bound(spans.begin(), spans.end(), m_scene.begin,
                                     [](const Lanes::Span &it, qint64 at) { return it.from < at; });
        for (; span != spans.end() && span->from < m_scene.end; ++span) {
            const bool isHandOver = span->state == State::Holding && span->merged == 0 && span->other >= 0
                && span->other != worker && span->otherEnd == LabEvent::Kind::Finished
                && span->why != Lanes::Kind::Thawed;
            if (!isHandOver)
                continue;
            if (++count > kMaxHandOvers)
                return;
            const double half = m_scene.laneHeight / 2.0;
            const QPointF from(m_scene.x(span->otherEndedAt), m_scene.top(span->other) + half);
            const QPointF to(m_scene.x(span->from), m_scene.top(worker) + half);
            const double tip = from.y() < to.y() ? -kSpaceInGroup : kSpaceInGroup;
            path.moveTo(from);
            path.lineTo(to);
            path.moveTo(to + QPointF(-kSpaceInGroup / 2.0 - 1, tip));
            path.lineTo(to);
            path.lineTo(to + QPointF(kSpaceInGroup / 2.0 + 1, tip));
        }
    }
    m_painter->setRenderHint(QPainter::Antialiasing);
    m_painter->setPen(QPen(m_palette.color(QPalette::Text), 1));
    m_painter->drawPath(path);
    m_painter->setRenderHint(QPainter::Antialiasing, false);
}

/// How many waited, at most, in each pixel.
void LanePainter::paintQueue() const
{
    const QRect rect = m_scene.queue;
    std::vector<int> changes(std::size_t(std::max(1, rect.width())) + 1);
    for (int worker = 0; worker < m_lanes.count(); ++worker) {
        for (const Lanes::Span &span : m_lanes.spans(worker)) {
            if (span.state != State::Waiting || (span.to != 0 && span.to < m_scene.begin) || span.from >= m_scene.end)
                continue;
            const qint64 to = span.to == 0 ? std::min(m_scene.end, m_scene.newest) : std::min(span.to, m_scene.end);
            const int left = std::clamp(m_scene.x(span.from) - rect.left(), 0, rect.width() - 1);
            const int right = std::clamp(m_scene.x(to) - rect.left(), left, rect.width() - 1);
            ++changes[std::size_t(left)];
            --changes[std::size_t(right) + 1];
        }
    }
    int most = 0;
    int waiting = 0;
    for (const int change : changes)
        most = std::max(most, waiting += change);
    m_painter->setPen(mutedText(m_palette));
    m_painter->drawText(QRect(kSpace, rect.top(), m_scene.queue.left() - kSpace, rect.height()),
                        Qt::AlignLeft | Qt::AlignVCenter, most > 0 ? tr("Queue ≤ %1").arg(most) : tr("Queue"));
    const QColor color = markColor(Mark::Waiting, m_palette);
    waiting = 0;
    for (int x = 0; most > 0 && x < rect.width(); ++x) {
        waiting += changes[std::size_t(x)];
        const int height = int((rect.height() - kSpaceInGroup) * double(waiting) / most);
        m_painter->fillRect(QRect(rect.left() + x, rect.bottom() - height, 1, height), color);
    }
    m_painter->setPen(QPen(lineColor(m_palette), 1));
    m_painter->drawLine(rect.bottomLeft(), rect.bottomRight());
}

void LanePainter::paintScale() const
{
    const QRect rect = m_scene.scale;
    m_painter->setPen(mutedText(m_palette));
    for (int i = 0; i <= kScaleSteps; ++i) {
        const qint64 at = m_scene.begin + (m_scene.end - m_scene.begin) * i / kScaleSteps;
        const qint64 off = at - m_scene.moment;
        const QString text = off == 0 ? tr("now")
            : off < 0                 ? u'−' + formatDuration(Microseconds(-off))
                                      : u'+' + formatDuration(Microseconds(off));
        const int width = rect.width() / kScaleSteps;
        QRect place(m_scene.x(at) - width / 2, rect.top(), width, rect.height());
        Qt::Alignment alignment = Qt::AlignHCenter;
        if (i == 0) {
            place.moveLeft(rect.left());
            alignment = Qt::AlignLeft;
        } else if (i == kScaleSteps) {
            place.moveRight(rect.right() - kSpaceInGroup);
            alignment = Qt::AlignRight;
        }
        m_painter->drawText(place, int(alignment | Qt::AlignVCenter), text);
    }
}

QList<ChartLegend::Entry> LanePainter::legend(const QPalette &palette, int lineHeight)
{
    QList<ChartLegend::Entry> entries;
    for (const State state : {State::Waiting, State::Holding, State::Frozen, State::Crashed, State::Stale,
                              State::Refused, State::CutOff, State::Slowed}) {
        QPen pen(markColor(markOf(state), palette), std::max(2.0, lineHeight * heightOf(state)));
        pen.setCapStyle(Qt::FlatCap);
        if (state == State::CutOff || state == State::Slowed)
            pen.setStyle(state == State::CutOff ? Qt::DotLine : Qt::DashLine);
        entries.append({pen, LaneText::state(state)});
    }
    return entries;
}

} // namespace lockscope::ui
