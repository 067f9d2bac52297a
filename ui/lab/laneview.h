#pragma once

#include "charts/chartlegend.h"
#include "lanes.h"

#include <QtWidgets/QAbstractScrollArea>

namespace lockscope::ui {

/// A lane per worker, with time running to the right: who waits, who holds, who is crashed, frozen or stale. Says in a
/// sentence what a worker does at the mouse.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit LaneView(QWidget *parent = nullptr);

    void clear(int workers);
    void add(const QList<LabEvent> &events);
    /// Stands still while events go on arriving; `now` is where it stands.
    void setPaused(bool paused);
    /// What the colours and heights mean.
    QList<ChartLegend::Entry> legend(const QPalette &palette) const;
    const Lanes &lanes() const { return m_lanes; }
    /// "Worker 3 waits for resource-1 since 0.4 s."
    QString sentence(int worker, qint64 at) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    qint64 end() const;
    qint64 timeAt(int x) const;
    int laneAt(int y) const;
    int laneHeight() const;
    int nameWidth() const;
    void paintLane(QPainter *painter, int worker, const QRect &lane) const;
    void setScrollRange();

    Lanes m_lanes;
    qint64 m_newest = 0;
    qint64 m_pausedAt = 0; ///< 0 = goes on
};

} // namespace lockscope::ui
