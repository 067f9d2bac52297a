// SPDX-License-Identifier: MIT
#pragma once

#include "lanes.h"
#include "ui/charts/chartlegend.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>
#include <QtWidgets/QAbstractScrollArea>

namespace lockscope::ui {

struct LaneScene;

/// A lane per worker, with time running to the right: who waits, who holds, who is crashed, frozen or stale, who hands
/// to whom; above them, how many wait. Live, or a recording in slow motion or by single steps, while the run goes on.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    enum class Speed { Live, Tenth, Hundredth, Paused };

    explicit LaneView(QWidget *parent = nullptr);

    void clear(int workers);
    /// `missing`: there were some before them that are not known, so the picture begins anew.
    void add(const QList<LabEvent> &events, qsizetype missing = 0);
    /// Shows what another shows, from its moment on.
    void takeOver(const LaneView &other);
    Speed speed() const { return m_speed; }
    /// All but Live show a recording from this moment on, which takes what happens meanwhile until it is full.
    void setSpeed(Speed speed);
    /// To the next event, or the one before; pauses.
    void step(bool isForward);
    /// Shows less or more time.
    void zoom(bool isIn);
    /// Few lanes fill the height, however high they become; else only up to what is easy to read.
    void setFilling(bool fills);
    qint64 span() const { return m_span; }
    /// What the colours and heights mean.
    QList<ChartLegend::Entry> legend(const QPalette &palette) const;
    const Lanes &lanes() const { return m_speed == Speed::Live ? m_live : m_recording; }
    /// "Worker 3 has waited for resource-1 for 0.4 s."
    QString sentence(int worker, qint64 at) const;

Q_SIGNALS:
    void speedChanged();
    /// What happened at the moment that was stepped to; empty: nothing is told.
    void told(const QString &sentence);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void play();
    /// The moment at the right edge.
    qint64 end() const;
    /// Made once for a picture: asking the font for its widths is expensive.
    LaneScene scene() const;
    int laneAt(int y) const;
    int laneHeight() const;
    QRect queueRect() const;
    QRect lanesRect() const;
    QRect scaleRect() const;
    void measure();
    void setScrollRange();

    Lanes m_live;
    Lanes m_recording;
    Speed m_speed = Speed::Live;
    qint64 m_span; ///< how much time the width shows, in microseconds
    qint64 m_newest = 0;
    qint64 m_position = 0; ///< of a recording, at the right edge
    int m_nameWidth = 0;
    int m_lineHeight = 1;
    int m_stepped = -1; ///< the worker that was stepped to
    bool m_fills = false;
    QTimer m_frames;
    QElapsedTimer m_sinceFrame;
};

} // namespace lockscope::ui
