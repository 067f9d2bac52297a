// SPDX-License-Identifier: MIT
#include "labpage.h"

#include "console/duration.h"
#include "console/visibletext.h"
#include "faultbar.h"
#include "harmtiles.h"
#include "labform.h"
#include "labrunmodel.h"
#include "labtext.h"
#include "lanebar.h"
#include "laneview.h"
#include "privateserver/privateserver.h"
#include "runspanel.h"
#include "ui/charts/chartlegend.h"
#include "ui/server/serverconnection.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/csv.h"
#include "ui/widgets/elidedlabel.h"

#include <QtCore/QBuffer>
#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kFormWidth = 320;
constexpr int kCrowd = 20;
constexpr Duration kCrowdLength = 3s;

bool isSameServer(const ServerProfile &a, const ServerProfile &b)
{
    return a.isPrivate == b.isPrivate && a.folder == b.folder && (a.isPrivate || a.url == b.url);
}

/// For programs: a line for each run, with the members of its JSON form that are not lists, and those of its latency.
QByteArray asCsv(const QList<LabReport> &reports)
{
    QByteArray lines;
    for (const LabReport &report : reports) {
        const QJsonObject json = report.toJson();
        QVariantMap cells = json.toVariantMap();
        const QVariantMap latency = json.value(u"latency"_s).toObject().toVariantMap();
        for (auto it = latency.begin(); it != latency.end(); ++it)
            cells.insert(u"latency."_s + it.key(), it.value());
        for (const QString &structured : {u"plan"_s, u"latency"_s, u"latency.buckets"_s, u"format"_s, u"version"_s})
            cells.remove(structured);
        QStringList values;
        for (const QVariant &value : std::as_const(cells))
            values += value.toString();
        lines += (lines.isEmpty() ? csvLine(cells.keys()) : QByteArray()) + csvLine(values);
    }
    return lines;
}

QByteArray asPng(QWidget *widget)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    widget->grab().save(&buffer, "PNG");
    return bytes;
}

} // namespace

LabPage::LabPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Lab"), u"lab"_s, parent)
    , m_runner(new LabRunner(this))
    , m_form(new LabForm(this))
    , m_load(new QPushButton(tr("Load"), this))
    , m_start(new QPushButton(tr("Start run"), this))
    , m_startAll(new QPushButton(this))
    , m_verdict(new QLabel(this))
    , m_state(new ElidedLabel(this))
    , m_harm(new HarmTiles(this))
    , m_faults(new FaultBar(this))
    , m_tabs(new QTabWidget(this))
    , m_legend(new ChartLegend(this))
    , m_lanes(new LaneView(this))
    , m_runs(new RunsPanel(this))
    , m_workerProgram(QDir(QCoreApplication::applicationDirPath()).filePath(u"lockctl"_s))
{
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeRunView(), tr("This run"));
    m_tabs->addTab(m_runs, tr("Side by side"));
    auto *room = new QScrollArea(this); // large type in a small window
    room->setWidget(makeView());
    room->setWidgetResizable(true);
    room->setFrameShape(QFrame::NoFrame);
    m_formBox = makeForm();
    auto *row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_formBox);
    row->addWidget(room, 1);
    m_column->addLayout(row, 1);

    connect(m_load, &QPushButton::toggled, m_formBox, &QWidget::setVisible);
    m_load->setCheckable(true);
    m_load->setChecked(true);
    m_load->setToolTip(tr("Shows or folds the choices for the load"));
    showForm(!isLargeType());
    m_lanes->setFilling(isLargeType());
    if (isLargeType())
        leaveRoomForLanes();
    connect(m_lanes, &LaneView::speedChanged, this, [this] { // a step's sentence says what the colours do
        m_legend->setVisible(!isLargeType() || m_lanes->speed() == LaneView::Speed::Live);
    });
    connect(m_start, &QPushButton::clicked, this, &LabPage::start);
    connect(m_startAll, &QPushButton::clicked, this, &LabPage::startAllModes);
    connect(m_form, &LabForm::changed, this, [this] {
        m_failure.reset();
        onChanged();
    });
    connect(m_form, &LabForm::lessonRequested, this, &LabPage::lessonRequested);
    connect(m_faults, &FaultBar::chosen, this, &LabPage::inject);
    connect(m_runs, &RunsPanel::failed, this, [this](const QString &text, const QString &small) {
        m_error->show(MessageBar::Level::Error, text, small);
    });
    connectRunner();
    connect(connection, &ServerConnection::opened, this, [this] {
        if (!isSameServer(m_loaded, m_connection->profile()))
            m_runner->stop();
        onChanged();
    });
    connect(connection, &ServerConnection::statusChanged, this, &LabPage::onChanged);
    onChanged();
}

LabPage::~LabPage() = default;

/// On a projector the picture is what is looked at: what goes with it is as large as on any screen.
void LabPage::leaveRoomForLanes()
{
    for (QWidget *widget : std::initializer_list<QWidget *>{m_state, m_legend, m_laneBar, m_tabs->tabBar()})
        widget->setFont(usualFont());
    QFont bold = usualFont();
    bold.setBold(true);
    m_verdict->setFont(bold);
    m_verdict->setMinimumHeight(2 * QFontMetrics(bold).lineSpacing());
    m_harm->setNameFont(usualFont());
}

void LabPage::connectRunner()
{
    connect(m_runner, &LabRunner::begun, this, &LabPage::onBegun);
    connect(m_runner, &LabRunner::progressed, this, &LabPage::onProgress);
    connect(m_runner, &LabRunner::ended, this, &LabPage::onEnded);
    connect(m_runner, &LabRunner::finished, this, &LabPage::onFinished);
}

QWidget *LabPage::makeView()
{
    auto *view = new QWidget(this);
    auto *right = new QVBoxLayout(view);
    right->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    right->setSpacing(kSpace);
    m_verdict->setFont(headingFont());
    m_verdict->setWordWrap(true);
    m_verdict->setMinimumHeight(2 * fontMetrics().lineSpacing()); // so that nothing below moves when it grows
    m_verdict->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    right->addWidget(m_harm);
    right->addWidget(m_verdict);
    right->addWidget(m_state);
    auto *acts = new QHBoxLayout;
    acts->setSpacing(kSpace);
    acts->addWidget(m_load);
    acts->addWidget(m_start);
    acts->addWidget(m_faults, 1);
    right->addLayout(acts);
    right->addWidget(m_tabs, 1);
    m_state->setFullText(tr("No run yet."));
    return view;
}

void LabPage::takeOver(LabPage *other)
{
    m_form->setPlan(other->m_form->plan());
    for (const LabReport &report : other->runs()->reports())
        runs()->add(report);
    delete std::exchange(m_runner, std::exchange(other->m_runner, new LabRunner(other)));
    disconnect(m_runner, nullptr, other, nullptr);
    m_runner->setParent(this);
    connectRunner();
    m_running = other->m_running;
    m_loaded = other->m_loaded;
    m_plans = other->m_plans;
    m_workerProgram = other->m_workerProgram;
    if (m_runner->isRunning() || runs()->rowCount() > 0)
        showCounts(m_running, other->m_counts);
    m_lanes->takeOver(*other->m_lanes);
    m_tabs->setCurrentIndex(other->m_tabs->currentIndex());
    onChanged();
}

void LabPage::showForm(bool shown)
{
    m_load->setChecked(shown);
}

void LabPage::showScenario(const QString &name, std::optional<LabWay> way)
{
    if (!m_runner->isRunning())
        m_form->chooseScenario(name, way);
    m_start->setFocus();
}

QWidget *LabPage::makeForm()
{
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_start->setToolTip(tr("Runs what is chosen, in a schema of its own"));
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_startAll);
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(kSpaceSection, kSpace, 0, kSpace);
    column->setSpacing(kSpace);
    column->addWidget(scroll, 1);
    column->addLayout(buttons);
    box->setFixedWidth(forType(kFormWidth));
    return box;
}

QWidget *LabPage::makeRunView()
{
    auto *view = new QWidget(this);
    auto *column = new QVBoxLayout(view);
    column->setContentsMargins(0, kSpace, 0, 0);
    column->setSpacing(kSpace);
    m_laneBar = new LaneBar(m_lanes, view);
    column->addWidget(m_laneBar);
    column->addWidget(m_legend);
    column->addWidget(m_lanes, 1);
    m_legend->setEntries(m_lanes->legend(palette()));
    return view;
}

void LabPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_legend->setEntries(m_lanes->legend(palette()));
}

LabRunModel *LabPage::runs() const
{
    return m_runs->model();
}

QString LabPage::verdict() const
{
    return m_verdict->text();
}

QString LabPage::help() const
{
    return tr(
        "Makes contention on purpose, with real engines on real connections, in a schema of its own that is gone "
        "afterwards. On a server that is not the private one it asks first; on one tagged as production it does "
        "not run.\n\n"
        "Choose a scenario or a load of your own, and a mode; start; then kill, freeze, cut off or crowd (Alt+1 … "
        "Alt+9) "
        "and watch what goes wrong. Each number's tool tip says how it is counted.\n\n"
        "A lane shows a worker: low is waiting, full is holding; arrows show who hands to whom. Slow motion and "
        "single steps play what happened from that moment on; a step says in a sentence what happened and why.\n\n"
        "Side by side, runs are compared. Ctrl+E saves them as JSON, or as a report in Markdown with pictures.");
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

void LabPage::showRuns(bool shown)
{
    m_tabs->setCurrentIndex(shown ? 1 : 0);
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
    const LabPlan load = m_form->plan();
    const QList<LabPlan> own = labSideBySide(load, labComparisonOf(load));
    startPlans(own.size() > 1 ? own : labSideBySide(load, {{LabWay::Unique, LabWay::Pessimistic, LabWay::Optimistic}}));
}

void LabPage::startPlans(const QList<LabPlan> &plans)
{
    for (const LabPlan &plan : plans) {
        if (const auto wrong = plan.validate()) {
            m_error->show(MessageBar::Level::Error, *wrong);
            return;
        }
    }
    if (!isThere() || !isAgreed(plans))
        return;
    m_failure.reset();
    m_error->clear();
    m_plans = plans.size();
    m_loaded = m_connection->profile();
    LabPlace place;
    place.target = m_connection->target();
    place.access = m_connection->access();
    place.workerProgram = m_workerProgram;
    if (m_connection->profile().isPrivate)
        place.restart = [folder = m_connection->profile().folder] { return PrivateServer::restart(folder); };
    m_runner->start(plans, place);
    onChanged();
}

/// A server that may be loaded.
bool LabPage::isThere() const
{
    return m_connection->isOpen() && !m_connection->isRecorded() && !m_connection->isStore()
        && !m_connection->profile().isGuarded();
}

/// The private server is there for it. Any other one has its own work to do.
bool LabPage::isAgreed(const QList<LabPlan> &plans)
{
    const ServerProfile &profile = m_connection->profile();
    if (profile.isPrivate)
        return true;
    const LabPlan &plan = plans.first();
    QMessageBox box(this);
    box.setIcon(QMessageBox::Warning);
    box.setWindowTitle(tr("Load this server?"));
    box.setTextFormat(Qt::PlainText);
    box.setText(tr("Make contention on %1 (%2)?").arg(profile.name, m_connection->url().toString()));
    box.setInformativeText(
        tr("%1 workers load it for %2, over up to %3 connections, in a schema of their own that is removed afterwards. "
           "Others who work there will notice. The user here needs the right to create and drop schemas named "
           "lockscope_lab_….")
            .arg(plan.workers)
            .arg(formatDuration(plan.duration * qint64(plans.size())))
            .arg(plan.connections > 0 ? plan.connections : 2 * plan.workers + 4));
    QPushButton *run = box.addButton(tr("Load this server"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox::RejectRole));
    connect(m_connection, &ServerConnection::opened, &box, &QDialog::reject); // consent is for the server that is named
    box.exec();
    return box.clickedButton() == static_cast<QAbstractButton *>(run);
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
    m_lanes->clear(plan.workers);
    m_counts = {};
    m_harm->setCounts({});
    m_verdict->clear();
    m_state->setFullText(tr("%1 begins…").arg(LabText::way(plan.way)));
    showRuns(false);
    onChanged();
}

void LabPage::showCounts(const LabPlan &plan, const LabCounts &counts)
{
    m_counts = counts;
    m_harm->setCounts(counts);
    m_verdict->setText(LabText::verdict(plan, counts));
}

void LabPage::onProgress(const LabProgress &progress)
{
    m_lanes->add(progress.events, progress.missing);
    showCounts(m_running, progress.counts);
    m_state->setFullText(
        tr("%1: %2 of %3 · %4 granted · %5 hold, %6 wait · %7 timed out · %8 conflicts · %9 errors")
            .arg(LabText::way(m_running.way), formatDuration(progress.elapsed), formatDuration(m_running.duration),
                 CommonText::count(qint64(progress.counts.granted)), CommonText::count(progress.holding),
                 CommonText::count(progress.waiting), CommonText::count(qint64(progress.counts.timedOut)),
                 CommonText::count(qint64(progress.counts.conflicts)),
                 CommonText::count(qint64(progress.counts.errors + progress.counts.deadlocks))));
}

void LabPage::onEnded(const LabResult &result)
{
    m_failure = result.error;
    if (result.error && result.report.counts.attempts == 0) {
        m_state->setFullText(tr("No run."));
        return;
    }
    const LabReport &report = result.report;
    showCounts(report.plan, report.counts);
    runs()->add(report);
    QString text =
        tr("%1 ended after %2: %3 granted, %4 per second.")
            .arg(LabText::way(report.plan.way), formatDuration(report.length),
                 CommonText::count(qint64(report.counts.granted)), QLocale().toString(report.throughput(), 'f', 1));
    if (!report.firstError.isEmpty())
        text += u' ' + tr("First error: %1").arg(report.firstError);
    m_state->setFullText(text);
}

void LabPage::onFinished()
{
    showRuns(m_plans > 1);
    onChanged();
}

/// What can be pressed now.
void LabPage::onChanged()
{
    const bool isRunning = m_runner->isRunning();
    const bool isPrivate = m_connection->profile().isPrivate;
    const LabPlan load = m_form->plan();
    const bool canStart = isThere() && !load.validate();
    m_start->setText(isRunning ? tr("Stop run") : tr("Start run"));
    m_start->setEnabled(isRunning || canStart);
    m_startAll->setEnabled(!isRunning && canStart);
    const QList<LabPlan> own = labSideBySide(load, labComparisonOf(load));
    QStringList names;
    for (const LabPlan &plan : own)
        names += LabText::run(plan);
    const bool isOfStores = own.size() > 1;
    m_startAll->setText(isOfStores ? tr("Run side by side") : tr("Run all three modes"));
    m_startAll->setToolTip(
        isOfStores ? tr("The same load, one after the other: %1").arg(names.join(u"; "_s))
                   : tr("The same load through unique, pessimistic and optimistic mode, one after the other"));
    m_form->setEnabled(!isRunning);
    m_faults->setRun(isRunning ? &m_running : nullptr, isPrivate, !m_connection->url().socket.isEmpty());
    if (!isRunning)
        showHint();
}

/// Why the last run went wrong, why there may be none, or what to expect.
void LabPage::showHint()
{
    const LabPlan plan = m_form->plan();
    const int wanted = plan.usesProcesses ? 0 : plan.workers; // each process has an engine of its own
    if (m_connection->isRecorded())
        m_error->show(MessageBar::Level::Info, tr("This is a recording, and runs need a server. Choose one above."));
    else if (m_connection->isStore())
        m_error->show(MessageBar::Level::Info,
                      tr("Runs need a MySQL or MariaDB, also those with locks on private Redis, ZooKeeper and etcd "
                         "nodes. Choose one above."));
    else if (m_connection->profile().isGuarded())
        m_error->show(MessageBar::Level::Info,
                      tr("This server is tagged as production, and runs load a server. Choose another one above."));
    else if (m_failure)
        m_error->show(MessageBar::Level::Error, m_failure->message, CommonText::serverWords(*m_failure));
    else if (const auto wrong = plan.validate())
        m_error->show(MessageBar::Level::Error, *wrong);
    else if (plan.ttl < plan.hold.mean)
        m_error->show(MessageBar::Level::Info,
                      tr("Holding takes longer than the TTL: the engine renews, the other ways lose their lock."));
    else if (traitsOf(plan.way).isEngine && plan.connections > 0 && plan.connections < wanted)
        m_error->show(MessageBar::Level::Info,
                      tr("Fewer connections than workers: they share them, and some wait for one."));
    else
        m_error->clear();
}

QStringList LabPage::exportFormats() const
{
    return {u"json"_s, u"md"_s, u"csv"_s, u"png"_s};
}

QByteArray LabPage::exported(const QString &format) const
{
    if (format == "md"_L1)
        return labMarkdown(runs()->reports()).toUtf8();
    if (format == "csv"_L1)
        return asCsv(runs()->reports());
    if (format == "png"_L1)
        return asPng(m_tabs);
    QJsonArray saved;
    for (const LabReport &report : runs()->reports())
        saved.append(report.toJson());
    return visibleJson(QJsonDocument(saved).toJson());
}

Page::FilesMaker LabPage::exportedFiles(const QString &format, const QString &baseName) const
{
    if (format != "md"_L1)
        return Page::exportedFiles(format, baseName);
    return [files = labDocument(runs()->reports(), baseName, {{u"-lanes.png"_s, asPng(m_lanes)}})] { return files; };
}

} // namespace lockscope::ui
