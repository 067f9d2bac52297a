#include "laneview.h"

#include "lab/labstock.h"
#include "monitor/duration.h"
#include "statemark.h"
#include "theme.h"
#include "words.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolTip>

namespace lockscope::ui {

namespace {

using State = Lanes::State;

Mark markOf(State state)
{
    switch (state) {
    case State::Waiting:
        return Mark::Waiting;
    case State::Holding:
        return Mark::Held;
    case State::Stale:
        return Mark::Violation;
    case State::Crashed:
        return Mark::Orphan;
    case State::Frozen:
    case State::Resting:
        break;
    }
    return Mark::Expired;
}

constexpr int kCrashWidth = 6;
/// How much time the width shows, in microseconds.
constexpr qint64 kSpan = 10'000'000;

/// Told apart by height as well as by colour: a holder fills its lane.
double heightOf(State state)
{
    switch (state) {
    case State::Holding:
    case State::Stale:
        return 1;
    case State::Crashed:
    case State::Frozen:
        return 0.6;
    case State::Waiting:
        return 0.3;
    case State::Resting:
        break;
    }
    return 0;
}

} // namespace

LaneView::LaneView(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setAccessibleName(tr("What each worker does"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
}

void LaneView::clear(int workers)
{
    m_lanes.clear(workers);
    m_newest = 0;
    m_pausedAt = 0;
    setScrollRange();
    viewport()->update();
}

void LaneView::add(const QList<LabEvent> &events)
{
    const int before = m_lanes.count();
    m_lanes.add(events);
    for (const LabEvent &event : events)
        m_newest = std::max(m_newest, event.at);
    if (m_lanes.count() != before)
        setScrollRange();
    viewport()->update();
}

void LaneView::setPaused(bool paused)
{
    m_pausedAt = paused ? m_newest : 0;
    viewport()->update();
}

qint64 LaneView::end() const
{
    return m_pausedAt > 0 ? m_pausedAt : m_newest;
}

/// Few lanes share the room there is, up to a limit.
int LaneView::laneHeight() const
{
    const int least = fontMetrics().height() + kSpaceInGroup;
    return std::clamp(viewport()->height() / std::max(1, m_lanes.count()), least, 2 * least);
}

int LaneView::nameWidth() const
{
    return fontMetrics().horizontalAdvance(tr("Worker %1").arg(888)) + 2 * kSpace;
}

qint64 LaneView::timeAt(int x) const
{
    const int width = std::max(1, viewport()->width() - nameWidth());
    return end() - kSpan + qint64(double(x - nameWidth()) / width * double(kSpan));
}

int LaneView::laneAt(int y) const
{
    return (y + verticalScrollBar()->value()) / laneHeight();
}

void LaneView::setScrollRange()
{
    const int all = m_lanes.count() * laneHeight();
    verticalScrollBar()->setRange(0, std::max(0, all - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(laneHeight());
}

void LaneView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    setScrollRange();
}

void LaneView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const int first = std::max(0, laneAt(event->rect().top()));
    const int last = std::min(m_lanes.count() - 1, laneAt(event->rect().bottom()));
    for (int worker = first; worker <= last; ++worker) {
        const int top = worker * laneHeight() - verticalScrollBar()->value();
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(kSpace, top, nameWidth() - kSpace, laneHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("Worker %1").arg(worker + 1));
        paintLane(&painter, worker, QRect(nameWidth(), top + 2, viewport()->width() - nameWidth(), laneHeight() - 4));
    }
}

/// Spans that end in one pixel are one: thousands a second stay thousands a second in the numbers, not in the paint.
void LaneView::paintLane(QPainter *painter, int worker, const QRect &lane) const
{
    const qint64 begin = end() - kSpan;
    const double perPixel = double(kSpan) / std::max(1, lane.width());
    const auto xOf = [&](qint64 at) { return lane.left() + int(double(at - begin) / perPixel); };
    painter->setPen(QPen(lineColor(palette()), 1));
    painter->drawLine(lane.left(), lane.bottom(), lane.right(), lane.bottom());
    int painted = lane.left() - 1;
    for (const Lanes::Span &span : m_lanes.spans(worker)) {
        const qint64 to = span.to == 0 ? end() : std::min(span.to, end());
        if (span.state == State::Resting || to <= begin || span.from >= end())
            continue;
        const int left = std::max(lane.left(), xOf(span.from));
        const int least = span.state == State::Crashed ? kCrashWidth : 1; // over in a moment, and not to be missed
        const int right = std::max(left + least, std::min(lane.right(), xOf(to)));
        if (right <= painted && span.state == State::Waiting)
            continue;
        painted = std::max(painted, right);
        const int height = std::max(2, int(lane.height() * heightOf(span.state)));
        painter->fillRect(QRect(left, lane.bottom() - height, right - left, height),
                          markColor(markOf(span.state), palette()));
    }
}

QList<ChartLegend::Entry> LaneView::legend(const QPalette &palette) const
{
    const std::pair<State, QString> states[] = {{State::Waiting, tr("waits")},
                                                {State::Holding, tr("holds")},
                                                {State::Frozen, tr("frozen")},
                                                {State::Crashed, tr("killed")},
                                                {State::Stale, tr("of yesterday")}};
    QList<ChartLegend::Entry> entries;
    for (const auto &[state, word] : states) {
        QPen pen(markColor(markOf(state), palette), fontMetrics().height() * heightOf(state));
        pen.setCapStyle(Qt::FlatCap);
        entries.append({pen, word});
    }
    return entries;
}

QString LaneView::sentence(int worker, qint64 at) const
{
    const Lanes::Span *span = m_lanes.at(worker, at);
    if (!span)
        return {};
    const QString who = tr("Worker %1").arg(worker + 1);
    const QString what = span->resource >= 0 ? QString::fromLatin1(LabStock::resourceName(span->resource)) : QString();
    const QString length = formatDuration(Microseconds((span->to == 0 ? end() : span->to) - span->from));
    switch (span->state) {
    case State::Waiting:
        return span->to == 0 ? tr("%1 has waited for %2 for %3.").arg(who, what, length)
                             : tr("%1 waited %3 for %2.").arg(who, what, length);
    case State::Holding:
        return span->to == 0 ? tr("%1 has held %2 for %3.").arg(who, what, length)
                             : tr("%1 held %2 for %3.").arg(who, what, length);
    case State::Stale:
        return tr("%1 wrote to %2 with a token of yesterday.").arg(who, what);
    case State::Crashed:
        return tr("%1 was killed.").arg(who);
    case State::Frozen:
        return tr("%1 was frozen for %2.").arg(who, length);
    case State::Resting:
        break;
    }
    return tr("%1 rested.").arg(who);
}

bool LaneView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), Words::tip(sentence(laneAt(help->y()), timeAt(help->x()))), viewport());
    return true;
}

} // namespace lockscope::ui
