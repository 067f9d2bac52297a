// SPDX-License-Identifier: MIT
// Who holds a lock that a transaction takes by locking its row, by the records that a server names.
#include "locktables/rowlockholders.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

/// Of a table with a primary key beside the lock's own.
TableLock lock()
{
    TableLock lock;
    lock.table.schema = u"app"_s;
    lock.table.name = u"distribute_lock"_s;
    lock.table.profile.isOfTransaction = true;
    lock.table.profile.columns = {{u"id"_s, ColumnFamily::Number}, {u"business_code"_s, ColumnFamily::Text}};
    lock.table.profile.key = {u"business_code"_s};
    lock.table.columns = {{u"id"_s, "bigint"}, {u"business_code"_s, "varchar"}};
    lock.table.recordColumns = {{u"PRIMARY"_s, {u"id"_s}}, {u"by_code"_s, {u"business_code"_s}}};
    lock.values = {QByteArray("7"), QByteArray("it's")};
    lock.key = "it's";
    lock.reason = u"the row does not tell it"_s;
    return lock;
}

} // namespace

class TestRowLockHolders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theHolderOfTheRowHoldsTheLock_data();
    void theHolderOfTheRowHoldsTheLock();
};

void TestRowLockHolders::theHolderOfTheRowHoldsTheLock_data()
{
    QTest::addColumn<QString>("index");
    QTest::addColumn<QByteArray>("record");
    QTest::addColumn<bool>("isGap");
    QTest::addColumn<bool>("isHeld");
    const auto row = [](const char *name, const char *index, const char *record, bool isGap, bool isHeld) {
        QTest::newRow(name) << QString::fromUtf8(index) << QByteArray(record) << isGap << isHeld;
    };
    row("the primary key", "PRIMARY", "7", false, true);
    row("another row", "PRIMARY", "77", false, false);
    row("the key", "by_code", "'it''s'", false, true);
    row("the key, with the primary key behind it", "by_code", "'it''s', 7", false, true);
    row("another key that begins alike", "by_code", "'it''s mine', 8", false, false);
    row("the gap before it", "by_code", "'it''s', 7", true, false);
    row("an index that does not tell the lock", "by_name", "7", false, false);
}

void TestRowLockHolders::theHolderOfTheRowHoldsTheLock()
{
    QFETCH(const QString, index);
    QFETCH(const QByteArray, record);
    QFETCH(const bool, isGap);
    HeldLock held;
    held.lock.session = 12;
    held.lock.object.schema = u"app"_s;
    held.lock.object.name = "distribute_lock";
    held.lock.object.index = index;
    held.lock.object.record = record;
    held.lock.object.isGap = isGap;
    QList<TableLock> locks{lock()};
    judgeByRowLocks({held}, {}, &locks);
    QTEST(locks[0].state == TableLockState::Held, "isHeld");
    QCOMPARE(locks[0].holder, locks[0].state == TableLockState::Held ? QByteArray("session 12") : QByteArray());
    QCOMPARE(locks[0].reason.isEmpty(), locks[0].state == TableLockState::Held);
}

QTEST_APPLESS_MAIN(TestRowLockHolders)
#include "tst_rowlockholders.moc"
