// SPDX-License-Identifier: MIT
// A server's record and this machine's as one list: what both tell is told once, and nothing is said to be done that
// was only tried.
#include "actions/forcerelease.h"
#include "actions/killtarget.h"
#include "actions/recordedacts.h"
#include "actions/recordedkill.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr ServerTime kNoon{12h};

AuditLine line(const QString &target, const QString &outcome, ServerTime at = kNoon)
{
    AuditLine made;
    made.target = target;
    made.outcome = outcome;
    made.at =
        QDateTime::fromMSecsSinceEpoch(std::chrono::floor<std::chrono::milliseconds>(at).time_since_epoch().count());
    made.operatorName = u"ada@laptop"_s;
    made.reason = u"stuck"_s;
    made.account = u"ops@%"_s;
    return made;
}

AuditLine released(const QByteArray &name, quint64 token, const QString &outcome, ServerTime at = kNoon)
{
    return line(
        recordedTarget(ReleaseOrder{.key = {.resource = name}, .token = token, .operatorName = {}, .reason = {}}),
        outcome, at);
}

AuditLine ended(quint64 session, const QString &outcome, ServerTime at = kNoon)
{
    KillTarget target;
    target.session = session;
    target.user = u"app of @all"_s;
    target.host = u"10.0.0.5"_s;
    target.transaction = 421;
    return line(recordedTarget(target), outcome, at);
}

Event told(quint64 id, Event::Kind kind, const QByteArray &name, quint64 token, ServerTime at = kNoon)
{
    Event made;
    made.id = id;
    made.at = at;
    made.kind = kind;
    made.key.resource = name;
    made.token = token;
    made.operatorName = u"ada@laptop"_s;
    made.reason = u"stuck"_s;
    return made;
}

} // namespace

class TestRecordedActs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anActInBothRecordsIsOneEntry();
    void longAndHostileWordsAreOneEntryToo();
    void anActOfThisMachineAloneIsTold();
    void whatWasNotDoneIsNoEvent_data();
    void whatWasNotDoneIsNoEvent();
    void ofActsThatAreAlikeEachIsTold();
    void anEntryStaysItselfWhenTheOtherRecordTells();
    void ofAKillIsToldWhatIsKnown_data();
    void ofAKillIsToldWhatIsKnown();
    void onlyActsOnThisServerAreTold_data();
    void onlyActsOnThisServerAreTold();
    void whatAServerDidNotRecordIsToldWithItsReason();
};

void TestRecordedActs::anActInBothRecordsIsOneEntry()
{
    const QByteArray hostile = "a, token 9\nof 'b'";
    Event kill = told(6, Event::Kind::Kill, "session 12", 0);
    kill.reason += u" (KILL CONNECTION 12: ended)"_s; // which has its own columns in the other record
    const auto merged =
        mergedRecords({told(5, Event::Kind::ForceRelease, hostile, 7), kill},
                      {released(hostile, 7, u"released"_s, kNoon - 3h), ended(12, u"ended"_s, kNoon + 3h)});
    QCOMPARE(merged.size(), 2);
    QCOMPARE(merged[0].event.id, 6U); // the server's order and clock
    QCOMPARE(merged[1].event.id, 5U);
    for (const RecordedEvent &one : merged)
        QVERIFY(one.isOnServer && one.line && one.isDone());
    QCOMPARE(merged[0].line->outcome, u"ended"_s);
}

void TestRecordedActs::longAndHostileWordsAreOneEntryToo()
{
    const QString reason(MaxReasonCharacters, u'r');
    const QString done = u" (KILL CONNECTION 12: accepted; what became of it was not seen: a\nb)"_s;
    Event kill = told(6, Event::Kind::Kill, "session 12", 0);
    kill.reason = reason.left(MaxReasonCharacters - done.size()) + done;
    KillTarget target;
    target.session = 12;
    target.user = u"a\nb"_s;
    AuditLine killed = line(recordedTarget(target), u"ended"_s);
    killed.reason = reason;
    const QByteArray command = "XA COMMIT X'" + QByteArray(128, 'f') + "',X'" + QByteArray(128, 'e') + "',2147483647";
    const Event committed = told(5, Event::Kind::Kill, command.left(MaxResourceBytes), 0);
    const auto merged = mergedRecords({committed, kill},
                                      {line(QString::fromLatin1(command) + u", transaction 7"_s, u"ended"_s), killed});
    QCOMPARE(merged.size(), 2);
    for (const RecordedEvent &one : merged)
        QVERIFY(one.isOnServer && one.line);
}

void TestRecordedActs::anActOfThisMachineAloneIsTold()
{
    const auto merged = mergedRecords(
        {}, {ended(12, u"the statement was ended"_s), released("a, token 9\nb", 7, u"released"_s, kNoon + 1s)});
    QCOMPARE(merged.size(), 2);
    QCOMPARE(merged[0].event.kind, Event::Kind::ForceRelease);
    QCOMPARE(merged[0].event.key.resource, QByteArray("a, token 9\nb"));
    QCOMPARE(merged[0].event.token, 7U);
    QCOMPARE(merged[0].event.actor(), u"ada@laptop (ops@%)"_s);
    QCOMPARE(merged[1].event.kind, Event::Kind::Kill);
    QCOMPARE(merged[1].event.key.resource, QByteArray("session 12"));
    QCOMPARE(merged[1].event.owner.service, u"app of @all"_s);
    QCOMPARE(merged[1].event.owner.host, u"10.0.0.5"_s);
    QVERIFY(!merged[1].isOnServer && merged[1].isDone());
    const Event row = mergedRecords({}, {line(u"row end of day of app.shedlock"_s, u"released"_s)}).first().event;
    QCOMPARE(row.kind, Event::Kind::TableRelease);
    QCOMPARE(row.key, (LockKey{LockKind::Table, "app.shedlock end of day"}));
}

void TestRecordedActs::whatWasNotDoneIsNoEvent_data()
{
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<int>("entries");
    QTest::newRow("refused") << u"nothing was done: it changed hands"_s << 2;
    QTest::newRow("failed") << u"failed: no route"_s << 2;
    QTest::newRow("not known, but the server knows") << u"not known, it may be released: lost"_s << 1;
    QTest::newRow("this program ended at it") << AuditFile::intentOutcome() << 1;
}

void TestRecordedActs::whatWasNotDoneIsNoEvent()
{
    QFETCH(QString, outcome);
    QFETCH(int, entries);
    const AuditLine act = released("a", 7, outcome);
    QVERIFY(!mergedRecords({}, {act}).first().isDone());
    QCOMPARE(mergedRecords({told(5, Event::Kind::ForceRelease, "a", 7)}, {act}).size(), entries);
}

void TestRecordedActs::ofActsThatAreAlikeEachIsTold()
{
    const auto merged = mergedRecords(
        {told(5, Event::Kind::Kill, "session 12", 0, kNoon), told(6, Event::Kind::Kill, "session 12", 0, kNoon + 1h)},
        {ended(12, u"ended, 1 row to be undone"_s, kNoon - 1h), ended(12, u"the statement was ended"_s, kNoon),
         ended(12, u"ended"_s, kNoon + 1h)});
    QCOMPARE(merged.size(), 3);
    QCOMPARE(merged[0].event.id, 6U);
    QCOMPARE(merged[0].line->outcome, u"ended"_s);
    QCOMPARE(merged[1].event.id, 5U);
    QCOMPARE(merged[1].line->outcome, u"the statement was ended"_s);
    QVERIFY(!merged[2].isOnServer); // the oldest: when nobody might write there
}

void TestRecordedActs::anEntryStaysItselfWhenTheOtherRecordTells()
{
    const Event event = told(5, Event::Kind::ForceRelease, "a", 7, kNoon + 1h);
    const AuditLine act = released("a", 7, u"released"_s);
    const RecordedEvent both = mergedRecords({event}, {act}).first();
    QVERIFY(both.isSame(mergedRecords({event}, {}).first()));
    QVERIFY(both.isSame(mergedRecords({}, {act}).first()));
    QVERIFY(!both.isSame(mergedRecords({}, {released("a", 7, u"released"_s, kNoon + 1s)}).first()));
    QVERIFY(!both.isSame(mergedRecords({told(6, Event::Kind::Kill, "session 1", 0)}, {}).first()));
}

void TestRecordedActs::ofAKillIsToldWhatIsKnown_data()
{
    using Outcome = KillReport::Outcome;
    QTest::addColumn<KillReport>("report");
    QTest::addColumn<QString>("told");
    KillReport report;
    report.error.emplace().kind = LockError::Kind::ConnectionLost;
    QTest::newRow("lost before it was sent") << report << u"failed: "_s;
    report.statement = "KILL CONNECTION 12"; // the server goes on with what it has got
    QTest::newRow("lost after it was sent") << report << u"not known, it may have ended: "_s;
    report.error->kind = LockError::Kind::NoPermission;
    QTest::newRow("denied") << report << u"failed: "_s;
    report = {.outcome = Outcome::RollingBack, .statement = {}, .rowsLeft = 1, .recordError = {}, .error = {}};
    QTest::newRow("a row") << report << u"ended, 1 row to be undone"_s;
    report.rowsLeft = 2;
    QTest::newRow("rows") << report << u"ended, 2 rows to be undone"_s;
}

void TestRecordedActs::ofAKillIsToldWhatIsKnown()
{
    QFETCH(KillReport, report);
    QFETCH(QString, told);
    const QString outcome = outcomeOf(report, KillKind::Connection);
    QVERIFY2(outcome.startsWith(told), qPrintable(outcome));
}

void TestRecordedActs::onlyActsOnThisServerAreTold_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<bool>("isTold");
    QTest::newRow("as it was opened") << u"mysql://ops@db1:3307/lockscope"_s << true;
    QTest::newRow("one run of it, by another user")
        << u"mysql://root@DB1:3307/shop?ssl-ca=/etc/ca.pem (run 7)"_s << true;
    QTest::newRow("another port") << u"mysql://ops@db1/lockscope"_s << false;
    QTest::newRow("another host") << u"mysql://ops@db2:3307/lockscope"_s << false;
    QTest::newRow("nothing that is a server") << u"db1:3307"_s << false;
}

void TestRecordedActs::onlyActsOnThisServerAreTold()
{
    QFETCH(QString, server);
    QFETCH(bool, isTold);
    ServerUrl url;
    QString error;
    QVERIFY2(ServerUrl::parse(u"mysql://ops@db1:3307/lockscope"_s, &url, &error), qPrintable(error));
    AuditLine act = ended(12, u"ended"_s);
    act.server = server;
    QCOMPARE(actsOn(url, {act}).size(), isTold ? 1 : 0);
}

/// Under FLUSH TABLES WITH READ LOCK a record waits in vain, whether there is a table or not.
void TestRecordedActs::whatAServerDidNotRecordIsToldWithItsReason()
{
    using Kind = LockError::Kind;
    const auto why = [](Kind kind) {
        LockError error;
        error.kind = kind;
        error.message = u"Another transaction holds the row."_s;
        return whyNotOnServer(error);
    };
    QCOMPARE(whyNotOnServer({}), QString());
    QCOMPARE(why(Kind::SchemaMissing), QString());
    QCOMPARE(why(Kind::NoPermission), QString());
    QVERIFY(why(Kind::Contention).contains(u"READ LOCK") && !why(Kind::Contention).contains(u"the row"));
    QVERIFY(why(Kind::ServerFault).contains(u"the row"));
}

QTEST_GUILESS_MAIN(TestRecordedActs)
#include "tst_recordedacts.moc"
