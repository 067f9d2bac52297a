// SPDX-License-Identifier: MIT
#include "latencysummary.h"

#include "feeds/latencyfeed.h"
#include "ui/charts/chartstyle.h"
#include "ui/charts/histogramchart.h"
#include "ui/style/displaytimezone.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/mutedlabel.h"

#include <QtCore/QEvent>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeastWidth = 328;
/// As wide as the durations that are often seen.
constexpr Microseconds kWideDuration = std::chrono::seconds(59 * 60 + 59);

QString perSecond(double rate)
{
    return QLocale().toString(rate, 'f', rate < 10 ? 1 : 0);
}

QString withBefore(const QString &now, const QString &before)
{
    return before.isEmpty() ? now : now + u'\n' + LatencySummary::tr("was %1").arg(before);
}

} // namespace

LatencySummary::LatencySummary(QWidget *parent)
    : QWidget(parent)
    , m_heading(new QLabel(this))
    , m_grid(new QGridLayout)
    , m_others(new QLabel(tr("Row locks of all programs"), this))
    , m_samples(new QLabel(this))
    , m_misses(new MutedLabel(tr("Sampled every %n s from the server's counters while this page is open. They tell "
                                 "neither percentiles nor who waited, count a wait below 1 ms as none, and include "
                                 "those of pessimistic mode.",
                                 nullptr, int(LatencyFeed::Interval.count() / 1000)),
                              this))
    , m_histogram(new HistogramChart(tr("How often each duration came"), this))
{
    connect(DisplayTimeZone::instance(), &DisplayTimeZone::changed, this, &LatencySummary::showNumbers);
    m_heading->setFont(headingFont());
    m_heading->setTextFormat(Qt::PlainText);
    m_samples->setTextFormat(Qt::PlainText);
    m_samples->setWordWrap(true);
    m_misses->setWordWrap(true);
    m_grid->setHorizontalSpacing(kSpace);
    m_grid->setVerticalSpacing(kSpaceInGroup);
    m_grid->setColumnStretch(0, 1);
    const QStringList names = namesOfRows();
    for (qsizetype row = 0; row < names.size(); ++row)
        m_grid->addWidget(new MutedLabel(names[row], this), int(row) + 1, 0);
    auto *often = new QLabel(tr("How often"), this);
    often->setFont(headingFont());
    m_others->setFont(headingFont());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, 0, kSpaceSection, kSpace);
    column->setSpacing(kSpace);
    column->addStrut(forType(kLeastWidth));
    column->addWidget(m_heading);
    column->addLayout(m_grid);
    column->addSpacing(kSpace);
    column->addWidget(often);
    column->addWidget(m_histogram, 1);
    column->addSpacing(kSpace);
    column->addWidget(m_others);
    column->addWidget(m_samples);
    column->addWidget(m_misses);
    m_histogram->setMinimumHeight(forType(120));
}

void LatencySummary::setSampled(bool isSampled)
{
    for (QWidget *part : QList<QWidget *>{m_others, m_samples, m_misses})
        part->setVisible(isSampled);
}

QStringList LatencySummary::namesOfRows() const
{
    return {tr("Median"),  tr("95 %"), tr("99 %"),      tr("Longest"),   tr("Granted"), tr("Per second"),
            tr("Waiting"), tr("Busy"), tr("Timed out"), tr("Conflicts"), tr("Other")};
}

void LatencySummary::setPicture(const LatencyPicturePtr &picture, const LatencyChoice &choice)
{
    m_picture = picture;
    m_choice = choice;
    showNumbers();
    showSamples();
    showHistogram();
}

void LatencySummary::setMoment(const std::optional<ServerTime> &at)
{
    if (m_moment == at)
        return;
    m_moment = at;
    showNumbers();
}

QString LatencySummary::cell(int row, const QByteArray &mode) const
{
    for (const Column &column : m_columns) {
        if (column.mode == mode)
            return column.cells[row + 1]->text();
    }
    return {};
}

void LatencySummary::setColumns(const QList<QByteArray> &modes)
{
    const bool areThere = std::equal(modes.begin(), modes.end(), m_columns.begin(), m_columns.end(),
                                     [](const QByteArray &mode, const Column &column) { return mode == column.mode; });
    if (areThere)
        return;
    for (const Column &column : std::as_const(m_columns))
        qDeleteAll(column.cells);
    m_columns.clear();
    for (const QByteArray &mode : modes) {
        Column column{mode, {}};
        for (int row = 0; row <= namesOfRows().size(); ++row) {
            auto *label = new ElidedLabel(this, Qt::ElideRight);
            label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
            m_grid->addWidget(label, row, int(m_columns.size()) + 1);
            column.cells.append(label);
        }
        column.cells.first()->setFont(headingFont());
        column.cells.first()->setFullText(ChartStyle::modeWord(mode));
        m_columns.append(column);
    }
}

/// For numbers at their widest: otherwise each change would move everything beside them.
void LatencySummary::makeRoom()
{
    const QString wide = CommonText::duration(kWideDuration);
    const QSize number = fontMetrics().size(0, m_picture->compared ? withBefore(wide, wide) : wide);
    for (int i = 0; i < int(m_columns.size()); ++i)
        m_grid->setColumnMinimumWidth(i + 1, std::max(number.width(), m_columns[i].cells.first()->sizeHint().width()));
    for (int i = int(m_columns.size()) + 1; i < m_grid->columnCount(); ++i)
        m_grid->setColumnMinimumWidth(i, 0);
}

/// Of the period or the moment, each with the earlier number when the two are compared.
QStringList LatencySummary::numbersOf(const LatencyCurve &curve) const
{
    const LatencyPoint *point = m_moment ? pointAt(curve, *m_moment, m_picture->question.slot) : nullptr;
    if (m_moment && !point)
        return QStringList(namesOfRows().size(), CommonText::none());
    const LatencyCurve *compared = m_picture->compared && !m_moment ? m_picture->compared->curve(curve.mode) : nullptr;
    const LatencyValues &values = point ? point->latency : curve.latency;
    const LatencyCounts &counts = point ? point->counts : curve.counts;
    const auto perSecondOf = [](const LatencyCounts &of, Microseconds length) {
        return perSecond(double(of.granted) / std::max(1e-3, std::chrono::duration<double>(length).count()));
    };
    QStringList numbers;
    for (std::size_t i = 0; i < values.values.size(); ++i) {
        const QString before =
            compared && compared->counts.granted > 0 ? CommonText::duration(compared->latency.values[i]) : QString();
        numbers += withBefore(counts.granted > 0 ? CommonText::duration(values.values[i]) : CommonText::none(), before);
    }
    numbers += CommonText::count(qint64(counts.granted));
    numbers += withBefore(perSecondOf(counts, point ? m_picture->question.slot : m_picture->period.measured),
                          compared ? perSecondOf(compared->counts, m_picture->compared->measured) : QString());
    numbers += QLocale().toString(counts.waiting, 'f', 1);
    for (const quint64 count : {counts.busy, counts.timedOut, counts.conflicts, counts.other})
        numbers += CommonText::count(qint64(count));
    return numbers;
}

void LatencySummary::showNumbers()
{
    if (!m_picture)
        return;
    m_heading->setText(m_moment ? tr("At %1").arg(CommonText::moment(*m_moment)) : tr("Whole period"));
    QList<QByteArray> modes;
    for (const LatencyCurve &curve : m_picture->period.curves) {
        if (m_choice.mode.isEmpty() || m_choice.mode == curve.mode)
            modes.append(curve.mode);
    }
    setColumns(modes);
    makeRoom();
    for (const Column &column : std::as_const(m_columns)) {
        const QStringList numbers = numbersOf(*m_picture->period.curve(column.mode));
        for (qsizetype row = 0; row < numbers.size(); ++row)
            column.cells[row + 1]->setFullText(numbers[row]);
    }
}

void LatencySummary::showSamples()
{
    if (m_picture->samples.empty()) {
        m_samples->setText(tr("Not sampled yet."));
        return;
    }
    qint64 waits = 0;
    Microseconds waited{};
    Microseconds length{};
    for (const WaitSample &sample : m_picture->samples) {
        waits += sample.waits;
        waited += sample.waited;
        length += sample.length;
    }
    const double seconds = std::chrono::duration<double>(length).count();
    m_samples->setText(tr("Waits: %1 (%2 per second), %3 on average. Waiting now: %4")
                           .arg(CommonText::count(waits), perSecond(double(waits) / std::max(1e-3, seconds)),
                                waits > 0 ? CommonText::duration(waited / waits) : CommonText::none(),
                                CommonText::count(m_picture->samples.back().current)));
}

void LatencySummary::showHistogram()
{
    QList<HistogramChart::Shape> shapes;
    const auto append = [&](const LatencyPeriod &period, bool isCompared) {
        for (const LatencyCurve &curve : period.curves) {
            if (m_choice.mode.isEmpty() || m_choice.mode == curve.mode)
                shapes.append({curve.granted,
                               isCompared ? ChartStyle::comparedPen(palette(), 1)
                                          : ChartStyle::modePen(curve.mode, palette(), 2)});
        }
    };
    if (m_picture->compared)
        append(*m_picture->compared, true);
    append(m_picture->period, false);
    m_histogram->setShapes(shapes);
}

void LatencySummary::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_picture)
        showHistogram();
}

} // namespace lockscope::ui
