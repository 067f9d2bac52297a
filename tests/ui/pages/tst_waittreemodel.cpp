// SPDX-License-Identifier: MIT
// The tree of who blocks whom: its words, and that selection, expansion and place outlive every change.
#include "strict.h"
#include "ui/pages/waits/waitcsv.h"
#include "ui/pages/waits/waitfacts.h"
#include "ui/pages/waits/waittext.h"
#include "ui/pages/waits/waittreemodel.h"
#include "ui/style/appearance.h"
#include "ui/style/statemark.h"
#include "ui/widgets/livetreeview.h"
#include "ui/widgets/roles.h"
#include "waitsmaker.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QScrollBar>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

using Kind = WaitKey::Kind;

namespace {

WaitKey session(quint64 id)
{
    return {Kind::Session, id};
}

WaitPicturePtr picture(const WaitsMaker &maker)
{
    return WaitPicture::of(maker.done());
}

} // namespace

class TestWaitTreeModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init();

    void theWorstBlockerComesFirst();
    void aRootTellsHowManyItFrees_data();
    void aRootTellsHowManyItFrees();
    void aWaiterTellsWhatItWaitsFor();
    void statesAreToldInWords_data();
    void statesAreToldInWords();
    void anIdleBlockerCannotBeMissed();
    void aPreparedTransactionRunsNoStatement();
    void statementsSayWhyTheyAreNotThere_data();
    void statementsSayWhyTheyAreNotThere();
    void aRingIsARowOfItsOwn();
    void siblingsPastFiftyAreOneRow();
    void aHiddenSessionIsRevealed();
    void aSessionKeepsItsIndexWhereverItMoves();
    void anUnchangedTreeMovesNothing();
    void aGoneSessionIsSelectedNoMore();
    void newRootsComeExpandedAndFoldedOnesStayFolded();
    void theReadersPlaceStays();
    void theFilterKeepsTheWayToWhatMatches();
    void anyHistoryKeepsTheModelSound();
    void equalWaitersAreOneRow();
    void hostileNamesAreMadeVisible();
    void theExportNamesEachSessionOnce();

private:
    QString text(const WaitKey &key, int column) const
    {
        return m_model->indexOf(key).siblingAtColumn(column).data().toString();
    }
    void makeView();

    LiveClock m_clock;
    std::unique_ptr<LiveTreeView> m_view;
    std::unique_ptr<WaitTreeModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void TestWaitTreeModel::init()
{
    failOnWarnings();
    m_view.reset();
    m_tester.reset();
    m_clock.setFrozen(true);
    m_clock.sync(WaitsMaker().waits().clock);
    m_model = std::make_unique<WaitTreeModel>(&m_clock);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get());
}

void TestWaitTreeModel::makeView()
{
    m_view = std::make_unique<LiveTreeView>();
    m_view->setModel(m_model.get());
    m_view->resize(900, 300);
    connect(m_model.get(), &WaitTreeModel::aboutToApply, m_view.get(), &LiveTreeView::keepPlace);
    connect(m_model.get(), &WaitTreeModel::applied, m_view.get(), [this](const QModelIndexList &fresh) {
        for (const QModelIndex &index : fresh)
            m_view->expand(index);
        m_view->restorePlace();
    });
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

void TestWaitTreeModel::theWorstBlockerComesFirst()
{
    WaitsMaker maker;
    maker.wait(11, 10);
    maker.queue(20, 21, 3, "7");
    m_model->setPicture(picture(maker));
    QCOMPARE(m_model->rowCount(), 2);
    QCOMPARE(m_model->keyAt(m_model->index(0, 0)), session(20));
    QCOMPARE(m_model->keyAt(m_model->index(1, 0)), session(10));
    QCOMPARE(m_model->rowCount(m_model->index(0, 0)), 3);
    QCOMPARE(m_model->index(0, 0).data().toString(), u"20 · app20@web-1"_s);
    m_model->setPicture({});
    QCOMPARE(m_model->rowCount(), 0);
}

void TestWaitTreeModel::aRootTellsHowManyItFrees_data()
{
    QTest::addColumn<int>("waiters");
    QTest::addColumn<QString>("text");
    QTest::newRow("one") << 1 << u"frees 1 waiter, 1.0 s of waiting"_s;
    QTest::newRow("three") << 3 << u"frees 1 at once, up to 2 later, 6.0 s of waiting"_s;
}

void TestWaitTreeModel::aRootTellsHowManyItFrees()
{
    QFETCH(int, waiters);
    QFETCH(QString, text);
    WaitsMaker maker;
    maker.queue(1, 2, waiters);
    m_model->setPicture(picture(maker));
    QCOMPARE(this->text(session(1), WaitTreeModel::FreesColumn), text);
    if (waiters > 1)
        QCOMPARE(this->text(session(2), WaitTreeModel::FreesColumn), u"%1 queue behind it"_s.arg(waiters - 1));
}

void TestWaitTreeModel::aWaiterTellsWhatItWaitsFor()
{
    WaitsMaker maker;
    maker.wait(2, 1);
    maker.wait(4, 3).isInferred = true;
    maker.lose(9);
    m_model->setPicture(picture(maker));
    QCOMPARE(text(session(1), WaitTreeModel::LockColumn), u"holds shop.stock PRIMARY (5)"_s);
    QCOMPARE(text(session(2), WaitTreeModel::LockColumn), u"shop.stock PRIMARY (5), X,REC_NOT_GAP"_s);
    QCOMPARE(text(session(2), WaitTreeModel::RowsColumn), u"3 / 1"_s);
    QCOMPARE(text(session(4), WaitTreeModel::LockColumn), u"inferred: shop.stock PRIMARY (5), X,REC_NOT_GAP"_s);
    QVERIFY(text(session(9), WaitTreeModel::LockColumn).startsWith(u"a metadata lock that the server does not name"_s));
    QCOMPARE(text(session(9), WaitTreeModel::StateColumn), u"Waiting"_s);
}

void TestWaitTreeModel::statesAreToldInWords_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("transaction");
    QTest::addColumn<QString>("state");
    QTest::newRow("running") << u"Query"_s << u"RUNNING"_s << u"Running"_s;
    QTest::newRow("idle in transaction") << u"Sleep"_s << u"RUNNING"_s << u"Idle in transaction"_s;
    QTest::newRow("idle") << u"Sleep"_s << QString() << u"Idle"_s;
    QTest::newRow("rolling back") << u"Killed"_s << u"ROLLING BACK"_s << u"Rolling back"_s;
}

void TestWaitTreeModel::statesAreToldInWords()
{
    QFETCH(QString, command);
    QFETCH(QString, transaction);
    QFETCH(QString, state);
    WaitsMaker maker;
    ServerSession &blocker = maker.session(1);
    blocker.command = command;
    if (transaction.isEmpty())
        blocker.transaction.reset();
    else
        blocker.transaction->state = transaction;
    maker.wait(2, 1);
    m_model->setPicture(picture(maker));
    QCOMPARE(text(session(1), WaitTreeModel::StateColumn), state);
}

void TestWaitTreeModel::anIdleBlockerCannotBeMissed()
{
    WaitsMaker maker;
    maker.idle(1);
    maker.wait(2, 1);
    m_model->setPicture(picture(maker));
    const QModelIndex state = m_model->indexOf(session(1)).siblingAtColumn(WaitTreeModel::StateColumn);
    QCOMPARE(state.data(MarkRole).toInt(), int(Mark::Idle));
    QVERIFY(state.data(Qt::FontRole).value<QFont>().bold());
    QCOMPARE(m_model->indexOf(session(1)).data(MarkRole).toInt(), int(Mark::Idle));
    QVERIFY(!m_model->indexOf(session(2)).siblingAtColumn(WaitTreeModel::StateColumn).data(Qt::FontRole).isValid());
    QCOMPARE(m_model->indexOf(session(2)).data(MarkRole).toInt(), int(Mark::Waiting));
}

void TestWaitTreeModel::aPreparedTransactionRunsNoStatement()
{
    WaitsMaker maker;
    maker.prepare(421, {{1, "x1", {}}});
    const quint64 number = preparedNumber(421);
    maker.wait(12, number);
    maker.waits().sessions.remove(number);
    m_clock.sync(maker.waits().clock);
    m_model->setPicture(picture(maker));
    const QModelIndex root = m_model->index(0, 0);
    QCOMPARE(root.siblingAtColumn(WaitTreeModel::AgeColumn).data().toString(), u"open 3 min"_s);
    QCOMPARE(root.siblingAtColumn(WaitTreeModel::RowsColumn).data().toString(), u"4 / 2"_s);
    const ServerTime now = maker.waits().clock.server;
    QCOMPARE(WaitText::stateAndAge(*picture(maker), number, now), u"Prepared (XA) · open 3 min"_s);
}

void TestWaitTreeModel::statementsSayWhyTheyAreNotThere_data()
{
    QTest::addColumn<Statement::Source>("source");
    QTest::addColumn<QString>("text");
    QTest::newRow("running") << Statement::Source::Running << u"SELECT 1 FROM t"_s;
    QTest::newRow("last") << Statement::Source::Last << u"last: SELECT 1 FROM t"_s;
    QTest::newRow("none") << Statement::Source::None << u"none so far"_s;
    QTest::newRow("not read") << Statement::Source::NotAsked << u"not read"_s;
    QTest::newRow("not kept") << Statement::Source::NotInstrumented << u"not instrumented"_s;
    QTest::newRow("not allowed") << Statement::Source::NotAllowed << u"hidden from this user"_s;
}

void TestWaitTreeModel::statementsSayWhyTheyAreNotThere()
{
    QFETCH(Statement::Source, source);
    QFETCH(QString, text);
    WaitsMaker maker;
    maker.session(1).statement = {source, "SELECT 1\n  FROM t"};
    maker.wait(2, 1);
    m_model->setPicture(picture(maker));
    QCOMPARE(this->text(session(1), WaitTreeModel::StatementColumn), text);
}

void TestWaitTreeModel::aRingIsARowOfItsOwn()
{
    WaitsMaker maker;
    maker.wait(5, 6, "a");
    maker.wait(6, 7, "b");
    maker.wait(7, 5, "c");
    m_model->setPicture(picture(maker));
    QCOMPARE(m_model->rowCount(), 1);
    const QModelIndex ring = m_model->index(0, 0);
    QCOMPARE(m_model->keyAt(ring), (WaitKey{Kind::Ring, 5}));
    QCOMPARE(ring.data().toString(), u"Ring of 3 sessions"_s);
    QCOMPARE(ring.data(MarkRole).toInt(), int(Mark::Violation));
    QCOMPARE(m_model->rowCount(ring), 3);
}

void TestWaitTreeModel::siblingsPastFiftyAreOneRow()
{
    WaitsMaker maker;
    maker.queue(1, 100, 60);
    m_model->setPicture(picture(maker));
    const QPersistentModelIndex root = m_model->index(0, 0);
    QCOMPARE(m_model->rowCount(root), 51);
    const QModelIndex more = m_model->index(50, 0, root);
    QCOMPARE(more.data().toString(), u"+10 more"_s);
    m_model->open(m_model->keyAt(more));
    QCOMPARE(m_model->rowCount(root), 60);
    m_model->setPicture(picture(maker));
    QCOMPARE(m_model->rowCount(root), 60); // stays open
    m_model->setPicture({});
    m_model->setPicture(picture(maker));
    QCOMPARE(m_model->rowCount(m_model->index(0, 0)), 51); // another server
}

void TestWaitTreeModel::aHiddenSessionIsRevealed()
{
    WaitsMaker maker;
    maker.queue(1, 100, 60);
    m_model->setPicture(picture(maker));
    QVERIFY(!m_model->indexOf(session(159)).isValid());
    const QModelIndex found = m_model->reveal(159);
    QCOMPARE(m_model->keyAt(found), session(159));
    QVERIFY(!m_model->reveal(4711).isValid());
}

void TestWaitTreeModel::aSessionKeepsItsIndexWhereverItMoves()
{
    WaitsMaker before;
    before.queue(1, 2, 3);
    m_model->setPicture(picture(before));
    QPersistentModelIndex moved = m_model->indexOf(session(3)).siblingAtColumn(WaitTreeModel::StateColumn);
    const QPersistentModelIndex gone = m_model->indexOf(session(1));
    QSignalSpy resets(m_model.get(), &QAbstractItemModel::modelReset);
    WaitsMaker after; // 1 ended, 2 got the lock
    after.queue(2, 3, 2);
    m_model->setPicture(picture(after));
    QVERIFY(!gone.isValid());
    QVERIFY(moved.isValid());
    QCOMPARE(m_model->keyAt(moved), session(3));
    QCOMPARE(moved.column(), int(WaitTreeModel::StateColumn));
    QCOMPARE(m_model->keyAt(moved.parent()), session(2));
    QVERIFY(resets.isEmpty());
}

void TestWaitTreeModel::anUnchangedTreeMovesNothing()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    m_model->setPicture(picture(maker));
    QSignalSpy layouts(m_model.get(), &QAbstractItemModel::layoutChanged);
    QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);
    maker.session(1).command = u"Sleep"_s;
    m_model->setPicture(picture(maker));
    QVERIFY(layouts.isEmpty());
    QVERIFY(!changes.isEmpty());
    QCOMPARE(text(session(1), WaitTreeModel::StateColumn), u"Idle in transaction"_s);
}

void TestWaitTreeModel::aGoneSessionIsSelectedNoMore()
{
    WaitsMaker before;
    before.queue(1, 2, 3);
    m_model->setPicture(picture(before));
    makeView();
    m_view->setCurrentIndex(m_model->indexOf(session(3)));
    WaitsMaker after;
    after.queue(1, 4, 1);
    after.wait(2, 1, "5", std::chrono::seconds(60));
    m_model->setPicture(picture(after));
    QVERIFY(m_view->selectionModel()->selectedRows().isEmpty()); // and not its neighbour
}

void TestWaitTreeModel::newRootsComeExpandedAndFoldedOnesStayFolded()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    makeView();
    m_model->setPicture(picture(maker));
    QVERIFY(m_view->isExpanded(m_model->indexOf(session(1))));
    m_view->collapse(m_model->indexOf(session(1)));
    maker.queue(20, 21, 5, "7"); // a worse one comes before it
    m_model->setPicture(picture(maker));
    QVERIFY(!m_view->isExpanded(m_model->indexOf(session(1))));
    QVERIFY(m_view->isExpanded(m_model->indexOf(session(20))));
    m_view->setCurrentIndex(m_model->indexOf(session(23)));
    maker.queue(30, 31, 9, "8");
    m_model->setPicture(picture(maker));
    QCOMPARE(m_model->keyAt(m_view->currentIndex()), session(23));
    QVERIFY(m_view->selectionModel()->isRowSelected(m_view->currentIndex().row(), m_view->currentIndex().parent()));
    QVERIFY(m_view->isExpanded(m_model->indexOf(session(20))));
}

void TestWaitTreeModel::theReadersPlaceStays()
{
    WaitsMaker maker;
    for (quint64 root = 1; root <= 20; ++root)
        maker.queue(root, 100 * root, 4, QByteArray::number(root));
    makeView();
    m_model->setPicture(picture(maker));
    QVERIFY(m_view->visualRect(m_model->indexOf(session(1))).isValid()); // laid out
    m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum() / 2);
    const QPersistentModelIndex first = m_view->indexAt({0, 0});
    const int top = m_view->visualRect(first).top();
    maker.queue(50, 5000, 9, "new"); // comes before all of them
    m_model->setPicture(picture(maker));
    QCOMPARE(m_view->visualRect(first).top(), top);
}

void TestWaitTreeModel::theFilterKeepsTheWayToWhatMatches()
{
    WaitsMaker maker;
    maker.queue(1, 2, 3);
    maker.queue(20, 21, 2, "7");
    m_model->setPicture(picture(maker));
    m_model->setFilter(u"APP22@"_s);
    QCOMPARE(m_model->rowCount(), 1);
    QCOMPARE(m_model->keyAt(m_model->index(0, 0)), session(20));
    QCOMPARE(m_model->rowCount(m_model->index(0, 0)), 1);
    m_model->setFilter(u"app20@"_s); // with all that it blocks
    QCOMPARE(m_model->rowCount(m_model->index(0, 0)), 2);
    m_model->setFilter(u"nobody"_s);
    QCOMPARE(m_model->rowCount(), 0);
    m_model->setFilter({});
    QCOMPARE(m_model->rowCount(), 2);
}

void TestWaitTreeModel::anyHistoryKeepsTheModelSound()
{
    makeView();
    QRandomGenerator random(42);
    for (int round = 0; round < 100; ++round) {
        WaitsMaker maker;
        for (int i = 0; i < 30; ++i) {
            const quint64 waiter = random.bounded(1U, 25U);
            const quint64 blocker = random.bounded(1U, 25U);
            if (waiter != blocker)
                maker.wait(waiter, blocker, QByteArray::number(random.bounded(3)));
        }
        m_model->setPicture(picture(maker));
        if (const QModelIndex any = m_model->reveal(random.bounded(1U, 25U)); any.isValid())
            m_view->setCurrentIndex(any);
        for (const QModelIndex &selected : m_view->selectionModel()->selectedRows())
            QCOMPARE(m_model->indexOf(m_model->keyAt(selected)), selected);
    }
}

void TestWaitTreeModel::equalWaitersAreOneRow()
{
    WaitsMaker maker;
    maker.pool(20, 21, 4);
    maker.wait(30, 20);
    makeView();
    m_clock.sync(maker.waits().clock);
    m_model->setPicture(picture(maker));
    const QModelIndex root = m_model->index(0, 0);
    QCOMPARE(m_model->rowCount(root), 2);
    const WaitKey equal{Kind::Equal, 21};
    const QModelIndex row = m_model->indexOf(equal);
    QCOMPARE(row.parent(), root);
    QCOMPARE(text(equal, WaitTreeModel::SessionColumn), u"×4 app@web-1"_s);
    QCOMPARE(text(equal, WaitTreeModel::AgeColumn), text(session(21), WaitTreeModel::AgeColumn)); // the longest
    QVERIFY(text(equal, WaitTreeModel::AgeColumn).startsWith(u"waits "_s));
    QCOMPARE(text(equal, WaitTreeModel::StatementColumn), u"UPDATE stock SET n = n - 1 WHERE id = 5"_s);
    QCOMPARE(m_model->sessionsAt(row), QList<quint64>({21, 22, 23, 24}));
    QVERIFY(!m_view->isExpanded(row) && m_view->isExpanded(root));
    QCOMPARE(m_model->rowCount(row), 4);
    QCOMPARE(m_model->keyAt(m_model->reveal(23)), session(23));
    QCOMPARE(m_model->sessionsAt(m_model->indexOf(session(23))), QList<quint64>({23}));
}

void TestWaitTreeModel::hostileNamesAreMadeVisible()
{
    WaitsMaker maker;
    ServerSession &blocker = maker.session(1);
    blocker.user = u"evil\u202egnp.exe"_s;
    blocker.statement.text = "SELECT '\xe2\x80\xae'\n\tFROM \x01t";
    maker.wait(2, 1, "\xff\n5");
    m_model->setPicture(picture(maker));
    QCOMPARE(text(session(1), WaitTreeModel::SessionColumn), u"1 · evil\\u202egnp.exe@web-1"_s);
    QCOMPARE(text(session(1), WaitTreeModel::StatementColumn), u"SELECT '\\u202e' FROM \\u0001t"_s);
    QVERIFY(text(session(2), WaitTreeModel::LockColumn).contains(u"\\xff\\x0a5"_s));
    const WaitFacts facts = WaitFacts::of(*m_model->picture(), 1, m_clock.now());
    QCOMPARE(facts.statement, u"SELECT '\\u202e'\n    FROM \\u0001t"_s);
    QVERIFY(!facts.toText().contains(QChar(0x202e)));
}

void TestWaitTreeModel::theExportNamesEachSessionOnce()
{
    WaitsMaker maker;
    maker.queue(1, 2, 60); // those behind "+10 more" too
    maker.wait(90, 91, "a");
    maker.wait(91, 90, "b");
    const QByteArray csv = waitsToCsv(*picture(maker));
    const auto lines = csv.trimmed().split('\n');
    QCOMPARE(lines.size(), 1 + 61 + 2);
    QVERIFY(lines.first().startsWith("\"session\",\"waits_for_session\""));
    QVERIFY(csv.contains("\"61\",\"1\",\"\",\"\",\"0\",\"0\",\"0\",\"app61\",\"web-1\""));
}

QTEST_MAIN(TestWaitTreeModel)
#include "tst_waittreemodel.moc"
