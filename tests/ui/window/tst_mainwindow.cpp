// SPDX-License-Identifier: MIT
// What the window does between its parts: consent that holds for one server only, answers that reach the person.
#include "incidentmaker.h"
#include "strict.h"
#include "ui/actions/killcontroller.h"
#include "ui/actions/killdialog.h"
#include "ui/actions/releasedialog.h"
#include "ui/actions/releaseflow.h"
#include "ui/alarms/alarmbar.h"
#include "ui/alarms/alarmdialog.h"
#include "ui/pages/events/eventspage.h"
#include "ui/pages/locks/lockending.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/waits/waitinspector.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/server/connectiondialog.h"
#include "ui/server/knownservers.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/livetreeview.h"
#include "ui/widgets/messagebar.h"
#include "ui/window/commandpalette.h"
#include "ui/window/statusline.h"
#include "windowtest.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtGui/QScreen>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kPatience = 30'000;

ServerProfile nowhere(const QString &name)
{
    ServerProfile profile;
    profile.name = name;
    profile.url.socket = u"/nonexistent/lockscope.sock"_s;
    return profile;
}

LockRow lease(const QByteArray &name, quint64 token)
{
    LockRow row;
    row.key.resource = name;
    row.token = token;
    row.state = LockState::Held;
    return row;
}

QAction *actionOf(const QWidget &window, const QString &text)
{
    for (QAction *action : window.findChildren<QAction *>()) {
        if (action->text().remove(u'&').startsWith(text))
            return action;
    }
    return nullptr;
}

QStringList textsOf(const QList<QAction *> &actions)
{
    QStringList texts;
    for (const QAction *action : actions)
        texts += action->text();
    return texts;
}

/// Of what a letter can reach.
QStringList textsOf(const QDialog &dialog)
{
    QStringList texts;
    for (const QAbstractButton *button : dialog.findChildren<QAbstractButton *>())
        texts += button->text();
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        if (label->buddy())
            texts += label->text();
    }
    return texts;
}

/// Those that are reached by a letter that reaches another one before.
QStringList withTakenLetters(const QStringList &texts)
{
    QStringList found;
    QSet<QKeySequence> taken;
    for (const QString &text : texts) {
        const QKeySequence letter = QKeySequence::mnemonic(text);
        if (taken.contains(letter))
            found += text;
        if (!letter.isEmpty())
            taken.insert(letter);
    }
    return found;
}

} // namespace

class TestMainWindow : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void operatorModeIsForTheServerThatWasAsked();
    void anotherLookKeepsOperatorModeAndItsEnd();
    void twoServersOfOneHostLookDifferent_data();
    void twoServersOfOneHostLookDifferent();
    void aReleaseIsForTheServerThatWasAsked();
    void anAnswerIsToldWhileAnotherDialogIsOpen();
    void anAnswerToTheOpenDialogIsToldThere();
    void aReleaseThatIsNotAnsweredIsTold_data();
    void aReleaseThatIsNotAnsweredIsTold();
    void aWindowThatEndsSessionsIsNotClosedAtOnce();
    void aWindowMadeAnewTakesOverThePause();
    void columnsAreAsTheyWereLeft();
    void anotherServersDataIsForgotten();
    void tablesThatCannotBeInstalledAreTold();
    void whatTheServerBeforeStillSaysIsNotHeard();
    void aLockWhoseSessionIsNotKnownShowsNobodysStatement();
    void aNewWindowFitsTheScreenWithItsFrame();
    void tabGoesFromTheFilterToTheList();
    void noTwoShareALetter();
    void anActionMayGoWhileThePaletteIsOpen_data();
    void anActionMayGoWhileThePaletteIsOpen();
    void anExportIsOfTheFormatThatWasChosen();

private:
    QString told() const { return m_window->messageBar()->text(); }
    QString exportAs(const QString &path, const QString &filter);
    void releaseSent(const LockRow &lock);
};

void TestMainWindow::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    m_connection->open(nowhere(u"shop-db"_s), {});
    m_window->show();
}

/// As far as a sent order without an answer.
void TestMainWindow::releaseSent(const LockRow &lock)
{
    m_connection->startOperatorMode();
    Q_EMIT m_window->locksPage()->ending()->releaseRequested(lock);
    auto *dialog = m_window->findChild<ReleaseDialog *>();
    ReleasePreview preview;
    preview.lock = lock;
    Q_EMIT m_connection->feed<Monitor>()->previewReady(lock.key, preview, std::nullopt);
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(dialog->actButton()->isEnabled());
    dialog->actButton()->click();
    QCOMPARE(dialog->flow()->step(), ReleaseFlow::Step::Acting);
}

void TestMainWindow::operatorModeIsForTheServerThatWasAsked()
{
    QAction *start = actionOf(*m_window, u"Operator mode"_s);
    QVERIFY(start);
    QTimer::singleShot(0, this, [this] {
        auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        QVERIFY(box);
        QVERIFY(box->text().contains(u"shop-db"_s));
        m_connection->open(nowhere(u"billing-db"_s), {}); // its password was on the way
        for (QAbstractButton *button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::AcceptRole && box->isVisible())
                button->click();
        }
    });
    start->trigger();
    QVERIFY(!m_connection->isOperator());
    QVERIFY(!start->isChecked());
}

void TestMainWindow::anotherLookKeepsOperatorModeAndItsEnd()
{
    m_connection->setOperatorTime(1h);
    m_connection->startOperatorMode();
    m_connection->setOperatorTime(2h);
    m_connection->reopen(); // as for a window that was made anew
    QVERIFY(m_connection->isOperator());
    QVERIFY(*m_connection->operatorTimeLeft() < 90min); // a timer of hours is a coarse one
    QVERIFY(actionOf(*m_window, u"Operator mode"_s)->isChecked());
    m_connection->open(nowhere(u"billing-db"_s), {});
    QVERIFY(!m_connection->isOperator());
    m_connection->reopen();
    QVERIFY(!m_connection->isOperator());
}

void TestMainWindow::twoServersOfOneHostLookDifferent_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("address");
    QTest::newRow("the usual port") << u"mysql://ops@127.0.0.1/lockscope"_s << u"127.0.0.1:3306"_s;
    QTest::newRow("another port") << u"mysql://ops@127.0.0.1:9/lockscope"_s << u"127.0.0.1:9"_s;
    QTest::newRow("an address with colons") << u"mysql://ops@[::1]:9/lockscope"_s << u"[::1]:9"_s;
    QTest::newRow("a socket") << u"mysql://ops@localhost/lockscope?socket=%2Fnowhere%2Fone"_s << u"/nowhere/one"_s;
}

void TestMainWindow::twoServersOfOneHostLookDifferent()
{
    QFETCH(QString, url);
    QFETCH(QString, address);
    ServerProfile profile;
    QString error;
    QVERIFY2(ServerUrl::parse(url, &profile.url, &error), qPrintable(error));
    QCOMPARE(ServerProfile::unnamed(profile.url).fullName(), address);
    profile.name = u"Shop"_s;
    m_connection->open(profile, {});
    const QString wanted = u"Shop (%1)"_s.arg(address);
    QCOMPARE(m_window->windowTitle(), wanted + u" – Lockscope"_s);
    const auto buttons = m_window->findChildren<QToolButton *>();
    QVERIFY(
        std::any_of(buttons.cbegin(), buttons.cend(), [&](const QToolButton *one) { return one->text() == wanted; }));
    Q_EMIT m_window->locksPage()->ending()->releaseRequested(lease("orders/42", 7));
    const auto labels = m_window->findChild<ReleaseDialog *>()->findChildren<QLabel *>();
    QVERIFY(
        std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *one) { return one->text().contains(wanted); }));
}

void TestMainWindow::aReleaseIsForTheServerThatWasAsked()
{
    Q_EMIT m_window->locksPage()->ending()->releaseRequested(lease("orders/42", 7));
    const auto *dialog = m_window->findChild<ReleaseDialog *>();
    QVERIFY(dialog->isVisible());
    m_connection->open(nowhere(u"billing-db"_s), {});
    QVERIFY(!dialog->isVisible());
}

void TestMainWindow::anAnswerIsToldWhileAnotherDialogIsOpen()
{
    releaseSent(lease("orders/42", 7));
    m_window->findChild<ReleaseDialog *>()->reject();
    QTRY_VERIFY(!m_window->findChild<ReleaseDialog *>());
    Q_EMIT m_window->locksPage()->ending()->releaseRequested(lease("orders/43", 8));
    ReleaseReport report;
    report.outcome = ReleaseReport::Outcome::TargetChanged;
    Q_EMIT m_connection->released({lease("orders/42", 7).key, 7, u"me"_s, u"stuck"_s}, report);
    QCOMPARE(told(), u"orders/42 changed hands. Nothing was done."_s);
}

void TestMainWindow::anAnswerToTheOpenDialogIsToldThere()
{
    releaseSent(lease("orders/42", 7));
    ReleaseReport report;
    report.outcome = ReleaseReport::Outcome::TargetChanged;
    Q_EMIT m_connection->released({lease("orders/42", 7).key, 7, u"me"_s, u"stuck"_s}, report);
    QVERIFY(told().isEmpty());
    QCOMPARE(m_window->findChild<ReleaseDialog *>()->flow()->step(), ReleaseFlow::Step::Gone);
}

void TestMainWindow::aReleaseThatIsNotAnsweredIsTold_data()
{
    QTest::addColumn<bool>("isClosed");
    QTest::addColumn<bool>("isAnswered");
    QTest::addColumn<QString>("sentence");
    const QString lost = u"Another server was opened while locks of shop-db (/nonexistent/lockscope.sock) were "_s
                         u"being released. Sent without an answer: orders/42."_s;
    QTest::newRow("its dialog is open") << false << false << lost;
    QTest::newRow("its dialog was closed") << true << false << lost;
    QTest::newRow("it is answered") << false << true << QString();
}

void TestMainWindow::aReleaseThatIsNotAnsweredIsTold()
{
    QFETCH(bool, isClosed);
    QFETCH(bool, isAnswered);
    QFETCH(QString, sentence);
    const LockRow lock = lease("orders/42", 7);
    releaseSent(lock);
    if (isClosed)
        m_window->findChild<ReleaseDialog *>()->reject();
    if (isAnswered)
        Q_EMIT m_connection->released({lock.key, lock.token, u"me"_s, u"stuck"_s}, {});
    m_connection->open(nowhere(u"billing-db"_s), {});
    QCOMPARE(told(), sentence);
}

void TestMainWindow::aWindowThatEndsSessionsIsNotClosedAtOnce()
{
    m_connection->startOperatorMode();
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(usual().done(), {});
    m_window->killController()->ask({34, 56});
    KillDialog *dialog = m_window->killController()->dialog();
    dialog->reasonEdit()->setText(u"stuck"_s);
    dialog->nameEdit()->setText(u"/nonexistent/lockscope.sock"_s);
    dialog->actButton()->click();
    dialog->reject();
    QVERIFY(m_window->killController()->isRunning());
    QVERIFY(!m_window->close());
    QVERIFY2(told().contains(u"still being ended"_s), qPrintable(told()));
    QVERIFY(m_window->close()); // who closes it again has read that
}

void TestMainWindow::aWindowMadeAnewTakesOverThePause()
{
    m_connection->setPaused(true);
    m_window = std::make_unique<MainWindow>(m_connection.get());
    m_window->setRemembersState(false);
    QAction *pause = actionOf(*m_window, u"Pause"_s);
    QVERIFY(pause->isChecked());
    pause->trigger();
    QVERIFY(!m_connection->isPaused());
}

void TestMainWindow::columnsAreAsTheyWereLeft()
{
    const auto headers = [this] {
        return QList<QHeaderView *>{m_window->locksPage()->view()->flatHeader(),
                                    m_window->waitsPage()->view()->flatHeader(),
                                    m_window->eventsPage()->view()->flatHeader()};
    };
    for (QHeaderView *header : headers())
        header->moveSection(2, 1);
    m_window->setRemembersState(true);
    m_window->close();
    m_window = std::make_unique<MainWindow>(m_connection.get());
    m_window->setRemembersState(false);
    m_window->restoreState();
    QSettings().clear();
    for (QHeaderView *header : headers())
        QCOMPARE(header->logicalIndex(1), 2);
}

void TestMainWindow::anotherServersDataIsForgotten()
{
    const QSignalSpy badge(m_window->locksPage(), &Page::badgeChanged);
    m_connection->clock()->sync({ServerTime(std::chrono::hours(500'000)), std::chrono::steady_clock::now()});
    QVERIFY(m_connection->clock()->isKnown());
    m_connection->open(nowhere(u"billing-db"_s), {});
    QVERIFY(!m_connection->clock()->isKnown());
    QVERIFY(!badge.isEmpty());
    QCOMPARE(badge.last()[0].toInt(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_connection->status().phase == MonitorStatus::Phase::Failing, kPatience);
    QVERIFY2(m_window->statusLine()->text().contains(u"no data yet"_s), qPrintable(m_window->statusLine()->text()));
    QStringList texts;
    for (const QLabel *label : m_window->locksPage()->findChild<EmptyState *>()->findChildren<QLabel *>())
        texts += label->text();
    QVERIFY2(texts.contains(u"Nothing can be shown yet"_s), qPrintable(texts.join(u'\n')));
}

void TestMainWindow::tablesThatCannotBeInstalledAreTold()
{
    LockError error;
    error.message = u"The user may not create tables."_s;
    Q_EMIT m_connection->feed<Monitor>()->tablesInstalled(error);
    QVERIFY2(told().contains(error.message), qPrintable(told()));
}

void TestMainWindow::whatTheServerBeforeStillSaysIsNotHeard()
{
    auto *before = m_connection->feed<Monitor>();
    m_connection->open(nowhere(u"billing-db"_s), {});
    Q_EMIT before->tablesInstalled(LockError());
    QVERIFY2(told().isEmpty(), qPrintable(told()));
    Q_EMIT m_connection->feed<Monitor>()->tablesInstalled(LockError());
    QVERIFY(!told().isEmpty());
}

void TestMainWindow::aLockWhoseSessionIsNotKnownShowsNobodysStatement()
{
    LockInspector *inspector = m_window->locksPage()->inspector();
    const auto details = [this, inspector](quint64 session, bool isKnown) {
        LockDetails told;
        told.key = {LockKind::User, "flyway", 0, session};
        told.lock.emplace();
        told.lock->key = told.key;
        if (isKnown) {
            told.holder.emplace();
            told.holder->user = u"stranger"_s;
            told.holder->statement = {Statement::Source::Running, "SELECT SLEEP(1)"};
        }
        inspector->setLock(told.lock);
        Q_EMIT m_connection->feed<Monitor>()->detailsUpdated(told);
        QStringList texts;
        for (const QLabel *label : inspector->findChildren<QLabel *>())
            texts += label->text();
        return texts.join(u'\n').remove(QChar(0x200b));
    };
    QVERIFY(details(34, true).contains(u"stranger"_s));
    const QString other = details(35, false);
    QVERIFY2(!other.contains(u"stranger"_s) && !other.contains(u"SLEEP"_s), qPrintable(other));
}

void TestMainWindow::aNewWindowFitsTheScreenWithItsFrame()
{
    const MainWindow window(m_connection.get());
    const QSize room = window.screen()->availableSize() - window.size();
    QVERIFY(room.width() >= 8 && room.height() >= 40);
}

void TestMainWindow::tabGoesFromTheFilterToTheList()
{
    struct Way
    {
        const QWidget *page;
        const QWidget *list;
        const QWidget *after;
    };
    const LocksPage *locks = m_window->locksPage();
    const WaitsPage *waits = m_window->waitsPage();
    const EventsPage *events = m_window->eventsPage();
    for (const Way &way : {Way{locks, locks->listWidget(), locks->inspector()},
                           Way{waits, waits->view(), waits->inspector()}, Way{events, events->view(), events}}) {
        const QWidget *at = way.page->findChild<FilterEdit *>();
        while (at != way.list && at != way.after)
            at = at->nextInFocusChain();
        QCOMPARE(at, way.list);
    }
}

void TestMainWindow::noTwoShareALetter()
{
    const QList<QAction *> menus = m_window->menuBar()->actions();
    QCOMPARE(withTakenLetters(textsOf(menus)), QStringList());
    for (const QAction *menu : menus)
        QCOMPARE(withTakenLetters(textsOf(menu->menu()->actions())), QStringList());
    KnownServers servers;
    QCOMPARE(withTakenLetters(textsOf(ConnectionDialog(m_connection.get(), &servers))), QStringList());
    QCOMPARE(withTakenLetters(textsOf(AlarmDialog(AlarmSettings()))), QStringList());
}

void TestMainWindow::anActionMayGoWhileThePaletteIsOpen_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("triggered");
    QTest::newRow("it is chosen") << QString() << 0;
    QTest::newRow("the list is made anew") << u"server"_s << 1;
}

void TestMainWindow::anActionMayGoWhileThePaletteIsOpen()
{
    QFETCH(QString, typed);
    QFETCH(int, triggered);
    auto gone = std::make_unique<QAction>(u"Server a"_s);
    QAction other(u"Server b"_s);
    const QSignalSpy chosen(&other, &QAction::triggered);
    BackgroundCalls calls;
    auto *palette = new CommandPalette(
        &calls, {gone.get(), &other}, [] { return QList<Finding>(); }, m_window.get());
    gone.reset(); // the menu of servers is filled anew
    auto *search = palette->findChild<QLineEdit *>();
    search->setText(typed);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(chosen.count(), triggered);
}

/// As a person does, who refuses what is asked besides; that is returned.
QString TestMainWindow::exportAs(const QString &path, const QString &filter)
{
    QString asked;
    QTimer answers;
    connect(&answers, &QTimer::timeout, this, [&] {
        QWidget *modal = QApplication::activeModalWidget();
        if (auto *dialog = qobject_cast<QFileDialog *>(modal)) {
            dialog->selectNameFilter(filter);
            dialog->findChild<QLineEdit *>(u"fileNameEdit"_s)->setText(path);
            static_cast<QDialog *>(dialog)->accept();
        } else if (auto *box = qobject_cast<QMessageBox *>(modal)) {
            asked = box->text();
            box->reject();
        }
    });
    m_window->clearMessage();
    answers.start(0);
    actionOf(*m_window, u"Export"_s)->trigger();
    if (!QTest::qWaitFor([&] { return !asked.isEmpty() || !told().isEmpty(); }))
        qWarning("nothing came of it");
    return asked;
}

void TestMainWindow::anExportIsOfTheFormatThatWasChosen()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"mine.png"_s));
    m_window->showPage(4);
    QCOMPARE(exportAs(folder.filePath(u"mine"_s), u"PNG (*.png)"_s), QString());
    QVERIFY2(file.exists(), qPrintable(told()));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("notes") > 0);
    file.close();
    QCOMPARE(exportAs(folder.filePath(u"mine"_s), u"PNG (*.png)"_s), u"Replace mine.png?"_s);
    QCOMPARE(file.size(), 5);
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
