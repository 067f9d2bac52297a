// SPDX-License-Identifier: MIT
// What MariaDB 10.11 and MySQL 9.7 really wrote into their error logs (raw/), and what may stand around it.
#include "logreading.h"

#include <QtCore/QFile>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr const char *kMariaDbWarning = "2026-11-30  1:17:36 9 [Warning] Aborted connection 9 to db: 'shop'";

QByteArray raw(const QString &file)
{
    QFile log(QStringLiteral(LOCKSCOPE_RAW "/") + file);
    if (!log.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qUtf8Printable(log.fileName()));
    return log.readAll();
}

QStringList edgeLines(const Deadlock &deadlock)
{
    QStringList lines;
    for (const DeadlockEdge &edge : edgesOf(deadlock))
        lines += u"%1 waits for %2: %3.%4"_s.arg(edge.waiter).arg(edge.holder).arg(edge.lock.table, edge.lock.index);
    lines.sort();
    return lines;
}

/// As MySQL prints one without headings: records of shop.t that it holds and waits for, each by one digit.
QByteArray plainSide(int number, int held, int wanted)
{
    const QByteArray id = QByteArray::number(number);
    const auto lock = [&id](int record, const QByteArray &end) {
        const QByteArray digit = QByteArray::number(record);
        return "RECORD LOCKS space id 2 page no 4 n bits 72 index PRIMARY of table `shop`.`t` trx id " + id
            + " lock_mode X" + end + "\nRecord lock, heap no " + digit
            + " PHYSICAL RECORD: n_fields 1; compact format; info bits 0\n 0: len 4; hex 8000000" + digit
            + "; asc     ;;\n\n";
    };
    return "TRANSACTION " + id + ", ACTIVE 1 sec\nMySQL thread id " + id
        + ", OS thread handle 1, query id 18 localhost root updating\nUPDATE t SET n=4\n" + lock(held, {})
        + lock(wanted, " waiting");
}

/// The same with other transactions.
QByteArray nextOf(QByteArray log)
{
    for (const char *number : {"1562", "1563", "1570", "1571"})
        log.replace(number, QByteArray("9") + number);
    return log.replace("TRANSACTION 23,", "TRANSACTION 33,")
        .replace("TRANSACTION 24,", "TRANSACTION 34,")
        .replace("trx id 23 ", "trx id 33 ")
        .replace("trx id 24 ", "trx id 34 ");
}

} // namespace

class TestDeadlockLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachServersLogIsRead_data();
    void eachServersLogIsRead();
    void severalAreToldApart_data();
    void severalAreToldApart();
    void messagesOfOthersMayStandBetween_data();
    void messagesOfOthersMayStandBetween();
    void whatAMonitorRepeatsIsOne();
    void theSameTransactionsMayMeetAgain();
    void oneThatOnlySharesHasNoNumber();
    void aPartWithoutHeadingsEndsWhereTheNextOneBegins_data();
    void aPartWithoutHeadingsEndsWhereTheNextOneBegins();
    void aLockThatKeepsOthersWaitingMayWaitItself();
    void whoSharesOneRowAndWantsAnotherNeedsAnOrder();
    void allColumnsOfAKeyAreTold();
    void threeInARingAreOne();
    void aPartThatWaitsForWhatTheNextOneHoldsIsToldApart();
    void aStatementHidesNoLaterDeadlock();
    void whatAMonitorRepeatsOfOneWithoutHeadingsIsOne();
    void ofSeveralWithoutANumberTheNextOneHolds();
    void manyLinesThatLookLikeTransactionsAreReadOnce();
    void whatStandsBeforeEachLineIsLeftOut_data();
    void whatStandsBeforeEachLineIsLeftOut();
    void oneWithHeadingsWhoseBeginningIsMissingIsLeftOut();
    void aPartIsMarked();
    void aStrangersLinesAreNoDeadlock();
};

void TestDeadlockLog::eachServersLogIsRead_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("at");
    QTest::addColumn<int>("victim");
    QTest::addColumn<QList<quint64>>("sessions");
    QTest::newRow("MariaDB") << u"mariadb.log"_s << u"2026-11-30 01:17:36"_s << 1 << QList<quint64>{3, 4};
    QTest::newRow("MySQL, with all that it can tell")
        << u"mysql-verbose.log"_s << u"2026-11-30 01:18:29 UTC"_s << 2 << QList<quint64>{14, 15};
    QTest::newRow("MySQL, as it is by default") << u"mysql-headless.log"_s << QString() << 0 << QList<quint64>{11, 10};
}

void TestDeadlockLog::eachServersLogIsRead()
{
    QFETCH(QString, file);
    QFETCH(QList<quint64>, sessions);
    const QByteArray log = raw(file);
    const auto found = deadlocksIn(log);
    QCOMPARE(found.size(), 1);
    const Deadlock &deadlock = found.first();
    QTEST(deadlock.at, "at");
    QTEST(deadlock.victim, "victim");
    QCOMPARE(deadlock.isCut, deadlock.victim == 0);
    QCOMPARE(edgeLines(deadlock), QStringList({u"1 waits for 2: t.PRIMARY"_s, u"2 waits for 1: t.PRIMARY"_s}));
    QCOMPARE(causeOf(deadlock), DeadlockCause::Order);
    for (qsizetype i = 0; i < sessions.size(); ++i) {
        QCOMPARE(deadlock.sides[i].session, sessions[i]);
        QVERIFY2(deadlock.sides[i].statement.startsWith("UPDATE t SET n=4 WHERE id="_L1),
                 qPrintable(deadlock.sides[i].statement));
    }
    QVERIFY2(log.contains(deadlock.text.trimmed()), deadlock.text.constData()); // as it came
}

void TestDeadlockLog::severalAreToldApart_data()
{
    QTest::addColumn<QString>("file");
    for (const QString &file : {u"mariadb.log"_s, u"mysql-verbose.log"_s, u"mysql-headless.log"_s})
        QTest::newRow(qPrintable(file)) << file;
}

void TestDeadlockLog::severalAreToldApart()
{
    QFETCH(QString, file);
    const QByteArray log = raw(file);
    const auto found = deadlocksIn(log + nextOf(log) + log);
    QCOMPARE(found.size(), 3);
    for (const Deadlock &deadlock : found) {
        QCOMPARE(deadlock.sides.size(), 2);
        QCOMPARE(shapeOf(deadlock), shapeOf(found.first()));
    }
}

void TestDeadlockLog::messagesOfOthersMayStandBetween_data()
{
    severalAreToldApart_data();
}

void TestDeadlockLog::messagesOfOthersMayStandBetween()
{
    QFETCH(QString, file);
    const QByteArray log = raw(file);
    const auto alone = deadlocksIn(log);
    QByteArray mixed;
    for (const QByteArray &line : log.split('\n'))
        mixed += line + '\n' + kMariaDbWarning + '\n';
    const auto found = deadlocksIn(mixed);
    QCOMPARE(found.size(), 1);
    QCOMPARE(shapeOf(found.first()), shapeOf(alone.first()));
    QCOMPARE(found.first().victim, alone.first().victim);
    QVERIFY(!found.first().text.contains("Aborted"));
}

/// innodb_status_output writes the whole status every 15 seconds.
void TestDeadlockLog::whatAMonitorRepeatsIsOne()
{
    const QByteArray status = raw(u"mysql-two.txt"_s);
    const auto found = deadlocksIn(status + status);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().victim, 2);
}

/// Those of one retry after the other, where a server prints no number.
void TestDeadlockLog::theSameTransactionsMayMeetAgain()
{
    const QByteArray log = raw(u"mariadb.log"_s);
    QCOMPARE(deadlocksIn(log + log).size(), 2);
}

/// MariaDB prints an address in its place, and 0 at its locks.
void TestDeadlockLog::oneThatOnlySharesHasNoNumber()
{
    const auto found = deadlocksIn(raw(u"mariadb-shared.log"_s));
    QCOMPARE(found.size(), 1);
    const Deadlock &deadlock = found.first();
    QCOMPARE(deadlock.victim, 1);
    QCOMPARE(deadlock.sides[0].transaction, quint64(0));
    QCOMPARE(deadlock.sides[0].active, std::chrono::seconds(2));
    QCOMPARE(edgeLines(deadlock), QStringList({u"1 waits for 2: t.PRIMARY"_s, u"2 waits for 1: t.PRIMARY"_s}));
    // Nor may the other one have a number.
    QByteArray none = raw(u"mariadb-shared.log"_s);
    none.replace("TRANSACTION 24,", "TRANSACTION (0x7fc36e339c80),").replace("trx id 24 ", "trx id 0 ");
    QCOMPARE(edgeLines(deadlocksIn(none).value(0)), edgeLines(deadlock));
}

void TestDeadlockLog::aPartWithoutHeadingsEndsWhereTheNextOneBegins_data()
{
    QTest::addColumn<QByteArray>("part");
    const QByteArray log = raw(u"mysql-headless.log"_s);
    const qsizetype second = log.indexOf("TRANSACTION 1562");
    const qsizetype wait = log.indexOf("RECORD LOCKS", log.indexOf("RECORD LOCKS", second) + 1);
    QTest::newRow("the end of one, where the log was rotated") << log.mid(second);
    QTest::newRow("the beginning of one, as the server died") << log.left(second);
    QTest::newRow("one without its end") << log.left(wait);
}

void TestDeadlockLog::aPartWithoutHeadingsEndsWhereTheNextOneBegins()
{
    QFETCH(QByteArray, part);
    QByteArray elsewhere = raw(u"mysql-headless.log"_s);
    elsewhere.replace("`t`", "`orders`");
    const auto found = deadlocksIn(part + '\n' + elsewhere + nextOf(elsewhere));
    QCOMPARE(found.size(), 3);
    QVERIFY(found[0].sides.size() < 3 && edgesOf(found[0]).size() < 2);
    for (const Deadlock &whole : found.mid(1))
        QCOMPARE(edgeLines(whole),
                 QStringList({u"1 waits for 2: orders.PRIMARY"_s, u"2 waits for 1: orders.PRIMARY"_s}));
}

/// As in MySQL's bug 105655: it stands first in its queue, and others behind it.
void TestDeadlockLog::aLockThatKeepsOthersWaitingMayWaitItself()
{
    QByteArray log = raw(u"mysql-headless.log"_s);
    const QByteArray held = "trx id 1563 lock_mode X locks rec but not gap";
    QVERIFY(log.contains(held + '\n'));
    log.replace(held + '\n', held + " waiting\n");
    const auto found = deadlocksIn(log);
    QCOMPARE(found.size(), 1);
    QCOMPARE(edgeLines(found.first()), QStringList({u"1 waits for 2: t.PRIMARY"_s, u"2 waits for 1: t.PRIMARY"_s}));
}

/// An exclusive lock at first would not help, as it does where each wants what the other shares with it.
void TestDeadlockLog::whoSharesOneRowAndWantsAnotherNeedsAnOrder()
{
    QByteArray log = raw(u"mysql-headless.log"_s);
    log.replace("lock_mode X locks rec but not gap\n", "lock mode S locks rec but not gap\n");
    QCOMPARE(causeOf(deadlocksIn(log).value(0)), DeadlockCause::Order);
}

/// As far as what the log has of a record goes, which is not told which columns these are.
void TestDeadlockLog::allColumnsOfAKeyAreTold()
{
    QByteArray log = raw(u"mysql-headless.log"_s);
    const Deadlock plain = deadlocksIn(log).value(0);
    QCOMPARE(plain.keyOf(plain.sides.value(0).holds.value(0)), u"0x80000001"_s);
    log.replace(" 1: len 6; hex", " 1: len 1; hex 62; asc b;;\n 2: len 6; hex");
    const Deadlock composite = deadlocksIn(log).value(0);
    QCOMPARE(composite.keyOf(composite.sides.value(0).holds.value(0)), u"0x80000001, 0x62"_s);
}

/// Each holds what the one before it waits for.
void TestDeadlockLog::threeInARingAreOne()
{
    const QByteArray ring = plainSide(71, 2, 3) + plainSide(72, 3, 4) + plainSide(73, 4, 2);
    const auto found = deadlocksIn(ring + ring);
    QCOMPARE(found.size(), 2);
    QCOMPARE(
        edgeLines(found.first()),
        QStringList({u"1 waits for 2: t.PRIMARY"_s, u"2 waits for 3: t.PRIMARY"_s, u"3 waits for 1: t.PRIMARY"_s}));
}

/// Of a row that is asked for again and again.
void TestDeadlockLog::aPartThatWaitsForWhatTheNextOneHoldsIsToldApart()
{
    const auto found = deadlocksIn(plainSide(61, 9, 1) + plainSide(71, 1, 2) + plainSide(72, 2, 1));
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].sides.size(), 1);
    QCOMPARE(found[0].sides[0].transaction, quint64(61));
    QCOMPARE(edgeLines(found[1]), QStringList({u"1 waits for 2: t.PRIMARY"_s, u"2 waits for 1: t.PRIMARY"_s}));
}

/// One with a line that is the heading of another form.
void TestDeadlockLog::aStatementHidesNoLaterDeadlock()
{
    QByteArray hostile = plainSide(71, 1, 2) + plainSide(72, 2, 1);
    hostile.replace("UPDATE t SET n=4\n", "UPDATE t SET n='\n*** (2) TRANSACTION:\n'\n");
    const auto found = deadlocksIn(hostile + plainSide(81, 1, 2) + plainSide(82, 2, 1));
    QVERIFY(!found.isEmpty());
    QCOMPARE(found.last().sides.value(0).transaction, quint64(81));
    QCOMPARE(found.last().sides.size(), 2);
}

void TestDeadlockLog::whatAMonitorRepeatsOfOneWithoutHeadingsIsOne()
{
    const QByteArray log = raw(u"mysql-headless.log"_s);
    QByteArray status = raw(u"mysql-two.txt"_s);
    const auto sides = deadlocksIn(log).value(0).sides;
    const auto ofStatus = deadlocksIn(status).value(0).sides;
    for (const char *mark : {"first", "second"}) // the numbers of one may be those of the other
        status.replace(QByteArray::number(ofStatus[mark[0] == 's'].transaction), mark);
    status.replace("first", QByteArray::number(sides[0].transaction));
    status.replace("second", QByteArray::number(sides[1].transaction));
    QCOMPARE(deadlocksIn(log + status + status).size(), 1);
}

/// MariaDB prints what a side of the ring holds below the one before it.
void TestDeadlockLog::ofSeveralWithoutANumberTheNextOneHolds()
{
    QByteArray status = raw(u"mariadb-three.txt"_s);
    const auto plain = deadlocksIn(status).value(0);
    QCOMPARE(plain.sides.size(), 3);
    for (const DeadlockSide &side : plain.sides.first(2)) {
        const QByteArray number = QByteArray::number(side.transaction);
        status.replace("TRANSACTION " + number + ',', "TRANSACTION (0x7f3e5a" + number + "),");
        status.replace("trx id " + number + ' ', "trx id 0 ");
    }
    QCOMPARE(edgeLines(deadlocksIn(status).value(0)), edgeLines(plain));
}

/// A name in a sign-in that was refused; a hundred thousand took hours.
void TestDeadlockLog::manyLinesThatLookLikeTransactionsAreReadOnce()
{
    QVERIFY(deadlocksIn(QByteArray("TRANSACTION 5, ACTIVE 3 sec\n").repeated(200'000)).isEmpty());
    const QByteArray lock = "TABLE LOCK table `a`.`b` trx id 5 lock mode IX\n";
    const auto found = deadlocksIn(("TRANSACTION 5, ACTIVE 3 sec\n" + lock + lock).repeated(20'000));
    QVERIFY(found.size() >= 20'000 / 64);
}

void TestDeadlockLog::whatStandsBeforeEachLineIsLeftOut_data()
{
    QTest::addColumn<QByteArray>("prefix");
    QTest::newRow("journalctl") << QByteArray("Nov 30 01:17:36 db-7 mariadbd[1234]: ");
    QTest::newRow("syslog of mysqld_safe") << QByteArray("Nov 30 01:17:36 db-7 mysqld: ");
    QTest::newRow("docker compose logs -t") << QByteArray("db-1  | 2026-11-30T01:17:36.839448123Z ");
    QTest::newRow("journalctl, short-iso") << QByteArray("2026-11-30T01:17:36+0000 db-7 mariadbd[1234]: ");
    QTest::newRow("journalctl, short-precise") << QByteArray("Nov 30 01:17:36.123456 db-7 mysqld[1234]: ");
    QTest::newRow("journalctl, short-full") << QByteArray("Mon 2026-11-30 01:17:36 UTC db-7 mysqld[1234]: ");
    QTest::newRow("journalctl, short-unix") << QByteArray("1764464256.123456 db-7 mysqld[1234]: ");
    QTest::newRow("rsyslog") << QByteArray("2026-11-30T01:17:36.123456+00:00 db-7 mariadbd[412]: ");
    QTest::newRow("without a number") << QByteArray("mysqld: ");
    QTest::newRow("docker logs -t") << QByteArray("2026-11-30T01:17:36.839448123Z ");
    QTest::newRow("docker compose") << QByteArray("shop-db-1  | ");
    QTest::newRow("Kubernetes") << QByteArray("2026-11-30T01:17:36.839448123Z stderr F ");
}

void TestDeadlockLog::whatStandsBeforeEachLineIsLeftOut()
{
    QFETCH(QByteArray, prefix);
    for (const QString &file : {u"mariadb.log"_s, u"mysql-verbose.log"_s, u"mysql-headless.log"_s}) {
        QByteArray log;
        for (const QByteArray &line : raw(file).split('\n')) {
            if (!line.isEmpty()) // which journald leaves out
                log += prefix + line + '\n';
        }
        const auto found = deadlocksIn(log);
        QCOMPARE(found.size(), 1);
        QCOMPARE(edgeLines(found.first()), edgeLines(deadlocksIn(raw(file)).first()));
        QVERIFY(!found.first().text.contains(prefix));
    }
}

/// Its lines are none of another family's.
void TestDeadlockLog::oneWithHeadingsWhoseBeginningIsMissingIsLeftOut()
{
    const QByteArray log = raw(u"mariadb.log"_s);
    const qsizetype end = log.indexOf("*** WE ROLL BACK");
    for (qsizetype from = log.indexOf('\n', log.indexOf("*** (1)")); from < end; from = log.indexOf('\n', from + 1)) {
        const auto found = deadlocksIn(log.mid(from + 1) + nextOf(log));
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().sides.first().transaction, quint64(33));
    }
}

void TestDeadlockLog::aPartIsMarked()
{
    const QByteArray log = raw(u"mariadb.log"_s);
    const auto found = deadlocksIn(log.left(log.indexOf("*** (2) TRANSACTION:")) + '\n' + nextOf(log));
    QCOMPARE(found.size(), 2);
    QVERIFY(found[0].isCut && !found[1].isCut);
}

/// The name in a sign-in that was refused may have any lines.
void TestDeadlockLog::aStrangersLinesAreNoDeadlock()
{
    const QByteArray forged = "2026-11-30  1:17:36 9 [Warning] Access denied for user 'x\n*** (2) TRANSACTION:\n"
                              "TRANSACTION 5, ACTIVE 3 sec\n'@'localhost'\nRECORD LOCKS waiting\n";
    QVERIFY(deadlocksIn(forged).isEmpty() || deadlocksIn(forged).first().isCut);
    QVERIFY(deadlocksIn(QByteArray("*** (1) TRANSACTION:\n") + QByteArray(1000, 'x')).isEmpty());
    const auto found = deadlocksIn(forged + raw(u"mariadb.log"_s));
    QCOMPARE(std::ranges::count(found, false, &Deadlock::isCut), 1);
}

QTEST_GUILESS_MAIN(TestDeadlockLog)
#include "tst_deadlocklog.moc"
