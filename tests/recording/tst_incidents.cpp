// SPDX-License-Identifier: MIT
// What a person looks for in a recording: one thing that blocked many is one incident.
#include "recording/incidents.h"
#include "recordmaker.h"
#include "tablelockmaker.h"

#include <QtTest/QTest>

#include <functional>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

/// So many sessions wait for one from a second on, until another.
struct Stall
{
    quint64 blocker = 0;
    const char *key = "";
    int waiters = 0;
    int from = 0;
    int to = 0;
};

/// Puts into a look what it sees.
using AddToLook = std::function<void(int second, RecordedNews *news)>;

/// A look each second.
void record(Recorder *recorder, int from, int to, const AddToLook &add)
{
    static const auto begin = std::chrono::steady_clock::now();
    for (int second = from; second < to; ++second) {
        RecordedNews news = newsAt(second, 0);
        news.look.waits.clock.local = begin + std::chrono::seconds(second);
        add(second, &news);
        recorder->take(news);
    }
}

/// Of what is written by now, without its begin.
QList<Incident> incidentsIn(WrittenRecording *written, std::chrono::seconds without = {})
{
    const auto recording = Recording::open(written->options.path, &written->error);
    if (!recording)
        qFatal("%s", qUtf8Printable(written->error));
    return incidentsOf(*recording, recording->info().from + without, recording->info().to);
}

/// Of the looks until the 200th.
QList<Incident> incidentsOfLooks(const AddToLook &add, int readFrom = 0, int recordedFrom = 0)
{
    WrittenRecording written;
    if (!written.open())
        qFatal("%s", qUtf8Printable(written.error));
    Recorder recorder(written.options, std::move(written.writer));
    record(&recorder, recordedFrom, 200, add);
    if (const QString failure = recorder.end(); !failure.isEmpty())
        qFatal("%s", qUtf8Printable(failure));
    return incidentsIn(&written, std::chrono::seconds(readFrom));
}

AddToLook adding(const QList<Stall> &stalls, int deadlockAt = -1)
{
    return [stalls, deadlockAt](int second, RecordedNews *news) {
        ServerWaits &waits = news->look.waits;
        for (const Stall &stall : stalls) {
            ServerSession holder;
            holder.id = stall.blocker;
            holder.user = u"billing"_s;
            holder.host = u"a7"_s;
            waits.sessions.insert(holder.id, holder);
            for (int i = 0; second >= stall.from && second < stall.to && i < stall.waiters; ++i)
                waits.edges.append({stall.blocker * 100 + quint64(i), stall.blocker, row(stall.key), u"X"_s,
                                    kNow + std::chrono::seconds(stall.from)});
        }
        if (second == deadlockAt)
            news->deadlocks.append(Deadlock());
    };
}

/// One session waits from the tenth second on, and it is not told for whom.
AddToLook losing(int from, int to)
{
    return [from, to](int second, RecordedNews *news) {
        if (second >= from && second < to)
            news->look.waits.lost.append({500, ServerLockKind::Record, kNow + 10s});
    };
}

QList<Incident> recordedIncidents(const QList<Stall> &stalls, int deadlockAt = -1)
{
    return incidentsOfLooks(adding(stalls, deadlockAt));
}

} // namespace

Q_DECLARE_METATYPE(AddToLook)

class TestIncidents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStallIsOneHoweverManyItBlocks();
    void stallsAtOneTimeAreToldApart();
    void aShortStallBesideALongOneIsOver();
    void whoWaitsOverOthersIsOfTheSameStall();
    void holdersOneAfterTheOtherAreOneStall();
    void aWaitGoesOnBehindTheNextHolder_data();
    void aWaitGoesOnBehindTheNextHolder();
    void aWaitGoesOnBehindTheNextHolderOnceItIsNamed();
    void ofTwoWhoHoldItEachBlocksFromTheBegin();
    void aWaitDoesNotBeginWhenTheServerIsSeenAgain_data();
    void aWaitDoesNotBeginWhenTheServerIsSeenAgain();
    void whoIsNamedLateBlocksFromTheBegin_data();
    void whoIsNamedLateBlocksFromTheBegin();
    void aWaitWhoseHolderIsNotNamedGoesOnFromTheNamedOne();
    void aContentionThatGoesOnIsOneHoweverSeldomItIsSeen();
    void aHolderThatWaitsItselfForAMomentStaysTheCause();
    void ofTwoHoldersWithAPauseEachHasItsOwn();
    void aBriefHolderWhomMoreWaitForIsNotTheCauseOfALongWait();
    void whoWaitsForOneOfSeveralLocksIsNotSaidToWaitForAnother();
    void aRingIsOfNobody();
    void whoWasInARingIsNotToBlameForIt();
    void whoHeldItLongBeforeTheStretchIsNotBrief_data();
    void whoHeldItLongBeforeTheStretchIsNotBrief();
    void aQueueThatWasLongestJustBeforeTheStretchIsOfIt();
    void ofAnOlderProgramTheQueueIsTold();
    void ofEqualQueuesTheFirstMomentIsShown();
    void alarmsOfALongQueueAreNotLostInIt();
    void aLockOfAnotherProgramThatIsHeldForLongIsOne_data();
    void aLockOfAnotherProgramThatIsHeldForLongIsOne();
    void anAlarmIsNotOverWhileTheEnginesTablesAreNotRead();
    void anAlarmEndsWithItsRecording_data();
    void anAlarmEndsWithItsRecording();
    void anAlarmThatIsUpBeforeTheStretchIsOfIt();
    void anAlarmThatIsUpAtTheEndTellsOfNoOtherHolder();
};

void TestIncidents::aStallIsOneHoweverManyItBlocks()
{
    const auto found = recordedIncidents({{12, "5", 12, 10, 60}, {13, "6", 4, 100, 150}}, 80);
    QCOMPARE(found.size(), 3);
    QCOMPARE(found[0].kind, Incident::Kind::Queue);
    QCOMPARE(found[0].alarms, 13); // and one about the queue
    QCOMPARE(found[0].waiting, 12);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].blockerIs, u"billing@a7"_s);
    QVERIFY(found[0].object == row("5"));
    QCOMPARE(found[0].from, kNow + 10s);
    QVERIFY(found[1].deadlock);
    QCOMPARE(found[2].alarms, 4);
    QCOMPARE(found[2].blocker, 13U);
    QVERIFY(found[2].object == row("6"));
}

void TestIncidents::stallsAtOneTimeAreToldApart()
{
    const auto found = recordedIncidents({{12, "5", 6, 10, 80}, {13, "6", 4, 20, 90}});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].kind, Incident::Kind::Queue);
    QCOMPARE(found[0].waiting, 6);
    QCOMPARE(found[0].alarms, 6);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].longest, 69s);
    QVERIFY(found[0].object == row("5"));
    QCOMPARE(found[0].to, kNow + 79s);
    QCOMPARE(found[1].kind, Incident::Kind::Queue);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].waiting, 4);
    QCOMPARE(found[1].alarms, 4);
    QCOMPARE(found[1].longest, 69s);
    QVERIFY(found[1].object == row("6"));
    QCOMPARE(found[1].from, kNow + 20s);
    QCOMPARE(found[1].to, kNow + 89s);
}

void TestIncidents::aShortStallBesideALongOneIsOver()
{
    const auto found = recordedIncidents({{97, "42", 11, 14, 60}, {110, "nightly", 1, 17, 164}});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 97U);
    QCOMPARE(found[0].waiting, 11);
    QCOMPARE(found[0].longest, 45s);
    QCOMPARE(found[0].to, kNow + 59s);
    QCOMPARE(found[0].alarms, 12); // and one about the queue
    QCOMPARE(found[1].blocker, 110U);
    QCOMPARE(found[1].waiting, 1);
    QCOMPARE(found[1].longest, 146s);
    QCOMPARE(found[1].to, kNow + 163s);
    QCOMPARE(found[1].alarms, 1);
    const auto brief = recordedIncidents({{97, "42", 12, 0, 10}, {110, "nightly", 1, 0, 10}}); // no alarms of sessions
    QCOMPARE(brief.size(), 2);
    QCOMPARE(brief[0].waiting, 12);
    QCOMPARE(brief[1].waiting, 1);
}

void TestIncidents::whoWaitsOverOthersIsOfTheSameStall()
{
    const auto add = adding({{12, "5", 3, 10, 40}});
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        add(second, news);
        if (second >= 20 && second < 40) // behind the first of those
            news->look.waits.edges.append({7, 1200, row("8"), u"X"_s, kNow + 20s});
    });
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].waiting, 4);
    QCOMPARE(found[0].blocker, 12U);
    QVERIFY(found[0].object == row("5"));
}

/// The last one holds it for long: that is another story.
void TestIncidents::holdersOneAfterTheOtherAreOneStall()
{
    QList<Stall> stalls{{12, "5", 4, 10, 60}};
    for (int second = 60; second < 70; ++second)
        stalls.append({quint64(20 + second), "5", 3, second, second + 1});
    stalls.append({13, "5", 2, 70, 150});
    const auto found = recordedIncidents(stalls);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].waiting, 4);
    QCOMPARE(found[0].alarms, 4);
    QCOMPARE(found[0].to, kNow + 69s);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].waiting, 2);
    QCOMPARE(found[1].alarms, 2);
    QCOMPARE(found[1].from, kNow + 70s);
}

void TestIncidents::aWaitGoesOnBehindTheNextHolder_data()
{
    QTest::addColumn<int>("readFrom");
    QTest::newRow("read from the first one on") << 0;
    QTest::newRow("read from the next one on") << 80;
}

/// Its alarm stays up, and the first holder is not to blame for what came later.
void TestIncidents::aWaitGoesOnBehindTheNextHolder()
{
    QFETCH(const int, readFrom);
    const auto add = [](int second, RecordedNews *news) {
        if (second >= 10 && second < 120)
            news->look.waits.edges.append({500, second < 60 ? 12U : 13U, row("5"), u"X"_s, kNow + 10s});
    };
    auto found = incidentsOfLooks(add, readFrom);
    if (readFrom == 0) {
        QCOMPARE(found.size(), 2);
        const Incident first = found.takeFirst();
        QCOMPARE(first.blocker, 12U);
        QCOMPARE(first.longest, 49s);
        QCOMPARE(first.to, kNow + 59s);
        QCOMPARE(first.alarms, 1);
    }
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].blocker, 13U);
    QCOMPARE(found[0].from, kNow + 59s); // the last look at which nobody waited for it
    QCOMPARE(found[0].longest, 60s);
    QCOMPARE(found[0].alarms, 0);
}

/// Neither does it begin anew while nobody is named.
void TestIncidents::aWaitGoesOnBehindTheNextHolderOnceItIsNamed()
{
    const auto lose = losing(60, 64);
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        lose(second, news);
        if (second >= 10 && second < 120 && (second < 60 || second >= 64))
            news->look.waits.edges.append({500, second < 60 ? 12U : 13U, row("5"), u"X"_s, kNow + 10s});
    });
    QCOMPARE(found.size(), 3);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].longest, 49s);
    QCOMPARE(found[1].blocker, 0U);
    QCOMPARE(found[1].from, kNow + 59s);
    QCOMPARE(found[2].blocker, 13U);
    QCOMPARE(found[2].from, kNow + 59s);
    QCOMPARE(found[2].longest, 60s);
}

void TestIncidents::ofTwoWhoHoldItEachBlocksFromTheBegin()
{
    const auto found = incidentsOfLooks([](int second, RecordedNews *news) {
        for (const quint64 holder : {12U, 13U}) {
            if (second >= 10 && second < (holder == 12 ? 60 : 120))
                news->look.waits.edges.append({500, holder, row("5"), u"X"_s, kNow + 10s});
        }
    });
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].from, kNow + 10s);
    QCOMPARE(found[1].longest, 109s);
}

void TestIncidents::aWaitDoesNotBeginWhenTheServerIsSeenAgain_data()
{
    QTest::addColumn<AddToLook>("add");
    QTest::newRow("for a holder") << adding({{12, "5", 6, 10, 90}});
    QTest::newRow("for one that is not named") << losing(10, 90);
    QTest::newRow("in a ring") << AddToLook([](int second, RecordedNews *news) {
        if (second < 10 || second >= 90)
            return;
        news->look.waits.edges.append({31, 32, row("7"), u"X"_s, kNow + 10s});
        news->look.waits.edges.append({32, 31, row("8"), u"X"_s, kNow + 10s});
    });
}

void TestIncidents::aWaitDoesNotBeginWhenTheServerIsSeenAgain()
{
    QFETCH(const AddToLook, add);
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    record(&recorder, 0, 40, add);
    record(&recorder, 62, 100, add);
    QCOMPARE(recorder.end(), QString());
    const auto found = incidentsIn(&written);
    QVERIFY(!found.isEmpty());
    for (const Incident &one : found)
        QCOMPARE(one.from, kNow + 10s);
    QCOMPARE(found.last().longest, 79s);
}

void TestIncidents::whoIsNamedLateBlocksFromTheBegin_data()
{
    QTest::addColumn<bool>("isNamedToAnother");
    QTest::newRow("late to all") << false;
    QTest::newRow("to one who waits briefly before") << true;
}

/// MariaDB does not name the holder of a row for some seconds.
void TestIncidents::whoIsNamedLateBlocksFromTheBegin()
{
    QFETCH(const bool, isNamedToAnother);
    const auto lose = losing(10, 14);
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        lose(second, news);
        if (isNamedToAnother && second >= 12 && second < 60)
            news->look.waits.edges.append({501, 12, row("6"), u"X"_s, kNow + 12s});
        if (second >= 14 && second < 60)
            news->look.waits.edges.append({500, 12, row("5"), u"X"_s, kNow + 10s});
    });
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 0U);
    QCOMPARE(found[0].longest, 3s);
    QCOMPARE(found[1].blocker, 12U);
    QCOMPARE(found[1].from, kNow + 10s);
    QCOMPARE(found[1].longest, 49s);
}

void TestIncidents::aWaitWhoseHolderIsNotNamedGoesOnFromTheNamedOne()
{
    const auto lose = losing(60, 120);
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        lose(second, news);
        if (second >= 10 && second < 60)
            news->look.waits.edges.append({500, 12, row("5"), u"X"_s, kNow + 10s});
    });
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].longest, 49s);
    QCOMPARE(found[1].blocker, 0U);
    QCOMPARE(found[1].from, kNow + 59s); // the last look at which it was named
    QCOMPARE(found[1].longest, 60s);
}

void TestIncidents::aContentionThatGoesOnIsOneHoweverSeldomItIsSeen()
{
    QList<Stall> stalls;
    for (int second = 0; second < 190; second += 5) // a look at each holder, who is another one each time
        stalls.append({quint64(1000 + second), "5", 7, second, second + 1});
    const auto found = recordedIncidents(stalls);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].to, kNow + 185s);
}

void TestIncidents::aHolderThatWaitsItselfForAMomentStaysTheCause()
{
    const auto add = adding({{12, "5", 5, 10, 60}});
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        add(second, news);
        if (second >= 30 && second < 33)
            news->look.waits.edges.append({12, 13, row("9"), u"X"_s, kNow + 30s});
    });
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QVERIFY(found[0].object == row("5"));
    QCOMPARE(found[0].waiting, 5);
    QCOMPARE(found[0].to, kNow + 59s);
    QCOMPARE(found[0].longest, 49s);
    QCOMPARE(found[1].blocker, 13U);
    QVERIFY(found[1].object == row("9"));
    QCOMPARE(found[1].from, kNow + 29s);
    QCOMPARE(found[1].to, kNow + 32s);
    QCOMPARE(found[1].longest, 3s);
}

void TestIncidents::ofTwoHoldersWithAPauseEachHasItsOwn()
{
    const auto found = recordedIncidents({{12, "5", 1, 10, 30}, {13, "5", 6, 41, 45}});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].to, kNow + 29s);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].waiting, 6);
    QCOMPARE(found[1].longest, 3s);
}

void TestIncidents::aBriefHolderWhomMoreWaitForIsNotTheCauseOfALongWait()
{
    const auto found = recordedIncidents({{12, "5", 2, 10, 90}, {13, "5", 7, 90, 96}});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].waiting, 2);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].waiting, 7);
}

void TestIncidents::whoWaitsForOneOfSeveralLocksIsNotSaidToWaitForAnother()
{
    const auto add = adding({{12, "5", 4, 10, 60}});
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        add(second, news);
        if (second < 10 || second >= 60)
            return;
        news->look.waits.edges.append({31, 12, row("6"), u"X"_s, kNow + 10s});
        news->look.waits.edges.append({32, 12, row("7"), u"X"_s, kNow + 10s});
        for (quint64 behind = 41; behind < 49; ++behind) // more than wait for any lock of the blocker
            news->look.waits.edges.append({behind, 31, row("8"), u"X"_s, kNow + 10s});
    });
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].waiting, 14);
    QVERIFY(found[0].object == row("5"));
    QCOMPARE(found[0].locks, 3);
    QCOMPARE(recordedIncidents({{12, "5", 4, 10, 60}})[0].locks, 1);
}

void TestIncidents::aRingIsOfNobody()
{
    const auto add = adding({{12, "5", 1, 10, 80}});
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        add(second, news);
        if (second < 20 || second >= 80)
            return;
        news->look.waits.edges.append({31, 32, row("7"), u"X"_s, kNow + 20s});
        news->look.waits.edges.append({32, 31, row("8"), u"X"_s, kNow + 20s});
    });
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].waiting, 1);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].alarms, 1);
    QCOMPARE(found[1].waiting, 2);
    QCOMPARE(found[1].blocker, 0U);
    QVERIFY(found[1].object == row("7") || found[1].object == row("8"));
    QCOMPARE(found[1].alarms, 2);
}

/// One of it is ended; those behind it wait for each other.
void TestIncidents::whoWasInARingIsNotToBlameForIt()
{
    const auto found = incidentsOfLooks([](int second, RecordedNews *news) {
        const auto add = [&](quint64 waiter, quint64 blocker, const char *key) {
            news->look.waits.edges.append({waiter, blocker, row(key), u"X"_s, kNow + 10s});
        };
        if (second < 10 || second >= 60)
            return;
        if (second < 40) {
            add(31, 32, "7");
            add(32, 31, "8");
            add(33, 31, "7");
        } else {
            add(33, 32, "7");
        }
    });
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 0U);
    QCOMPARE(found[0].waiting, 3);
    QCOMPARE(found[0].from, kNow + 10s);
    QCOMPARE(found[1].blocker, 32U);
    QCOMPARE(found[1].from, kNow + 39s);
    QCOMPARE(found[1].longest, 20s);
}

void TestIncidents::whoHeldItLongBeforeTheStretchIsNotBrief_data()
{
    QTest::addColumn<int>("recordedFrom");
    QTest::addColumn<int>("readFrom");
    QTest::newRow("read from then on") << 0 << 40;
    QTest::newRow("recorded from then on") << 40 << 0;
}

/// The next holder has waited for it.
void TestIncidents::whoHeldItLongBeforeTheStretchIsNotBrief()
{
    QFETCH(const int, recordedFrom);
    QFETCH(const int, readFrom);
    const auto found = incidentsOfLooks(
        [recordedFrom](int second, RecordedNews *news) {
            QList<WaitEdge> &edges = news->look.waits.edges;
            if (second < recordedFrom || second < 10 || second >= 60)
                return;
            if (second < 50)
                edges.append({13, 12, row("5"), u"X"_s, kNow + 10s});
            for (quint64 waiter = 31; second >= 50 && waiter < 34; ++waiter)
                edges.append({waiter, 13, row("5"), u"X"_s, kNow + 50s});
        },
        readFrom, recordedFrom);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].from, kNow + 10s);
    QCOMPARE(found[0].to, kNow + 49s);
    QCOMPARE(found[0].longest, 39s);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].from, kNow + 50s);
    QCOMPARE(found[1].longest, 9s);
}

/// What is written of some seconds has the moment at which most waited.
void TestIncidents::aQueueThatWasLongestJustBeforeTheStretchIsOfIt()
{
    const auto add = adding({{12, "5", 1, 10, 51}, {20, "6", 2, 52, 60}});
    const auto found = incidentsOfLooks(
        [&](int second, RecordedNews *news) {
            add(second, news);
            if (second == 48) {
                for (quint64 waiter = 31; waiter < 34; ++waiter)
                    news->look.waits.edges.append({waiter, 12, row("5"), u"X"_s, kNow + 48s});
            }
        },
        49);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].blocker, 12U);
    QCOMPARE(found[0].to, kNow + 50s);
    QCOMPARE(found[0].longest, 40s);
    QCOMPARE(found[1].blocker, 20U);
}

/// It did not write who waited for whom.
void TestIncidents::ofAnOlderProgramTheQueueIsTold()
{
    WrittenRecording written(0);
    QVERIFY(written.open());
    QCOMPARE(written.write(10), QString());
    QCOMPARE(written.write({{RecordMaker::timeOf(10), RecordedMark::Kind::Waiting, 7, 3s}}), QString());
    const auto found = incidentsIn(&written);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].waiting, 7);
    QCOMPARE(found[0].longest, 3s);
    QCOMPARE(found[0].from, kNow + 7s);
    QCOMPARE(found[0].blocker, 0U);
}

void TestIncidents::ofEqualQueuesTheFirstMomentIsShown()
{
    const auto found = recordedIncidents({{12, "5", 3, 10, 200}});
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].worst, kNow + 10s);
    const auto two = recordedIncidents({{12, "5", 3, 10, 40}, {13, "6", 3, 100, 130}});
    QCOMPARE(longestQueue(two)->blocker, 12U);
}

void TestIncidents::alarmsOfALongQueueAreNotLostInIt()
{
    QList<Stall> stalls;
    for (int second = 0; second < 190; second += 10) // short ones, one after the other
        stalls.append({quint64(20 + second), "7", 1, second, second + 9});
    stalls.append({12, "5", 2, 50, 95});
    const auto found = recordedIncidents(stalls);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].alarms, 0);
    QCOMPARE(found[1].waiting, 2);
    QCOMPARE(found[1].alarms, 2);
    QCOMPARE(found[1].blocker, 12U);
}

void TestIncidents::aLockOfAnotherProgramThatIsHeldForLongIsOne_data()
{
    QTest::addColumn<bool>("hasTables");
    QTest::newRow("beside the engine's tables") << true;
    QTest::newRow("on a server without them") << false;
}

void TestIncidents::aLockOfAnotherProgramThatIsHeldForLongIsOne()
{
    QFETCH(const bool, hasTables);
    TableLock lock = tableLock("nightly");
    lock.since = kNow - 2h;
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        news->look.hasTables = hasTables;
        if (second < 50)
            news->look.tables.locks = {lock};
    });
    QCOMPARE(found.size(), 1);
    QVERIFY(found[0].alarm && found[0].alarm->subject.lock);
    QCOMPARE(found[0].alarm->subject.kind, AlarmKind::Held);
    QCOMPARE(found[0].alarm->subject.lock->kind, LockKind::Table);
    QCOMPARE(found[0].alarm->subject.lock->resource, QByteArray("app.shedlock nightly"));
    QCOMPARE(found[0].alarm->owner.service, u"a7"_s);
    QVERIFY(found[0].to > kNow + 50s && found[0].to < kNow + 60s);
}

void TestIncidents::anAlarmIsNotOverWhileTheEnginesTablesAreNotRead()
{
    LockRow lease;
    lease.key.resource = "nightly";
    lease.state = LockState::Held;
    lease.acquiredAt = kNow - 2h;
    const auto found = incidentsOfLooks([&](int second, RecordedNews *news) {
        news->look.hasTables = second < 50 || second >= 100;
        if (news->look.hasTables && second < 150)
            news->look.locks.rows = {lease};
    });
    QCOMPARE(found.size(), 1);
    QVERIFY(found[0].to > kNow + 150s);
}

void TestIncidents::anAlarmEndsWithItsRecording_data()
{
    QTest::addColumn<bool>("isEnded");
    QTest::newRow("ended") << true;
    QTest::newRow("killed") << false;
}

void TestIncidents::anAlarmEndsWithItsRecording()
{
    QFETCH(const bool, isEnded);
    constexpr int nextNight = 22 * 3600;
    WrittenRecording written;
    QVERIFY(written.open());
    {
        Recorder recorder(written.options, std::move(written.writer));
        record(&recorder, 0, 200, adding({{12, "5", 6, 10, 200}, {13, "6", 4, 20, 200}}));
        if (isEnded)
            QCOMPARE(recorder.end(), QString());
    }
    QVERIFY2(written.open(), qPrintable(written.error));
    {
        Recorder recorder(written.options, std::move(written.writer));
        record(&recorder, nextNight, nextNight + 100, adding({{12, "5", 6, nextNight + 10, nextNight + 60}}));
    }
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const auto found = incidentsOf(*recording, recording->info().from, recording->info().to);
    QCOMPARE(found.size(), 3);
    QCOMPARE(found[0].alarms, 6);
    QVERIFY(found[0].to < kNow + 200s);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].to, kNow + 199s);
    QCOMPARE(found[1].longest, 179s);
    QCOMPARE(found[2].kind, Incident::Kind::Queue);
    QCOMPARE(found[2].from, kNow + std::chrono::seconds(nextNight + 10));
    QCOMPARE(found[2].alarms, 6);
    QCOMPARE(found[2].longest, 49s);
    const auto later = incidentsOf(*recording, kNow + 1h, kNow + 2h); // nobody looked
    QCOMPARE(later.size(), 0);
}

void TestIncidents::anAlarmThatIsUpBeforeTheStretchIsOfIt()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    record(&recorder, 0, 200, adding({{12, "5", 6, 10, 200}, {13, "6", 4, 20, 200}}));
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const auto found = incidentsOf(*recording, kNow + 100s, kNow + 150s);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].kind, Incident::Kind::Queue);
    QCOMPARE(found[0].alarms, 6);
    QCOMPARE(found[1].waiting, 4);
    QCOMPARE(found[1].alarms, 4);
    QCOMPARE(found[1].blocker, 13U);
    QVERIFY(found[1].from < kNow + 100s);
    QCOMPARE(found[1].worst, kNow + 100s);
    QCOMPARE(found[1].to, kNow + 150s);
    QCOMPARE(found[1].longest, 130s);
}

void TestIncidents::anAlarmThatIsUpAtTheEndTellsOfNoOtherHolder()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    const auto add = [](int second, RecordedNews *news) {
        const quint64 holder = second < 20 ? 12 : 13;
        news->look.waits.edges.append({500, holder, row("5"), u"X"_s, kNow});
    };
    record(&recorder, 0, 20, add);
    record(&recorder, 40, 70, add);
    const auto found = incidentsIn(&written);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].from, kNow + 19s);
    QCOMPARE(found[1].to, kNow + 69s);
    QCOMPARE(found[1].longest, 50s);
}

QTEST_GUILESS_MAIN(TestIncidents)
#include "tst_incidents.moc"
