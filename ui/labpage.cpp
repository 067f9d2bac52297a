#include "labpage.h"

#include "charts/chartlegend.h"
#include "lab/labform.h"
#include "lab/labrunmodel.h"
#include "lab/labwords.h"
#include "lab/laneview.h"
#include "messagebar.h"
#include "monitor/duration.h"
#include "mutedlabel.h"
#include "server/privateserver.h"
#include "serverlink.h"
#include "statemark.h"
#include "theme.h"
#include "words.h"

#include <QtCore/QBuffer>
#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kFormWidth = 320;
constexpr int kRunsHeight = 140;
constexpr int kCrowd = 20;
constexpr Duration kCrowdLength = 3s;

QString workerProgram()
{
    return QDir(QCoreApplication::applicationDirPath()).filePath(u"lockctl"_s);
}

} // namespace

LabPage::LabPage(ServerLink *link, QWidget *parent)
    : Page(parent)
    , m_link(link)
    , m_runner(new LabRunner(this))
    , m_error(new MessageBar(this))
    , m_form(new LabForm(this))
    , m_start(new QPushButton(tr("Start run"), this))
    , m_startAll(new QPushButton(tr("Run all three modes"), this))
    , m_state(new MutedLabel(tr("No run yet."), this))
    , m_pause(new QToolButton(this))
    , m_legend(new ChartLegend(this))
    , m_lanes(new LaneView(this))
    , m_runs(new LabRunModel(this))
    , m_table(new QTableView(this))
{
    auto *counters = new QHBoxLayout;
    auto *faults = new QHBoxLayout;
    setupCounters(counters);
    setupFaults(faults);
    setupRuns();
    auto *right = new QVBoxLayout;
    right->setContentsMargins(0, kSpace, kSpaceSection, kSpace);
    right->setSpacing(kSpace);
    right->addLayout(counters);
    right->addWidget(m_state);
    right->addLayout(faults);
    right->addWidget(m_legend);
    right->addWidget(m_lanes, 1);
    right->addWidget(m_table);
    auto *left = new QScrollArea(this);
    left->setWidget(m_form);
    left->setWidgetResizable(true);
    left->setFrameShape(QFrame::NoFrame);
    left->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_start);
    buttons->addWidget(m_startAll);
    auto *form = new QVBoxLayout;
    form->setContentsMargins(kSpaceSection, kSpace, 0, kSpace);
    form->setSpacing(kSpace);
    form->addWidget(left, 1);
    form->addLayout(buttons);
    auto *formBox = new QWidget(this);
    formBox->setFixedWidth(kFormWidth);
    formBox->setLayout(form);
    auto *row = new QHBoxLayout;
    row->setSpacing(kSpaceSection);
    row->addWidget(formBox);
    row->addLayout(right, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_error);
    column->addLayout(row, 1);

    m_start->setToolTip(tr("Runs what is chosen in a schema of its own on the private server"));
    m_startAll->setToolTip(tr("The same load through unique, pessimistic and optimistic mode, one after the other"));
    connect(m_start, &QPushButton::clicked, this, &LabPage::start);
    connect(m_startAll, &QPushButton::clicked, this, &LabPage::startAllModes);
    connect(m_form, &LabForm::changed, this, &LabPage::onChanged);
    connect(m_runner, &LabRunner::begun, this, &LabPage::onBegun);
    connect(m_runner, &LabRunner::progressed, this, &LabPage::onProgress);
    connect(m_runner, &LabRunner::ended, this, &LabPage::onEnded);
    connect(m_runner, &LabRunner::finished, this, &LabPage::onChanged);
    connect(link, &ServerLink::opened, this, [this] {
        m_runner->stop();
        onChanged();
    });
    connect(link, &ServerLink::statusChanged, this, &LabPage::onChanged);
    m_legend->setEntries(m_lanes->legend(palette()));
    onChanged();
}

LabPage::~LabPage() = default;

void LabPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_legend->setEntries(m_lanes->legend(palette()));
}

void LabPage::setupCounters(QHBoxLayout *row)
{
    row->setSpacing(kSpaceSection);
    for (const auto harm : LabWords::harms()) {
        auto *number = new QLabel(Words::none(), this);
        number->setFont(headlineFont());
        number->setToolTip(Words::tip(LabWords::harmMeaning(harm)));
        auto *name = new MutedLabel(LabWords::harm(harm), this);
        name->setToolTip(number->toolTip());
        number->setAccessibleName(LabWords::harm(harm));
        auto *tile = new QVBoxLayout;
        tile->setSpacing(0);
        tile->addWidget(number);
        tile->addWidget(name);
        row->addLayout(tile);
        m_counters.append(number);
    }
    row->addStretch(1);
}

void LabPage::setupFaults(QHBoxLayout *row)
{
    using Kind = LabFault::Kind;
    row->setSpacing(kSpace);
    const struct
    {
        Kind kind;
        QKeySequence key;
    } faults[] = {{Kind::Crash, QKeySequence(QKeyCombination(Qt::AltModifier, Qt::Key_1))},
                  {Kind::Freeze, QKeySequence(QKeyCombination(Qt::AltModifier, Qt::Key_2))},
                  {Kind::KillSession, QKeySequence(QKeyCombination(Qt::AltModifier, Qt::Key_3))},
                  {Kind::Crowd, QKeySequence(QKeyCombination(Qt::AltModifier, Qt::Key_4))},
                  {Kind::Restart, QKeySequence(QKeyCombination(Qt::AltModifier, Qt::Key_5))}};
    for (const auto &fault : faults) {
        auto *button = new QToolButton(this);
        button->setText(LabWords::fault(fault.kind));
        button->setShortcut(fault.key);
        button->setToolTip(Words::tip(
            tr("%1 (%2)").arg(LabWords::faultMeaning(fault.kind), fault.key.toString(QKeySequence::NativeText))));
        button->setProperty("kind", int(fault.kind));
        connect(button, &QToolButton::clicked, this, [this, kind = fault.kind] { inject(kind); });
        row->addWidget(button);
        m_faults.append(button);
    }
    row->addStretch(1);
    m_pause->setText(tr("Pause picture"));
    m_pause->setCheckable(true);
    m_pause->setToolTip(tr("The picture stands still; the run goes on"));
    connect(m_pause, &QToolButton::toggled, m_lanes, &LaneView::setPaused);
    row->addWidget(m_pause);
}

void LabPage::setupRuns()
{
    m_table->setModel(m_runs);
    m_table->setAccessibleName(tr("Runs side by side"));
    m_table->setFixedHeight(kRunsHeight);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kSpace);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->setHighlightSections(false);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *open = new QAction(tr("Open a saved run…"), m_table);
    auto *clear = new QAction(tr("Clear the list"), m_table);
    connect(open, &QAction::triggered, this, &LabPage::openRun);
    connect(clear, &QAction::triggered, m_runs, &LabRunModel::clear);
    m_table->addActions({open, clear});
    m_table->resizeColumnsToContents();
    connect(m_runs, &QAbstractItemModel::rowsInserted, m_table, [table = m_table] {
        table->resizeColumnsToContents();
        table->scrollToBottom();
    });
}

QString LabPage::iconName() const
{
    return u"lab"_s;
}

QString LabPage::help() const
{
    return tr(
        "Makes contention on purpose, with real engines on real connections, in a schema of its own on the private "
        "server.\n\n"
        "Choose a scenario or an own load, and a mode; start; then kill, freeze or crowd (Alt+1 … Alt+5) and watch "
        "what "
        "goes wrong. Each number's tool tip says how it is counted. A lane shows a worker: low is waiting, full is "
        "holding.\n\n"
        "Below, runs stand side by side. Ctrl+E saves them as JSON or as a table in Markdown; the list's context menu "
        "opens saved ones.");
}

void LabPage::focusFilter()
{
    m_form->focusMode();
}

bool LabPage::closeLast()
{
    if (!m_runner->isRunning())
        return false;
    m_runner->stop();
    return true;
}

void LabPage::start()
{
    if (m_runner->isRunning()) {
        m_runner->stop();
        m_start->setEnabled(false); // until it has stopped
        return;
    }
    startPlans({m_form->plan()});
}

void LabPage::startAllModes()
{
    QList<LabPlan> plans;
    for (const LabWay way : {LabWay::Unique, LabWay::Pessimistic, LabWay::Optimistic}) {
        plans.append(m_form->plan());
        plans.last().way = way;
    }
    startPlans(plans);
}

void LabPage::startPlans(const QList<LabPlan> &plans)
{
    for (const LabPlan &plan : plans) {
        if (const auto wrong = plan.complaint()) {
            m_error->show(MessageBar::Level::Error, *wrong);
            return;
        }
    }
    m_error->clear();
    LabPlace place;
    place.target.url = m_link->url();
    place.workerProgram = workerProgram();
    place.restart = [folder = m_link->profile().folder] { return PrivateServer::restart(folder); };
    m_runner->start(plans, place);
    onChanged();
}

void LabPage::inject(LabFault::Kind kind)
{
    LabFault fault;
    fault.kind = kind;
    if (kind == LabFault::Kind::Crowd) {
        fault.count = kCrowd;
        fault.length = kCrowdLength;
    }
    m_runner->inject(fault);
}

void LabPage::onBegun(const LabPlan &plan)
{
    m_running = plan;
    m_pause->setChecked(false);
    m_lanes->clear(plan.workers);
    showCounts({}, 0);
    m_state->setText(tr("%1 begins…").arg(LabWords::way(plan.way)));
    onChanged();
}

void LabPage::onProgress(const LabProgress &progress)
{
    m_lanes->add(progress.events);
    showCounts(progress.counts, 0);
    m_state->setText(tr("%1: %2 of %3 · %4 granted · %5 hold, %6 wait · %7 timed out · %8 conflicts · %9 errors")
                         .arg(LabWords::way(m_running.way), formatDuration(progress.elapsed),
                              formatDuration(m_running.duration), Words::count(qint64(progress.counts.granted)),
                              Words::count(progress.holding), Words::count(progress.waiting),
                              Words::count(qint64(progress.counts.timedOut)),
                              Words::count(qint64(progress.counts.conflicts)),
                              Words::count(qint64(progress.counts.errors + progress.counts.deadlocks))));
}

void LabPage::onEnded(const LabResult &result)
{
    if (result.error)
        m_error->show(MessageBar::Level::Error, result.error->message, Words::serverWords(*result.error));
    if (result.error && result.report.counts.attempts == 0) {
        m_state->setText(tr("No run."));
        return;
    }
    showCounts(result.report.counts, result.report.oversold);
    m_runs->add(result.report);
    m_state->setText(tr("%1 ended after %2: %3 granted, %4 per second.")
                         .arg(LabWords::way(result.report.plan.way), formatDuration(result.report.length),
                              Words::count(qint64(result.report.counts.granted)),
                              QLocale().toString(result.report.throughput(), 'f', 1)));
}

void LabPage::showCounts(const LabCounts &counts, quint64 oversold)
{
    const auto harms = LabWords::harms();
    for (qsizetype i = 0; i < harms.size(); ++i) {
        const quint64 count = LabWords::harmCount(harms[i], counts, oversold);
        m_counters[i]->setText(Words::count(qint64(count)));
        QPalette palette = this->palette();
        if (count > 0 && LabWords::isHarmful(harms[i]))
            palette.setColor(QPalette::WindowText, markColor(Mark::Violation, palette));
        m_counters[i]->setPalette(palette);
    }
}

/// What can be pressed now, and why not.
void LabPage::onChanged()
{
    const bool isRunning = m_runner->isRunning();
    const bool isPrivate = m_link->profile().isPrivate && !m_link->url().socket.isEmpty();
    const auto wrong = m_form->plan().complaint();
    m_start->setText(isRunning ? tr("Stop run") : tr("Start run"));
    m_start->setEnabled(isRunning || (isPrivate && !wrong));
    m_startAll->setEnabled(!isRunning && isPrivate && !wrong);
    m_form->setEnabled(!isRunning);
    for (QToolButton *button : std::as_const(m_faults)) {
        const auto kind = LabFault::Kind(button->property("kind").toInt());
        button->setEnabled(isRunning && (!needsProcesses(kind) || m_running.needsProcesses()));
    }
    if (isRunning)
        return;
    if (!m_link->profile().isPrivate)
        m_error->show(MessageBar::Level::Info,
                      tr("Runs load a server, so this page makes them on the private one only. Choose it above, or use "
                         "`lockctl simulate --url …`, which asks."));
    else if (wrong)
        m_error->show(MessageBar::Level::Error, *wrong);
    else if (m_form->plan().ttl < m_form->plan().hold.mean)
        m_error->show(MessageBar::Level::Info,
                      tr("Holding takes longer than the TTL: the engine renews, the other ways lose their lock."));
    else if (m_runs->rowCount() == 0 || m_runs->reports().last().partial.value_or(QString()).isEmpty())
        m_error->clear();
}

void LabPage::openRun()
{
    const QString name = QFileDialog::getOpenFileName(this, tr("Open a saved run"), {}, u"JSON (*.json)"_s);
    if (name.isEmpty())
        return;
    QFile file(name);
    QJsonParseError damage;
    const QJsonDocument json =
        file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll(), &damage) : QJsonDocument();
    if (json.isNull()) {
        m_error->show(MessageBar::Level::Error, tr("%1 cannot be read, or is damaged or cut off.").arg(name),
                      file.isOpen() ? damage.errorString() : file.errorString());
        return;
    }
    const QJsonArray runs = json.isArray() ? json.array() : QJsonArray{json.object()};
    for (const auto &run : runs) {
        QString error;
        const auto report = LabReport::fromJson(run.toObject(), &error);
        if (report)
            m_runs->add(*report);
        else
            m_error->show(MessageBar::Level::Error, tr("%1: %2").arg(name, error));
    }
}

QStringList LabPage::exportFormats() const
{
    return {u"json"_s, u"md"_s, u"png"_s};
}

QByteArray LabPage::exported(const QString &format) const
{
    if (format == "md"_L1)
        return labMarkdown(m_runs->reports()).toUtf8();
    if (format == "png"_L1) {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        m_lanes->parentWidget()->grab().save(&buffer, "PNG");
        return bytes;
    }
    QJsonArray runs;
    for (const LabReport &report : m_runs->reports())
        runs.append(report.toJson());
    return QJsonDocument(runs).toJson();
}

QString LabPage::counter(int harm) const
{
    return m_counters[harm]->text();
}

} // namespace lockscope::ui
