// SPDX-License-Identifier: MIT
#pragma once

#include "engine/records/histogram.h"

#include <QtCharts/QChartView>
#include <QtGui/QPen>

QT_BEGIN_NAMESPACE
class QCategoryAxis;
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace lockscope::ui {

/// How often each duration occurred: shares per tenth of a decade, over a logarithmic axis.
class HistogramChart : public QChartView
{
    Q_OBJECT
public:
    struct Shape
    {
        Histogram histogram;
        QPen pen;
    };

    explicit HistogramChart(const QString &name, QWidget *parent = nullptr);

    void setShapes(const QList<Shape> &shapes);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QCategoryAxis *m_durations;
    QValueAxis *m_shares;
    QList<QLineSeries *> m_series;
};

} // namespace lockscope::ui
