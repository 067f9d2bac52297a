// SPDX-License-Identifier: MIT
// Locks of other programs' tables as rows of the one list.
#include "locks/lockfilter.h"
#include "locks/lockgroups.h"
#include "locks/lockjson.h"
#include "locks/tablerows.h"
#include "locks/thresholds.h"
#include "tablelockmaker.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestTableRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRowSaysWhatItsTableSays();
    void whatIsFreeIsNoLock();
    void equalNamesAreDifferentLocks();
    void equalNamesKeepTheirNumbers_data();
    void equalNamesKeepTheirNumbers();
    void onlyWhatChangedIsAnotherRow();
    void fieldsOfTheFilterFindThem_data();
    void fieldsOfTheFilterFindThem();
    void theyMakeGroupsByProfile();
    void theirJsonIsThatOfLockctl();
    void anAlarmNeitherClearsNorComesWhileItsTableIsNotRead_data();
    void anAlarmNeitherClearsNorComesWhileItsTableIsNotRead();
    void onlyWhatIsCertainRaisesAnAlarm_data();
    void onlyWhatIsCertainRaisesAnAlarm();
};

void TestTableRows::aRowSaysWhatItsTableSays()
{
    const auto rows = tableRows({tableLock("nightly")}, {});
    QCOMPARE(rows.size(), 1);
    const LockRow &row = rows[0];
    QCOMPARE(row.key, (LockKey{LockKind::Table, "app.shedlock nightly"}));
    QCOMPARE(row.state, LockState::Held);
    QCOMPARE(row.owner.service, u"a7"_s);
    QCOMPARE(row.note, QByteArray("ShedLock"));
    QCOMPARE(row.heldFor(kTableNow), std::optional<Microseconds>(10min));
    QCOMPARE(row.remaining(kTableNow), std::optional<Microseconds>(5min));
    QVERIFY(!row.waiters);
    QVERIFY(!row.endsWith());
    QCOMPARE(*row.table, tableLock("nightly"));
}

void TestTableRows::whatIsFreeIsNoLock()
{
    const auto rows = tableRows({tableLock("a", TableLockState::Free), tableLock("b", TableLockState::Expired),
                                 tableLock("c", TableLockState::Unknown), tableLock("d")},
                                {});
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows[0]->state, LockState::Expired);
    QCOMPARE(rows[1]->state, LockState::Unknown);
    QCOMPARE(rows[2]->state, LockState::Held);
}

void TestTableRows::equalNamesAreDifferentLocks()
{
    TableLock other = tableLock("a");
    other.holder = "b2";
    const auto rows = tableRows({tableLock("a"), other, tableLock("b"), tableLock("")}, {});
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[0]->key.resource, QByteArray("app.shedlock"));
    QCOMPARE(rows[1]->key.slot, 0);
    QCOMPARE(rows[2]->key.slot, 1);
    QCOMPARE(rows[2]->owner.service, u"b2"_s);
    QCOMPARE(rows[3]->key.slot, 0);
}

void TestTableRows::equalNamesKeepTheirNumbers_data()
{
    QTest::addColumn<TableLock>("one");
    QTest::addColumn<TableLock>("other");
    TableLock one = tableLock("j");
    TableLock other = tableLock("j");
    one.table.schema = u"a"_s;
    one.table.name = u"b.c"_s;
    other.table.schema = u"a.b"_s;
    other.table.name = u"c"_s;
    QTest::newRow("of schemas and tables with points") << one << other;
    one = other = tableLock("a b c");
    one.table.profile.key = other.table.profile.key = {u"name"_s, u"locked_by"_s};
    one.values = {QByteArray("a"), QByteArray("b c")};
    other.values = {QByteArray("a b"), QByteArray("c")};
    QTest::newRow("keys of several columns") << one << other;
    one = other = tableLock("a");
    other.values[1] = "b2";
    QTest::newRow("a table without a unique key") << one << other;
}

void TestTableRows::equalNamesKeepTheirNumbers()
{
    QFETCH(const TableLock, one);
    QFETCH(const TableLock, other);
    const auto both = tableRows({one, other}, {});
    QCOMPARE(both.size(), 2);
    QCOMPARE(both[0]->key.resource, both[1]->key.resource);
    const auto alone = tableRows({other}, both);
    QCOMPARE(alone.size(), 1);
    QCOMPARE(alone[0]->key, both[1]->key);
    const auto again = tableRows({one, other}, alone);
    QCOMPARE(*again[1]->table, other);
    QCOMPARE(again[1]->key, both[1]->key);
    const auto turned = tableRows({other, one}, both);
    QCOMPARE(*turned[0]->table, one);
    QCOMPARE(&*turned[1], &*both[1]);
}

void TestTableRows::onlyWhatChangedIsAnotherRow()
{
    const auto before = tableRows({tableLock("a"), tableLock("b"), tableLock("c")}, {});
    TableLock changed = tableLock("b");
    changed.values[1] = "b2";
    const auto after = tableRows({changed, tableLock("c"), tableLock("d")}, before);
    QCOMPARE(after.size(), 3);
    QVERIFY(&*after[0] != &*before[1]);
    QVERIFY(!(after[0] == before[1]));
    QCOMPARE(&*after[1], &*before[2]);
}

void TestTableRows::fieldsOfTheFilterFindThem_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isFound");
    QTest::newRow("kind") << u"kind:table"_s << true;
    QTest::newRow("kinds") << u"kind:lease,table"_s << true;
    QTest::newRow("another kind") << u"kind:row"_s << false;
    QTest::newRow("its title") << u"profile:ShedLock"_s << true;
    QTest::newRow("part of it") << u"profile:shed"_s << true;
    QTest::newRow("all of it") << u"profile:=shedlock"_s << true;
    QTest::newRow("only a part") << u"profile:=shed"_s << false;
    QTest::newRow("another program") << u"profile:Quartz"_s << false;
    QTest::newRow("not of it") << u"-profile:shedlock"_s << false;
    QTest::newRow("holder") << u"holder:a7"_s << true;
    QTest::newRow("age") << u"held:>9m"_s << true;
    QTest::newRow("a word") << u"shedlock"_s << true;
    QTest::newRow("who waits is not known") << u"waiters:0"_s << false;
}

void TestTableRows::fieldsOfTheFilterFindThem()
{
    QFETCH(QString, text);
    QFETCH(bool, isFound);
    std::optional<FilterError> error;
    const LockFilter filter = LockFilter::parse(text, &error);
    QVERIFY(!error);
    const auto rows = tableRows({tableLock("nightly")}, {});
    QCOMPARE(filter.matches(rows[0], kTableNow), isFound);
    LockRow lease;
    lease.key.resource = "nightly";
    QVERIFY(!LockFilter::parse(u"profile:shedlock"_s).matches(lease, kTableNow));
}

void TestTableRows::theyMakeGroupsByProfile()
{
    const auto rows = tableRows({tableLock("nightly")}, {});
    QCOMPARE(groupOf(rows[0], LockGrouping::Profile), u"ShedLock"_s);
    QCOMPARE(groupOf(rows[0], LockGrouping::Kind), u"table"_s);
    QCOMPARE(groupOf(rows[0], LockGrouping::Holder), u"a7"_s);
    QCOMPARE(groupOf(LockRow(), LockGrouping::Profile), QString());
}

void TestTableRows::theirJsonIsThatOfLockctl()
{
    const TableLock lock = tableLock("nightly");
    const auto rows = tableRows({lock}, {});
    const QJsonObject json = toJson(*rows[0], kTableNow);
    QCOMPARE(json, toJson(lock, kTableNow));
    QCOMPARE(json[u"kind"_s].toString(), u"table"_s);
    QCOMPARE(json[u"profile"_s].toString(), u"shedlock"_s);
    QCOMPARE(json[u"resource"_s].toString(), u"nightly"_s);
    QCOMPARE(json[u"holder"_s].toString(), u"a7"_s);
    QCOMPARE(json[u"ageMs"_s].toInt(), 600'000);
}

void TestTableRows::onlyWhatIsCertainRaisesAnAlarm_data()
{
    QTest::addColumn<TableLock>("lock");
    QTest::addColumn<bool>("isRaised");
    QTest::newRow("held") << tableLock("a") << true;
    QTest::newRow("expired") << tableLock("a", TableLockState::Expired) << false;
    QTest::newRow("unknown") << tableLock("a", TableLockState::Unknown) << false;
    TableLock ageless = tableLock("a");
    ageless.since.reset();
    QTest::newRow("without an age") << ageless << false;
    TableLock other = tableLock("a");
    other.table.isLookAlike = true;
    QTest::newRow("perhaps no lock table") << other << false;
}

void TestTableRows::onlyWhatIsCertainRaisesAnAlarm()
{
    QFETCH(TableLock, lock);
    QFETCH(bool, isRaised);
    AlarmLimits limits;
    limits.held = 5min;
    limits.settle = Microseconds::zero();
    Thresholds thresholds(limits);
    LeaseReading reading;
    reading.clock = {kTableNow, std::chrono::steady_clock::now()};
    reading.rows = tableRows({lock}, {});
    const AlarmChanges changes = thresholds.update(reading, QTime(12, 0));
    QCOMPARE(changes.raised.size(), isRaised ? 1 : 0);
}

void TestTableRows::anAlarmNeitherClearsNorComesWhileItsTableIsNotRead_data()
{
    QTest::addColumn<Microseconds>("limit");
    QTest::addColumn<int>("up"); // before, and while the table is not read
    QTest::newRow("past its limit") << Microseconds(5min) << 1;
    QTest::newRow("passes its limit meanwhile") << Microseconds(12min) << 0;
}

void TestTableRows::anAlarmNeitherClearsNorComesWhileItsTableIsNotRead()
{
    QFETCH(const Microseconds, limit);
    QFETCH(const int, up);
    AlarmLimits limits;
    limits.held = limit;
    limits.settle = Microseconds::zero();
    Thresholds thresholds(limits);
    LeaseReading reading;
    reading.clock = {kTableNow, std::chrono::steady_clock::now()};
    const auto after = [&](Microseconds time, const TableLock &lock) {
        reading.clock = {reading.clock.server + time, reading.clock.local + time};
        reading.rows = tableRows({lock}, {});
        return thresholds.update(reading, QTime(12, 0));
    };
    QCOMPARE(after(0s, tableLock("a")).raised.size(), up);
    TableLock unread = tableLock("a");
    unread.unread = u"Not allowed."_s;
    QCOMPARE(tableRows({unread}, {})[0]->state, LockState::Unknown);
    for (int i = 0; i < 30; ++i) {
        const AlarmChanges changes = after(10s, unread);
        QVERIFY(changes.raised.isEmpty() && changes.cleared.isEmpty());
        QCOMPARE(thresholds.alarms().size(), up);
    }
    QCOMPARE(after(10s, tableLock("a")).raised.size(), 1 - up);
    QCOMPARE(after(10s, tableLock("a", TableLockState::Free)).cleared.size(), 1);
}

QTEST_GUILESS_MAIN(TestTableRows)
#include "tst_tablerows.moc"
