// SPDX-License-Identifier: MIT
#include "tour.h"

#include "console/visibletext.h"
#include "demo.h"

#include "ui/actions/releasedialog.h"
#include "ui/actions/releaseflow.h"
#include "ui/alarms/alarmbar.h"
#include "ui/alarms/alarmdialog.h"
#include "ui/pages/events/eventspage.h"
#include "ui/pages/events/eventtablemodel.h"
#include "ui/pages/lab/labform.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/lab/labrunmodel.h"
#include "ui/pages/lab/laneview.h"
#include "ui/pages/latency/latencypage.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/server/connectiondialog.h"
#include "ui/server/knownservers.h"
#include "ui/server/serverconnection.h"
#include "ui/window/aboutdialog.h"
#include "ui/window/mainwindow.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QDir>
#include <QtCore/QEventLoop>
#include <QtCore/QProcess>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include <cstdio>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kFewestLocks = 3;
constexpr int kFewestEvents = 3;
constexpr auto kPatience = 120s;

/// Without a display Qt says for every window that its size limits reach nobody.
void leaveOutPlatformNoise(QtMsgType, const QMessageLogContext &, const QString &text)
{
    if (!text.contains("propagateSizeHints"_L1))
        std::fprintf(stderr, "%s\n", qPrintable(visibleLines(text)));
}

} // namespace

Tour::Tour(const Options &options)
    : m_options(options)
    , m_connection(std::make_unique<ui::ServerConnection>())
    , m_demo(std::make_unique<Demo>())
{
}

Tour::~Tour() = default;

int Tour::run()
{
    qInstallMessageHandler(leaveOutPlatformNoise);
    if (!QDir().mkpath(m_options.tourFolder)) {
        std::fprintf(stderr, "lockscope: %s cannot be made.\n", qPrintable(m_options.tourFolder));
        return 1;
    }
    ui::applyAppearance(m_options.appearance());
    if (openWindow() && releaseOne()) {
        const bool isThere = waitUntil("an orphan, a queue and three events", [this] {
            return hasEnoughLocks() && m_connection->last().counts.orphan > 0
                && m_window->eventsPage()->model()->rowCount() >= kFewestEvents;
        });
        m_isGood = isThere && m_isGood;
        renderTheme(ui::Theme::Light, u"light"_s);
        renderTheme(ui::Theme::Dark, u"dark"_s);
        for (const QString &picture : std::as_const(m_pictures))
            std::printf("%s\n", qPrintable(picture));
        m_isGood = printList() && m_isGood;
    } else {
        m_isGood = false;
    }
    m_window.reset();
    m_demo->stop();
    m_connection->leavePrivateServer();
    return m_isGood ? 0 : 1;
}

bool Tour::waitUntil(const char *what, const std::function<bool()> &condition)
{
    QEventLoop loop;
    QTimer again;
    const QDeadlineTimer deadline(kPatience);
    bool isTrue = false;
    QObject::connect(&again, &QTimer::timeout, &loop, [&] {
        isTrue = condition();
        if (isTrue || deadline.hasExpired())
            loop.quit();
    });
    again.start(50ms);
    loop.exec();
    if (!isTrue) {
        std::fprintf(stderr, "lockscope: waited in vain for %s.\n", what);
        if (m_connection->status().error)
            std::fprintf(stderr, "lockscope: %s\n", qPrintable(m_connection->status().error->toString()));
    }
    return isTrue;
}

bool Tour::hasEnoughLocks() const
{
    const LockCounts &counts = m_connection->last().counts;
    return counts.total() >= kFewestLocks && counts.waiting > 0
        && m_window->locksPage()->model()->rowCount() >= kFewestLocks;
}

bool Tour::openWindow()
{
    ui::applyTheme(ui::Theme::Light);
    m_window = std::make_unique<ui::MainWindow>(m_connection.get());
    m_window->setRemembersState(false);
    m_window->resize(m_options.size);
    m_window->show();
    m_connection->open(ui::ServerProfile::privateServer(m_options.folder), {});
    const bool isLive =
        waitUntil("the private server", [this] { return m_connection->status().phase == MonitorStatus::Phase::Live; });
    if (!isLive)
        return false;
    m_demo->start(m_connection->url());
    return waitUntil("three locks, one with waiters", [this] { return hasEnoughLocks(); });
}

/// The one of a kind that most wait for, or try.
std::optional<LockRow> Tour::busiestLock(LockKind kind) const
{
    const auto pressure = [](const LockRow &row) -> quint64 {
        return row.attempts ? row.attempts->recent.value_or(AttemptCounts()).attempts()
                            : quint64(row.waiters.value_or(0));
    };
    std::optional<LockRow> found;
    const ui::LockTableModel *model = m_window->locksPage()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        const LockItem *item = model->itemAt(row);
        const bool isShown = !item->vanishedAt && item->row->key.kind == kind
            && (item->row->state == LockState::Held || item->row->state == LockState::Open);
        if (isShown && (!found || pressure(item->row) > pressure(*found)))
            found = *item->row;
    }
    return found && pressure(*found) > 0 ? found : std::nullopt;
}

/// Goes the operator's way, so that the events page has something to show.
bool Tour::releaseOne()
{
    for (int attempt = 0; attempt < 5; ++attempt) {
        std::optional<LockRow> lock;
        if (!waitUntil("a lock with waiters", [&] { return (lock = busiestLock(LockKind::Lease)).has_value(); }))
            return false;
        ui::ReleaseFlow flow(m_connection.get(), *lock);
        flow.setReason(u"tour: the holder looked stuck"_s);
        flow.start();
        using Step = ui::ReleaseFlow::Step;
        const auto isDecided = [&flow] { return flow.step() != Step::Looking && flow.step() != Step::Acting; };
        if (!waitUntil("the release's preview", isDecided))
            return false;
        flow.act();
        if (!waitUntil("the release", isDecided))
            return false;
        if (flow.step() == Step::Released)
            return true;
        if (flow.error())
            std::fprintf(stderr, "lockscope: %s\n", qPrintable(flow.error()->toString()));
    }
    std::fprintf(stderr, "lockscope: no lock could be released by force.\n");
    return false;
}

void Tour::renderTheme(ui::Theme theme, const QString &suffix)
{
    ui::applyTheme(theme, m_options.isPresenter);
    m_window->showPage(0);
    m_window->clearMessage();
    const bool isReady = waitUntil("a queue in the inspector", [this] {
        const auto lock = busiestLock(LockKind::Lease);
        if (!lock || !hasEnoughLocks())
            return false;
        m_window->locksPage()->select(lock->key);
        return m_window->locksPage()->inspector()->hasQueue();
    });
    m_isGood = isReady && m_isGood;
    save(m_window.get(), u"locks-"_s + suffix);
    renderReleaseDialog(suffix);
    renderKind(LockKind::Row, u"row-"_s + suffix);
    renderKind(LockKind::Version, u"optimistic-"_s + suffix);
    m_window->showPage(1);
    renderWaits(suffix);
    m_window->showPage(2);
    renderDeadlock(suffix);
    m_window->showPage(3);
    const bool isMeasured = waitUntil("measurements of two modes", [this] {
        const auto &picture = m_window->latencyPage()->picture();
        return picture && picture->period.curves.size() > 1 && picture->samples.size() > 1;
    });
    m_isGood = isMeasured && m_isGood;
    waitUntil("a redraw", [drawn = QDeadlineTimer(1s)] { return drawn.hasExpired(); });
    save(m_window.get(), u"latency-"_s + suffix);
    m_window->showPage(4);
    renderLab(suffix);
    m_window->showPage(5);
    save(m_window.get(), u"events-"_s + suffix);
    ui::KnownServers servers;
    ui::ConnectionDialog connection(m_connection.get(), &servers, m_window.get());
    connection.show();
    save(&connection, u"connect-"_s + suffix);
    ui::AboutDialog about(m_window.get());
    about.show();
    save(&about, u"about-"_s + suffix);
    m_window->alarmBar()->editAction()->trigger();
    auto *alarms = m_window->findChild<ui::AlarmDialog *>();
    save(alarms, u"alarms-"_s + suffix);
    delete alarms;
}

/// A run without a lock beside one of the engine, and the engine's in full swing.
void Tour::renderLab(const QString &suffix)
{
    ui::LabPage *page = m_window->labPage();
    page->runs()->clear();
    LabPlan plan = page->form()->plan();
    for (const LabWay way : {LabWay::None, LabWay::Unique}) {
        plan.way = way;
        plan.workers = 10;
        plan.resources = 2;
        plan.ttl = 1s;
        plan.wait = 5s;
        plan.hold = {LabTime::Shape::Uniform, 120ms};
        plan.think = {LabTime::Shape::Exponential, 200ms};
        plan.duration = way == LabWay::None ? 2s : 8s;
        plan.faults = {{LabFault::Kind::Freeze, 1s, 1900ms}, {LabFault::Kind::Crash, 1800ms, 1800ms}};
        page->form()->setPlan(plan);
        page->start();
        const QDeadlineTimer drawn(6s);
        const bool isDone =
            waitUntil("a run", [&] { return way == LabWay::None ? !page->runner()->isRunning() : drawn.hasExpired(); });
        m_isGood = isDone && m_isGood;
    }
    save(m_window.get(), u"lab-"_s + suffix);
    page->lanes()->zoom(true);
    for (int i = 0; i < 5; ++i)
        page->lanes()->step(false);
    save(m_window.get(), u"lab-step-"_s + suffix);
    page->lanes()->zoom(false);
    m_isGood = waitUntil("the run's end", [page] { return !page->runner()->isRunning(); }) && m_isGood;
    m_isGood = page->runs()->rowCount() == 2 && m_isGood;
    page->showRuns(true);
    save(m_window.get(), u"lab-runs-"_s + suffix);
}

/// The inspector beside the busiest lock of a kind.
void Tour::renderKind(LockKind kind, const QString &name)
{
    const bool isReady = waitUntil("a busy lock of each kind", [this, kind] {
        const auto lock = busiestLock(kind);
        if (!lock)
            return false;
        m_window->locksPage()->select(lock->key);
        return !traitsOf(kind).hasQueue || m_window->locksPage()->inspector()->hasQueue();
    });
    m_isGood = isReady && m_isGood;
    save(m_window.get(), name);
}

void Tour::renderReleaseDialog(const QString &suffix)
{
    using Step = ui::ReleaseFlow::Step;
    for (const QDeadlineTimer deadline(kPatience); !deadline.hasExpired();) {
        std::optional<LockRow> lock;
        if (!waitUntil("a lock with waiters", [&] { return (lock = busiestLock(LockKind::Lease)).has_value(); }))
            break;
        ui::ReleaseDialog dialog(m_connection.get(), *lock, m_window.get());
        dialog.show();
        dialog.reasonEdit()->setText(u"holder stuck since the deploy, agreed with its team"_s);
        waitUntil("the release dialog", [&dialog] { return dialog.flow()->step() != Step::Looking; });
        if (dialog.flow()->step() != Step::Ready || dialog.flow()->preview().queue.isEmpty())
            continue; // it changed hands at this moment
        save(&dialog, u"release-"_s + suffix);
        return;
    }
    std::fprintf(stderr, "lockscope: no lock kept its waiters for the release dialog.\n");
    m_isGood = false;
}

void Tour::save(QWidget *widget, const QString &name)
{
    QApplication::processEvents(); // a new palette or page is laid out and painted
    const QString path = QDir(m_options.tourFolder).absoluteFilePath(name + u".png"_s);
    if (widget->grab().save(path)) {
        m_pictures.append(path);
        return;
    }
    std::fprintf(stderr, "lockscope: %s could not be written.\n", qPrintable(path));
    m_isGood = false;
}

/// Says on the same server what the window shows, through the other program.
bool Tour::printList()
{
    QProcess list;
    list.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    const QString program = QDir(QCoreApplication::applicationDirPath()).filePath(u"lockctl"_s);
    list.start(program, {u"--url"_s, m_connection->url().toString(), u"list"_s});
    if (!list.waitForFinished() || list.exitCode() != 0) {
        std::fprintf(stderr, "lockscope: lockctl list failed: %s\n", qPrintable(list.errorString()));
        return false;
    }
    std::printf("\nlockctl list\n%s", list.readAllStandardOutput().constData());
    return true;
}

} // namespace lockscope
