// SPDX-License-Identifier: MIT
// The list's model: never resets, tells exactly what changed, and keeps persistent indexes with their locks.
#include "listmaker.h"
#include "strict.h"

#include "ui/pages/locks/locktablemodel.h"
#include "ui/server/liveclock.h"
#include "ui/style/statemark.h"
#include "ui/widgets/roles.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

QByteArrayList names(const LockTableModel &model)
{
    QByteArrayList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list += model.itemAt(row)->row->key.resource;
    return list;
}

QString cell(const LockTableModel &model, int row, LockTableModel::Column column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestLockTableModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void keepsEveryRuleOfModelsUnderRandomChange_data();
    void keepsEveryRuleOfModelsUnderRandomChange();
    void aChangedRowIsToldAlone();
    void neighboursAreToldTogether();
    void anUnchangedListTellsNothing();
    void manyChangesAreOneChangeOfLayout();
    void countsDownOnTheServersClock();
    void standsStillWhileFrozen();
    void aLockWithoutEndHasNoBar();
    void everyKindShowsWhatItHas();
    void unknownWaitersAreNotNone();
    void whatIsContendedMostSortsLast();
    void aVanishedLockIsMarkedAsFree();
    void aNewRowsTintFadesAndIsOffWithReducedMotion();
    void aListIsSharedAndNotCopied();
    void clearingForgetsAllRows();
    void rowsOfSeveralServersHaveTheirOwnNameTimeAndAge();
};

void TestLockTableModel::keepsEveryRuleOfModelsUnderRandomChange_data()
{
    QTest::addColumn<int>("locks");
    QTest::addColumn<int>("rounds");
    QTest::addColumn<bool>("resorts");
    QTest::newRow("few locks, single signals") << 12 << 400 << false;
    QTest::newRow("few locks, the order changes too") << 12 << 400 << true;
    QTest::newRow("many locks, changes of layout") << 300 << 60 << true;
}

void TestLockTableModel::keepsEveryRuleOfModelsUnderRandomChange()
{
    QFETCH(int, locks);
    QFETCH(int, rounds);
    QFETCH(bool, resorts);
    LiveClock clock;
    LockTableModel model(&clock);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    ListMaker maker;
    maker.view.ghostTime = 50ms;
    QRandomGenerator random(42 + quint32(locks));
    auto now = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) {
        now += 20ms;
        QList<LockRow> rows;
        const int share = random.bounded(1, 5);
        for (int i = 0; i < locks; ++i) {
            if (random.bounded(share) != 0)
                continue;
            const QByteArray name = QByteArray::number(i);
            if (i % 5 == 3)
                rows.append(ListMaker::rowLock(name, random.bounded(3)));
            else if (i % 5 == 4)
                rows.append(ListMaker::version(name, {quint64(random.bounded(3)), quint64(random.bounded(3))}));
            else
                rows.append(ListMaker::row(name, quint64(random.bounded(4)) + 1));
        }
        if (resorts) {
            maker.view.sort = random.bounded(2) == 0 ? LockSort::Token : LockSort::Resource;
            maker.view.descending = random.bounded(2) == 0;
        }
        // Some rows are remembered the way views do; each must still be at its lock, or be told to be gone.
        QList<std::pair<QPersistentModelIndex, LockKey>> kept;
        for (int row = 0; row < model.rowCount(); row += 3)
            kept.append({model.index(row, 0), model.itemAt(row)->row->key});
        const auto update = maker.next(rows, now);
        model.apply(update);
        QCOMPARE(model.rowCount(), int(update->items.size()));
        for (int row = 0; row < model.rowCount(); ++row)
            QCOMPARE(*model.itemAt(row), update->items[row]);
        for (const auto &[index, key] : std::as_const(kept)) {
            QCOMPARE(index.isValid(), model.rowOf(key) >= 0);
            if (index.isValid())
                QCOMPARE(model.itemAt(index.row())->row->key, key);
        }
    }
    QCOMPARE(resets.count(), 0);
}

void TestLockTableModel::aChangedRowIsToldAlone()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    auto rows = ListMaker::rows(50);
    model.apply(maker.next(rows));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy layouts(&model, &QAbstractItemModel::layoutChanged);
    rows[7].waiters = 3;
    model.apply(maker.next(rows));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 7);
    QCOMPARE(changed[0][1].toModelIndex().row(), 7);
    QCOMPARE(layouts.count(), 0);
    QCOMPARE(cell(model, 7, LockTableModel::WaitersColumn), QStringLiteral("3"));
}

void TestLockTableModel::neighboursAreToldTogether()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    auto rows = ListMaker::rows(20);
    model.apply(maker.next(rows));
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    rows.remove(15, 2);
    rows.remove(3, 3);
    rows.append({ListMaker::row("x"), ListMaker::row("y")});
    model.apply(maker.next(rows));
    QCOMPARE(removed.count(), 2);
    QCOMPARE(removed[0][1].toInt(), 15);
    QCOMPARE(removed[0][2].toInt(), 16);
    QCOMPARE(removed[1][1].toInt(), 3);
    QCOMPARE(removed[1][2].toInt(), 5);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(inserted[0][1].toInt(), 15);
    QCOMPARE(inserted[0][2].toInt(), 16);
}

void TestLockTableModel::anUnchangedListTellsNothing()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    model.apply(maker.next(ListMaker::rows(100)));
    QSignalSpy applied(&model, &LockTableModel::applied);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.apply(maker.next(ListMaker::rows(100)));
    QCOMPARE(applied.count(), 0);
    QCOMPARE(changed.count(), 0);
}

void TestLockTableModel::manyChangesAreOneChangeOfLayout()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    auto rows = ListMaker::rows(10'000);
    model.apply(maker.next(rows));
    QSignalSpy layouts(&model, &QAbstractItemModel::layoutChanged);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    for (qsizetype i = 0; i < 500; ++i)
        rows.removeAt(i * 19);
    for (int i = 0; i < 300; ++i)
        rows.append(ListMaker::row("new" + QByteArray::number(i)));
    model.apply(maker.next(rows));
    QCOMPARE(layouts.count(), 1);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(inserted.count(), 0);
    QCOMPARE(model.rowCount(), 9'800);
}

void TestLockTableModel::countsDownOnTheServersClock()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    LockRow row = ListMaker::row("a");
    const ServerTime server(std::chrono::hours(500'000)); // nowhere near this machine's clock
    row.acquiredAt = server - 3min - 10s;
    row.expiresAt = server + 26s + 500ms;
    row.ttl = 53s;
    model.apply(maker.next({row}));
    clock.sync({server, std::chrono::steady_clock::now()});
    QCOMPARE(cell(model, 0, LockTableModel::TtlColumn), QStringLiteral("26 s"));
    QCOMPARE(cell(model, 0, LockTableModel::HeldForColumn), QStringLiteral("3 min 10 s"));
    const double fraction = model.index(0, LockTableModel::TtlColumn).data(FractionRole).toDouble();
    QVERIFY(fraction > 0.48 && fraction <= 0.5);
    clock.sync({server, std::chrono::steady_clock::now() - 24s});
    const QString near = cell(model, 0, LockTableModel::TtlColumn);
    QVERIFY2(near.startsWith(QLatin1String("2.")) && near.endsWith(QLatin1String(" s")), qPrintable(near));
    clock.sync({server, std::chrono::steady_clock::now() - 30s});
    QVERIFY(cell(model, 0, LockTableModel::TtlColumn).startsWith(QLatin1String("expired 3.")));
    QCOMPARE(model.index(0, LockTableModel::TtlColumn).data(FractionRole).toDouble(), 0.0);
}

void TestLockTableModel::standsStillWhileFrozen()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    LockRow row = ListMaker::row("a");
    const ServerTime server(1000s);
    row.expiresAt = server + 26s;
    row.ttl = 30s;
    model.apply(maker.next({row}));
    clock.sync({server, std::chrono::steady_clock::now() - 20s});
    clock.setFrozen(true);
    QCOMPARE(cell(model, 0, LockTableModel::TtlColumn), QStringLiteral("26 s"));
    QVERIFY(clock.age() >= 20s);
}

void TestLockTableModel::aLockWithoutEndHasNoBar()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    model.apply(maker.next({ListMaker::row("a")}));
    QCOMPARE(cell(model, 0, LockTableModel::TtlColumn), QStringLiteral("no end"));
    QVERIFY(!model.index(0, LockTableModel::TtlColumn).data(FractionRole).isValid());
}

void TestLockTableModel::everyKindShowsWhatItHas()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    model.apply(maker.next({ListMaker::row("a", 1204), ListMaker::rowLock("b", 2), ListMaker::version("c", {3, 1})}));
    const auto column = [&model](LockTableModel::Column wanted) {
        return QStringList{cell(model, 0, wanted), cell(model, 1, wanted), cell(model, 2, wanted)};
    };
    const QString none = QStringLiteral("–");
    QCOMPARE(column(LockTableModel::StateColumn),
             QStringList({QStringLiteral("Held"), QStringLiteral("Held row"), QStringLiteral("Optimistic")}));
    QCOMPARE(column(LockTableModel::TtlColumn), QStringList({QStringLiteral("no end"), none, none}));
    QCOMPARE(column(LockTableModel::TokenColumn),
             QStringList({QStringLiteral("1,204"), none, QStringLiteral("1,204")}));
    QCOMPARE(column(LockTableModel::WaitersColumn),
             QStringList({QStringLiteral("0"), QStringLiteral("2"), QStringLiteral("25\u00a0%")}));
    QCOMPARE(column(LockTableModel::SessionColumn),
             QStringList({QStringLiteral("alive"), QStringLiteral("alive"), none}));
    QCOMPARE(cell(model, 2, LockTableModel::NoteColumn), QStringLiteral("100 commits, 100 conflicts"));
    QCOMPARE(model.index(1, LockTableModel::WaitersColumn).data(MarkRole).toInt(), int(Mark::Waiting));
    QCOMPARE(model.index(2, LockTableModel::ResourceColumn).data(MarkRole).toInt(), int(Mark::Open));
    for (int i = 0; i < LockTableModel::ColumnCount; ++i)
        QVERIFY(model.index(2, i).data(Qt::ToolTipRole).toString() != QStringLiteral("<qt></qt>"));
}

void TestLockTableModel::unknownWaitersAreNotNone()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    model.apply(maker.next({ListMaker::rowLock("b", std::nullopt)}));
    const QModelIndex waiters = model.index(0, LockTableModel::WaitersColumn);
    QCOMPARE(waiters.data().toString(), QStringLiteral("?"));
    QVERIFY(!waiters.data(MarkRole).isValid());
    QVERIFY(waiters.data(Qt::ToolTipRole).toString().contains(QStringLiteral("GRANT PROCESS")));
}

void TestLockTableModel::whatIsContendedMostSortsLast()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    maker.view.sort = LockTableModel::sortOf(LockTableModel::WaitersColumn);
    model.apply(maker.next({ListMaker::rowLock("waited", 1), ListMaker::rowLock("unknown", std::nullopt),
                            ListMaker::version("hot", {1, 9}), ListMaker::version("cool", {9, 1}),
                            ListMaker::row("free of waiters")}));
    QCOMPARE(names(model), QByteArrayList({"free of waiters", "unknown", "cool", "hot", "waited"}));
}

void TestLockTableModel::aVanishedLockIsMarkedAsFree()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    maker.view.ghostTime = 2s;
    model.apply(maker.next({ListMaker::row("a"), ListMaker::row("b")}));
    model.apply(maker.next({ListMaker::row("b")}));
    QCOMPARE(names(model), QByteArrayList({"a", "b"}));
    QVERIFY(model.index(0, 0).data(VanishedRole).toBool());
    QCOMPARE(model.index(0, LockTableModel::ResourceColumn).data(MarkRole).toInt(), int(Mark::Released));
    QCOMPARE(cell(model, 0, LockTableModel::StateColumn), QStringLiteral("Free"));
    QVERIFY(!model.index(1, 0).data(VanishedRole).toBool());
}

void TestLockTableModel::aNewRowsTintFadesAndIsOffWithReducedMotion()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    const auto now = std::chrono::steady_clock::now();
    model.apply(maker.next({ListMaker::row("a")}, now));
    QVERIFY(!model.hasFreshRows(0, 0));
    model.apply(maker.next({ListMaker::row("a"), ListMaker::row("b")}, now + 60s));
    QCOMPARE(model.index(0, 0).data(TintRole).toDouble(), 0.0);
    QVERIFY(model.index(1, 0).data(TintRole).toDouble() > 0.9);
    QVERIFY(model.hasFreshRows(0, 1) && model.hasFreshRows(1, 7));
    QVERIFY(!model.hasFreshRows(0, 0) && !model.hasFreshRows(0, -1));
    model.setReducedMotion(true);
    QCOMPARE(model.index(1, 0).data(TintRole).toDouble(), 0.0);
    QVERIFY(!model.hasFreshRows(0, 1));
}

void TestLockTableModel::aListIsSharedAndNotCopied()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    model.apply(maker.next({ListMaker::row("a")}));
    const auto update = maker.next({ListMaker::row("a"), ListMaker::row("b")});
    model.apply(update);
    QCOMPARE(static_cast<const void *>(model.items().constData()),
             static_cast<const void *>(update->items.constData()));
}

void TestLockTableModel::clearingForgetsAllRows()
{
    LiveClock clock;
    LockTableModel model(&clock);
    ListMaker maker;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.apply(maker.next(ListMaker::rows(5)));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
    ListMaker other;
    model.apply(other.next(ListMaker::rows(3)));
    QCOMPARE(model.rowCount(), 3);
}

void TestLockTableModel::rowsOfSeveralServersHaveTheirOwnNameTimeAndAge()
{
    LiveClock clock;
    LiveClock further;
    const ServerTime now{std::chrono::hours(400'000)};
    clock.setFrozen(true);
    clock.sync({now, std::chrono::steady_clock::now()});
    further.setFrozen(true);
    further.sync({now + 1h, std::chrono::steady_clock::now()});
    LockTableModel model(&clock);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    ListMaker maker;
    LockRow here = ListMaker::row("a");
    LockRow there = ListMaker::row("b");
    there.key.server = 3;
    here.acquiredAt = now - 1min;
    there.acquiredAt = now - 1min;
    model.apply(maker.next({here, there}));
    QCOMPARE(cell(model, 0, LockTableModel::ServerColumn), QString());
    QVERIFY(!model.index(0, 0).data(StaleRole).toBool());
    model.setServers({{0, {QStringLiteral("db1"), &clock, Tint::Blue, false}},
                      {3, {QStringLiteral("cache1"), &further, Tint::Green, true}}});
    QCOMPARE(cell(model, 0, LockTableModel::ServerColumn), QStringLiteral("db1"));
    QCOMPARE(cell(model, 1, LockTableModel::ServerColumn), QStringLiteral("cache1"));
    QCOMPARE(model.index(1, LockTableModel::ServerColumn).data(DotRole).toInt(), int(Tint::Green));
    QCOMPARE(cell(model, 0, LockTableModel::HeldForColumn), QStringLiteral("1 min"));
    QCOMPARE(cell(model, 1, LockTableModel::HeldForColumn), QStringLiteral("1 h 1 min"));
    QVERIFY(!model.index(0, 0).data(StaleRole).toBool() && model.index(1, 0).data(StaleRole).toBool());
    model.setServers({});
    QCOMPARE(cell(model, 1, LockTableModel::ServerColumn), QString());
}

QTEST_MAIN(TestLockTableModel)
#include "tst_locktablemodel.moc"
