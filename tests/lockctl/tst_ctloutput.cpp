// SPDX-License-Identifier: MIT
#include "terminal/columns.h"
#include "terminal/output.h"

#include <QtCore/QTemporaryFile>
#include <QtTest/QtTest>

#include <unistd.h>

using namespace lockscope;

class CtlOutputTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAreShownSoThatNoTwoLookTheSame_data();
    void namesAreShownSoThatNoTwoLookTheSame();
    void theServersWordsReachNoTerminal();
    void charactersTakeTheColumnsOfATerminal_data();
    void charactersTakeTheColumnsOfATerminal();
    void linesEndWithinTheTerminal_data();
    void linesEndWithinTheTerminal();
    void columnsAreAsWideAsTheirWidestCell();
    void oneLongCellPadsNoOtherLine();
    void theLastColumnIsCutToTheTerminal();
    void aHolderIsNamedByWhatIsKnownOfIt_data();
    void aHolderIsNamedByWhatIsKnownOfIt();
    void aLeaseHasTheFieldsOfTheContract();
    void aLeaseWithoutAnEndHasNulls();
    void aRowLockHasNoTokenAndMayHaveUnknownWaiters();
    void anOptimisticResourceHasItsCounts();
};

void CtlOutputTest::namesAreShownSoThatNoTwoLookTheSame_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << QByteArray("invoices/2026") << QStringLiteral("invoices/2026");
    QTest::newRow("umlaut") << QByteArray("\xc3\xa4") << QStringLiteral("ä");
    QTest::newRow("emoji") << QByteArray("\xf0\x9f\x92\xa5") << QStringLiteral("💥");
    QTest::newRow("a terminal's escape") << QByteArray("\x1b[31m") << QStringLiteral("\\x1b[31m");
    QTest::newRow("line end") << QByteArray("a\nb") << QStringLiteral("a\\x0ab");
    QTest::newRow("not UTF-8") << QByteArray("a\xff\xc3") << QStringLiteral("a\\xff\\xc3");
    QTest::newRow("cut character") << QByteArray("\xf0\x9f\x92") << QStringLiteral("\\xf0\\x9f\\x92");
    QTest::newRow("backslash") << QByteArray("\\x41") << QStringLiteral("\\\\x41");
    QTest::newRow("DEL") << QByteArray("\x7f") << QStringLiteral("\\x7f");
    QTest::newRow("a terminal's escape in one character") << QByteArray("\xc2\x9b") << QStringLiteral("\\xc2\\x9b");
    QTest::newRow("isolate") << QByteArray("\xe2\x81\xa6") << QStringLiteral("\\xe2\\x81\\xa6");
    QTest::newRow("no-break space") << QByteArray("\xc2\xa0") << QStringLiteral("\\xc2\\xa0");
    QTest::newRow("private use") << QByteArray("\xee\x80\x80") << QStringLiteral("\\xee\\x80\\x80");
    QTest::newRow("right to left mark") << QByteArray("\xe2\x80\xae") << QStringLiteral("\\xe2\\x80\\xae");
}

void CtlOutputTest::namesAreShownSoThatNoTwoLookTheSame()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, shown);
    QCOMPARE(ctl::printable(bytes), shown);
}

void CtlOutputTest::theServersWordsReachNoTerminal()
{
    QTemporaryFile shown;
    QVERIFY(shown.open());
    LockError error;
    error.message = QStringLiteral("The server refuses it.");
    error.serverText = QStringLiteral("You have an error near '\x1b]0;x\x07\u202e'");
    const int terminal = ::dup(STDERR_FILENO);
    ::dup2(shown.handle(), STDERR_FILENO);
    const int exitCode = ctl::printError(error);
    ::dup2(terminal, STDERR_FILENO);
    ::close(terminal);
    QCOMPARE(exitCode, 1);
    shown.seek(0);
    const QByteArray text = shown.readAll();
    QVERIFY2(text.startsWith("lockctl: The server refuses it."), text);
    QVERIFY2(text.contains("'\\x1b]0;x\\x07\\xe2\\x80\\xae'"), text);
}

void CtlOutputTest::charactersTakeTheColumnsOfATerminal_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("columns");
    QTest::newRow("Latin") << QStringLiteral("aé") << 2;
    QTest::newRow("combining") << QStringLiteral("e\u0301") << 1;
    QTest::newRow("East Asian") << QStringLiteral("库存ー") << 6;
    QTest::newRow("conjoining jamo") << QStringLiteral("\u1112\u1161\u11ab") << 2;
    QTest::newRow("half-width") << QStringLiteral("ｱ") << 1;
    QTest::newRow("pictures") << QStringLiteral("💥⌚") << 4;
    QTest::newRow("a picture that is drawn like a letter") << QStringLiteral("\U0001f58a") << 1;
}

/// Also in the locale of a script, which is C.
void CtlOutputTest::charactersTakeTheColumnsOfATerminal()
{
    QFETCH(QString, text);
    QTEST(ctl::columnsOf(text), "columns");
}

void CtlOutputTest::linesEndWithinTheTerminal_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown"); // in 20 columns
    const auto row = [](const char *name, const char *text, const char *shown) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(shown);
    };
    row("nothing", "", "");
    row("short", "A commits.", "A commits.");
    row("prose is filled", "A commits, and\nB goes on after its\nwait.\n\nThen C.",
        "A commits, and B\ngoes on after its\nwait.\n\nThen C.");
    row("a line of just its width", "12345678901234567890 2", "12345678901234567890\n   2");
    row("a step goes on below", "3. B: UPDATE goods SET stock=5 WHERE id=1",
        "3. B: UPDATE goods\n   SET stock=5 WHERE\n   id=1");
    row("an answer goes on below", "   → waits for A: a row or a gap", "   → waits for A: a\n      row or a gap");
    row("a list keeps its lines", "- one\n- two\n* three", "- one\n- two\n* three");
    row("code keeps its lines", "```\nSELECT\n  1\n```\nSo it\nis.", "```\nSELECT\n  1\n```\nSo it is.");
    row("a long word is cut", "1234567890123456789012", "12345678901234567890\n   12");
    row("a long word behind an indent", "   → 1234567890123456789012", "   →\n      12345678901234\n      56789012");
    row("a long word in an indent", "   1234567890123456789012", "   12345678901234567\n      89012");
    row("wide characters", "店里有十部手机，它们都在", "店里有十部手机，它们\n都在");
}

void CtlOutputTest::linesEndWithinTheTerminal()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(ctl::wrapped(text, 20), shown);
}

void CtlOutputTest::columnsAreAsWideAsTheirWidestCell()
{
    const QString text = ctl::table({QStringLiteral("A"), QStringLiteral("B")},
                                    {{QStringLiteral("long"), QStringLiteral("x")}, {QStringLiteral("s"), QString()}});
    QCOMPARE(text, QStringLiteral("A     B\nlong  x\ns\n"));
    QCOMPARE(ctl::table({QStringLiteral("A"), QStringLiteral("B")}, {{QStringLiteral("库存"), QStringLiteral("x")}}),
             QStringLiteral("A     B\n库存  x\n")); // as wide as four letters
}

void CtlOutputTest::oneLongCellPadsNoOtherLine()
{
    const QString key(1000, u'k');
    for (const int columns : {0, 80}) {
        const QStringList lines =
            ctl::table({QStringLiteral("RESOURCE"), QStringLiteral("NOTE")},
                       {{key, QStringLiteral("n")}, {QStringLiteral("a"), QStringLiteral("n")}}, columns)
                .split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[1], key + QStringLiteral("  n"));
        QVERIFY2(lines[2].size() < 80, qPrintable(lines[2]));
        QCOMPARE(lines[2].indexOf(u'n'), lines[0].indexOf(QStringLiteral("NOTE")));
    }
}

void CtlOutputTest::theLastColumnIsCutToTheTerminal()
{
    const QStringList header{QStringLiteral("A"), QStringLiteral("B")};
    const QList<QStringList> rows{{QStringLiteral("ab"), QString(100, u'x')}};
    QCOMPARE(ctl::table(header, rows), QStringLiteral("A   B\nab  ") + QString(100, u'x') + u'\n');
    QCOMPARE(ctl::table(header, rows, 50), QStringLiteral("A   B\nab  ") + QString(45, u'x') + QStringLiteral("…\n"));
    QCOMPARE(ctl::table(header, rows, 10), QStringLiteral("A   B\nab  ") + QString(29, u'x') + QStringLiteral("…\n"));
}

void CtlOutputTest::aHolderIsNamedByWhatIsKnownOfIt_data()
{
    QTest::addColumn<QString>("service");
    QTest::addColumn<QString>("host");
    QTest::addColumn<qint64>("pid");
    QTest::addColumn<QString>("text");
    QTest::newRow("all") << QStringLiteral("billing") << QStringLiteral("db1") << qint64(7)
                         << QStringLiteral("billing@db1:7/");
    QTest::newRow("no service") << QString() << QStringLiteral("db1") << qint64(7) << QStringLiteral("db1:7/");
    QTest::newRow("a service") << QStringLiteral("me") << QString() << qint64(0) << QStringLiteral("me");
    QTest::newRow("an address") << QString() << QStringLiteral("10.0.0.7") << qint64(0) << QStringLiteral("10.0.0.7");
    QTest::newRow("nothing") << QString() << QString() << qint64(0) << QStringLiteral("-");
}

void CtlOutputTest::aHolderIsNamedByWhatIsKnownOfIt()
{
    QFETCH(QString, service);
    QFETCH(QString, host);
    QFETCH(qint64, pid);
    QFETCH(QString, text);
    Owner owner;
    owner.service = service;
    owner.host = host;
    owner.pid = pid;
    QCOMPARE(owner.toString(), text);
}

void CtlOutputTest::aLeaseHasTheFieldsOfTheContract()
{
    const ServerTime now(std::chrono::seconds(1'700'000'000));
    LockRow row;
    row.key.resource = "\xc3\xa4\xff";
    row.state = LockState::Held;
    row.owner.service = QStringLiteral("billing");
    row.connectionId = 7;
    row.token = 42;
    row.note = "n";
    row.acquiredAt = now - std::chrono::seconds(1);
    row.expiresAt = now + std::chrono::milliseconds(1500);
    row.ttl = std::chrono::seconds(30);
    row.waiters = 3;
    row.sessionAlive = true;
    const QJsonObject json = ctl::toJson(row, now);
    QCOMPARE(json.keys(),
             QStringList({QStringLiteral("acquiredAt"), QStringLiteral("connectionId"), QStringLiteral("expiresAt"),
                          QStringLiteral("kind"), QStringLiteral("mode"), QStringLiteral("note"),
                          QStringLiteral("owner"), QStringLiteral("remainingMs"), QStringLiteral("resource"),
                          QStringLiteral("resourceHex"), QStringLiteral("sessionAlive"), QStringLiteral("state"),
                          QStringLiteral("token"), QStringLiteral("ttlMs"), QStringLiteral("waiters")}));
    QCOMPARE(json[QStringLiteral("kind")].toString(), QStringLiteral("lease"));
    QCOMPARE(json[QStringLiteral("mode")].toString(), QStringLiteral("unique"));
    QCOMPARE(json[QStringLiteral("state")].toString(), QStringLiteral("held"));
    QCOMPARE(json[QStringLiteral("resourceHex")].toString(), QStringLiteral("c3a4ff"));
    QCOMPARE(json[QStringLiteral("token")].toInteger(), 42);
    QCOMPARE(json[QStringLiteral("expiresAt")].toString(), QStringLiteral("2023-11-14T22:13:21.500Z"));
    QCOMPARE(json[QStringLiteral("remainingMs")].toInteger(), 1500);
    QCOMPARE(json[QStringLiteral("ttlMs")].toInteger(), 30'000);
    QCOMPARE(json[QStringLiteral("owner")][QStringLiteral("service")].toString(), QStringLiteral("billing"));
}

void CtlOutputTest::aLeaseWithoutAnEndHasNulls()
{
    LockRow row;
    row.state = LockState::Kept;
    const QJsonObject json = ctl::toJson(row, ServerTime{});
    for (const char *key : {"expiresAt", "remainingMs", "ttlMs", "acquiredAt", "connectionId"})
        QVERIFY2(json[QLatin1String(key)].isNull(), key);
    QCOMPARE(json[QStringLiteral("state")].toString(), QStringLiteral("held"));
}

void CtlOutputTest::aRowLockHasNoTokenAndMayHaveUnknownWaiters()
{
    LockRow row;
    row.key.kind = LockKind::Row;
    row.waiters.reset();
    const QJsonObject json = ctl::toJson(row, ServerTime{});
    QCOMPARE(json[QStringLiteral("kind")].toString(), QStringLiteral("row"));
    QCOMPARE(json[QStringLiteral("mode")].toString(), QStringLiteral("pessimistic"));
    QVERIFY(json.contains(QStringLiteral("waiters")) && json[QStringLiteral("waiters")].isNull());
    QVERIFY(json[QStringLiteral("token")].isNull());
    QVERIFY(!json.contains(QStringLiteral("conflicts")));
}

void CtlOutputTest::anOptimisticResourceHasItsCounts()
{
    const ServerTime now(std::chrono::seconds(1'700'000'000));
    LockRow row;
    row.key.kind = LockKind::Version;
    row.state = LockState::Open;
    row.attempts.emplace();
    row.attempts->version = 7;
    row.attempts->committedAt = now;
    row.attempts->total = {3, 1};
    row.attempts->retries = 1;
    QJsonObject json = ctl::toJson(row, now);
    QCOMPARE(json[QStringLiteral("kind")].toString(), QStringLiteral("version"));
    QCOMPARE(json[QStringLiteral("mode")].toString(), QStringLiteral("optimistic"));
    QCOMPARE(json[QStringLiteral("state")].toString(), QStringLiteral("free"));
    QCOMPARE(json[QStringLiteral("version")].toInteger(), 7);
    QCOMPARE(json[QStringLiteral("committedAt")].toString(), QStringLiteral("2023-11-14T22:13:20.000Z"));
    QCOMPARE(json[QStringLiteral("commits")].toInteger(), 3);
    QCOMPARE(json[QStringLiteral("conflicts")].toInteger(), 1);
    QCOMPARE(json[QStringLiteral("retries")].toInteger(), 1);
    QCOMPARE(json[QStringLiteral("conflictRate")].toDouble(), 0.25);
    QVERIFY(json[QStringLiteral("token")].isNull());
    row.attempts.emplace(); // of an application's own table, without an attempt
    json = ctl::toJson(row, now);
    for (const char *key : {"version", "committedAt", "conflictRate"})
        QVERIFY2(json.contains(QLatin1String(key)) && json[QLatin1String(key)].isNull(), key);
}

QTEST_GUILESS_MAIN(CtlOutputTest)
#include "tst_ctloutput.moc"
