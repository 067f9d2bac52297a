// SPDX-License-Identifier: MIT
#pragma once

#include "latencylines.h"
#include "ui/pages/page.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>

class QComboBox;
class QStackedLayout;

namespace lockscope::ui {

class ChartLegend;
class EmptyState;
class LatencyControls;
class LatencyRanks;
class LatencySummary;
class LiveTableView;

/// How long acquiring and holding really take, over time: percentiles, rates, histogram, two periods compared.
class LatencyPage : public Page
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the page.
    explicit LatencyPage(ServerConnection *connection, QWidget *parent = nullptr);

    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    QStringList exportFormats() const override;
    QByteArray exported(const QString &format) const override;

    TimeChart *latencyChart() const { return m_latency; }
    TimeChart *rateChart() const { return m_rate; }
    LiveTableView *waitersView() const { return m_waitersView; }
    LiveTableView *holdersView() const { return m_holdersView; }
    LatencySummary *summary() const { return m_summary; }
    const LatencyPicturePtr &picture() const { return m_picture; }
    /// The period to see; none to go with time.
    void setRange(const std::optional<TimeChart::Range> &range);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void setupCharts();
    void setupRanks();
    LiveTableView *addRanks(LatencyRanks *ranks, const QString &name);
    /// The charts of this row's program and resources alone; the same row once more: of all.
    void choose(const LatencyRank &rank);
    void showRanks();
    void onOpened();
    void showError(const LockError &error);
    void onPicture(const LatencyPicturePtr &picture);
    void onEvents(const QList<Event> &events);
    void ask();
    void redrawSoon();
    void redraw();
    void showLegend();
    void showMarkers();
    void showNotice();
    LatencyChoice choice() const;
    QByteArray rendered(const QString &format) const;

    LatencyControls *m_controls;
    QComboBox *m_rateChoice;
    ChartLegend *m_legend;
    QWidget *m_charts;
    TimeChart *m_latency;
    TimeChart *m_rate;
    LatencySummary *m_summary;
    QWidget *m_ranks; ///< these two
    LatencyRanks *m_waiters;
    LatencyRanks *m_holders;
    LiveTableView *m_waitersView = nullptr;
    LiveTableView *m_holdersView = nullptr;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
    LatencyPicturePtr m_picture;
    std::optional<TimeChart::Range> m_range; ///< chosen by hand
    QList<Event> m_releases;                 ///< of force releases, oldest first
    QTimer m_redrawTimer;                    ///< at most two redraws a second
    QTimer m_askTimer;                       ///< a wheel turns faster than a server answers
    QElapsedTimer m_drawnAt;
};

} // namespace lockscope::ui
