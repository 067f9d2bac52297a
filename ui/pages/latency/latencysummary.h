// SPDX-License-Identifier: MIT
#pragma once

#include "latencylines.h"

#include <QtWidgets/QWidget>

class QGridLayout;
class QLabel;

namespace lockscope::ui {

class ElidedLabel;
class HistogramChart;
class MutedLabel;

/// Beside the charts: the numbers of the whole period, or of the moment under the crosshair, and the histogram.
class LatencySummary : public QWidget
{
    Q_OBJECT
public:
    explicit LatencySummary(QWidget *parent = nullptr);

    /// It needs as much room then as its columns do, whatever stands in them.
    void setPicture(const LatencyPicturePtr &picture, const LatencyChoice &choice);
    /// None: the whole period.
    void setMoment(const std::optional<ServerTime> &at);
    /// False: the server's counters are not looked at, and nothing is said of them.
    void setSampled(bool isSampled);
    /// The number at a row and mode, as it is shown.
    QString cell(int row, const QByteArray &mode) const;

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Column
    {
        QByteArray mode;
        QList<ElidedLabel *> cells;
    };

    void showNumbers();
    void showSamples();
    void showHistogram();
    void setColumns(const QList<QByteArray> &modes);
    void makeRoom();
    QStringList numbersOf(const LatencyCurve &curve) const;
    QStringList namesOfRows() const;

    LatencyPicturePtr m_picture;
    LatencyChoice m_choice;
    std::optional<ServerTime> m_moment;
    QLabel *m_heading;
    QGridLayout *m_grid;
    QList<Column> m_columns;
    QLabel *m_others;
    QLabel *m_samples;
    MutedLabel *m_misses;
    HistogramChart *m_histogram;
};

} // namespace lockscope::ui
