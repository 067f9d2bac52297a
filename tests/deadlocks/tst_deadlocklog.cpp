// SPDX-License-Identifier: MIT
// What MariaDB 10.11 and MySQL 9.7 really wrote into their error logs (raw/), and what may stand around it.
#include "deadlocks/deadlocklog.h"

#include <QtCore/QFile>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
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

QList<Deadlock> deadlocksIn(const QByteArray &text)
{
    QList<Deadlock> found;
    DeadlockLog log;
    const auto add = [&found](const std::optional<Deadlock> &one) {
        if (one)
            found += *one;
    };
    for (const QByteArray &line : text.split('\n'))
        add(log.take(line));
    add(log.end());
    return found;
}

QStringList edgeLines(const Deadlock &deadlock)
{
    QStringList lines;
    for (const DeadlockEdge &edge : edgesOf(deadlock))
        lines += u"%1 waits for %2: %3.%4"_s.arg(edge.waiter).arg(edge.holder).arg(edge.lock.table, edge.lock.index);
    lines.sort();
    return lines;
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
