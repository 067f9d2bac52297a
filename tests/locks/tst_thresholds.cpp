// SPDX-License-Identifier: MIT
// When something is too long: raised once, cleared once, whatever the looks and the clocks do between.
#include "locks/thresholds.h"
#include "session/runnames.h"
#include "waitparts.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

using TimePoint = std::chrono::steady_clock::time_point;
using Seconds = std::chrono::seconds;

constexpr TimePoint kStart{std::chrono::hours(10)};
const QTime kNoon(12, 0);

/// A look `after` the first one; the server's clock may have been set meanwhile.
SnapshotClock clockAt(Seconds after, Seconds serverSet = 0s)
{
    return {kNow + after + serverSet, kStart + after};
}

ServerWaits waitsAt(const SnapshotClock &clock, const QList<WaitEdge> &edges)
{
    ServerWaits waits;
    waits.clock = clock;
    waits.identity = u"run 1"_s;
    waits.edges = edges;
    return waits;
}

/// 34 waits for 12, since `since`.
QList<WaitEdge> waitSince(ServerTime since)
{
    return {{34, 12, row("5"), u"X"_s, since}};
}

/// `length` sessions wait for 12.
QList<WaitEdge> queue(int length, ServerTime since = kNow)
{
    QList<WaitEdge> edges;
    for (int i = 0; i < length; ++i)
        edges.append({quint64(100 + i), 12, row("5"), u"X"_s, since});
    return edges;
}

LockRow lease(const QByteArray &name, LockState state, Seconds heldAtStart, int waiters = 0)
{
    LockRow row;
    row.key.resource = name;
    row.state = state;
    row.acquiredAt = kNow - heldAtStart;
    row.waiters = waiters;
    return row;
}

AlarmChanges look(Thresholds *thresholds, const ServerWaits &waits, QTime time = kNoon)
{
    return thresholds->update(waits, buildWaitGraph(waits, waits.clock.server), time);
}

/// One look for each letter: + raised, - cleared, | up, . not up.
QString told(const AlarmChanges &changes, const Thresholds &thresholds)
{
    QString text = QString(changes.raised.size(), u'+') + QString(changes.cleared.size(), u'-');
    return text.isEmpty() ? (thresholds.alarms().isEmpty() ? u"."_s : u"|"_s) : text;
}

} // namespace

class TestThresholds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQueueIsToldOnce_data();
    void aQueueIsToldOnce();
    void aWaitIsMeasuredOnOneClock_data();
    void aWaitIsMeasuredOnOneClock();
    void aWaitSaysWhoIsAtItsEnd();
    void aWaitOfNobodyKnownCounts();
    void whatALessonDoesToItselfIsNoAlarm();
    void anotherWaitOfTheSameSessionStartsOver();
    void aLeaseIsHeldTooLong();
    void aLeaseIsJudgedByTheClockOfItsServer();
    void aServerThatLeavesTakesItsAlarmsAlong();
    void aLockOfTheServersOwnIsNoLease();
    void anOrphanHasToStayOne();
    void aQueueOfALeaseIsAThingOfItsOwn();
    void whatWasNotReadIsNotGone();
    void whatIsNeverReadAgainIsGoneInTheEnd();
    void aListThatIsCutHidesNobodyWhoWaits_data();
    void aListThatIsCutHidesNobodyWhoWaits();
    void aBrokenSourceClearsNothing();
    void aRestartedServerStartsOver();
    void nothingSettlesWhileNobodyLooks();
    void aClockThatGoesBackRaisesNothing();
    void quietHours_data();
    void quietHours();
    void aKindThatIsOffIsGone();
    void theLongestComesFirst();
    void whatTheSieveLeavesOutChangesNothing_data();
    void whatTheSieveLeavesOutChangesNothing();
};

void TestThresholds::aQueueIsToldOnce_data()
{
    QTest::addColumn<QList<int>>("lengths"); // one look a second
    QTest::addColumn<QString>("told");
    QTest::newRow("short") << QList<int>{10, 10, 10, 10, 10, 10} << u"......"_s;
    QTest::newRow("long") << QList<int>{11, 11, 11, 11, 11, 11} << u"...+||"_s;
    QTest::newRow("long for a moment") << QList<int>{11, 20, 3, 11, 20, 3, 3} << u"......."_s;
    QTest::newRow("over, slowly") << QList<int>{11, 11, 11, 11, 9, 8, 8, 8, 8, 3} << u"...+||||-."_s;
    QTest::newRow("over at once") << QList<int>{11, 11, 11, 11, 0, 0, 0, 0, 0} << u"...+|||-."_s;
    QTest::newRow("around the limit") << QList<int>{11, 12, 11, 11, 10, 11, 9, 12, 10, 9, 11, 10} << u"...+||||||||"_s;
    QTest::newRow("gone for one look") << QList<int>{11, 11, 11, 11, 0, 11, 0, 0, 11, 11} << u"...+||||||"_s;
    QTest::newRow("again") << QList<int>{11, 11, 11, 11, 0, 0, 0, 0, 11, 11, 11, 11} << u"...+|||-...+"_s;
}

void TestThresholds::aQueueIsToldOnce()
{
    QFETCH(QList<int>, lengths);
    QFETCH(QString, told);
    Thresholds thresholds;
    QString was;
    for (int i = 0; i < lengths.size(); ++i)
        was +=
            ::told(look(&thresholds, waitsAt(clockAt(Seconds(i)), queue(lengths[i], kNow + Seconds(i)))), thresholds);
    QCOMPARE(was, told);
}

void TestThresholds::aWaitIsMeasuredOnOneClock_data()
{
    QTest::addColumn<int>("waited");         // at the first look, in s
    QTest::addColumn<QMap<int, int>>("set"); // the server's clock at a look, by so many seconds
    QTest::addColumn<QString>("told");       // a look every 5 s
    QTest::newRow("from the start") << 0 << QMap<int, int>{} << u"........+"_s;
    QTest::newRow("long already") << 40 << QMap<int, int>{} << u".+|||||||"_s;
    QTest::newRow("the clock goes forwards") << 0 << QMap<int, int>{{2, 3600}} << u"........+"_s;
    QTest::newRow("the clock goes backwards") << 25 << QMap<int, int>{{2, -3600}} << u"...+|||||"_s;
    QTest::newRow("the clock goes back while it is up") << 40 << QMap<int, int>{{4, -3600}} << u".+|||||||"_s;
    QTest::newRow("the clock goes to and fro")
        << 0 << QMap<int, int>{{1, 3600}, {2, -3600}, {3, 7200}} << u"........+"_s;
}

void TestThresholds::aWaitIsMeasuredOnOneClock()
{
    QFETCH(int, waited);
    QFETCH(QString, told);
    using Steps = QMap<int, int>;
    QFETCH(Steps, set);
    Thresholds thresholds;
    QString was;
    Seconds offset = 0s;
    for (int i = 0; i < told.size(); ++i) {
        offset += Seconds(set.value(i));
        const SnapshotClock clock = clockAt(Seconds(5 * i), offset);
        was += ::told(look(&thresholds, waitsAt(clock, waitSince(kNow - Seconds(waited)))), thresholds);
    }
    QCOMPARE(was, told);
    QCOMPARE(thresholds.alarms().first().length, Microseconds(Seconds(waited + 5 * (told.size() - 1))));
}

void TestThresholds::aWaitSaysWhoIsAtItsEnd()
{
    Thresholds thresholds;
    for (const Seconds after : {0s, 5s}) {
        ServerWaits waits =
            waitsAt(clockAt(after), {{34, 12, row("5"), u"X"_s, kNow - 40s}, {56, 34, row("6"), u"X"_s, kNow - 50s}});
        waits.sessions.insert(56, ServerSession());
        waits.sessions[56].user = u"app"_s;
        waits.sessions[56].host = u"a7:812"_s;
        look(&thresholds, waits);
    }
    const auto alarms = thresholds.alarms();
    QCOMPARE(alarms.size(), 2);
    QCOMPARE(alarms[0].subject.session, 56U);
    QCOMPARE(alarms[0].blocker, 12U);
    QCOMPARE(alarms[0].account, u"app@a7:812"_s);
    QCOMPARE(alarms[1].blocker, 12U);
    // In a ring nobody is at the end.
    thresholds.clear();
    for (const Seconds after : {0s, 5s})
        look(&thresholds,
             waitsAt(clockAt(after), {{1, 2, row("5"), u"X"_s, kNow - 40s}, {2, 1, row("6"), u"X"_s, kNow - 40s}}));
    QCOMPARE(thresholds.alarms().size(), 2);
    QCOMPARE(thresholds.alarms().first().blocker, 0U);
}

void TestThresholds::aWaitOfNobodyKnownCounts()
{
    Thresholds thresholds;
    for (int i = 0; i < 9; ++i) { // since when is not told either: it counts from the first look
        ServerWaits waits = waitsAt(clockAt(Seconds(5 * i)), {});
        waits.lost.append({34, ServerLockKind::Metadata, {}});
        QCOMPARE(told(look(&thresholds, waits), thresholds), i < 8 ? u"."_s : u"+"_s);
    }
    QCOMPARE(thresholds.alarms().first().length, Microseconds(40s));
}

/// Neither its waits nor its queue, until somebody else waits there.
void TestThresholds::whatALessonDoesToItselfIsNoAlarm()
{
    const QString run = newRunName();
    AlarmLimits limits;
    limits.queue = 1;
    Thresholds thresholds(limits);
    ServerWaits waits;
    waits.identity = u"run 1"_s;
    for (const quint64 id : {12ULL, 34ULL, 35ULL, 36ULL}) {
        waits.sessions[id].id = id;
        waits.sessions[id].user = id == 36 ? u"app"_s : lessonUserName(run);
        waits.sessions[id].schema = lessonSchemaName(run);
    }
    ServerObject object = row("5");
    object.schema = lessonSchemaName(run);
    waits.edges = {edge(34, 12, object, 60s), edge(35, 12, object, 60s)};
    for (const auto after : {0s, 5s, 10s}) {
        waits.clock = clockAt(after);
        QVERIFY(look(&thresholds, waits).raised.isEmpty());
    }
    waits.edges += edge(36, 12, object, 60s);
    for (const auto after : {15s, 20s}) {
        waits.clock = clockAt(after);
        look(&thresholds, waits);
    }
    QCOMPARE(thresholds.alarms().size(), 4); // as of any other three that wait, and their queue
}

void TestThresholds::anotherWaitOfTheSameSessionStartsOver()
{
    Thresholds thresholds;
    look(&thresholds, waitsAt(clockAt(0s), waitSince(kNow - 40s)));
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(3s), waitSince(kNow - 40s))), thresholds), u"+"_s);
    const auto next = waitSince(kNow + 4s);
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(5s), next)), thresholds), u"|"_s);
    QCOMPARE(thresholds.alarms().first().length, Microseconds(1s));
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(8s), next)), thresholds), u"-"_s);
}

void TestThresholds::aLeaseIsHeldTooLong()
{
    Thresholds thresholds;
    const auto at = [&](Seconds after, LockState state) {
        return told(thresholds.update({clockAt(after), {lease("a", state, 3590s), lease("b", state, 60s)}}, kNoon),
                    thresholds);
    };
    QCOMPARE(at(0s, LockState::Held), u"."_s);
    QCOMPARE(at(10s, LockState::Held), u"."_s);
    QCOMPARE(at(11s, LockState::Held), u"."_s);
    QCOMPARE(at(14s, LockState::Unknown), u"+"_s);
    QCOMPARE(thresholds.alarms().first().subject.lock->resource, QByteArray("a"));
    QCOMPARE(thresholds.alarms().first().length, Microseconds(3604s));
    QCOMPARE(at(15s, LockState::Expired), u"|"_s);
    QCOMPARE(at(18s, LockState::Expired), u"-"_s);
}

/// They come in the same list. A session may keep GET_LOCK for days, and whoever waits for it is told as blocked.
/// That of another server is two hours ahead, and the list's own one was not read.
void TestThresholds::aLeaseIsJudgedByTheClockOfItsServer()
{
    Thresholds thresholds;
    LockRow young = lease("young", LockState::Held, 60s);
    LockRow old = lease("old", LockState::Held, 3590s);
    for (LockRow *row : {&young, &old}) {
        row->key.server = 1;
        row->acquiredAt = *row->acquiredAt + 2h;
    }
    const auto at = [&](Seconds after) {
        const QMap<int, SnapshotClock> further{{1, clockAt(after, 2h)}};
        const QList<SharedLockRow> rows = thresholds.sieveFor({}, further).of(shared({young, old}));
        return told(thresholds.update({{}, rows, false, further}, kNoon), thresholds);
    };
    QCOMPARE(at(0s), u"."_s);
    QCOMPARE(at(11s), u"."_s);
    QCOMPARE(at(14s), u"+"_s);
    QCOMPARE(thresholds.alarms().first().subject.lock, old.key);
    QCOMPARE(thresholds.alarms().first().length, Microseconds(3604s));
}

void TestThresholds::aServerThatLeavesTakesItsAlarmsAlong()
{
    Thresholds thresholds;
    LockRow old = lease("old", LockState::Held, 7200s);
    old.key.server = 1;
    for (const Seconds after : {0s, 4s})
        thresholds.update({clockAt(after), {old}, false, {{1, clockAt(after)}}}, kNoon);
    QCOMPARE(thresholds.alarms().size(), 1);
    QCOMPARE(told(thresholds.update({clockAt(5s), {}}, kNoon), thresholds), u"-"_s);
}

void TestThresholds::aLockOfTheServersOwnIsNoLease()
{
    Thresholds thresholds;
    const auto look = [&](Seconds after) {
        QList<LockRow> rows;
        for (const auto kind : {LockKind::Transaction, LockKind::Metadata, LockKind::User, LockKind::Row}) {
            rows.append(lease("a", LockState::Held, 24h, 20));
            rows.last().key.kind = kind;
        }
        return thresholds.update({clockAt(after), shared(rows)}, kNoon);
    };
    look(0s);
    const AlarmChanges changes = look(10s);
    QCOMPARE(changes.raised.size(), 1);
    QCOMPARE(changes.raised.first().subject.lock->kind, LockKind::Row);
    QCOMPARE(changes.raised.first().subject.kind, AlarmKind::Held);
}

void TestThresholds::anOrphanHasToStayOne()
{
    Thresholds thresholds;
    const auto at = [&](Seconds after, LockState state) {
        return told(thresholds.update({clockAt(after), {lease("a", state, 60s)}}, kNoon), thresholds);
    };
    QCOMPARE(at(0s, LockState::Orphan), u"."_s);
    QCOMPARE(at(9s, LockState::Orphan), u"."_s);
    QCOMPARE(at(10s, LockState::Held), u"."_s); // its session came back
    QCOMPARE(at(11s, LockState::Orphan), u"."_s);
    QCOMPARE(at(22s, LockState::Orphan), u"."_s);
    QCOMPARE(at(25s, LockState::Orphan), u"+"_s);
    QCOMPARE(int(thresholds.alarms().first().subject.kind), int(AlarmKind::Orphan));
}

void TestThresholds::aQueueOfALeaseIsAThingOfItsOwn()
{
    Thresholds thresholds;
    for (const Seconds after : {0s, 3s}) {
        LockRow locked = lease("rows", LockState::Held, 1s, 50); // told by the server's own waits
        locked.key.kind = LockKind::Row;
        thresholds.update({clockAt(after), {lease("a", LockState::Held, 1s, 11), locked}}, kNoon);
        look(&thresholds, waitsAt(clockAt(after), queue(12)));
    }
    const auto alarms = thresholds.alarms();
    QCOMPARE(alarms.size(), 2);
    QCOMPARE(alarms[0].waiting, 12);
    QVERIFY(alarms[0].subject.object.has_value());
    QCOMPARE(alarms[1].waiting, 11);
    QCOMPARE(alarms[1].subject.lock->resource, QByteArray("a"));
}

void TestThresholds::whatWasNotReadIsNotGone()
{
    Thresholds thresholds;
    thresholds.update({clockAt(0s), {lease("a", LockState::Held, 7200s)}}, kNoon);
    thresholds.update({clockAt(3s), {lease("a", LockState::Held, 7200s)}}, kNoon);
    QCOMPARE(told(thresholds.update({clockAt(6s), {}, true}, kNoon), thresholds), u"|"_s);
    QCOMPARE(told(thresholds.update({clockAt(20s), {}, true}, kNoon), thresholds), u"|"_s);
    QCOMPARE(told(thresholds.update({clockAt(21s), {}}, kNoon), thresholds), u"|"_s);
    QCOMPARE(told(thresholds.update({clockAt(24s), {}}, kNoon), thresholds), u"-"_s);
}

/// Some servers have more locks than are read, always.
void TestThresholds::whatIsNeverReadAgainIsGoneInTheEnd()
{
    Thresholds thresholds;
    thresholds.update({clockAt(0s), {lease("a", LockState::Held, 7200s)}}, kNoon);
    thresholds.update({clockAt(3s), {lease("a", LockState::Held, 7200s)}}, kNoon);
    QString course;
    for (Seconds at = 20s; at <= 340s; at += 20s)
        course += told(thresholds.update({clockAt(at), {}, true}, kNoon), thresholds);
    QCOMPARE(course, QString(16, u'|') + u'-');
}

void TestThresholds::aListThatIsCutHidesNobodyWhoWaits_data()
{
    QTest::addColumn<int>("source");
    QTest::addColumn<QString>("told");

    QTest::newRow("metadata") << int(WaitSource::Metadata) << u"-"_s;
    QTest::newRow("user") << int(WaitSource::UserLocks) << u"-"_s;
    QTest::newRow("rows") << int(WaitSource::RowWaits) << u"|"_s;
    QTest::newRow("transactions") << int(WaitSource::Transactions) << u"|"_s;
}

void TestThresholds::aListThatIsCutHidesNobodyWhoWaits()
{
    QFETCH(int, source);
    QFETCH(QString, told);
    Thresholds thresholds;
    look(&thresholds, waitsAt(clockAt(0s), waitSince(kNow - 40s)));
    look(&thresholds, waitsAt(clockAt(3s), waitSince(kNow - 40s)));
    ServerWaits cut = waitsAt(clockAt(9s), {});
    cut.sources.append({WaitSource(source), SourceStatus::State::Complete, {}, {}});
    cut.sources[0].isCut = true;
    look(&thresholds, cut);
    cut.clock = clockAt(14s);
    QCOMPARE(::told(look(&thresholds, cut), thresholds), told);
}

void TestThresholds::aBrokenSourceClearsNothing()
{
    Thresholds thresholds;
    look(&thresholds, waitsAt(clockAt(0s), waitSince(kNow - 40s)));
    look(&thresholds, waitsAt(clockAt(3s), waitSince(kNow - 40s)));
    ServerWaits broken = waitsAt(clockAt(9s), {});
    broken.sources.append({WaitSource::RowWaits, SourceStatus::State::Failed, {}, {}});
    QCOMPARE(told(look(&thresholds, broken), thresholds), u"|"_s);
    broken.clock = clockAt(14s);
    QCOMPARE(told(look(&thresholds, broken), thresholds), u"|"_s);
    broken.sources[0].state = SourceStatus::State::Missing; // that is how it is
    QCOMPARE(told(look(&thresholds, broken), thresholds), u"|"_s);
    broken.clock = clockAt(17s);
    QCOMPARE(told(look(&thresholds, broken), thresholds), u"-"_s);
}

void TestThresholds::aRestartedServerStartsOver()
{
    Thresholds thresholds;
    look(&thresholds, waitsAt(clockAt(0s), waitSince(kNow - 40s)));
    look(&thresholds, waitsAt(clockAt(3s), waitSince(kNow - 40s)));
    ServerWaits next = waitsAt(clockAt(4s), waitSince(kNow + 3s)); // somebody else with the same number
    next.identity = u"run 2"_s;
    QCOMPARE(told(look(&thresholds, next), thresholds), u"-"_s);
    QVERIFY(thresholds.alarms().isEmpty());
}

void TestThresholds::nothingSettlesWhileNobodyLooks()
{
    AlarmLimits limits;
    limits.blocked.reset();
    Thresholds thresholds(limits);
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(0s), queue(11))), thresholds), u"."_s);
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(600s), queue(11))), thresholds), u"."_s);
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(603s), queue(11))), thresholds), u"+"_s);
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(605s), {})), thresholds), u"|"_s);
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(1205s), {})), thresholds), u"|"_s);
    QCOMPARE(told(look(&thresholds, waitsAt(clockAt(1208s), {})), thresholds), u"-"_s);
}

void TestThresholds::aClockThatGoesBackRaisesNothing()
{
    Thresholds thresholds;
    const auto at = [&](Seconds after) {
        return told(look(&thresholds, waitsAt({kNow, kStart + after}, waitSince(kNow - 28s))), thresholds);
    };
    QCOMPARE(at(100s), u"."_s);
    QCOMPARE(at(0s), u"."_s); // a picture of another time
    QCOMPARE(at(3s), u"."_s);
    QCOMPARE(thresholds.alarms().size(), 0);
    QCOMPARE(at(6s), u"+"_s);
    QCOMPARE(thresholds.alarms().first().length, Microseconds(34s));
}

void TestThresholds::quietHours_data()
{
    QTest::addColumn<QTime>("from");
    QTest::addColumn<QTime>("to");
    QTest::addColumn<QTime>("at");
    QTest::addColumn<bool>("isQuiet");
    QTest::newRow("before midnight") << QTime(22, 0) << QTime(7, 0) << QTime(23, 0) << true;
    QTest::newRow("after midnight") << QTime(22, 0) << QTime(7, 0) << QTime(6, 59) << true;
    QTest::newRow("at their end") << QTime(22, 0) << QTime(7, 0) << QTime(7, 0) << false;
    QTest::newRow("at noon") << QTime(22, 0) << QTime(7, 0) << kNoon << false;
    QTest::newRow("by day") << QTime(11, 0) << QTime(13, 0) << kNoon << true;
    QTest::newRow("by day, outside") << QTime(11, 0) << QTime(13, 0) << QTime(13, 0) << false;
    QTest::newRow("none") << QTime(9, 0) << QTime(9, 0) << QTime(9, 0) << false;
}

void TestThresholds::quietHours()
{
    QFETCH(QTime, from);
    QFETCH(QTime, to);
    QFETCH(QTime, at);
    QFETCH(bool, isQuiet);
    AlarmLimits limits;
    limits.quiet = QuietHours{from, to};
    Thresholds thresholds(limits);
    look(&thresholds, waitsAt(clockAt(0s), queue(11)), at);
    const AlarmChanges changes = look(&thresholds, waitsAt(clockAt(3s), queue(11)), at);
    QCOMPARE(changes.raised.size(), 1);
    QCOMPARE(changes.raised.first().isQuiet, isQuiet);
    // It stays what it was, whatever the time is by then.
    look(&thresholds, waitsAt(clockAt(4s), queue(11)), QTime(8, 0));
    QCOMPARE(thresholds.alarms().first().isQuiet, isQuiet);
}

void TestThresholds::aKindThatIsOffIsGone()
{
    Thresholds thresholds;
    for (const Seconds after : {0s, 3s})
        look(&thresholds, waitsAt(clockAt(after), queue(11, kNow - 40s)));
    QCOMPARE(thresholds.alarms().size(), 12);
    AlarmLimits limits;
    limits.blocked.reset();
    thresholds.setLimits(limits);
    QCOMPARE(thresholds.alarms().size(), 1);
    look(&thresholds, waitsAt(clockAt(6s), queue(11, kNow - 40s)));
    QCOMPARE(thresholds.alarms().size(), 1);
}

void TestThresholds::theLongestComesFirst()
{
    Thresholds thresholds;
    for (const Seconds after : {0s, 3s})
        thresholds.update({clockAt(after),
                           {lease("a", LockState::Held, 7000s), lease("b", LockState::Held, 9000s),
                            lease("c", LockState::Held, 8000s)}},
                          kNoon);
    QByteArray order;
    for (const Alarm &alarm : thresholds.alarms())
        order += alarm.subject.lock->resource;
    QCOMPARE(order, QByteArray("bca"));
}

void TestThresholds::whatTheSieveLeavesOutChangesNothing_data()
{
    QTest::addColumn<int>("set"); // the server's clock, once, by so many seconds
    QTest::newRow("the clock runs") << 0;
    QTest::newRow("the clock goes forwards") << 7200;
    QTest::newRow("the clock goes backwards") << -7200;
}

void TestThresholds::whatTheSieveLeavesOutChangesNothing()
{
    QFETCH(int, set);
    QList<LockRow> rows{lease("old", LockState::Held, 4000s),   lease("ripe", LockState::Held, 3595s),
                        lease("young", LockState::Held, 60s),   lease("queue", LockState::Held, 1s, 11),
                        lease("short", LockState::Held, 1s, 2), lease("gone", LockState::Orphan, 1s)};
    Thresholds all;
    Thresholds sieved;
    qsizetype leftOut = 0;
    for (const Seconds after : {0s, 5s, 10s, 15s, 20s}) {
        const SnapshotClock clock = clockAt(after, after > 5s ? Seconds(set) : 0s);
        const QList<SharedLockRow> rest = sieved.sieveFor(clock).of(shared(rows));
        leftOut += rows.size() - rest.size();
        all.update({clock, shared(rows)}, kNoon);
        sieved.update({clock, rest}, kNoon);
        QCOMPARE(sieved.alarms(), all.alarms());
    }
    QVERIFY(!all.alarms().isEmpty());
    QVERIFY(leftOut >= 10);
}

QTEST_APPLESS_MAIN(TestThresholds)
#include "tst_thresholds.moc"
