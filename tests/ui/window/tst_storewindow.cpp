// SPDX-License-Identifier: MIT
// A window whose server is a real Redis, ZooKeeper or etcd: what is locked there, who waits, and how it is released.
#include "console/auditfile.h"
#include "privateprogram.h"
#include "programkeeper.h"
#include "storenodes.h"
#include "strict.h"
#include "visibletext.h"
#include "windowtest.h"

#include "ui/actions/releasedialog.h"
#include "ui/actions/releaseflow.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/events/eventspage.h"
#include "ui/pages/events/eventtablemodel.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/latency/latencypage.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/pages/locks/serverbar.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverchooser.h"
#include "ui/widgets/flatheader.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/messagebar.h"
#include "ui/widgets/roles.h"
#include "ui/window/findings.h"
#include "ui/window/statusline.h"
#include "ui/window/topbar.h"

#include <QtCore/QFile>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include <algorithm>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

LockRequest requestFor(const QByteArray &resource, Duration wait = 0s)
{
    LockRequest request;
    request.resource = resource;
    request.ttl = 30s;
    request.wait = wait;
    return request;
}

} // namespace

class TestStoreWindow : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { closeWindow(); }

    void itsLocksAreListedWithTheirQueues_data() { addStoreKinds(); }
    void itsLocksAreListedWithTheirQueues();
    void pagesOfMySqlSayWhyTheyAreEmpty_data() { addStoreKinds(); }
    void pagesOfMySqlSayWhyTheyAreEmpty();
    void aLockIsReleasedWithAReasonOnRecord_data() { addStoreKinds(); }
    void aLockIsReleasedWithAReasonOnRecord();
    void anotherProgramsHolderIsSaidToWorkOn();
    void afterItAnotherServerHasAllPagesAgain();
    void severalServersStandInOneList();
    void aServerThatFailsIsSaidCalmlyAndTheOthersGoOn();
    void nothingIsSaidToBeFreeOfAServerThatDoesNotAnswer();
    void whatAnotherServersListHadIsOfNoAge();
    void theWindowsOwnServerIsInTheListOnce();
    void rowsOfOthersAreNotSaidToBeOfTheServerThatFails();
    void consentIsForTheServersThatWereNamed();
    void consentOutlastsAnotherLook();
    void whoJoinsWhilePeopleAreAskedIsNotCovered();
    void furtherServersAreReadWithoutThePrivateOne();
    void whatTheListShowsIsRemembered();

private:
    int addServer(StoreKind kind);
    void open(StoreKind kind);
    bool select(const QByteArray &resource, int server = 0);
    QToolButton *modeButton() const;
    ReleaseDialog *askForRelease();

    StoreNodes m_nodes;
    ProgramKeeper m_programs{&m_nodes};
    QTemporaryDir m_home;
};

void TestStoreWindow::initTestCase()
{
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
    prepare();
    QStandardPaths::setTestModeEnabled(false); // else the record is not where XDG_DATA_HOME says
}

void TestStoreWindow::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    m_window->show();
}

void TestStoreWindow::open(StoreKind kind)
{
    const ServerProfile profile = m_window->chooser()->profileAt(m_nodes.url(kind));
    QVERIFY(profile.isStore());
    m_connection->setInterval(50ms);
    m_window->chooser()->open(profile); // nobody is asked for a password that it may not have
    QTRY_COMPARE_WITH_TIMEOUT(m_connection->status().phase, MonitorStatus::Phase::Live, kPatience);
}

int TestStoreWindow::addServer(StoreKind kind)
{
    const ServerProfile profile = m_window->chooser()->profileAt(m_nodes.url(kind));
    m_window->chooser()->addToList(profile);
    const auto &all = m_connection->further()->all();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto &each) { return each.second.profile.isAt(profile); });
    return found == all.end() ? 0 : found->first;
}

bool TestStoreWindow::select(const QByteArray &resource, int server)
{
    const LockKey key{LockKind::Lease, resource, 0, 0, server};
    const LocksPage *page = m_window->locksPage();
    if (!QTest::qWaitFor([&] { return page->model()->rowOf(key) >= 0; }, kPatience))
        return false;
    m_window->locksPage()->select(key);
    return page->inspector()->lock().has_value();
}

/// The one of the bar that says what may be changed.
QToolButton *TestStoreWindow::modeButton() const
{
    for (QToolButton *button : m_window->findChild<TopBar *>()->findChildren<QToolButton *>()) {
        if (button->text().contains(u"OPERATOR"_s) || button->text().contains(u"READ-ONLY"_s))
            return button;
    }
    return nullptr;
}

ReleaseDialog *TestStoreWindow::askForRelease()
{
    m_connection->startOperatorMode();
    m_window->locksPage()->releaseAction()->trigger();
    auto *dialog = m_window->findChild<ReleaseDialog *>();
    return dialog && QTest::qWaitFor([&] { return dialog->flow()->step() == ReleaseFlow::Step::Ready; }, kPatience)
        ? dialog
        : nullptr;
}

void TestStoreWindow::itsLocksAreListedWithTheirQueues()
{
    QFETCH(const StoreKind, kind);
    const auto engine = m_nodes.newEngine(kind);
    const auto other = m_nodes.newEngine(kind, u"shipping"_s);
    auto held = engine->acquire(requestFor("orders/42"));
    QCOMPARE(held.outcome, Outcome::Granted);
    AcquireResult next;
    std::jthread waiting([&] { next = other->acquire(requestFor("orders/42", 60s)); });
    open(kind);
    QVERIFY(select("orders/42"));
    const LockInspector *inspector = m_window->locksPage()->inspector();
    QTRY_VERIFY_WITH_TIMEOUT(inspector->hasQueue(), kPatience);
    const QString text = visibleText(inspector);
    QVERIFY2(text.contains(u"billing"_s) && text.contains(u"alive"_s) && text.contains(u"Queue (1)"_s),
             qPrintable(text));
    QVERIFY2(text.contains(kind == StoreKind::ZooKeeper ? u"ends with its session"_s : u"the lease ends in"_s),
             qPrintable(text));
    QVERIFY2(text.contains(u"What would release it"_s) && !text.contains(u"events"_s), qPrintable(text));
    const QString sent = inspector->findChild<QPlainTextEdit *>()->toPlainText();
    const int base = kind == StoreKind::ZooKeeper ? 16 : 10; // as its own tools write it
    QVERIFY2(sent.contains(QString::number(held.handle.token(), base)), qPrintable(sent));
    const QString title = m_connection->profile().storeTitle();
    QVERIFY2(m_window->statusLine()->text().contains(title), qPrintable(m_window->statusLine()->text()));
    held.handle.release();
    waiting.join();
    next.handle.release();
    QTRY_VERIFY_WITH_TIMEOUT(inspector->isGone(), kPatience);
}

void TestStoreWindow::pagesOfMySqlSayWhyTheyAreEmpty()
{
    QFETCH(const StoreKind, kind);
    open(kind);
    const QString sentence = m_connection->profile().storeTitle() + u" has locks with owners and queues"_s;
    m_connection->refresh();
    int number = 0;
    for (const QWidget *page :
         std::initializer_list<QWidget *>{m_window->waitsPage(), m_window->deadlocksPage(), m_window->latencyPage()}) {
        m_window->showPage(++number);
        const QString text = visibleText(page);
        QVERIFY2(text.contains(sentence), qPrintable(text));
    }
    m_window->showPage(++number);
    const QString lab = visibleText(m_window->labPage());
    QVERIFY2(lab.contains(u"Runs need a MySQL or MariaDB"_s), qPrintable(lab));
    QVERIFY(!m_connection->feed<WaitsFeed>() && !m_connection->feed<TablesFeed>());
}

void TestStoreWindow::aLockIsReleasedWithAReasonOnRecord()
{
    QFETCH(const StoreKind, kind);
    const auto engine = m_nodes.newEngine(kind);
    const auto other = m_nodes.newEngine(kind, u"shipping"_s);
    auto held = engine->acquire(requestFor("stuck"));
    QCOMPARE(held.outcome, Outcome::Granted);
    AcquireResult next;
    std::jthread waiting([&] { next = other->acquire(requestFor("stuck", 60s)); });
    open(kind);
    QVERIFY(select("stuck"));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->locksPage()->inspector()->hasQueue(), kPatience);
    QVERIFY(!m_window->locksPage()->releaseAction()->isEnabled()); // it opens read-only
    ReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    const QString words = visibleText(dialog);
    QVERIFY2(words.contains(u"until then it and shipping on"_s) && words.contains(u"may both work"_s),
             qPrintable(words));
    dialog->reasonEdit()->setText(u"night run hangs"_s);
    const QString sent = dialog->findChild<QPlainTextEdit *>()->toPlainText();
    const int base = kind == StoreKind::ZooKeeper ? 16 : 10; // as its own tools write it
    QVERIFY2(sent.contains(QString::number(held.handle.token(), base)), qPrintable(sent));
    QVERIFY(dialog->actButton()->isEnabled());
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->messageBar()->text().startsWith(u"Released stuck"_s), kPatience);
    waiting.join();
    QCOMPARE(next.outcome, Outcome::Granted);
    QTRY_VERIFY_WITH_TIMEOUT(!held.handle.isHeld(), kPatience);

    QFile record(AuditFile::defaultPath());
    QVERIFY(record.open(QIODevice::ReadOnly));
    QVERIFY(record.readAll().contains("night run hangs"));
    const EventTableModel *events = m_window->eventsPage()->model();
    QTRY_VERIFY_WITH_TIMEOUT(events->rowCount() > 0, kPatience); // at first as what was going to be done
    QTRY_COMPARE_WITH_TIMEOUT(events->index(0, EventTableModel::KindColumn).data().toString(), u"Force-released"_s,
                              kPatience);
}

/// Curator's is told of no release.
void TestStoreWindow::anotherProgramsHolderIsSaidToWorkOn()
{
    m_programs.node("/curators/_c_b3c4f0d0-cb4d-11f0-a4a9-acde48001122-lock-", "10.0.0.7",
                    ProgramKeeper::Node::EphemeralSequential);
    open(StoreKind::ZooKeeper);
    QVERIFY(select("curators"));
    ReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    const QString words = visibleText(dialog);
    QVERIFY2(words.contains(u"It is told nothing of this and works on"_s) && !words.contains(u"renewal"_s),
             qPrintable(words));
    dialog->reject();
    m_programs.endSession();
}

void TestStoreWindow::afterItAnotherServerHasAllPagesAgain()
{
    open(StoreKind::Redis);
    openSilentServer();
    QVERIFY(!m_connection->isStore() && m_connection->feed<WaitsFeed>() && m_connection->feed<TablesFeed>());
    m_window->showPage(1);
    const QString text = visibleText(m_window->waitsPage());
    QVERIFY2(!text.contains(u"Only for MySQL"_s), qPrintable(text));
}

void TestStoreWindow::severalServersStandInOneList()
{
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    const auto etcd = m_nodes.newEngine(StoreKind::Etcd);
    auto here = redis->acquire(requestFor("both"));
    auto there = etcd->acquire(requestFor("both"));
    open(StoreKind::Redis);
    const LocksPage *page = m_window->locksPage();
    const auto *bar = page->findChild<ServerBar *>();
    QVERIFY(bar && bar->isHidden());
    QVERIFY(page->view()->flatHeader()->isSectionHidden(LockTableModel::ServerColumn));
    const int number = addServer(StoreKind::Etcd);
    QVERIFY(!bar->isHidden());
    QCOMPARE(bar->findChildren<QToolButton *>().size(), 3); // one for each, and one to add another
    QVERIFY(select("both", number));
    QTRY_VERIFY_WITH_TIMEOUT(!page->view()->flatHeader()->isSectionHidden(LockTableModel::ServerColumn), kPatience);
    const int row = page->model()->rowOf({LockKind::Lease, "both", 0, 0, number});
    const QString name = page->model()->index(row, LockTableModel::ServerColumn).data().toString();
    QCOMPARE(name, m_connection->further()->names().value(number));
    const auto isNamed = [&name](const Finding &found) { return found.text.endsWith(name); };
    const QList<Finding> found = lockFindings(page->model()->items(), page->model()->serverNames(), {});
    QVERIFY(std::any_of(found.begin(), found.end(), isNamed) && !std::all_of(found.begin(), found.end(), isNamed));
    const QString text = visibleText(page->inspector());
    QVERIFY2(text.contains(u"Server"_s) && page->inspector()->lock()->token == there.handle.token(), qPrintable(text));

    m_connection->startOperatorMode();
    m_window->locksPage()->releaseAction()->trigger();
    auto *dialog = m_window->findChild<ReleaseDialog *>();
    QVERIFY(dialog);
    dialog->reasonEdit()->setText(u"test"_s);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!there.handle.isHeld(), kPatience);
    QVERIFY(here.handle.isHeld());
    const MessageBar *message = m_window->messageBar();
    QTRY_VERIFY_WITH_TIMEOUT(message->text().startsWith(u"Released both · "_s + name), kPatience);
    for (const QToolButton *button : message->findChildren<QToolButton *>()) // the events are of the own server
        QVERIFY2(!button->text().contains(u"Show"_s), qPrintable(button->text()));

    m_connection->further()->remove(number);
    QTRY_VERIFY_WITH_TIMEOUT(page->view()->flatHeader()->isSectionHidden(LockTableModel::ServerColumn), kPatience);
    QVERIFY(bar->isHidden());
}

void TestStoreWindow::aServerThatFailsIsSaidCalmlyAndTheOthersGoOn()
{
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    const auto etcd = m_nodes.newEngine(StoreKind::Etcd);
    auto kept = redis->acquire(requestFor("kept"));
    auto runs = etcd->acquire(requestFor("runs"));
    open(StoreKind::Etcd);
    const int number = addServer(StoreKind::Redis);
    const LockTableModel *model = m_window->locksPage()->model();
    const auto stale = [model](const QByteArray &resource, int server) {
        return model->index(model->rowOf({LockKind::Lease, resource, 0, 0, server}), 0).data(StaleRole).toBool();
    };
    QVERIFY(select("kept", number) && select("runs"));
    QVERIFY(!stale("kept", number));
    m_nodes.stop(StoreKind::Redis);
    QTRY_VERIFY_WITH_TIMEOUT(stale("kept", number), kPatience);
    QVERIFY(!stale("runs", 0));
    QCOMPARE(m_connection->status().phase, MonitorStatus::Phase::Live);
    QStringList texts;
    for (const QToolButton *button : m_window->locksPage()->findChild<ServerBar *>()->findChildren<QToolButton *>())
        texts += button->text();
    QVERIFY2(texts.join(u'\n').contains(u"no answer"_s), qPrintable(texts.join(u'\n')));
    QVERIFY(select("kept", number));
    QVERIFY(!m_window->locksPage()->releaseAction()->isEnabled());
    m_nodes.start(StoreKind::Redis);
    QTRY_VERIFY_WITH_TIMEOUT(!m_connection->further()->find(number)->status.isFailing(), kPatience);
}

void TestStoreWindow::nothingIsSaidToBeFreeOfAServerThatDoesNotAnswer()
{
    open(StoreKind::ZooKeeper);
    const LocksPage *page = m_window->locksPage();
    QTRY_VERIFY_WITH_TIMEOUT(visibleText(page).contains(u"Nothing is locked"_s), kPatience);
    FurtherServers *further = m_connection->further();
    const int number = further->add(ServerProfile::unnamedStore(u"redis:///0?socket=%2Fnowhere%2Fr"_s), {});
    QVERIFY2(visibleText(page).contains(u"No lock is known"_s), qPrintable(visibleText(page))); // it connects
    QTRY_VERIFY_WITH_TIMEOUT(further->find(number)->status.isFailing(), kPatience);
    const QString text = visibleText(page);
    QVERIFY2(text.contains(u"1 server of the list does not answer"_s) && !text.contains(u"Nothing is locked"_s),
             qPrintable(text));
    further->remove(number);
    QVERIFY(visibleText(page).contains(u"Nothing is locked"_s));
}

void TestStoreWindow::whatAnotherServersListHadIsOfNoAge()
{
    open(StoreKind::Etcd);
    const int number = addServer(StoreKind::Redis);
    const LiveClock *clock = m_connection->further()->find(number)->clock.get();
    QTRY_VERIFY_WITH_TIMEOUT(clock->isKnown(), kPatience);
    openSilentServer();
    QVERIFY(!clock->isKnown()); // its rows are gone with the list
}

void TestStoreWindow::theWindowsOwnServerIsInTheListOnce()
{
    const FurtherServers *further = m_connection->further();
    open(StoreKind::Etcd);
    QCOMPARE(addServer(StoreKind::Etcd), 0);
    QVERIFY2(m_window->messageBar()->text().contains(u"its locks are in the list"_s),
             qPrintable(m_window->messageBar()->text()));
    const int number = addServer(StoreKind::Redis);
    QVERIFY(number != 0);
    open(StoreKind::Redis);
    QVERIFY(further->isEmpty() && further->names().isEmpty());
    QVERIFY(m_window->locksPage()->findChild<ServerBar *>()->isHidden());
    QCOMPARE(further->addresses(), QStringList(m_connection->urlText())); // for the next window
    open(StoreKind::Etcd);
    QVERIFY(further->find(number));
    QTRY_COMPARE_WITH_TIMEOUT(further->find(number)->status.phase, MonitorStatus::Phase::Live, kPatience);
}

void TestStoreWindow::rowsOfOthersAreNotSaidToBeOfTheServerThatFails()
{
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    auto held = redis->acquire(requestFor("beside"));
    openSilentServer();
    QVERIFY(select("beside", addServer(StoreKind::Redis)));
    MonitorStatus status;
    status.phase = MonitorStatus::Phase::Failing;
    status.error = ServerConnection::noAnswer();
    Q_EMIT m_connection->feed<Monitor>()->statusChanged(status);
    const QString text = visibleText(m_window->locksPage());
    QVERIFY2(text.contains(status.error->message) && !text.contains(u"What is listed"_s), qPrintable(text));
}

void TestStoreWindow::consentIsForTheServersThatWereNamed()
{
    open(StoreKind::Etcd);
    m_connection->startOperatorMode();
    const int number = addServer(StoreKind::Redis);
    LockKey key;
    QVERIFY(m_connection->isOperatorOf(key));
    key.server = number;
    QVERIFY(!m_connection->isOperatorOf(key));
    const QString names = m_connection->further()->names().value(number);
    QToolButton *mode = modeButton();
    QVERIFY(mode);
    QVERIFY2(mode->text().startsWith(u"OPERATOR on 1 of 2"_s), qPrintable(mode->text()));
    QVERIFY2(mode->toolTip().contains(u"Nothing is changed on "_s + names), qPrintable(mode->toolTip()));
    const auto actions = m_window->findChildren<QAction *>();
    const auto action = std::find_if(actions.begin(), actions.end(),
                                     [](const QAction *each) { return each->text() == u"&Operator mode"_s; });
    QVERIFY(action != actions.end() && !(*action)->isChecked()); // it asks, for all of them
    QSignalSpy asked(m_window->findChild<TopBar *>(), &TopBar::operatorModeRequested);
    disconnect(m_window->findChild<TopBar *>(), &TopBar::operatorModeRequested, m_window.get(), nullptr);
    mode->click();
    QCOMPARE(asked.size(), 1);
    m_connection->startOperatorMode();
    QVERIFY(m_connection->isOperatorOf(key) && (*action)->isChecked());
    QVERIFY2(!mode->text().contains(u"of 2"_s) && mode->toolTip().contains(names), qPrintable(mode->text()));
    m_connection->endOperatorMode();
    QVERIFY(!m_connection->isOperatorOf(key));
}

void TestStoreWindow::consentOutlastsAnotherLook()
{
    open(StoreKind::Etcd);
    LockKey named;
    named.server = addServer(StoreKind::Redis);
    m_connection->startOperatorMode();
    LockKey later;
    later.server = addServer(StoreKind::ZooKeeper);
    m_connection->reopen(); // as for a window that was made anew
    QVERIFY(m_connection->isOperatorOf({}) && m_connection->isOperatorOf(named));
    QVERIFY(!m_connection->isOperatorOf(later));
}

void TestStoreWindow::whoJoinsWhilePeopleAreAskedIsNotCovered()
{
    open(StoreKind::Etcd);
    LockKey later;
    QTimer::singleShot(0, this, [this, &later] {
        auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        QVERIFY(box);
        later.server = addServer(StoreKind::Redis); // its password was on the way
        for (QAbstractButton *button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
        }
    });
    m_window->findChild<TopBar *>()->operatorModeRequested();
    QVERIFY(later.server != 0);
    QVERIFY(m_connection->isOperatorOf({}));
    QVERIFY(!m_connection->isOperatorOf(later));
}

void TestStoreWindow::furtherServersAreReadWithoutThePrivateOne()
{
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    const auto etcd = m_nodes.newEngine(StoreKind::Etcd);
    auto first = redis->acquire(requestFor("before"));
    auto second = etcd->acquire(requestFor("after"));
    const int before = addServer(StoreKind::Redis);
    const QTemporaryDir home;
    qputenv("LOCKSCOPE_SERVER_PROGRAM", "/bin/false");
    m_connection->open(ServerProfile::privateServer(home.filePath(u"server"_s)), {});
    QVERIFY(select("before", before));
    QTRY_COMPARE_WITH_TIMEOUT(m_connection->status().phase, MonitorStatus::Phase::Failing, kPatience);
    QVERIFY(select("after", addServer(StoreKind::Etcd)));
    QVERIFY(select("before", before));
    const QString text = visibleText(m_window->locksPage());
    QVERIFY2(text.contains(u"The private server did not start"_s) && !text.contains(u"What is listed"_s),
             qPrintable(text));
    ReleaseDialog *dialog = askForRelease();
    QVERIFY(dialog);
    dialog->reasonEdit()->setText(u"test"_s);
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!first.handle.isHeld(), kPatience);
    QVERIFY(second.handle.isHeld());

    qunsetenv("LOCKSCOPE_SERVER_PROGRAM");
    const PrivateProgram program;
    m_connection->refresh(); // as "Start it" does
    QTRY_COMPARE_WITH_TIMEOUT(m_connection->status().phase, MonitorStatus::Phase::Live, kPatience);
    const LocksPage *page = m_window->locksPage();
    QTRY_VERIFY_WITH_TIMEOUT(page->model()->rowCount() == 1 && m_connection->clock()->isKnown(), kPatience);
    m_connection->leavePrivateServer();
}

void TestStoreWindow::whatTheListShowsIsRemembered()
{
    open(StoreKind::Etcd);
    addServer(StoreKind::Redis);
    addServer(StoreKind::ZooKeeper);
    m_window->setRemembersState(true);
    m_window->saveState();
    closeWindow();
    makeWindow();
    m_window->restoreState();
    QTRY_COMPARE_WITH_TIMEOUT(m_connection->further()->all().size(), 2U, kPatience);
    open(StoreKind::Etcd); // whatever the window looks at
    const auto &all = m_connection->further()->all();
    QTRY_VERIFY_WITH_TIMEOUT(
        std::all_of(all.begin(), all.end(),
                    [](const auto &each) { return each.second.status.phase == MonitorStatus::Phase::Live; }),
        kPatience);
}

QTEST_MAIN(TestStoreWindow)
#include "tst_storewindow.moc"
