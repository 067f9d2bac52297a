// SPDX-License-Identifier: MIT
// The page of deadlocks, with texts that servers really printed.
#include "deadlocks/deadlockreport.h"
#include "strict.h"
#include "ui/pages/deadlocks/deadlockinspector.h"
#include "ui/pages/deadlocks/deadlocklistmodel.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/deadlocks/deadlocktext.h"
#include "ui/pages/deadlocks/deadlockview.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/messagebar.h"
#include "visibletext.h"
#include "windowtest.h"

#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QPlainTextEdit>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPageNumber = 2;

DeadlockNews newsOf(const QString &name)
{
    QFile file(QStringLiteral(LOCKSCOPE_RAW "/") + name + u".txt"_s);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qUtf8Printable(file.fileName()));
    return {.latest = latestDeadlock(file.readAll())};
}

/// `count` transactions of which each waits for the next.
Deadlock ringOf(int count)
{
    Deadlock deadlock;
    deadlock.at = u"2026-11-26 01:00:00"_s;
    for (int i = 1; i <= count; ++i) {
        PrintedLock held{.transaction = quint64(i), .session = quint64(i), .schema = u"shop"_s, .table = u"orders"_s};
        held.index = u"PRIMARY"_s;
        held.mode = u"X,REC_NOT_GAP"_s;
        held.fields = {QByteArray("a key that is long enough to be cut")};
        held.place = QString::number(i);
        PrintedLock wanted = held;
        wanted.place = QString::number(i % count + 1);
        deadlock.sides += DeadlockSide{
            .number = i, .transaction = quint64(i), .session = quint64(i), .holds = {held}, .waitsFor = {wanted}};
    }
    deadlock.victim = 1;
    return deadlock;
}

} // namespace

class TestDeadlocksPage : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void theListKeepsEveryRuleOfModelsUnderRandomChange();
    void theLatestIsShownInFull();
    void whatIsSelectedStaysSelectedWhileItCounts();
    void aCutTextIsMarked();
    void whoHeldWhatMayNotBePrinted();
    void whatIsNotCapturedIsSaid_data();
    void whatIsNotCapturedIsSaid();
    void withoutThePrivilegeThePageSaysWhatToDo();
    void aServerThatIsGoneLeavesWhatWasSeen();
    void newOnesAreCountedBesideThePagesName();
    void theSameServerOnceMoreKeepsWhatWasSeen();
    void theKeysDoWhatTheyDoElsewhere();
    void nothingInThePictureLiesOnAnotherThing_data();
    void nothingInThePictureLiesOnAnotherThing();
    void thePictureIsSavedWithItsWords();

private:
    void tell(const DeadlockNews &news);
    EmptyState *emptyState() const { return m_page->findChild<EmptyState *>(); }

    DeadlocksPage *m_page = nullptr;
    DeadlockInbox m_inbox;
};

void TestDeadlocksPage::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    openSilentServer();
    m_page = m_window->deadlocksPage();
    m_inbox = DeadlockInbox();
    m_window->showPage(kPageNumber);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QVERIFY(m_page->isVisible());
}

void TestDeadlocksPage::tell(const DeadlockNews &news)
{
    m_inbox.take(news);
    Q_EMIT m_connection->feed<WaitsFeed>()->deadlocksRead(std::make_shared<const DeadlockInbox>(m_inbox));
}

void TestDeadlocksPage::theListKeepsEveryRuleOfModelsUnderRandomChange()
{
    DeadlockListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QRandomGenerator random(7);
    DeadlockInbox inbox;
    DeadlockNews news = newsOf(u"mysql-two"_s);
    for (int round = 0; round < 300; ++round) {
        news.latest->sides[0].statement = u"delete from t%1"_s.arg(random.bounded(20));
        news.latest->text += ' ';
        inbox.take(news);
        model.setInbox(std::make_shared<const DeadlockInbox>(inbox));
        QCOMPARE(model.rowCount(), int(inbox.shapes().size()));
    }
    quint64 seen = 0;
    for (const DeadlockShape &row : model.rows())
        seen += row.count;
    QCOMPARE(seen, quint64(300));
    model.setInbox({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(resets.count(), 0);
}

void TestDeadlocksPage::theLatestIsShownInFull()
{
    tell(newsOf(u"mysql-two"_s));
    const QString said = visibleText(m_page->inspector());
    for (const QString &part :
         {u"They locked the same rows in different orders."_s, u"Lock them in one order everywhere"_s,
          u"Once, at 2026-11-26 01:22:39"_s, u"Transaction 2, session 10, rolled back"_s,
          u"waits for shop.orders PRIMARY 0x80000001 (exclusive, record)"_s})
        QVERIFY2(QString(said).remove(QChar(0x200b)).contains(part), qPrintable(part + u'\n' + said));
    QVERIFY(
        m_page->inspector()->findChild<QPlainTextEdit *>()->toPlainText().contains("*** (1) HOLDS THE LOCK(S):"_L1));
    QVERIFY(!m_page->picture()->drawing().isEmpty());
    QVERIFY(
        m_page->picture()->accessibleDescription().contains("Transaction 1 waits for transaction 2: shop.orders"_L1));
    m_page->copyAction()->trigger();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.contains("They locked the same rows"_L1));
    QVERIFY(copied.endsWith(QString::fromUtf8(m_inbox.shapes().first().latest.text)));
}

void TestDeadlocksPage::whatIsSelectedStaysSelectedWhileItCounts()
{
    tell(newsOf(u"mysql-two"_s));
    tell(newsOf(u"mysql-three"_s));
    QCOMPARE(m_page->model()->rowCount(), 2);
    const auto shown = [this] { return m_page->inspector()->shape()->latest; };
    QCOMPARE(shown().sides.size(), 2); // it was first, and somebody may read it
    QCOMPARE(m_page->view()->currentIndex().row(), 1);
    DeadlockNews again = newsOf(u"mysql-two"_s);
    again.latest->at = u"2026-11-26 03:00:00"_s;
    again.latest->text += ' ';
    tell(again);
    QCOMPARE(shown().at, u"2026-11-26 03:00:00"_s);
    QCOMPARE(m_page->view()->currentIndex().row(), 0);
    QCOMPARE(m_page->view()->selectionModel()->selectedRows().size(), 1);
    QVERIFY(visibleText(m_page->inspector()).contains("2 times"_L1));
}

void TestDeadlocksPage::aCutTextIsMarked()
{
    DeadlockNews news = newsOf(u"mysql-two"_s);
    news.latest->isCut = true;
    news.latest->sides[0].isStatementCut = true;
    tell(news);
    const QString said = visibleText(m_page->inspector());
    QVERIFY(said.contains("The server's text has no end"_L1));
    QVERIFY(QString(said).remove(QChar(0x200b)).contains("(cut by the server)"_L1));
}

/// As of a MariaDB whose innodb_deadlock_report is basic.
void TestDeadlocksPage::whoHeldWhatMayNotBePrinted()
{
    DeadlockNews news = newsOf(u"mariadb-two"_s);
    for (DeadlockSide &side : news.latest->sides)
        side.holds.clear();
    tell(news);
    QVERIFY(visibleText(m_page->inspector()).contains("when innodb_deadlock_report is full"_L1));
    const DeadlockDrawing &drawing = m_page->picture()->drawing();
    QVERIFY(!drawing.boxOf(1).isEmpty() && !drawing.boxOf(2).isEmpty());
    QVERIFY(drawing.labels().isEmpty());
}

void TestDeadlocksPage::whatIsNotCapturedIsSaid_data()
{
    QTest::addColumn<DeadlockNews>("before");
    QTest::addColumn<DeadlockNews>("news");
    QTest::addColumn<QString>("said");
    QTest::newRow("nothing") << DeadlockNews() << DeadlockNews() << QString();
    QTest::newRow("before") << DeadlockNews{.notCaptured = 12} << DeadlockNews()
                            << u"12 not captured before this window looked."_s;
    QTest::newRow("between two looks") << DeadlockNews() << DeadlockNews{.notCaptured = 1'204}
                                       << u"1,204 not captured: they came between two looks, and the server keeps the "
                                          "text of the latest alone."_s;
    QTest::newRow("nobody counts") << DeadlockNews() << DeadlockNews{.notCaptured = std::nullopt}
                                   << u"How many there were is not known: the server's counter (innodb_metrics, "
                                      "lock_deadlocks) is off."_s;
    QTest::newRow("a restart")
        << DeadlockNews() << DeadlockNews{.isRestarted = true}
        << u"The server was started anew meanwhile and has forgotten those that are kept here."_s;
}

void TestDeadlocksPage::whatIsNotCapturedIsSaid()
{
    QFETCH(DeadlockNews, before);
    QFETCH(DeadlockNews, news);
    tell(before);
    tell(news);
    QTEST(m_page->missing(), "said");
    QCOMPARE(visibleText(m_page).contains(m_page->missing()), true);
}

void TestDeadlocksPage::withoutThePrivilegeThePageSaysWhatToDo()
{
    Capabilities capabilities;
    capabilities.account = u"'ops'@'10.0.%'"_s;
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(std::make_shared<ServerWaits>(), capabilities);
    LockError error;
    error.kind = LockError::Kind::NoPermission;
    Q_EMIT m_connection->feed<WaitsFeed>()->deadlocksFailed(error);
    QVERIFY(visibleText(emptyState()).contains("GRANT PROCESS ON *.* TO 'ops'@'10.0.%'"_L1));
    tell({});
    QVERIFY(visibleText(emptyState()).contains("No deadlock was seen"_L1));
}

void TestDeadlocksPage::aServerThatIsGoneLeavesWhatWasSeen()
{
    QVERIFY(visibleText(emptyState()).contains("Looking for deadlocks"_L1));
    tell(newsOf(u"mysql-two"_s));
    LockError error;
    error.message = u"Nobody answers."_s;
    Q_EMIT m_connection->feed<WaitsFeed>()->failed(error);
    QVERIFY(visibleText(m_page).contains("Nobody answers."_L1));
    QVERIFY(m_page->poll()->isFailing);
    QVERIFY(m_page->view()->isVisible());
    Q_EMIT m_connection->feed<WaitsFeed>()->updated(std::make_shared<ServerWaits>(), {});
    QVERIFY(!visibleText(m_page).contains("Nobody answers."_L1));
    QVERIFY(!m_page->poll()->isFailing);
    QCOMPARE(m_page->model()->rowCount(), 1);
    m_silent.close();
    openSilentServer();
    QCOMPARE(m_page->model()->rowCount(), 0); // another server
}

void TestDeadlocksPage::newOnesAreCountedBesideThePagesName()
{
    m_window->showPage(0);
    QSignalSpy badge(m_page, &Page::badgeChanged);
    const auto count = [&] { return badge.last().first().toInt(); };
    tell(newsOf(u"mysql-three"_s)); // was there before
    QCOMPARE(count(), 0);
    tell(newsOf(u"mysql-two"_s));
    tell(newsOf(u"mariadb-two"_s)); // the same shape
    QCOMPARE(count(), 2);
    QVERIFY(badge.last().last().toString().startsWith("2 new deadlock"_L1));
    DeadlockNews ofRun = newsOf(u"mysql-two"_s);
    for (DeadlockSide &side : ofRun.latest->sides) {
        for (QList<PrintedLock> *locks : {&side.holds, &side.waitsFor}) {
            for (PrintedLock &lock : *locks)
                lock.schema = u"lockscope_lesson_0123456789abcdef"_s;
        }
    }
    tell(ofRun);
    QCOMPARE(count(), 2);
    QCOMPARE(m_page->model()->rowCount(), 3);
    m_window->showPage(kPageNumber);
    QCOMPARE(count(), 0);
    tell(newsOf(u"mysql-insert"_s)); // is seen as it comes
    QCOMPARE(count(), 0);
}

void TestDeadlocksPage::theSameServerOnceMoreKeepsWhatWasSeen()
{
    tell(newsOf(u"mysql-two"_s));
    tell(newsOf(u"mysql-three"_s));
    m_connection->reopen();
    QCOMPARE(m_page->model()->rowCount(), 2);
    QVERIFY(m_page->inspector()->shape());
}

void TestDeadlocksPage::theKeysDoWhatTheyDoElsewhere()
{
    tell(newsOf(u"mysql-two"_s));
    tell(newsOf(u"mariadb-three"_s));
    m_window->showPage(0);
    QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
    QVERIFY(m_page->isVisible());
    m_page->view()->setFocus();
    QTest::keyClick(m_page->view(), Qt::Key_Home);
    const quint64 first = m_page->inspector()->shape()->latest.sides[0].session;
    QTest::keyClick(m_page->view(), Qt::Key_Down);
    QVERIFY(m_page->inspector()->shape()->latest.sides[0].session != first);
    QTest::keyClick(m_page->view(), Qt::Key_Return);
    QVERIFY(!m_page->inspector()->isVisible());
    QTest::keyClick(m_page->view(), Qt::Key_Return);
    QVERIFY(m_page->inspector()->isVisible());
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(m_page->view(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().contains("TRANSACTION"_L1));
    QTest::keyClick(m_window.get(), Qt::Key_Slash);
    QTest::keyClicks(m_window->focusWidget(), u"no such table"_s);
    QVERIFY(visibleText(emptyState()).contains("No deadlock matches"_L1));
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
    QVERIFY(m_page->view()->isVisible());
    QTest::keyClick(m_page->view(), Qt::Key_End);
    QTest::keyClick(m_page->view(), Qt::Key_Escape);
    QVERIFY(!m_page->inspector()->shape());
}

void TestDeadlocksPage::nothingInThePictureLiesOnAnotherThing_data()
{
    QTest::addColumn<int>("sides");
    for (const int sides : {1, 2, 3, 4, 5, 6, 8, 12, 40})
        QTest::addRow("%d", sides) << sides;
}

void TestDeadlocksPage::nothingInThePictureLiesOnAnotherThing()
{
    QFETCH(int, sides);
    const DeadlockDrawing drawing(ringOf(sides), m_page->font());
    QList<QRectF> rects = drawing.labels();
    for (int side = 1; side <= sides; ++side) {
        if (const QRectF box = drawing.boxOf(side); !box.isEmpty())
            rects += box;
    }
    const int drawn = std::min(sides, DeadlockDrawing::MaxSides);
    QCOMPARE(rects.size(), qsizetype(sides == 1 ? 1 : sides > drawn ? 2 * drawn - 1 : 2 * drawn));
    const QRectF all(QPointF(), drawing.size());
    for (qsizetype i = 0; i < rects.size(); ++i) {
        QVERIFY(all.contains(rects[i]));
        for (qsizetype j = 0; j < i; ++j)
            QVERIFY2(!rects[i].intersects(rects[j]), qPrintable(u"%1 and %2"_s.arg(i).arg(j)));
    }
}

void TestDeadlocksPage::thePictureIsSavedWithItsWords()
{
    QCOMPARE(m_page->exportFormats(), QStringList{u"csv"_s});
    tell(newsOf(u"mysql-two"_s));
    QVERIFY(m_page->exportFormats().contains(u"svg"_s));
    const QByteArray svg = m_page->exported(u"svg"_s);
    QVERIFY(svg.contains("<title>Transaction 1 waits for transaction 2"));
    QVERIFY(!QImage::fromData(m_page->exported(u"png"_s)).isNull());
    const QByteArray csv = m_page->exported(u"csv"_s);
    QVERIFY2(csv.contains("\"2026-11-26 01:22:39\",\"1\",\"shop.orders\",\"Different orders\""), csv.constData());
}

QTEST_MAIN(TestDeadlocksPage)
#include "tst_deadlockspage.moc"
