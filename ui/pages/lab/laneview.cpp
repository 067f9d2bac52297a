// SPDX-License-Identifier: MIT
#include "laneview.h"

#include "lanepainter.h"
#include "lanetext.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolTip>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;

constexpr std::array<qint64, 8> kSpans{10'000, 30'000, 100'000, 300'000, 1'000'000, 3'000'000, 10'000'000, 30'000'000};
constexpr qint64 kFirstSpan = 10'000'000;
constexpr auto kFrame = 33ms;
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
    const int top = scene().top(change->worker);
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

LaneScene LaneView::scene() const
{
    LaneScene scene;
    scene.begin = end() - m_span;
    scene.end = end();
    scene.newest = m_newest;
    scene.moment = m_speed == Speed::Live ? m_newest : m_position;
    scene.queue = queueRect();
    scene.lanes = lanesRect();
    scene.scale = scaleRect();
    scene.laneHeight = laneHeight();
    scene.scrolled = verticalScrollBar()->value();
    return scene;
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
    const LaneScene scene = this->scene();
    const LanePainter lanePainter(&painter, lanes(), scene, palette());
    lanePainter.paintQueue();
    lanePainter.paintScale();
    painter.setClipRect(scene.lanes);
    const int last = std::min(lanes().count() - 1, laneAt(scene.lanes.bottom()));
    for (int worker = std::max(0, laneAt(scene.lanes.top())); worker <= last; ++worker) {
        painter.setPen(palette().color(QPalette::Text));
        painter.setFont(worker == m_stepped ? headingFont() : font());
        painter.drawText(QRect(kSpace, scene.top(worker), m_nameWidth - kSpace, scene.laneHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, LaneText::worker(worker));
        lanePainter.paintLane(worker);
    }
    painter.setClipRect(scene.lanes
                        & QRect(m_nameWidth, 0, scene.width(), viewport()->height())); // names stay readable
    lanePainter.paintHandOvers();
    if (m_speed == Speed::Live)
        return;
    painter.setClipping(false);
    painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
    painter.drawLine(scene.x(m_position), 0, scene.x(m_position), scene.scale.top());
}

QList<ChartLegend::Entry> LaneView::legend(const QPalette &palette) const
{
    return LanePainter::legend(palette, m_lineHeight);
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
    const qint64 at = scene().timeAt(help->x());
    QStringList lines{sentence(worker, at)};
    if (const Lanes::Span *span = lanes().at(worker, at); span && span->merged == 0)
        lines += LaneText::event(lanes(), worker, *span);
    QToolTip::showText(help->globalPos(), CommonText::tip(lines.join(u'\n')), viewport());
    return true;
}

} // namespace lockscope::ui
