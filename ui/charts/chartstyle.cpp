// SPDX-License-Identifier: MIT
#include "chartstyle.h"

#include "ui/style/theme.h"

#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChartView>
#include <QtCore/QLocale>
#include <QtGui/QFontMetrics>
#include <QtWidgets/QGraphicsLayout>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

QString ChartStyle::modeWord(const QByteArray &mode)
{
    if (mode == "unique")
        return tr("Unique");
    if (mode == "pessimistic")
        return tr("Pessimistic");
    if (mode == "optimistic")
        return tr("Optimistic");
    return QString::fromLatin1(mode);
}

QColor ChartStyle::modeColor(const QByteArray &mode, const QPalette &palette)
{
    const bool dark = isDark(palette);
    if (mode == "unique")
        return QColor(dark ? 0xff56b4e9 : 0xff0072b2);
    if (mode == "pessimistic")
        return QColor(dark ? 0xffe69f00 : 0xffb36b00);
    if (mode == "optimistic")
        return QColor(dark ? 0xff2fc29a : 0xff007a5a);
    return QColor(dark ? 0xffa8a8a8 : 0xff6b6b6b);
}

QPen ChartStyle::modePen(const QByteArray &mode, const QPalette &palette, qreal width, qreal opacity)
{
    QColor color = modeColor(mode, palette);
    color.setAlphaF(float(opacity));
    QPen pen(color, width);
    pen.setCosmetic(true);
    pen.setCapStyle(Qt::FlatCap);
    if (mode == "pessimistic")
        pen.setDashPattern({6, 3});
    else if (mode == "optimistic")
        pen.setDashPattern({2, 2});
    else if (mode != "unique")
        pen.setDashPattern({8, 3, 2, 3});
    return pen;
}

QPen ChartStyle::comparedPen(const QPalette &palette, qreal width)
{
    QPen pen(mutedText(palette), width);
    pen.setCosmetic(true);
    return pen;
}

double ChartStyle::logOf(Duration duration)
{
    return std::log10(double(std::max<qint64>(1, duration.count())));
}

/// "1 µs", "10 µs", … "1,000 s"; longer units are not decades.
QString ChartStyle::decadeWord(int decade)
{
    const QString units[] = {tr("%1 µs"), tr("%1 ms"), tr("%1 s")};
    const int unit = std::min(decade / 3, 2);
    return units[unit].arg(QLocale().toString(qint64(std::llround(std::pow(10.0, decade - 3 * unit)))));
}

void ChartStyle::layOut(QChartView *view)
{
    const QFontMetrics metrics(captionFont());
    const int left = metrics.horizontalAdvance(u"00,000 s"_s) + kSpace;
    const int top = metrics.height() / 2 + kSpace;                                  // half of a label
    const int right = metrics.horizontalAdvance(u"00:00:00"_s) / 2 + kSpaceInGroup; // the same
    const int bottom = metrics.height() + kSpace;
    view->chart()->setPlotArea(QRectF(view->viewport()->rect()).adjusted(left, top, -right, -bottom));
    QGraphicsLayout *layout = view->chart()->layout();
    layout->setGeometry(layout->geometry()); // else the axes stay where they were at the size before
}

void ChartStyle::labelDurations(QCategoryAxis *axis, double low, double high, int mostLabels)
{
    axis->setRange(low, high);
    for (const QString &label : axis->categoriesLabels())
        axis->remove(label);
    const int step = int(high - low) < mostLabels ? 1 : 2;
    for (int decade = int(low); decade <= int(high); decade += step)
        axis->append(decadeWord(decade), decade);
}

void ChartStyle::setUp(QChartView *view)
{
    view->setFrameShape(QFrame::NoFrame);
    view->setRenderHint(QPainter::Antialiasing, false);
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QChart *chart = view->chart();
    chart->setMargins({});
    chart->legend()->hide();
    chart->setBackgroundVisible(false); // the view's own: the chart's keeps the size of before
    chart->setAnimationOptions(QChart::NoAnimation);
    for (QAbstractAxis *axis : chart->axes()) {
        if (auto *labelled = qobject_cast<QCategoryAxis *>(axis)) {
            labelled->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
            labelled->setTruncateLabels(false);
        }
    }
    applyTheme(view);
}

void ChartStyle::applyTheme(QChartView *view)
{
    const QPen grid(lineColor(view->palette()), 1);
    view->setBackgroundBrush(view->palette().color(QPalette::Base));
    for (QAbstractAxis *axis : view->chart()->axes()) {
        axis->setLabelsColor(view->palette().color(QPalette::Text));
        axis->setLabelsFont(captionFont());
        axis->setGridLinePen(grid);
        axis->setLinePen(grid);
    }
}

} // namespace lockscope::ui
