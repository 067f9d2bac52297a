// SPDX-License-Identifier: MIT
// Queue and events: short lists that are read anew each time.
#include "strict.h"
#include "ui/pages/events/eventtablemodel.h"
#include "ui/pages/locks/queuemodel.h"
#include "ui/server/liveclock.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

Waiter waiter(quint64 connection, int position)
{
    Waiter made;
    made.connectionId = connection;
    made.position = position;
    made.owner.service = QString::number(connection);
    made.since = ServerTime(std::chrono::seconds(connection));
    return made;
}

Event oneEvent(quint64 id)
{
    Event made;
    made.id = id;
    made.kind = Event::Kind::ForceRelease;
    made.key.resource = QByteArray::number(id);
    made.operatorName = QStringLiteral("root@vm");
    made.reason = QStringLiteral("stuck");
    return made;
}

} // namespace

class TestSmallModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aQueueKeepsEveryRuleOfModelsUnderRandomChange();
    void theFirstLeavesTheQueueAndTheOthersMoveUp();
    void waitingTimesRunOnTheServersClock();
    void whoeverTheServerKnowsByConnectionIsNamedByIt();
    void eventsStandNewestFirst();
    void anEndedSessionHasNoToken();
    void aReleasedRowOfALockTableIsCalledSo();
    void theEndOfAPreparedTransactionSaysWhichItWas();
    void oldEventsGoWhenThereAreTooMany();
};

void TestSmallModels::aQueueKeepsEveryRuleOfModelsUnderRandomChange()
{
    LiveClock clock;
    QueueModel model(&clock);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QRandomGenerator random(7);
    for (int round = 0; round < 300; ++round) {
        QList<Waiter> queue;
        for (quint64 connection = 1; connection <= 20; ++connection) {
            if (random.bounded(2) == 0)
                queue.append(waiter(connection, int(queue.size()) + 1));
        }
        if (random.bounded(4) == 0)
            std::reverse(queue.begin(), queue.end());
        model.setRows(queue);
        QCOMPARE(model.rows(), queue);
    }
    QCOMPARE(resets.count(), 0);
}

void TestSmallModels::theFirstLeavesTheQueueAndTheOthersMoveUp()
{
    LiveClock clock;
    QueueModel model(&clock);
    model.setRows({waiter(11, 1), waiter(12, 2), waiter(13, 3)});
    const QPersistentModelIndex third = model.index(2, QueueModel::OwnerColumn);
    model.setRows({waiter(12, 1), waiter(13, 2)});
    QCOMPARE(third.row(), 1);
    QCOMPARE(model.index(1, QueueModel::PositionColumn).data().toString(), QStringLiteral("2"));
}

void TestSmallModels::waitingTimesRunOnTheServersClock()
{
    LiveClock clock;
    QueueModel model(&clock);
    clock.sync({ServerTime(40s), std::chrono::steady_clock::now() - 2s});
    model.setRows({waiter(12, 1)});
    QCOMPARE(model.index(0, QueueModel::WaitingColumn).data().toString(), QStringLiteral("30 s"));
}

void TestSmallModels::whoeverTheServerKnowsByConnectionIsNamedByIt()
{
    LiveClock clock;
    QueueModel model(&clock);
    Waiter one;
    one.connectionId = 37;
    one.account = QStringLiteral("app@db2");
    model.setRows({one});
    const QModelIndex who = model.index(0, QueueModel::OwnerColumn);
    QCOMPARE(who.data().toString(), QStringLiteral("connection 37 · app@db2"));
    QVERIFY(who.data(Qt::ToolTipRole).toString().contains(QStringLiteral("app@db2, connection 37")));
}

void TestSmallModels::eventsStandNewestFirst()
{
    EventTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.add({oneEvent(1), oneEvent(2)});
    model.add({oneEvent(3)});
    model.add({});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(0, EventTableModel::ResourceColumn).data().toString(), QStringLiteral("3"));
    QCOMPARE(model.index(2, EventTableModel::ResourceColumn).data().toString(), QStringLiteral("1"));
    QCOMPARE(model.index(0, EventTableModel::KindColumn).data().toString(), QStringLiteral("Force-released"));
    QCOMPARE(model.index(0, EventTableModel::OperatorColumn).data().toString(), QStringLiteral("root@vm"));
    QCOMPARE(model.index(0, EventTableModel::ReasonColumn).data().toString(), QStringLiteral("stuck"));
}

void TestSmallModels::anEndedSessionHasNoToken()
{
    EventTableModel model;
    Event kill = oneEvent(1);
    kill.kind = Event::Kind::Kill;
    model.add({kill});
    QCOMPARE(model.index(0, EventTableModel::TokenColumn).data().toString(), QStringLiteral("–"));
}

void TestSmallModels::aReleasedRowOfALockTableIsCalledSo()
{
    EventTableModel model;
    AuditLine released;
    released.target = QStringLiteral("row nightly of app.shedlock");
    released.outcome = QStringLiteral("released");
    model.setActs({released});
    const auto text = [&model](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(text(EventTableModel::KindColumn), QStringLiteral("Table lock released"));
    QCOMPARE(text(EventTableModel::TokenColumn), QStringLiteral("–"));
    QCOMPARE(text(EventTableModel::ResourceColumn), QStringLiteral("app.shedlock nightly"));
}

void TestSmallModels::theEndOfAPreparedTransactionSaysWhichItWas()
{
    EventTableModel model;
    QList<Event> ends{oneEvent(1), oneEvent(2), oneEvent(3)};
    for (Event &end : ends)
        end.kind = Event::Kind::Kill;
    ends[0].key.resource = "session 12";
    ends[1].key.resource = "XA COMMIT 'x1'";
    ends[2].key.resource = "XA ROLLBACK 'x2'";
    model.add(ends);
    const auto kind = [&model](int row) { return model.index(row, EventTableModel::KindColumn).data().toString(); };
    QCOMPARE(kind(0), QStringLiteral("Rolled back (XA)"));
    QCOMPARE(kind(1), QStringLiteral("Committed (XA)"));
    QCOMPARE(kind(2), QStringLiteral("Session ended"));
    QCOMPARE(model.headerData(EventTableModel::OwnerColumn, Qt::Horizontal).toString(), QStringLiteral("Whose"));
}

void TestSmallModels::oldEventsGoWhenThereAreTooMany()
{
    EventTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QList<Event> many;
    for (quint64 id = 1; id <= EventTableModel::MaxEvents; ++id)
        many.append(oneEvent(id));
    model.add(many);
    model.add({oneEvent(9001), oneEvent(9002)});
    QCOMPARE(model.rowCount(), EventTableModel::MaxEvents);
    QCOMPARE(model.rows().first().event.id, 9002U);
    QCOMPARE(model.rows().last().event.id, 3U);
    many.append(many);
    model.add(many);
    QCOMPARE(model.rowCount(), EventTableModel::MaxEvents);
}

QTEST_MAIN(TestSmallModels)
#include "tst_smallmodels.moc"
