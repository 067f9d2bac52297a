// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <QtCore/QByteArray>
#include <QtCore/QCoreApplication>
#include <QtGui/QPalette>
#include <QtGui/QPen>

QT_BEGIN_NAMESPACE
class QCategoryAxis;
class QChartView;
QT_END_NAMESPACE

namespace lockscope::ui {

/// What charts have in common: each mode's colour, dashes and word, and the scale of durations.
class ChartStyle
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::ChartStyle)
public:
    /// "unique" → "Unique"; a newer engine's mode as it is.
    static QString modeWord(const QByteArray &mode);
    /// At least 3:1 on the palette's base, and told apart by colour-blind eyes.
    static QColor modeColor(const QByteArray &mode, const QPalette &palette);
    /// The mode's colour and dashes; cosmetic.
    static QPen modePen(const QByteArray &mode, const QPalette &palette, qreal width, qreal opacity = 1);
    /// Of a period that another is compared with.
    static QPen comparedPen(const QPalette &palette, qreal width);

    /// Durations stand on a logarithmic scale; nothing is shorter than its microsecond.
    static double logOf(Duration duration);
    static QString decadeWord(int decade);
    /// Labels the decades of [low, high], which become the axis's ends, or every second one of many.
    static void labelDurations(QCategoryAxis *axis, double low, double high, int mostLabels);

    /// Margins, legend and motion, once.
    static void setUp(QChartView *view);
    /// Leaves the axes the same room in all charts, so that those above each other agree.
    static void layOut(QChartView *view);
    /// Again whenever palette or font change.
    static void applyTheme(QChartView *view);
};

} // namespace lockscope::ui
