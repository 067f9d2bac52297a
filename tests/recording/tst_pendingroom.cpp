// SPDX-License-Identifier: MIT
// While a disk is full: what happened is not lost to curves, and what there is no room for is counted.
#include "recording/pendingroom.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

using Kind = RecordedMark::Kind;

RecordedMark markOf(Kind kind)
{
    return {ServerTime{}, kind};
}

RecordedMark alarmMark(Kind kind, quint64 session)
{
    Alarm alarm;
    alarm.subject.session = session;
    return {ServerTime{}, kind, 0, {}, toBody(alarm)};
}

} // namespace

class TestPendingRoom : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLostToANightOfQueues();
    void whatHappenedIsCountedWhereItDoesNotFit();
    void anAlarmThatDidNotFitDoesNotEnd();
    void thereAreNoBoundsForWhatIsWritten();
};

void TestPendingRoom::nothingIsLostToANightOfQueues()
{
    PendingRoom room;
    room.bound();
    for (int i = 0; i < 10'000; ++i)
        QCOMPARE(room.take(markOf(i % 2 == 0 ? Kind::Waiting : Kind::Latency)), i < PendingRoom::MaxOfCurves);
    for (const Kind kind : {Kind::Deadlock, Kind::DeadlocksMissed, Kind::Event, Kind::Act, Kind::Unreachable,
                            Kind::Reachable, Kind::Written, Kind::DeadlockSight, Kind::Ended})
        QVERIFY2(room.take(markOf(kind)), qPrintable(QString::number(int(kind))));
    QVERIFY(room.take(alarmMark(Kind::AlarmRaised, 12)));
    QVERIFY(room.take(alarmMark(Kind::AlarmCleared, 12)));
    QCOMPARE(room.lost(),
             u"Not kept of this time: 0 deadlocks, events, acts or alarms, and 9000 values of queues and "
             "latencies."_s);
}

void TestPendingRoom::whatHappenedIsCountedWhereItDoesNotFit()
{
    PendingRoom room;
    room.bound();
    for (int i = 0; i < PendingRoom::MaxHappened + 7; ++i)
        QCOMPARE(room.take(markOf(Kind::Event)), i < PendingRoom::MaxHappened);
    QVERIFY(room.take(markOf(Kind::Written)));
    QVERIFY2(room.lost().contains(u": 7 deadlocks, events, acts or alarms"_s), qPrintable(room.lost()));
    room.clear();
    QCOMPARE(room.lost(), QString());
}

void TestPendingRoom::anAlarmThatDidNotFitDoesNotEnd()
{
    PendingRoom room;
    room.bound();
    QVERIFY(room.take(alarmMark(Kind::AlarmRaised, 12)));
    for (int i = 1; i < PendingRoom::MaxHappened; ++i)
        room.take(markOf(Kind::Event));
    QVERIFY(!room.take(alarmMark(Kind::AlarmRaised, 13)));
    QVERIFY(room.take(alarmMark(Kind::AlarmCleared, 12)));
    QVERIFY(!room.take(alarmMark(Kind::AlarmCleared, 13)));
}

void TestPendingRoom::thereAreNoBoundsForWhatIsWritten()
{
    PendingRoom room;
    for (int i = 0; i < 2 * PendingRoom::MaxHappened; ++i)
        QVERIFY(room.take(markOf(Kind::Event)) && room.take(markOf(Kind::Latency)));
    QCOMPARE(room.lost(), QString());
}

QTEST_GUILESS_MAIN(TestPendingRoom)
#include "tst_pendingroom.moc"
