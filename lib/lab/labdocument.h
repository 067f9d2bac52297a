// SPDX-License-Identifier: MIT
#pragma once

#include "labreport.h"

#include <QtCore/QMap>
#include <QtCore/QStringList>

namespace lockscope {

/// How a chart of runs looks and what it says; as made, it is in English for paper. Colours as SVG writes them.
struct LabChartLook
{
    int width = 1000; ///< pixels; the height follows
    int fontSize = 13;
    QString fontFamily = QStringLiteral("sans-serif");
    QString background = QStringLiteral("#ffffff");
    QString text = QStringLiteral("#1b1e20");
    QString muted = QStringLiteral("#55595d");
    QString harm = QStringLiteral("#b3261e");
    /// Of the columns: LabChart::columns() names them.
    QStringList heads;
    QString moreIsBetter = QStringLiteral("more is better");
    QString lessIsBetter = QStringLiteral("less is better");
    /// Of the runs; empty: their modes.
    QStringList names;
    /// Of their bars; empty: one for each of the engine's modes, and grey.
    QStringList bars;
};

/// Runs side by side as bars: a row for each, a column for each number. SVG.
class LabChart
{
public:
    enum class Column {
        Throughput,
        Median,
        P95,
        P99,
        Fairness,
        Statements,
        Connections,
        ServerCpu,
        // What went wrong. These count different things, so there is no sum of them.
        Violations,
        LostUpdates,
        StaleWrites,
        Duplicates,
        Oversold
    };

    static QList<Column> columns();
    static QString head(Column column);
    /// False: less is.
    static bool isMoreBetter(Column column) { return column == Column::Throughput || column == Column::Fairness; }
    static QByteArray svg(const QList<LabReport> &reports, const LabChartLook &look = {});
    /// Of a chart with this many runs.
    static int height(qsizetype runs, const LabChartLook &look);
};

/// A report of runs side by side: Markdown and the pictures it refers to, by their file names. `baseName` is without
/// folder and suffix; `pictures` are further ones, by the ends of their names ("-lanes.png").
QMap<QString, QByteArray> labDocument(const QList<LabReport> &reports, const QString &baseName,
                                      const QMap<QString, QByteArray> &pictures = {});

} // namespace lockscope
