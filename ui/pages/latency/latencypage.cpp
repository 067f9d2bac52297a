// SPDX-License-Identifier: MIT
#include "latencypage.h"

#include "latencycontrols.h"
#include "latencypagetext.h"
#include "latencyranks.h"
#include "latencysummary.h"
#include "session/schema.h"
#include "ui/charts/chartlegend.h"
#include "ui/charts/chartstyle.h"
#include "ui/server/serverconnection.h"
#include "ui/style/displaytimezone.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/mutedlabel.h"
#include "ui/widgets/verticalscroll.h"

#include <QtCore/QBuffer>
#include <QtGui/QPainter>
#include <QtSvg/QSvgGenerator>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Rate = LatencyChoice::Rate;

namespace {

constexpr auto kRedrawEvery = 500ms;
constexpr auto kAskAfter = 150ms;
constexpr int kMaxMarkers = 500;
constexpr int kLeastRanks = 3;

} // namespace

LatencyPage::LatencyPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Latency"), u"latency"_s, parent)
    , m_controls(new LatencyControls(this))
    , m_legend(new ChartLegend(this))
    , m_charts(new QWidget(this))
    , m_latency(new TimeChart(TimeChart::Scale::Durations, tr("Latency over time"), this))
    , m_rate(new TimeChart(TimeChart::Scale::Rates, tr("Rate over time"), this))
    , m_summary(new LatencySummary(this))
    , m_ranks(new QWidget(m_charts))
    , m_waiters(new LatencyRanks(LatencyRanks::Of::Waiting, this))
    , m_holders(new LatencyRanks(LatencyRanks::Of::Holding, this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
{
    setupRanks();
    setupCharts();
    m_stack->addWidget(m_charts);
    m_stack->addWidget(m_empty);
    m_column->addWidget(m_controls);
    m_column->addLayout(m_stack, 1);
    m_redrawTimer.setSingleShot(true);
    m_askTimer.setSingleShot(true);
    connect(&m_redrawTimer, &QTimer::timeout, this, &LatencyPage::redraw);
    connect(&m_askTimer, &QTimer::timeout, this, &LatencyPage::ask);
    connect(m_controls, &LatencyControls::changed, this, &LatencyPage::ask);
    connect(m_controls, &LatencyControls::modeChanged, this, &LatencyPage::redraw);
    connect(m_controls, &LatencyControls::nowWanted, this, [this] { setRange(std::nullopt); });
    connect(connection, &ServerConnection::opened, this, &LatencyPage::onOpened);
    connect(connection, &ServerConnection::feedsMade, this, &LatencyPage::ask);
    connection->follow(&LatencyFeed::pictureReady, this, &LatencyPage::onPicture);
    connection->follow(&Monitor::eventsArrived, this, &LatencyPage::onEvents);
    connect(DisplayTimeZone::instance(), &DisplayTimeZone::changed, this, &LatencyPage::redraw);
    connect(connection, &ServerConnection::pausedChanged, this, [this] { m_askTimer.start(0ms); });
    connection->follow(&LatencyFeed::failed, this, &LatencyPage::showError);
    onOpened();
}

LiveTableView *LatencyPage::addRanks(LatencyRanks *ranks, const QString &name)
{
    auto *view = new LiveTableView(m_ranks);
    view->setModel(ranks);
    view->setAccessibleName(name);
    view->setColumns({{u"billing"_s, 1}, {u"orders/…"_s, 2, 1}, {u"59 min 59 s"_s}, {u"10,000"_s}, {u"100 %"_s}});
    view->horizontalHeader()->setSectionsClickable(false); // the most comes first
    view->setMinimumHeight(view->horizontalHeader()->sizeHint().height()
                           + kLeastRanks * view->verticalHeader()->defaultSectionSize());
    const auto chosen = [this, ranks](const QModelIndex &index) { choose(ranks->rows()[index.row()]); };
    connect(view, &QAbstractItemView::clicked, this, chosen);
    connect(view, &QAbstractItemView::activated, this, chosen);
    return view;
}

void LatencyPage::setupRanks()
{
    auto *column = new QVBoxLayout(m_ranks);
    column->setContentsMargins(0, kSpaceInGroup, 0, 0);
    column->setSpacing(kSpaceInGroup);
    auto *covers = new MutedLabel(
        tr("All programs in this period, by the prefix of their resources: engines do not count single resources."),
        m_ranks);
    covers->setWordWrap(true);
    auto *row = new QHBoxLayout;
    row->setSpacing(kSpace);
    column->addWidget(covers);
    column->addLayout(row, 1);
    m_waitersView = addRanks(m_waiters, tr("Who waited"));
    m_holdersView = addRanks(m_holders, tr("Who held"));
    row->addWidget(m_waitersView);
    row->addWidget(m_holdersView);
}

void LatencyPage::choose(const LatencyRank &rank)
{
    m_controls->toggle(rank);
    showRanks();
    ask();
}

/// Of the waiters all, of the holders those of the resources that are looked at.
void LatencyPage::showRanks()
{
    m_waiters->setRows(m_picture->waiters);
    QList<LatencyRank> holders = m_picture->holders;
    if (const auto prefix = m_controls->prefix())
        holders.removeIf([&prefix](const LatencyRank &rank) { return rank.prefix != *prefix; });
    m_holders->setRows(holders);
}

void LatencyPage::setupCharts()
{
    m_rateChoice = new QComboBox(m_charts);
    m_rateChoice->setAccessibleName(tr("Second chart"));
    m_rateChoice->setToolTip(tr("What the second chart shows"));
    m_rateChoice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_rateChoice->setMinimumContentsLength(20);
    m_rateChoice->addItem(tr("Granted per second"), int(Rate::Granted));
    m_rateChoice->addItem(tr("Requests waiting, on average"), int(Rate::Waiting));
    m_rateChoice->addItem(tr("Timed out per second"), int(Rate::TimedOut));
    m_rateChoice->addItem(tr("Busy per second"), int(Rate::Busy));
    m_rateChoice->addItem(tr("Conflicts per second"), int(Rate::Conflicts));
    m_rateChoice->addItem(tr("Retries per second (sampled)"), int(Rate::Retries));
    m_rateChoice->addItem(tr("Row-lock waits per second, all programs (sampled)"), int(Rate::RowLockWaits));
    m_rateChoice->addItem(tr("Seconds waited for row locks per second (sampled)"), int(Rate::RowLockWaited));
    connect(m_rateChoice, &QComboBox::currentIndexChanged, this, &LatencyPage::redraw);
    auto *rateRow = new QHBoxLayout;
    rateRow->addWidget(m_rateChoice);
    rateRow->addStretch(1);
    auto *left = new QWidget;
    auto *lines = new QVBoxLayout(left);
    lines->setContentsMargins(kSpaceSection, 0, 0, kSpace);
    lines->setSpacing(kSpaceInGroup);
    lines->addWidget(m_legend);
    lines->addWidget(m_latency, 3);
    lines->addLayout(rateRow);
    lines->addWidget(m_rate, 2);
    lines->addWidget(m_ranks, 2);
    auto *row = new QHBoxLayout(m_charts);
    row->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new VerticalScroll(left, m_charts);
    scroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    row->addWidget(scroll, 1);
    row->addWidget(new VerticalScroll(m_summary, m_charts));
    for (TimeChart *chart : {m_latency, m_rate}) {
        chart->setMinimumHeight(forType(120));
        connect(chart, &TimeChart::rangeWanted, this, [this](const TimeChart::Range &range) { setRange(range); });
        connect(chart, &TimeChart::resetWanted, this, [this] { setRange(std::nullopt); });
        connect(chart, &TimeChart::crosshairMoved, this, [this](const std::optional<ServerTime> &at) {
            m_latency->setCrosshair(at);
            m_rate->setCrosshair(at);
            m_summary->setMoment(at);
        });
    }
}

QString LatencyPage::help() const
{
    return tr(
        "How long locks took, as the programs themselves measured it: each counts every request and writes its counts "
        "every 5 seconds, so nothing is sampled unless it says so.\n\n"
        "Median, 95 %, 99 % and the longest are those of requests that were granted; they come from counts and are "
        "exact to 3 %. Waiting is how many requests waited at a time, on average.\n\n"
        "The tables rank all programs of the period, with the prefix of their resources; engines do not count single "
        "resources. Click one for its charts and for who held these resources meanwhile, and once more for all.\n\n"
        "Wheel or + and − zoom, dragging or Shift with an arrow key pans, the arrow keys move the crosshair, Home goes "
        "back to now. Ctrl+E exports as PNG, SVG or CSV. Dotted lines mark releases by force and the server's start.");
}

void LatencyPage::focusFilter()
{
    m_controls->focusMode();
}

bool LatencyPage::closeLast()
{
    if (m_range) {
        setRange(std::nullopt);
        return true;
    }
    return m_controls->chooseAll();
}

void LatencyPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    ask();
}

void LatencyPage::hideEvent(QHideEvent *event)
{
    Page::hideEvent(event);
    m_connection->call(&LatencyFeed::ask, std::nullopt);
}

void LatencyPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_picture)
        redraw();
}

void LatencyPage::onOpened()
{
    m_picture.reset();
    m_releases.clear();
    m_range.reset();
    m_controls->forget();
    m_error->clear();
    m_notice->clear();
    m_controls->setNowOffered(false);
    m_summary->setSampled(!m_connection->isRecorded());
    if (m_connection->isStore())
        m_empty->tellOtherKind(m_connection->profile().storeTitle());
    else
        m_empty->setMessage(tr("Reading measurements"),
                            tr("What programs measured on this server appears in a moment."));
    m_stack->setCurrentWidget(m_empty);
}

void LatencyPage::showError(const LockError &error)
{
    const bool isWithoutTables = isWithoutLockTables(error);
    if (isWithoutTables)
        m_error->show(MessageBar::Level::Info, CommonText::withoutTables(error, tr("nothing is measured there.")));
    else
        m_error->show(MessageBar::Level::Error, error.message, CommonText::serverWords(error));
    if (!m_picture)
        m_empty->setMessage(isWithoutTables ? tr("Nothing is measured here") : tr("No measurements could be read"), {});
}

LatencyChoice LatencyPage::choice() const
{
    return {m_controls->mode(), Rate(m_rateChoice->currentData().toInt())};
}

void LatencyPage::ask()
{
    m_connection->call(&LatencyFeed::ask,
                       isVisible() && !m_connection->isPaused() ? std::optional(m_controls->question(m_range))
                                                                : std::nullopt);
}

void LatencyPage::setRange(const std::optional<TimeChart::Range> &range)
{
    m_range = range;
    m_controls->setNowOffered(range.has_value());
    if (range && m_picture)
        redrawSoon(); // what is there already, until the rest has come
    m_askTimer.start(kAskAfter);
}

void LatencyPage::onPicture(const LatencyPicturePtr &picture)
{
    m_error->clear();
    m_picture = picture;
    m_controls->offer(*picture);
    redrawSoon();
}

void LatencyPage::onEvents(const QList<Event> &events)
{
    for (const Event &event : events) {
        if (event.kind == Event::Kind::ForceRelease)
            m_releases.append(event);
    }
    while (m_releases.size() > kMaxMarkers)
        m_releases.removeFirst();
    showMarkers();
}

void LatencyPage::redrawSoon()
{
    if (m_redrawTimer.isActive())
        return;
    const auto since = std::chrono::milliseconds(m_drawnAt.isValid() ? m_drawnAt.elapsed() : kRedrawEvery.count());
    m_redrawTimer.start(std::max(0ms, kRedrawEvery - since));
}

void LatencyPage::redraw()
{
    if (!m_picture)
        return;
    m_drawnAt.start();
    const bool isEmpty = m_picture->period.curves.empty() && m_picture->samples.empty() && !m_range;
    if (isEmpty) {
        LatencyPageText::explainEmpty(m_connection->isRecorded(), m_empty);
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_stack->setCurrentWidget(m_charts);
    const TimeChart::Range range = m_range.value_or(measuredRange(*m_picture));
    const Microseconds gap = longestGap(m_picture->question);
    for (TimeChart *chart : {m_latency, m_rate})
        chart->setStep(m_picture->question.slot);
    m_latency->setLines(latencyLines(*m_picture, choice(), palette()), range, gap);
    m_rate->setLines(rateLines(*m_picture, choice(), palette()), range, gap);
    m_summary->setPicture(m_picture, choice());
    showRanks();
    showLegend();
    showMarkers();
    showNotice();
}

void LatencyPage::showLegend()
{
    const QString values[] = {tr("median"), tr("95 %"), tr("99 %"), tr("longest")};
    QList<ChartLegend::Entry> entries;
    for (const LatencyCurve &curve : m_picture->period.curves) {
        if (!choice().mode.isEmpty() && choice().mode != curve.mode)
            continue;
        for (const int value : valuesShown(choice()))
            entries.append({latencyPen(curve.mode, value, palette()),
                            tr("%1 %2").arg(ChartStyle::modeWord(curve.mode), values[value])});
    }
    if (m_picture->compared)
        entries.append({ChartStyle::comparedPen(palette(), 2), m_controls->comparison()});
    m_legend->setEntries(entries);
}

void LatencyPage::showMarkers()
{
    QList<TimeChart::Marker> markers;
    for (const Event &event : std::as_const(m_releases)) {
        markers.append({event.at,
                        tr("%1: %2 released by force (%3)")
                            .arg(CommonText::moment(event.at), CommonText::lock(event.key), event.actor())});
    }
    if (m_picture && m_picture->serverStart)
        markers.append({*m_picture->serverStart,
                        tr("%1: the server was started").arg(CommonText::moment(*m_picture->serverStart))});
    m_latency->setMarkers(markers);
    m_rate->setMarkers(markers);
}

void LatencyPage::showNotice()
{
    const LatencyPeriod &period = m_picture->period;
    if (!period.isComplete)
        m_notice->show(MessageBar::Level::Warning,
                       tr("There are more measurements than can be read at once. Choose a shorter period."));
    else if (period.unreadable > 0)
        m_notice->show(MessageBar::Level::Warning,
                       tr("%n measurement(s) could not be read: damaged, or written by a newer version.", nullptr,
                          period.unreadable));
    else
        m_notice->clear();
}

QStringList LatencyPage::exportFormats() const
{
    return {u"png"_s, u"svg"_s, u"csv"_s};
}

QByteArray LatencyPage::exported(const QString &format) const
{
    if (format != "csv"_L1)
        return rendered(format);
    return m_picture ? latencyCsv(*m_picture) : QByteArray();
}

QByteArray LatencyPage::rendered(const QString &format) const
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (format == "png"_L1) {
        m_charts->grab().save(&buffer, "PNG");
        return buffer.data();
    }
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(m_charts->size());
    generator.setViewBox(m_charts->rect());
    generator.setTitle(title());
    m_charts->render(&generator);
    return buffer.data();
}

} // namespace lockscope::ui
