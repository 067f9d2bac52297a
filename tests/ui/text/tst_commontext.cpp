// SPDX-License-Identifier: MIT
// What the window says: names that cannot be mistaken, countdowns that never lie.
#include "strict.h"
#include "ui/pages/waits/waittext.h"
#include "ui/text/commontext.h"

#include "ui/actions/killtext.h"
#include "ui/style/appearance.h"

#include <QtCore/QScopeGuard>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestCommonText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }
    void namesThatDifferLookDifferent_data();
    void namesThatDifferLookDifferent();
    void aSentenceSaysHowALockStands_data();
    void aSentenceSaysHowALockStands();
    void aServersOwnLockEndsWithWhatItsKindSays_data();
    void aServersOwnLockEndsWithWhatItsKindSays();
    void namesAreNeverPlaceholders();
    void anAgeThatIsNotToldIsNotSaid();
    void aTransactionIsCalledSoInTheWindowsLanguage();
    void aKnownProgramIsNamedWithItsLock();
    void ownersAreTextAndNothingElse();
    void tooltipsShowNamesAsTheyAre();
    void countdownsNeverShowANegativeNumber_data();
    void countdownsNeverShowANegativeNumber();
    void oneIsOne_data();
    void oneIsOne();
};

void TestCommonText::namesThatDifferLookDifferent_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << QByteArray("orders/42") << QStringLiteral("orders/42");
    QTest::newRow("upper case") << QByteArray("A") << QStringLiteral("A");
    QTest::newRow("a space at the end") << QByteArray("a ") << QStringLiteral("a␣");
    QTest::newRow("spaces at both ends, one inside") << QByteArray(" a b  ") << QStringLiteral("␣a b␣␣");
    QTest::newRow("only spaces") << QByteArray("  ") << QStringLiteral("␣␣");
    QTest::newRow("composed") << QByteArray("\xc3\xa4") << QStringLiteral("ä");
    QTest::newRow("decomposed") << QByteArray("a\xcc\x88") << QStringLiteral("a\\u0308");
    QTest::newRow("beyond the first plane") << QByteArray("\xf0\x9f\x94\x92") << QString::fromUtf8("\xf0\x9f\x94\x92");
    QTest::newRow("not UTF-8") << QByteArray("a\xff\x01") << QStringLiteral("a\\xff\\x01");
    QTest::newRow("a line break") << QByteArray("a\nb") << QStringLiteral("a\\u000ab");
    QTest::newRow("text that turns around") << QByteArray("a\xe2\x80\xae"
                                                          "b")
                                            << QStringLiteral("a\\u202eb");
    QTest::newRow("a space without width") << QByteArray("a\xe2\x80\x8b") << QStringLiteral("a\\u200b");
    QTest::newRow("a space that does not break") << QByteArray("a\xc2\xa0") << QStringLiteral("a\\u00a0");
    QTest::newRow("something like HTML") << QByteArray("<b>x</b>") << QStringLiteral("<b>x</b>");
}

void TestCommonText::namesThatDifferLookDifferent()
{
    QFETCH(QByteArray, bytes);
    QTEST(CommonText::resource(bytes), "shown");
}

void TestCommonText::aSentenceSaysHowALockStands_data()
{
    QTest::addColumn<LockState>("state");
    QTest::addColumn<int>("secondsLeft"); // 0 = no end
    QTest::addColumn<int>("waiters");
    QTest::addColumn<QString>("sentence");
    const QString head = QStringLiteral("cron on h3 (pid 812, thread 1) has held jobs/nightly for 9 min; ");
    QTest::newRow("an orphan with a queue")
        << LockState::Orphan << 26 << 3
        << head + QStringLiteral("its session is gone; the lease ends in 26 s; 3 wait.");
    QTest::newRow("a living holder") << LockState::Held << 26 << 0
                                     << head
            + QStringLiteral("its session is alive; the lease ends in 26 s; nobody waits.");
    QTest::newRow("no end") << LockState::Held << 0 << 1
                            << head + QStringLiteral("its session is alive; the lease has no end; one waits.");
    QTest::newRow("past its end") << LockState::Expired << -70 << 0
                                  << head
            + QStringLiteral("its session is gone; the lease expired 1 min 10 s ago; nobody waits.");
    QTest::newRow("a server that cannot tell") << LockState::Unknown << 26 << 0
                                               << head
            + QStringLiteral("whether its session is alive cannot be told here; the lease ends in 26 s; nobody waits.");
}

void TestCommonText::aSentenceSaysHowALockStands()
{
    QFETCH(LockState, state);
    QFETCH(int, secondsLeft);
    QFETCH(int, waiters);
    const ServerTime now(1h);
    LockRow row;
    row.key.resource = "jobs/nightly";
    row.owner = {QStringLiteral("cron"), QStringLiteral("h3"), 812, QStringLiteral("1"), {}};
    row.state = state;
    row.sessionAlive = state == LockState::Held;
    row.acquiredAt = now - 9min;
    if (secondsLeft != 0)
        row.expiresAt = now + std::chrono::seconds(secondsLeft);
    row.waiters = waiters;
    QTEST(CommonText::summary(row, now), "sentence");
}

void TestCommonText::aServersOwnLockEndsWithWhatItsKindSays_data()
{
    QTest::addColumn<LockKind>("kind");
    QTest::addColumn<QString>("end");
    const QString transaction = QStringLiteral("its transaction is open, and the lock ends with it");
    QTest::newRow("a row of an engine") << LockKind::Row << transaction;
    QTest::newRow("rows") << LockKind::Transaction << transaction;
    // LOCK TABLES and FLUSH TABLES WITH READ LOCK outlive a COMMIT, and so does GET_LOCK.
    QTest::newRow("metadata") << LockKind::Metadata
                              << QStringLiteral(
                                     "it lasts until its transaction or its session ends, or it is given back");
    QTest::newRow("GET_LOCK") << LockKind::User
                              << QStringLiteral("it lasts until it is given back or its session ends");
}

void TestCommonText::aServersOwnLockEndsWithWhatItsKindSays()
{
    QFETCH(LockKind, kind);
    QFETCH(QString, end);
    const ServerTime now(1h);
    LockRow row;
    row.key.resource = "flyway";
    row.key.kind = kind;
    row.owner.service = QStringLiteral("app");
    row.state = LockState::Held;
    row.acquiredAt = now - 9min;
    QCOMPARE(CommonText::summary(row, now),
             QStringLiteral("app has held flyway for 9 min; ") + end + QStringLiteral("; nobody waits."));
}

void TestCommonText::anAgeThatIsNotToldIsNotSaid()
{
    LockRow row;
    row.key = {LockKind::User, "flyway", 0};
    row.owner.service = QStringLiteral("app");
    row.state = LockState::Held;
    const QString text = CommonText::summary(row, ServerTime(1h));
    QVERIFY2(text.startsWith(QStringLiteral("app holds flyway; it lasts until")), qPrintable(text));
    QCOMPARE(CommonText::since(row), QStringLiteral("The server does not tell since when."));
}

void TestCommonText::aTransactionIsCalledSoInTheWindowsLanguage()
{
    applyAppearance({Theme::Light, u"zh_CN"_s, false});
    const auto english = qScopeGuard([] { applyAppearance({Theme::Light, u"en"_s, false}); });
    LockRow row;
    row.key.kind = LockKind::Transaction;
    row.key.resource = "transaction 1610";
    QCOMPARE(CommonText::lock(row.key), u"事务 1610"_s);
    row.key.resource = "shop.stock PRIMARY (5)";
    row.note = "transaction 1610";
    QCOMPARE(CommonText::lock(row.key), u"shop.stock PRIMARY (5)"_s);
    QCOMPARE(CommonText::noteOf(row), u"事务 1610"_s);
    row.key = {LockKind::Lease, "transaction 1610", 0}; // a program's own words
    QCOMPARE(CommonText::lock(row.key), u"transaction 1610"_s);
    QCOMPARE(CommonText::noteOf(row), u"transaction 1610"_s);
}

void TestCommonText::namesAreNeverPlaceholders()
{
    QCOMPARE(CommonText::lock({LockKind::Lease, "a%2", 3}), QStringLiteral("a%2 · slot 3"));
    const Owner owner{QStringLiteral("%2"), QStringLiteral("%3"), 812, QStringLiteral("%1"), {}};
    QCOMPARE(CommonText::whoInFull(owner), QStringLiteral("%2 on %3 (pid 812, thread %1)"));
}

void TestCommonText::aKnownProgramIsNamedWithItsLock()
{
    ServerObject object;
    object.kind = ServerLockKind::User;
    object.name = "flyway-1190937180";
    QCOMPARE(WaitText::object(object), QStringLiteral("flyway-1190937180 (Flyway)"));
    object.name = "orders/42";
    QCOMPARE(WaitText::object(object), QStringLiteral("orders/42"));
    object.scope = QStringLiteral("LEASE");
    object.name = "prisma_migrate"; // a lease may be named as it likes
    QCOMPARE(WaitText::object(object), QStringLiteral("prisma_migrate"));
}

void TestCommonText::ownersAreTextAndNothingElse()
{
    const Owner owner{QStringLiteral("bill\ning"), QStringLiteral("a7"), 812, QStringLiteral("3"), {}};
    QCOMPARE(CommonText::who(owner), QStringLiteral("bill\\u000aing on a7"));
    QCOMPARE(CommonText::process(owner), QStringLiteral("a7:812/3"));
    QCOMPARE(CommonText::who(Owner()), QStringLiteral("–"));
    QCOMPARE(CommonText::process(Owner()), QStringLiteral("–"));
}

void TestCommonText::tooltipsShowNamesAsTheyAre()
{
    QCOMPARE(CommonText::tip(QStringLiteral("<img src=x>\nb")), QStringLiteral("<qt>&lt;img src=x&gt;<br>b</qt>"));
}

void TestCommonText::countdownsNeverShowANegativeNumber_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("text");
    QTest::newRow("long") << qint64(190'000) << QStringLiteral("3 min 10 s");
    QTest::newRow("short") << qint64(400) << QStringLiteral("0.4 s");
    QTest::newRow("the very end") << qint64(0) << QStringLiteral("expired 0 s ago");
    QTest::newRow("just past") << qint64(-3'000) << QStringLiteral("expired 3.0 s ago");
    QTest::newRow("long past") << qint64(-190'000) << QStringLiteral("expired 3 min ago");
}

void TestCommonText::countdownsNeverShowANegativeNumber()
{
    QFETCH(qint64, ms);
    QTEST(CommonText::countdown(Microseconds(ms * 1000)), "text");
    QCOMPARE(CommonText::countdown(std::nullopt), QStringLiteral("no end"));
}

void TestCommonText::oneIsOne_data()
{
    QTest::addColumn<quint64>("number");
    QTest::addColumn<QString>("counts");
    QTest::addColumn<QString>("rows");
    QTest::newRow("none") << quint64(0) << u"0 commits, 0 conflicts"_s << u"0 rows left to undo"_s;
    QTest::newRow("one") << quint64(1) << u"1 commit, 1 conflict"_s << u"1 row left to undo"_s;
    QTest::newRow("more than an int counts")
        << (quint64(1) << 32) << u"4,294,967,296 commits, 4,294,967,296 conflicts"_s
        << u"4,294,967,296 rows left to undo"_s;
}

void TestCommonText::oneIsOne()
{
    QFETCH(quint64, number);
    applyAppearance({Theme::Light, u"en"_s, false}); // its plurals are a translation
    QTEST(CommonText::counts({number, number}), "counts");
    QTEST(KillText::rowsLeft(number), "rows");
}

QTEST_MAIN(TestCommonText)
#include "tst_commontext.moc"
