// SPDX-License-Identifier: MIT
// The row locks in a text that MariaDB 10.11 really printed, and whatever may be in its place.
#include "lessons/lessonlocks.h"

#include <QtTest/QTest>

using namespace lockscope;

namespace {

const QByteArray kStatus = R"(------------------------
LATEST DETECTED DEADLOCK
------------------------
RECORD LOCKS space id 9 page no 3 n bits 320 index PRIMARY of table `st`.`old` trx id 5 lock_mode X
Record lock, heap no 2 PHYSICAL RECORD: n_fields 1; compact format; info bits 0
 0: len 4; hex 80000001; asc     ;;

------------
TRANSACTIONS
------------
Trx id counter 118
Purge done for trx's n:o < 115 undo n:o < 0 state: running but idle
History list length 0
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION 117, ACTIVE 1 sec inserting
mysql tables in use 1, locked 1
LOCK WAIT 2 lock struct(s), heap size 1128, 1 row lock(s), undo log entries 1
MariaDB thread id 19, OS thread handle 140498181232320, query id 108 localhost root Update
INSERT INTO t VALUES(-3,15,'zz',1)
------- TRX HAS BEEN WAITING 1045505 us FOR THIS LOCK TO BE GRANTED:
RECORD LOCKS space id 18 page no 4 n bits 320 index k of table `st`.`t` trx id 117 lock_mode X locks gap before rec insert intention waiting
Record lock, heap no 3 PHYSICAL RECORD: n_fields 2; compact format; info bits 0
 0: len 4; hex 80000014; asc     ;;
 1: len 4; hex 80000002; asc     ;;

------------------
TABLE LOCK table `st`.`t` trx id 117 lock mode IX
RECORD LOCKS space id 18 page no 4 n bits 320 index k of table `st`.`t` trx id 117 lock_mode X locks gap before rec insert intention waiting
Record lock, heap no 3 PHYSICAL RECORD: n_fields 2; compact format; info bits 0
 0: len 4; hex 80000014; asc     ;;
 1: len 4; hex 80000002; asc     ;;

---TRANSACTION 116, ACTIVE 1 sec
1 lock struct(s), heap size 1128, 0 row lock(s), undo log entries 1
MariaDB thread id 20, OS thread handle 140498180617920, query id 107 localhost root 
TABLE LOCK table `st`.`t` trx id 116 lock mode IX
---TRANSACTION 115, ACTIVE 1 sec
5 lock struct(s), heap size 1128, 6 row lock(s)
MariaDB thread id 18, OS thread handle 140498180310720, query id 105 localhost root 
TABLE LOCK table `st`.`t` trx id 115 lock mode IX
RECORD LOCKS space id 18 page no 4 n bits 320 index k of table `st`.`t` trx id 115 lock_mode X
Record lock, heap no 1 PHYSICAL RECORD: n_fields 1; compact format; info bits 0
 0: len 8; hex 73757072656d756d; asc supremum;;

Record lock, heap no 3 PHYSICAL RECORD: n_fields 2; compact format; info bits 32
 0: len 4; hex 80000014; asc     ;;
 1: len 4; hex 80000002; asc     ;;

RECORD LOCKS space id 18 page no 3 n bits 320 index PRIMARY of table `st`.`t` trx id 115 lock mode S locks rec but not gap
Record lock, heap no 3 PHYSICAL RECORD: n_fields 6; compact format; info bits 0
 0: len 4; hex 80000002; asc     ;;
 1: len 6; hex 00000000006f; asc      o;;
 2: len 7; hex b600000135011c; asc     5  ;;
 3: SQL NULL;
 4: len 4; hex 622fc3a9; asc b/  ;;
 5: len 8; hex 0000000000000002; asc         ;;

---TRANSACTION (0x7fc851047b80), not started
0 lock struct(s), heap size 1128, 0 row lock(s)
--------
FILE I/O
--------
RECORD LOCKS space id 18 page no 4 n bits 320 index k of table `st`.`t` trx id 115 lock_mode X
Record lock, heap no 1
)";

KeyColumn column(const char *type, bool isUnsigned = false)
{
    return {QStringLiteral("c"), QString::fromLatin1(type), isUnsigned};
}

} // namespace

class TestInnodbStatus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachLockIsToldOnce();
    void aCutListIsTold();
    void anyTextIsRead();
    void fieldsAreReadByTheirTypes_data();
    void fieldsAreReadByTheirTypes();
};

void TestInnodbStatus::eachLockIsToldOnce()
{
    const PrintedLocks found = printedLocks(kStatus);
    QVERIFY(!found.isCut);
    QStringList lines;
    for (const PrintedLock &lock : found.locks)
        lines += QStringLiteral("%1 of %2: %3.%4.%5 %6%7%8%9, %10 fields")
                     .arg(lock.transaction)
                     .arg(lock.session)
                     .arg(lock.schema, lock.table, lock.index, lock.mode,
                          lock.isWaiting ? QStringLiteral(" waiting") : QString(),
                          lock.isEndOfIndex ? QStringLiteral(" end") : QString(),
                          lock.isDeleteMarked ? QStringLiteral(" deleted") : QString())
                     .arg(lock.fields.size());
    QCOMPARE(lines,
             (QStringList{QStringLiteral("117 of 19: st.t.k X,GAP,INSERT_INTENTION waiting, 2 fields"),
                          QStringLiteral("115 of 18: st.t.k X end, 0 fields"),
                          QStringLiteral("115 of 18: st.t.k X deleted, 2 fields"),
                          QStringLiteral("115 of 18: st.t.PRIMARY S,REC_NOT_GAP, 6 fields")}));
    QVERIFY(!found.locks[3].fields[3]);
    QCOMPARE(found.locks[3].fields[4], QByteArray("b/é"));
}

void TestInnodbStatus::aCutListIsTold()
{
    QByteArray status = kStatus;
    status.replace("---TRANSACTION (0x7fc",
                   "10 LOCKS PRINTED FOR THIS TRX: SUPPRESSING FURTHER PRINTS\n---TRANSACTION (0x7fc");
    QVERIFY(printedLocks(status).isCut);
}

/// Cut anywhere, lines left out, and with any byte in any place.
void TestInnodbStatus::anyTextIsRead()
{
    qsizetype most = 0;
    for (qsizetype i = 0; i < kStatus.size(); i += 3) {
        most = std::max(most, printedLocks(kStatus.left(i)).locks.size());
        for (const char byte : {'\0', '\n', '`', ';', ' ', '\xff'}) {
            QByteArray changed = kStatus;
            changed[i] = byte;
            most = std::max(most, printedLocks(changed).locks.size());
        }
    }
    QVERIFY(most >= 4);
    QVERIFY(most <= 8);
}

void TestInnodbStatus::fieldsAreReadByTheirTypes_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<KeyColumn>("type");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *hex, const KeyColumn &type, const char *text) {
        QTest::addRow("%s as %s", text, qPrintable(type.type)) << QByteArray(hex) << type << QString::fromUtf8(text);
    };
    row("80000014", column("int"), "20");
    row("7ffffffd", column("int"), "-3");
    row("00000000", column("int"), "-2147483648");
    row("ffffffff", column("int"), "2147483647");
    row("ffffffff", column("int", true), "4294967295");
    row("81", column("tinyint"), "1");
    row("8000000000000001", column("bigint"), "1");
    row("0000000000000000", column("bigint"), "-9223372036854775808");
    row("ffffffffffffffff", column("bigint", true), "18446744073709551615");
    row("622fc3a9", column("varchar"), "'b/é'");
    row("6f27", column("varchar"), "'o'''");
    row("61202020", column("char"), "'a'");
    row("99b2d40000", column("datetime"), "0x99B2D40000");
    row("", column("varchar"), "''");
}

void TestInnodbStatus::fieldsAreReadByTheirTypes()
{
    QFETCH(QByteArray, hex);
    QFETCH(KeyColumn, type);
    QFETCH(QString, text);
    QCOMPARE(readableFields({QByteArray::fromHex(hex), std::nullopt}, {type, type}), text + QStringLiteral(", NULL"));
}

QTEST_GUILESS_MAIN(TestInnodbStatus)
#include "tst_innodbstatus.moc"
