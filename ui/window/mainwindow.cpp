// SPDX-License-Identifier: MIT
#include "mainwindow.h"

#include "aboutdialog.h"
#include "console/auditfile.h"
#include "findings.h"
#include "newwindow.h"
#include "pageexport.h"
#include "pagerail.h"
#include "recordcontrol.h"
#include "replaybar.h"
#include "statusline.h"
#include "topbar.h"
#include "ui/actions/keyreleasecontroller.h"
#include "ui/actions/killcontroller.h"
#include "ui/actions/preparedcontroller.h"
#include "ui/actions/releasecontroller.h"
#include "ui/actions/tablereleasecontroller.h"
#include "ui/alarms/alarmbar.h"
#include "ui/alarms/alarmcenter.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/events/eventspage.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/latency/latencypage.h"
#include "ui/pages/lessons/lessoncomparebox.h"
#include "ui/pages/lessons/lessonspage.h"
#include "ui/pages/locks/lockending.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverchooser.h"
#include "ui/server/serverconnection.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/focusring.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/livetreeview.h"
#include "ui/widgets/messagebar.h"
#include "windowactions.h"

#include <QtCore/QSettings>
#include <QtGui/QAction>
#include <QtGui/QCloseEvent>
#include <QtGui/QScreen>
#include <QtWidgets/QApplication>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QStatusBar>
#include <QtWidgets/QStyle>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// What desktops draw around a window, at most: on the sides together, and above and below.
constexpr QSize kFrame{16, 48};

} // namespace

MainWindow::MainWindow(ServerConnection *connection, QWidget *parent)
    : QMainWindow(parent)
    , m_connection(connection)
    , m_chooser(new ServerChooser(connection, this))
    , m_actions(new WindowActions(this))
    , m_rail(new PageRail(this))
    , m_stack(new QStackedWidget(this))
    , m_messages(new MessageBar(this))
    , m_export(new PageExport(m_messages, this))
    , m_alarms(new AlarmBar(connection, this))
    , m_locks(new LocksPage(connection, this))
    , m_waits(new WaitsPage(connection, this))
    , m_deadlocks(new DeadlocksPage(connection, this))
    , m_latency(new LatencyPage(connection, this))
    , m_lab(new LabPage(connection, this))
    , m_events(new EventsPage(connection, this))
    , m_lessons(new LessonsPage(connection, this))
    , m_status(new StatusLine(connection, this))
{
    setWindowTitle(tr("Lockscope"));
    resize(QSize(1280, 800).boundedTo(screen()->availableSize() - kFrame));
    setMinimumSize(640, 400);
    setupPages();
    setupFrame();
    m_actions->fillMenus(this,
                         {m_locks,
                          m_waits,
                          m_deadlocks,
                          m_alarms->editAction(),
                          m_top->serverMenu(),
                          m_top->intervalMenu(),
                          {m_replay->previousIncident(), m_replay->nextIncident()}});
    connectActions();
    connectSignals();
    const bool isStill = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;
    m_locks->setReducedMotion(isStill);
    showPage(0);
    m_locks->focusFilter(); // the list takes it with its first row
}

void MainWindow::setupPages()
{
    addPage(m_locks);
    addPage(m_waits);
    addPage(m_deadlocks);
    addPage(m_latency);
    addPage(m_lab);
    addPage(m_events);
    addPage(m_lessons);
    connect(m_rail, &PageRail::chosen, this, &MainWindow::showPage);
    connect(m_alarms->center(), &AlarmCenter::changed, this,
            [this] { m_locks->setAlarms(m_alarms->center()->lockMarks()); });
    connect(m_alarms, &AlarmBar::lockChosen, this, &MainWindow::showLock);
    connect(m_waits, &WaitsPage::lessonRequested, this, &MainWindow::showLesson);
    connect(m_lab, &LabPage::lessonRequested, this, &MainWindow::showLesson);
    m_lessons->comparison()->setServers(m_chooser);
    connect(m_lessons, &LessonsPage::scenarioRequested, this, &MainWindow::showScenario);
    connectDesks();
}

/// What ends sessions and what warns of them hear every look at the server's own locks.
void MainWindow::connectDesks()
{
    // Before the controllers, which may have news of it.
    connect(m_connection, &ServerConnection::opened, m_messages, &MessageBar::clear);
    m_releases = new ReleaseController(m_connection, m_messages, this);
    m_kills = new KillController(m_connection, m_messages, this);
    m_tableReleases = new TableReleaseController(m_connection, m_messages, this);
    m_keyReleases = new KeyReleaseController(m_connection, m_messages, this);
    connect(m_keyReleases, &KeyReleaseController::recorded, this, &MainWindow::offerRecord);
    connect(m_locks->ending(), &LockEnding::keyReleaseRequested, m_keyReleases, &KeyReleaseController::ask);
    connect(m_releases, &ReleaseController::recorded, this, &MainWindow::offerRecord);
    connect(m_tableReleases, &TableReleaseController::recorded, this, &MainWindow::offerRecord);
    connect(m_locks->ending(), &LockEnding::tableReleaseRequested, m_tableReleases, &TableReleaseController::ask);
    connect(m_kills, &KillController::recorded, this, &MainWindow::offerRecord);
    connect(m_locks->ending(), &LockEnding::releaseRequested, m_releases, &ReleaseController::ask);
    connect(m_waits, &WaitsPage::killRequested, m_kills, &KillController::ask);
    connect(m_locks->ending(), &LockEnding::killRequested, m_kills, &KillController::ask);
    m_connection->follow(&WaitsFeed::updated, m_kills, &KillController::onWaits);
    connect(m_waits, &WaitsPage::pictureTaken, m_alarms->center(), [this](const WaitPicturePtr &picture) {
        if (!m_connection->isRecorded())
            m_alarms->center()->onPicture(picture);
    });
    m_connection->follow(&WaitsFeed::killProgressed, m_kills, &KillController::onProgressed);
    connect(m_connection, &ServerConnection::killed, m_kills, &KillController::onKilled);
    connect(m_kills, &KillController::ordered, m_connection, &ServerConnection::kill);
    connect(m_kills, &KillController::tracked, m_connection, &ServerConnection::track);
    m_prepared = new PreparedController(m_connection, m_messages, this);
    connect(m_prepared, &PreparedController::recorded, this, &MainWindow::offerRecord);
    connect(m_waits, &WaitsPage::preparedRequested, m_prepared, &PreparedController::ask);
    connect(m_locks->ending(), &LockEnding::preparedRequested, m_prepared, &PreparedController::ask);
    m_connection->follow(&WaitsFeed::updated, m_prepared, &PreparedController::onWaits);
    connect(m_connection, &ServerConnection::preparedEnded, m_prepared, &PreparedController::onEnded);
    connect(m_prepared, &PreparedController::ordered, m_connection, &ServerConnection::endPrepared);
    connect(m_alarms, &AlarmBar::sessionChosen, this, &MainWindow::showSession);
}

void MainWindow::addPage(Page *page)
{
    const int number = m_stack->addWidget(page);
    m_actions->addPage(*page);
    QAction *action = m_actions->pages.last();
    m_rail->addPage(page->title(), page->iconName(), action->shortcut().toString(QKeySequence::NativeText));
    connect(action, &QAction::triggered, this, [this, number] { showPage(number); });
    connect(page, &Page::refused, this, &MainWindow::tellRefused);
    connect(page, &Page::badgeChanged, this,
            [this, number](int count, const QString &meaning) { m_rail->setBadge(number, count, meaning); });
}

void MainWindow::setupFrame()
{
    m_top = new TopBar(m_connection, {m_actions->palette, m_actions->pause, m_actions->connectTo}, this);
    m_top->setProfiles(m_chooser->offered());
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_rail);
    middle->addWidget(m_stack, 1);
    showBarsOnPage();
    auto *central = new QWidget(this);
    auto *column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_top);
    column->addWidget(m_replay = new ReplayBar(m_connection, this));
    column->addLayout(middle, 1);
    setCentralWidget(central);
    statusBar()->setContentsMargins(0, 0, kSpace, 0); // beside what stands at its end
    statusBar()->addWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
    m_record =
        new RecordControl(m_connection, {m_actions->record, m_actions->openRecording}, m_messages, statusBar(), this);
    FocusRing::showInAllWindows();
}

void MainWindow::connectActions()
{
    QAction *openLab = new QAction(tr("Open Lab"), this);
    openLab->setToolTip(tr("Contention on purpose, on the private server"));
    connect(openLab, &QAction::triggered, this, [this] { showPage(m_stack->indexOf(m_lab)); });
    connect(m_actions->startDemo, &QAction::triggered, this, &MainWindow::demoWanted);
    for (EmptyState *empty : findChildren<EmptyState *>())
        empty->setStarts({m_actions->connectTo, m_actions->startDemo, openLab});
    connect(m_actions->connectTo, &QAction::triggered, this, [this] { m_chooser->ask(m_connection->profile()); });
    const auto showOffered = [this] { m_top->setProfiles(m_chooser->offered()); };
    connect(m_chooser->servers(), &KnownServers::changed, this, showOffered);
    connect(m_connection, &ServerConnection::opened, this, showOffered);
    connect(m_connection->further(), &FurtherServers::changed, this, showOffered);
    connect(m_chooser, &ServerChooser::warned, this, [this](const QString &text, const QString &details) {
        m_messages->show(MessageBar::Level::Warning, text, details);
    });
    connect(m_actions->newWindow, &QAction::triggered, this, [this] {
        if (!startWindow(*m_connection, m_appearance))
            m_messages->show(MessageBar::Level::Error, tr("No further window could be opened."));
    });
    connect(m_actions->exportList, &QAction::triggered, this, [this] { m_export->ask(*currentPage()); });
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions->filter, &QAction::triggered, this, [this] { currentPage()->focusFilter(); });
    connect(m_actions->close, &QAction::triggered, this, [this] {
        if (m_messages->isVisible())
            m_messages->clear();
        else
            currentPage()->closeLast();
    });
    connect(m_actions->palette, &QAction::triggered, this, &MainWindow::openPalette);
    connect(m_actions, &WindowActions::appearanceChosen, this, &MainWindow::chooseAppearance);
    connect(m_actions->pageHelp, &QAction::triggered, this, &MainWindow::showHelp);
    connect(m_actions->about, &QAction::triggered, this, &MainWindow::showAbout);
    connect(m_actions->aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);
    const QList<QWidget *> lists =
        m_waits->listWidgets() + QList<QWidget *>{m_locks->listWidget(), m_deadlocks->view(), m_events->view()};
    for (QWidget *list : lists)
        list->addAction(m_actions->pause);
}

void MainWindow::connectSignals()
{
    m_actions->pause->setChecked(m_connection->isPaused()); // by the window before this one
    connect(m_actions->pause, &QAction::toggled, m_connection, &ServerConnection::setPaused);
    connect(m_connection, &ServerConnection::pausedChanged, m_actions->pause, &QAction::setChecked);
    connect(m_actions->refresh, &QAction::triggered, m_connection, &ServerConnection::refresh);
    connect(m_actions->operatorMode, &QAction::triggered, this, [this](bool wanted) {
        if (wanted)
            askOperatorMode();
        else
            m_connection->endOperatorMode();
    });
    connect(m_connection, &ServerConnection::modeChanged, this, [this] {
        m_actions->operatorMode->setChecked(m_connection->isOperatorOfAll());
        m_actions->operatorMode->setEnabled(m_connection->hasOperatorMode());
        for (QAction *ofPolls : {m_actions->pause, m_actions->refresh, m_top->intervalMenu()->menuAction()})
            ofPolls->setEnabled(!m_connection->isRecorded());
        if (m_connection->isOperatorOfAll() && m_messages->text() == m_refused)
            m_messages->clear();
    });
    for (const QAction *action : {m_locks->releaseAction(), m_waits->endAction()}) {
        connect(action, &QAction::changed, m_messages, [this, action, why = action->toolTip()]() mutable {
            if (action->toolTip() != why && m_messages->text() == why)
                m_messages->clear(); // why it could not be done is not so any more
            why = action->toolTip();
        });
    }
    connect(m_connection, &ServerConnection::opened, this,
            [this] { setWindowTitle(tr("%1 – Lockscope").arg(m_connection->profile().fullName())); });
    m_connection->follow(&Monitor::tablesInstalled, this, [this](const std::optional<LockError> &error) {
        if (error)
            m_messages->show(MessageBar::Level::Error, tr("The lock tables were not installed. %1").arg(error->message),
                             CommonText::serverWords(*error));
    });
    connect(m_top, &TopBar::serverChosen, m_chooser, &ServerChooser::open);
    connect(m_top, &TopBar::serverAdded, this, &MainWindow::addServer);
    connect(m_locks, &LocksPage::serverWanted, this, [this] { addServer({}); });
    connect(m_locks, &LocksPage::passwordWanted, m_chooser, &ServerChooser::askPasswordOf);
    connect(m_top, &TopBar::operatorModeRequested, this, &MainWindow::askOperatorMode);
    connect(m_top, &TopBar::readOnlyRequested, m_connection, &ServerConnection::endOperatorMode);
    connect(m_replay, &ReplayBar::incidentChosen, this, &MainWindow::showIncident);
    connect(m_connection, &ServerConnection::replayOpened, this, [this](const RecordingInfo &info) {
        if (!info.damage.isEmpty())
            m_messages->show(MessageBar::Level::Warning, tr("This recording is not whole."), info.damage);
    });
}

void MainWindow::tellRefused(const QString &why)
{
    m_messages->show(MessageBar::Level::Info, why);
    if (m_connection->isOperatorOfAll() || m_connection->isRecorded())
        return;
    m_refused = why;
    m_messages->addAction(m_actions->operatorMode);
}

void MainWindow::showLock(const LockKey &key)
{
    showPage(m_stack->indexOf(m_locks));
    m_locks->select(key);
    m_locks->listWidget()->setFocus();
}

void MainWindow::showSession(quint64 session)
{
    showPage(m_stack->indexOf(m_waits));
    m_waits->select(session);
    m_waits->view()->setFocus();
}

/// A deadlock is seen on its own page alone, and there nothing else is.
void MainWindow::showIncident(const Incident &incident)
{
    if (incident.deadlock) {
        m_deadlocks->select(shapeOf(*incident.deadlock));
        showPage(m_stack->indexOf(m_deadlocks));
    } else if (currentPage() == m_deadlocks) {
        showPage(m_stack->indexOf(m_waits));
    }
}

void MainWindow::showLesson(const QString &id)
{
    showPage(m_stack->indexOf(m_lessons));
    m_lessons->open(id);
    m_lessons->nextButton()->setFocus();
}

void MainWindow::showScenario(const QString &link)
{
    showPage(m_stack->indexOf(m_lab));
    m_lab->showScenario(scenarioOf(link), labWayOf(modeOf(link)));
}

void MainWindow::openPalette()
{
    const auto findings = [locks = m_locks->model()->items(), servers = m_locks->model()->serverNames(),
                           picture = m_waits->picture(), showLock = [this](const LockKey &key) { this->showLock(key); },
                           showSession = [this](quint64 session) { this->showSession(session); }] {
        return lockFindings(locks, servers, showLock) + sessionFindings(picture.get(), showSession);
    };
    auto *palette = new CommandPalette(&m_calls, WindowActions::all(this), findings, this);
    connect(palette, &CommandPalette::refused, this, &MainWindow::tellRefused);
    palette->move(m_top->mapToGlobal(QPoint((m_top->width() - palette->width()) / 2, m_top->height())));
    palette->show();
}

void MainWindow::offerRecord(const AuditEntry &act)
{
    auto *show = new QAction(tr("Recorded · Show"), m_messages);
    show->setToolTip(tr("Show it on the page Events"));
    connect(show, &QAction::triggered, this, [this, act] {
        showPage(m_stack->indexOf(m_events));
        m_events->select(act);
    });
    m_messages->addAction(show);
}

Page *MainWindow::currentPage() const
{
    return static_cast<Page *>(m_stack->currentWidget());
}

/// Below the lists, whose rows stay under the mouse.
void MainWindow::showBarsOnPage()
{
    for (MessageBar *bar : {static_cast<MessageBar *>(m_alarms), m_messages})
        currentPage()->bars()->add(bar);
}

void MainWindow::showPage(int page)
{
    const bool isOther = page != m_stack->currentIndex();
    m_stack->setCurrentIndex(page);
    if (isOther)
        showBarsOnPage();
    m_rail->setCurrent(page);
    m_status->setPage(currentPage());
}

void MainWindow::clearMessage()
{
    m_messages->clear();
}

void MainWindow::setAppearance(const Appearance &appearance)
{
    m_appearance = appearance;
    m_actions->setAppearance(appearance);
}

void MainWindow::chooseAppearance()
{
    const Appearance wanted = m_actions->appearance();
    if (wanted == m_appearance)
        return;
    if (wanted.needsOtherWindow(m_appearance) && m_lab->runner()->isRunning()) {
        setAppearance(m_appearance);
        m_messages->show(MessageBar::Level::Info,
                         tr("A run is going on in the lab. Stop it first: the window has to be rebuilt for this."));
        return;
    }
    if (wanted.needsOtherWindow(m_appearance) && isEnding()) {
        setAppearance(m_appearance);
        return;
    }
    Q_EMIT appearanceChosen(wanted);
}

void MainWindow::offerLast()
{
    const QString address = QSettings().value(u"window/server"_s).toString();
    const ServerProfile last = m_chooser->profileAt(address);
    if (last.urlText().isEmpty())
        return;
    const QString name = CommonText::shortened(last.fullName());
    m_messages->show(MessageBar::Level::Info, tr("Last time this window looked at %1.").arg(name));
    auto *open = new QAction(tr("Open %1").arg(CommonText::onButton(name)), m_messages);
    connect(open, &QAction::triggered, this, [this, address] { m_chooser->open(m_chooser->profileAt(address)); });
    m_messages->addAction(open);
}

bool MainWindow::isEnding()
{
    if (m_kills->isRunning())
        m_messages->show(MessageBar::Level::Info,
                         tr("Connections are still being ended. Wait until that is done: what has not been sent yet "
                            "would be lost with this window."));
    return m_kills->isRunning();
}

void MainWindow::askOperatorMode()
{
    if (m_connection->isRecorded()) {
        m_messages->show(MessageBar::Level::Info, tr("This is a recording: nothing of it can be changed."));
        return;
    }
    QMessageBox box(this);
    box.setIcon(QMessageBox::Warning);
    box.setWindowTitle(tr("Operator mode"));
    box.setTextFormat(Qt::PlainText);
    const QList<int> servers = m_connection->guardedServers();
    QStringList names;
    for (const int number : servers)
        names += m_connection->profileOf(number).fullName();
    const bool hasSessions = std::any_of(servers.cbegin(), servers.cend(),
                                         [this](int number) { return !m_connection->profileOf(number).isStore(); });
    box.setText(
        (hasSessions ? tr("Allow releasing locks and ending connections on %1?") : tr("Allow releasing locks on %1?"))
            .arg(names.join(u", ")));
    box.setInformativeText(
        tr("For %1 minutes. You are asked again each time, and what you do is recorded with your name (%2).")
            .arg(ServerConnection::OperatorTime.count())
            .arg(AuditFile::operatorName()));
    QPushButton *start = box.addButton(tr("Start operator mode"), QMessageBox::AcceptRole);
    QPushButton *stop =
        m_connection->isOperatorStarted() ? box.addButton(tr("Back to read-only"), QMessageBox::ResetRole) : nullptr;
    box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox::RejectRole));
    connect(m_connection, &ServerConnection::opened, &box, &QDialog::reject); // consent is for the server that is named
    box.exec();
    if (box.clickedButton() == static_cast<QAbstractButton *>(start))
        m_connection->startOperatorMode(servers);
    else if (stop && box.clickedButton() == static_cast<QAbstractButton *>(stop))
        m_connection->endOperatorMode();
    else
        m_actions->operatorMode->setChecked(m_connection->isOperatorOfAll());
}

/// Without an address a person is asked which.
void MainWindow::addServer(const ServerProfile &profile)
{
    showPage(m_stack->indexOf(m_locks));
    if (profile.urlText().isEmpty())
        m_chooser->askForList();
    else
        m_chooser->addToList(profile);
}

void MainWindow::showHelp()
{
    QMessageBox box(this);
    box.setWindowTitle(tr("Help"));
    box.setTextFormat(Qt::PlainText);
    box.setText(currentPage()->title());
    box.setInformativeText(currentPage()->help());
    box.addButton(tr("Close"), QMessageBox::RejectRole);
    box.exec();
}

void MainWindow::showAbout()
{
    AboutDialog dialog(this);
    dialog.exec();
}

void MainWindow::restoreState()
{
    QSettings settings;
    if (const QByteArray geometry = settings.value(u"window/geometry"_s).toByteArray(); !geometry.isEmpty())
        restoreGeometry(geometry);
    const QString shown = settings.value(u"window/page"_s).toString();
    for (int page = 0; page < m_stack->count(); ++page) {
        if (static_cast<Page *>(m_stack->widget(page))->iconName() == shown)
            showPage(page);
    }
    m_deadlocks->inspectorAction()->setChecked(settings.value(u"window/deadlocksInspector"_s, true).toBool());
    m_waits->inspectorAction()->setChecked(settings.value(u"window/waitsInspector"_s, true).toBool());
    m_waits->graphAction()->setChecked(settings.value(u"window/waitsGraph"_s, false).toBool());
    m_locks->inspectorAction()->setChecked(settings.value(u"window/inspector"_s, true).toBool());
    for (FlatHeader *header : headers())
        header->restore(settings);
    m_chooser->restoreList(settings.value(u"window/further"_s).toStringList());
}

/// Whoever closes it once more, with the reason in sight, means it: undoing changes may take hours.
void MainWindow::closeEvent(QCloseEvent *event)
{
    const QString before = m_messages->text();
    if (isEnding() && m_messages->text() != before) {
        event->ignore();
        return;
    }
    saveState();
    QMainWindow::closeEvent(event);
}

QList<FlatHeader *> MainWindow::headers() const
{
    return {m_locks->view()->flatHeader(), m_waits->view()->flatHeader(), m_deadlocks->view()->flatHeader(),
            m_events->view()->flatHeader()};
}

int MainWindow::page() const
{
    return m_stack->currentIndex();
}

void MainWindow::saveState()
{
    if (!m_remembersState)
        return;
    QSettings settings;
    settings.setValue(u"window/geometry"_s, saveGeometry());
    settings.setValue(u"window/page"_s, currentPage()->iconName());
    settings.setValue(u"window/server"_s, m_connection->profile().urlText());
    settings.setValue(u"window/further"_s, m_connection->further()->addresses());
    settings.setValue(u"window/deadlocksInspector"_s, m_deadlocks->inspectorAction()->isChecked());
    settings.setValue(u"window/waitsInspector"_s, m_waits->inspectorAction()->isChecked());
    settings.setValue(u"window/waitsGraph"_s, m_waits->graphAction()->isChecked());
    settings.setValue(u"window/inspector"_s, m_locks->inspectorAction()->isChecked());
    for (const FlatHeader *header : headers())
        header->save(settings);
}

void MainWindow::updateVisibility()
{
    m_connection->setHidden(!isVisible() || isMinimized());
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        updateVisibility();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    updateVisibility();
}

void MainWindow::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    updateVisibility();
}

} // namespace lockscope::ui
