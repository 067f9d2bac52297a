// SPDX-License-Identifier: MIT
#include "laneview.h"

#include "console/duration.h"
#include "lanetext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolTip>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;
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
    case State::CutOff:
    case State::Slowed:
        return Mark::Orphan;
    case State::Frozen:
    case State::Resting:
        break;
    }
    return Mark::Expired;
}

/// Of something that is over in a moment and must not be missed.
constexpr int kLeastWidth = 6;
constexpr std::array<qint64, 8> kSpans{10'000, 30'000, 100'000, 300'000, 1'000'000, 3'000'000, 10'000'000, 30'000'000};
constexpr qint64 kFirstSpan = 10'000'000;
constexpr auto kFrame = 33ms;
/// More arrows than this would hide everything.
constexpr int kMaxHandOvers = 300;
/// A recording has its moment at the last step but one.
constexpr int kScaleSteps = 4;

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
        return 5;
    case State::Crashed:
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

int partOf(LaneView::Speed speed)
{
    return speed == LaneView::Speed::Tenth ? 10 : speed == LaneView::Speed::Hundredth ? 100 : 0;
}

} // namespace

LaneView::LaneView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_span(kFirstSpan)
{
    setAccessibleName(tr("What each worker does"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    measure();
    m_recording.setRecording(true);
    m_frames.setInterval(kFrame);
    connect(&m_frames, &QTimer::timeout, this, &LaneView::play);
}

void LaneView::clear(int workers)
{
    m_live.clear(workers);
    m_newest = 0;
    setSpeed(Speed::Live);
    setScrollRange();
    viewport()->update();
}

void LaneView::add(const QList<LabEvent> &events, qsizetype missing)
{
    const int before = lanes().count();
    if (missing > 0) {
        m_live.clear(m_live.count());
        m_recording.endRecording();
    }
    m_live.add(events);
    if (m_speed != Speed::Live)
        m_recording.add(events);
    if (!events.isEmpty())
        m_newest = std::max(m_newest, events.last().at);
    if (lanes().count() != before)
        setScrollRange();
    if (m_speed == Speed::Live)
        viewport()->update();
}

void LaneView::takeOver(const LaneView &other)
{
    m_live = other.m_live;
    m_span = other.m_span;
    m_newest = other.m_newest;
    setSpeed(other.m_speed);
    m_recording = other.m_recording;
    m_position = other.m_position;
    m_stepped = other.m_stepped;
    setScrollRange();
    viewport()->update();
    if (const Lanes::Span *span = m_stepped < 0 ? nullptr : m_recording.at(m_stepped, m_position))
        Q_EMIT told(LaneText::event(m_recording, m_stepped, *span));
}

void LaneView::setFilling(bool fills)
{
    m_fills = fills;
    setScrollRange();
    viewport()->update();
}

void LaneView::setSpeed(Speed speed)
{
    if (m_speed == Speed::Live && speed != Speed::Live) {
        m_recording = m_live;
        m_recording.setRecording(true);
        m_position = m_newest;
    } else if (speed == Speed::Live) {
        m_recording.clear(0);
    }
    const bool isOther = speed != m_speed;
    m_speed = speed;
    m_stepped = -1;
    if (partOf(speed) > 0) {
        m_sinceFrame.start();
        m_frames.start();
    } else {
        m_frames.stop();
    }
    setScrollRange();
    viewport()->update();
    Q_EMIT told({});
    if (isOther)
        Q_EMIT speedChanged();
}

/// A frame of slow motion. At the end of what is recorded it waits for more, or stops where nothing more comes.
void LaneView::play()
{
    const int part = partOf(m_speed);
    if (part == 0)
        return; // stopped since
    const qint64 passed = m_sinceFrame.nsecsElapsed() / 1000;
    m_sinceFrame.start();
    m_position += passed / part;
    const auto isOver = [this] { return m_recording.isFull() && !m_recording.next(m_position); };
    if (isOver())
        setSpeed(Speed::Paused);
    m_position = std::min(m_position, m_newest);
    viewport()->update();
}

void LaneView::step(bool isForward)
{
    if (m_speed != Speed::Paused)
        setSpeed(Speed::Paused);
    const auto change = isForward ? m_recording.next(m_position) : m_recording.previous(m_position);
    if (!change) {
        Q_EMIT told(isForward ? tr("Nothing happened after this in the recording.")
                              : tr("Nothing is known about the time before this."));
        return;
    }
    m_position = change->span.from;
    m_stepped = change->worker;
    const int top = topOf(change->worker);
    if (top < lanesRect().top() || top + laneHeight() > lanesRect().bottom())
        verticalScrollBar()->setValue(change->worker * laneHeight());
    viewport()->update();
    Q_EMIT told(LaneText::event(m_recording, change->worker, change->span));
}

void LaneView::zoom(bool isIn)
{
    const auto now = std::find(kSpans.begin(), kSpans.end(), m_span);
    if (isIn && now != kSpans.begin())
        m_span = *std::prev(now);
    else if (!isIn && std::next(now) != kSpans.end())
        m_span = *std::next(now);
    viewport()->update();
}

qint64 LaneView::end() const
{
    // Of a recording some of what comes is seen, so that a step shows what it leads to.
    return m_speed == Speed::Live ? m_newest : m_position + m_span / 4;
}

QRect LaneView::queueRect() const
{
    return {m_nameWidth, 0, viewport()->width() - m_nameWidth, 2 * m_lineHeight};
}

QRect LaneView::scaleRect() const
{
    const int height = m_lineHeight + kSpaceInGroup;
    return {m_nameWidth, viewport()->height() - height, viewport()->width() - m_nameWidth, height};
}

QRect LaneView::lanesRect() const
{
    const int top = queueRect().bottom() + 1 + kSpaceInGroup;
    return {0, top, viewport()->width(), std::max(0, scaleRect().top() - top)};
}

/// Few lanes share the room there is.
int LaneView::laneHeight() const
{
    const int least = m_lineHeight + kSpaceInGroup;
    const int most = m_fills ? std::max(least, lanesRect().height()) : 2 * least;
    return std::clamp(lanesRect().height() / std::max(1, lanes().count()), least, most);
}

LaneView::Scale LaneView::scale() const
{
    Scale scale;
    scale.begin = end() - m_span;
    scale.left = m_nameWidth;
    scale.width = std::max(1, viewport()->width() - m_nameWidth);
    scale.perMicrosecond = double(scale.width) / double(m_span);
    return scale;
}

qint64 LaneView::timeAt(int x) const
{
    const Scale scale = this->scale();
    return scale.begin + qint64((x - scale.left) / scale.perMicrosecond);
}

void LaneView::measure()
{
    m_nameWidth = fontMetrics().horizontalAdvance(LaneText::worker(887)) + 2 * kSpace;
    m_lineHeight = fontMetrics().height();
}

void LaneView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    measure();
    setScrollRange();
}

int LaneView::laneAt(int y) const
{
    return (y - lanesRect().top() + verticalScrollBar()->value()) / laneHeight();
}

int LaneView::topOf(int worker) const
{
    return lanesRect().top() + worker * laneHeight() - verticalScrollBar()->value();
}

void LaneView::setScrollRange()
{
    const int room = lanesRect().height();
    verticalScrollBar()->setRange(0, std::max(0, lanes().count() * laneHeight() - room));
    verticalScrollBar()->setPageStep(room);
    verticalScrollBar()->setSingleStep(laneHeight());
}

void LaneView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    setScrollRange();
}

void LaneView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const Scale scale = this->scale();
    paintQueue(&painter, scale);
    paintScale(&painter, scale);
    painter.setClipRect(lanesRect());
    const int last = std::min(lanes().count() - 1, laneAt(lanesRect().bottom()));
    for (int worker = std::max(0, laneAt(lanesRect().top())); worker <= last; ++worker) {
        const int top = topOf(worker);
        painter.setPen(palette().color(QPalette::Text));
        painter.setFont(worker == m_stepped ? headingFont() : font());
        painter.drawText(QRect(kSpace, top, m_nameWidth - kSpace, laneHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                         LaneText::worker(worker));
        paintLane(&painter, worker, QRect(m_nameWidth, top + 2, queueRect().width(), laneHeight() - 4), scale);
    }
    painter.setClipRect(lanesRect() & QRect(scale.left, 0, scale.width, viewport()->height())); // names stay readable
    paintHandOvers(&painter, scale);
    if (m_speed == Speed::Live)
        return;
    painter.setClipping(false);
    painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
    painter.drawLine(scale.x(m_position), 0, scale.x(m_position), scaleRect().top());
}

/// What is seen of each pixel is decided first, so that thousands a second cost no more paint than a few.
void LaneView::paintLane(QPainter *painter, int worker, const QRect &lane, const Scale &scale) const
{
    painter->setPen(QPen(lineColor(palette()), 1));
    painter->drawLine(lane.left(), lane.bottom(), lane.right(), lane.bottom());
    std::vector<State> seen(std::size_t(std::max(1, lane.width())), State::Resting);
    const auto &spans = lanes().spans(worker);
    const qint64 begin = end() - m_span;
    auto span = std::lower_bound(spans.begin(), spans.end(), begin,
                                 [](const Lanes::Span &it, qint64 at) { return it.to != 0 && it.to < at; });
    for (; span != spans.end() && span->from < end(); ++span) {
        if (span->state == State::Resting)
            continue;
        const bool isBrief = span->state == State::Crashed || span->state == State::Stale;
        const int left = std::clamp(scale.x(span->from) - lane.left(), 0, lane.width() - 1);
        const qint64 to = span->to == 0 ? std::min(end(), m_newest) : std::min(span->to, end());
        const int right =
            std::min(lane.width(), std::max(left + (isBrief ? kLeastWidth : 1), scale.x(to) - lane.left()));
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
        painter->fillRect(QRect(lane.left() + int(from), lane.bottom() - height, int(to - from), height),
                          markColor(markOf(seen[from]), palette()));
    }
    for (const Lanes::Span &cut : lanes().networks(worker)) {
        const qint64 to = cut.to == 0 ? std::min(end(), m_newest) : cut.to;
        if (to < begin || cut.from > end())
            continue;
        const int left = std::max(lane.left(), scale.x(cut.from));
        QPen pen(markColor(markOf(cut.state), palette()), std::max(2.0, lane.height() * heightOf(cut.state)));
        pen.setStyle(cut.state == State::CutOff ? Qt::DotLine : Qt::DashLine);
        painter->setPen(pen);
        painter->drawLine(left, lane.top() + 1, std::min(lane.right(), scale.x(to)), lane.top() + 1);
    }
}

/// From the end of each hold to the next one of the same resource.
void LaneView::paintHandOvers(QPainter *painter, const Scale &scale) const
{
    QPainterPath path;
    int count = 0;
    const qint64 begin = end() - m_span;
    for (int worker = 0; worker < lanes().count(); ++worker) {
        const auto &spans = lanes().spans(worker);
        auto span = std::lower_bound(spans.begin(), spans.end(), begin,
                                     [](const Lanes::Span &it, qint64 at) { return it.from < at; });
        for (; span != spans.end() && span->from < end(); ++span) {
            const bool isHandOver = span->state == State::Holding && span->merged == 0 && span->other >= 0
                && span->other != worker && span->otherEnd == LabEvent::Kind::Finished
                && span->why != Lanes::Kind::Thawed;
            if (!isHandOver)
                continue;
            if (++count > kMaxHandOvers)
                return;
            const double half = laneHeight() / 2.0;
            const QPointF from(scale.x(span->otherEndedAt), topOf(span->other) + half);
            const QPointF to(scale.x(span->from), topOf(worker) + half);
            const double tip = from.y() < to.y() ? -kSpaceInGroup : kSpaceInGroup;
            path.moveTo(from);
            path.lineTo(to);
            path.moveTo(to + QPointF(-kSpaceInGroup / 2.0 - 1, tip));
            path.lineTo(to);
            path.lineTo(to + QPointF(kSpaceInGroup / 2.0 + 1, tip));
        }
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(palette().color(QPalette::Text), 1));
    painter->drawPath(path);
    painter->setRenderHint(QPainter::Antialiasing, false);
}

/// How many waited, at most, in each pixel.
void LaneView::paintQueue(QPainter *painter, const Scale &scale) const
{
    const QRect rect = queueRect();
    std::vector<int> changes(std::size_t(std::max(1, rect.width())) + 1);
    const qint64 begin = end() - m_span;
    for (int worker = 0; worker < lanes().count(); ++worker) {
        for (const Lanes::Span &span : lanes().spans(worker)) {
            if (span.state != State::Waiting || (span.to != 0 && span.to < begin) || span.from >= end())
                continue;
            const qint64 to = span.to == 0 ? std::min(end(), m_newest) : std::min(span.to, end());
            const int left = std::clamp(scale.x(span.from) - rect.left(), 0, rect.width() - 1);
            const int right = std::clamp(scale.x(to) - rect.left(), left, rect.width() - 1);
            ++changes[std::size_t(left)];
            --changes[std::size_t(right) + 1];
        }
    }
    int most = 0;
    int waiting = 0;
    for (const int change : changes)
        most = std::max(most, waiting += change);
    painter->setPen(mutedText(palette()));
    painter->drawText(QRect(kSpace, rect.top(), m_nameWidth - kSpace, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                      most > 0 ? tr("Queue ≤ %1").arg(most) : tr("Queue"));
    const QColor color = markColor(Mark::Waiting, palette());
    waiting = 0;
    for (int x = 0; most > 0 && x < rect.width(); ++x) {
        waiting += changes[std::size_t(x)];
        const int height = int((rect.height() - kSpaceInGroup) * double(waiting) / most);
        painter->fillRect(QRect(rect.left() + x, rect.bottom() - height, 1, height), color);
    }
    painter->setPen(QPen(lineColor(palette()), 1));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
}

void LaneView::paintScale(QPainter *painter, const Scale &scale) const
{
    const QRect rect = scaleRect();
    painter->setPen(mutedText(palette()));
    const qint64 origin = m_speed == Speed::Live ? m_newest : m_position;
    for (int i = 0; i <= kScaleSteps; ++i) {
        const qint64 at = end() - m_span + m_span * i / kScaleSteps;
        const qint64 off = at - origin;
        const QString text = off == 0 ? tr("now")
            : off < 0                 ? u'−' + formatDuration(Microseconds(-off))
                                      : u'+' + formatDuration(Microseconds(off));
        const int width = rect.width() / kScaleSteps;
        QRect place(scale.x(at) - width / 2, rect.top(), width, rect.height());
        Qt::Alignment alignment = Qt::AlignHCenter;
        if (i == 0) {
            place.moveLeft(rect.left());
            alignment = Qt::AlignLeft;
        } else if (i == kScaleSteps) {
            place.moveRight(rect.right() - kSpaceInGroup);
            alignment = Qt::AlignRight;
        }
        painter->drawText(place, int(alignment | Qt::AlignVCenter), text);
    }
}

QList<ChartLegend::Entry> LaneView::legend(const QPalette &palette) const
{
    QList<ChartLegend::Entry> entries;
    for (const State state :
         {State::Waiting, State::Holding, State::Frozen, State::Crashed, State::Stale, State::CutOff, State::Slowed}) {
        QPen pen(markColor(markOf(state), palette), std::max(2.0, m_lineHeight * heightOf(state)));
        pen.setCapStyle(Qt::FlatCap);
        if (state == State::CutOff || state == State::Slowed)
            pen.setStyle(state == State::CutOff ? Qt::DotLine : Qt::DashLine);
        entries.append({pen, LaneText::state(state)});
    }
    return entries;
}

QString LaneView::sentence(int worker, qint64 at) const
{
    const Lanes::Span *span = lanes().at(worker, at);
    return span ? LaneText::during(worker, *span, std::min(end(), m_newest)) : QString();
}

void LaneView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return step(event->key() == Qt::Key_Right);
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        return zoom(event->key() == Qt::Key_Plus);
    case Qt::Key_Space:
        return setSpeed(m_speed == Speed::Paused ? Speed::Live : Speed::Paused);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void LaneView::wheelEvent(QWheelEvent *event)
{
    if (event->modifiers() & Qt::ControlModifier)
        zoom(event->angleDelta().y() > 0);
    else
        QAbstractScrollArea::wheelEvent(event);
}

bool LaneView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int worker = laneAt(help->y());
    const qint64 at = timeAt(help->x());
    QStringList lines{sentence(worker, at)};
    if (const Lanes::Span *span = lanes().at(worker, at); span && span->merged == 0)
        lines += LaneText::event(lanes(), worker, *span);
    QToolTip::showText(help->globalPos(), CommonText::tip(lines.join(u'\n')), viewport());
    return true;
}

} // namespace lockscope::ui
