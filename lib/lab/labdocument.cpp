// SPDX-License-Identifier: MIT
#include "labdocument.h"

#include "console/duration.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

using Column = LabChart::Column;

constexpr int kLongestName = 26;

struct Value
{
    double size = 0; ///< of the bar; negative = not known
    QString text;
    bool isHarm = false;
};

Value harm(quint64 count)
{
    return {double(count), QString::number(count), count > 0};
}

Value unknown()
{
    return {-1, u"–"_s};
}

Value valueOf(const LabReport &report, Column column)
{
    const auto latency = [&report](double percent) {
        const Duration value = report.latency.percentile(percent);
        return Value{double(value.count()), formatDuration(value)};
    };
    switch (column) {
    case Column::Throughput:
        return {report.throughput(), QString::number(report.throughput(), 'f', 1)};
    case Column::Median:
        return latency(50);
    case Column::P95:
        return latency(95);
    case Column::P99:
        return latency(99);
    case Column::Fairness:
        return {report.fairness, QString::number(report.fairness, 'f', 3)};
    case Column::Statements:
        return report.statementsPerGrant
            ? Value{*report.statementsPerGrant, QString::number(*report.statementsPerGrant, 'f', 1)}
            : unknown();
    case Column::Connections:
        return {double(report.connections), QString::number(report.connections)};
    case Column::ServerCpu: {
        if (!report.serverCpu || report.counts.granted == 0)
            return unknown();
        const Duration each = *report.serverCpu / qint64(report.counts.granted);
        return {double(each.count()), formatDuration(each)};
    }
    case Column::Violations:
        return harm(report.counts.violations);
    case Column::LostUpdates:
        return harm(report.counts.lostUpdates);
    case Column::StaleWrites:
        return harm(report.counts.staleWrites);
    case Column::Duplicates:
        return harm(report.counts.duplicates);
    case Column::Oversold:
        return harm(report.counts.oversold);
    }
    return unknown();
}

QString nameOf(const LabReport &report)
{
    return labRunName(report.plan) + (report.partial ? u" (partial)"_s : QString());
}

/// The window's for light paper.
QString barOf(LabWay way)
{
    switch (way) {
    case LabWay::Unique:
        return u"#0072b2"_s;
    case LabWay::Pessimistic:
    case LabWay::Central:
    case LabWay::Stripes:
        return u"#b36b00"_s;
    case LabWay::Optimistic:
        return u"#007a5a"_s;
    default:
        return u"#6b6b6b"_s;
    }
}

/// Where things stand, in pixels.
struct Measures
{
    explicit Measures(const LabChartLook &look)
        : line(look.fontSize * 3 / 2)
        , nameWidth(look.fontSize * 16)
        , columnWidth(look.fontSize * 8)
        , rowHeight(line * 2)
        , perBand(std::clamp((look.width - nameWidth) / columnWidth, 1, int(LabChart::columns().size())))
        , bands(int((LabChart::columns().size() + perBand - 1) / perBand))
    {
        columnWidth = std::max(columnWidth, (look.width - nameWidth) / perBand);
    }
    int top() const { return line * 3; } ///< of the first run's text: below two lines of heads
    int bandHeight(qsizetype runs) const { return top() + int(runs) * rowHeight; }

    int line;
    int nameWidth;
    int columnWidth;
    int rowHeight;
    int perBand; ///< columns beside each other; the rest follows below
    int bands;
};

/// "20 ms", "20 ms (exponential)"
QString timeText(const LabTime &time)
{
    const QString mean = formatDuration(time.mean);
    return time.shape == LabTime::Shape::Fixed ? mean : u"%1 (%2)"_s.arg(mean, labShapeName(time.shape));
}

QString textAt(int x, int y, const QString &color, const QString &text, bool isBold = false)
{
    return u"<text x=\"%1\" y=\"%2\" fill=\"%3\"%4>%5</text>\n"_s.arg(x).arg(y).arg(
        color, isBold ? u" font-weight=\"bold\""_s : QString(), text.toHtmlEscaped());
}

QString barAt(int x, int y, double width, int height, const QString &color)
{
    return u"<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"/>\n"_s.arg(x)
        .arg(y)
        .arg(width, 0, 'f', 1)
        .arg(height)
        .arg(color);
}

QString columnOf(const QList<LabReport> &reports, Column column, int left, int top, const Measures &measures,
                 const LabChartLook &look)
{
    QString svg = textAt(left, top + measures.line, look.muted, look.heads.value(int(column), LabChart::head(column)));
    svg += textAt(left, top + measures.line * 2, look.muted,
                  LabChart::isMoreBetter(column) ? look.moreIsBetter : look.lessIsBetter);
    double most = 0;
    for (const LabReport &report : reports)
        most = std::max(most, valueOf(report, column).size);
    for (qsizetype i = 0; i < reports.size(); ++i) {
        const Value value = valueOf(reports[i], column);
        const int y = top + measures.top() + int(i) * measures.rowHeight;
        svg += textAt(left, y, value.isHarm ? look.harm : look.text, value.text, value.isHarm);
        if (most > 0 && value.size > 0)
            svg += barAt(left, y + look.fontSize / 2,
                         std::max(1.0, value.size / most * (measures.columnWidth - look.fontSize)), look.fontSize / 2,
                         value.isHarm ? look.harm : look.bars.value(i, barOf(reports[i].plan.way)));
    }
    return svg;
}

} // namespace

QList<LabChart::Column> LabChart::columns()
{
    return {Column::Throughput,  Column::Median,      Column::P95,       Column::P99,        Column::Fairness,
            Column::Statements,  Column::Connections, Column::ServerCpu, Column::Violations, Column::LostUpdates,
            Column::StaleWrites, Column::Duplicates,  Column::Oversold};
}

QString LabChart::head(Column column)
{
    static const QStringList heads{u"granted/s"_s,  u"median"_s,      u"95 %"_s,      u"99 %"_s,       u"fairness"_s,
                                   u"statements"_s, u"connections"_s, u"CPU/grant"_s, u"violations"_s, u"lost"_s,
                                   u"stale"_s,      u"duplicates"_s,  u"oversold"_s};
    return heads[int(column)];
}

int LabChart::height(qsizetype runs, const LabChartLook &look)
{
    const Measures measures(look);
    return measures.bands * measures.bandHeight(runs) + measures.line / 2;
}

QByteArray LabChart::svg(const QList<LabReport> &reports, const LabChartLook &look)
{
    const Measures measures(look);
    const int height = LabChart::height(reports.size(), look);
    QString svg = u"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" viewBox=\"0 0 %1 %2\" "
                  "font-family=\"%3\" font-size=\"%4\">\n"_s.arg(look.width)
                      .arg(height)
                      .arg(look.fontFamily.toHtmlEscaped())
                      .arg(look.fontSize);
    svg += barAt(0, 0, look.width, height, look.background);
    const QList<Column> all = columns();
    const bool areAlike = haveLikeLengths(reports);
    for (int band = 0; band < measures.bands; ++band) {
        const int top = band * measures.bandHeight(reports.size());
        for (qsizetype i = 0; i < reports.size(); ++i) {
            QString name = look.names.value(i, nameOf(reports[i]));
            if (!areAlike)
                name += u", "_s + formatDuration(reports[i].length);
            svg += textAt(look.fontSize / 2, top + measures.top() + int(i) * measures.rowHeight, look.text,
                          name.size() > kLongestName ? name.left(kLongestName - 1) + u'…' : name);
        }
        for (int i = 0; i < measures.perBand && band * measures.perBand + i < all.size(); ++i)
            svg += columnOf(reports, all[band * measures.perBand + i], measures.nameWidth + i * measures.columnWidth,
                            top, measures, look);
    }
    return (svg + u"</svg>\n"_s).toUtf8();
}

QMap<QString, QByteArray> labDocument(const QList<LabReport> &reports, const QString &baseName,
                                      const QMap<QString, QByteArray> &pictures)
{
    QMap<QString, QByteArray> files;
    QString text = u"# Runs side by side\n\n"_s;
    for (const LabReport &report : reports) {
        text += u"- **%1** on %2: %3 workers, %4 resources, hold %5, TTL %6, wait %7, seed %8, for %9"_s
                    .arg(nameOf(report), report.server)
                    .arg(report.plan.workers)
                    .arg(report.plan.resources)
                    .arg(timeText(report.plan.hold), formatDuration(report.plan.ttl), formatDuration(report.plan.wait))
                    .arg(report.plan.seed)
                    .arg(formatDuration(report.length));
        text += report.plan.name.isEmpty() ? u".\n"_s : u" (%1).\n"_s.arg(report.plan.name);
    }
    text += u'\n' + labMarkdown(reports) + u'\n';
    const auto add = [&](const QString &end, const QString &what, const QByteArray &picture) {
        files[baseName + end] = picture;
        text += u"![%1](<%2>)\n\n"_s.arg(what, baseName + end);
    };
    add(u"-chart.svg"_s, u"The same numbers as bars"_s, LabChart::svg(reports));
    for (auto picture = pictures.begin(); picture != pictures.end(); ++picture)
        add(picture.key(), u"What each worker did"_s, picture.value());
    text += u"CPU is the server's, per grant.\n"_s;
    files[baseName + u".md"_s] = text.toUtf8();
    return files;
}

} // namespace lockscope
