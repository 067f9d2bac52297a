// SPDX-License-Identifier: MIT
// What a person looks for in a recording: one thing that blocked many is one incident.
#include "recording/incidents.h"
#include "recordmaker.h"

#include <QtTest/QTest>

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

QList<Incident> recordedIncidents(const QList<Stall> &stalls, int deadlockAt = -1)
{
    WrittenRecording written;
    if (!written.open())
        qFatal("%s", qUtf8Printable(written.error));
    Recorder recorder(written.options, std::move(written.writer));
    for (int second = 0; second < 200; ++second) {
        RecordedNews news = newsAt(second, 0);
        ServerWaits &waits = news.look.waits;
        waits.clock.local = std::chrono::steady_clock::time_point(1h) + std::chrono::seconds(second);
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
            news.deadlocks.append(Deadlock());
        recorder.take(news);
    }
    if (const QString failure = recorder.end(); !failure.isEmpty())
        qFatal("%s", qUtf8Printable(failure));
    const auto recording = Recording::open(written.options.path, &written.error);
    return incidentsOf(*recording, recording->info().from, recording->info().to);
}

} // namespace

class TestIncidents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStallIsOneHoweverManyItBlocks();
    void stallsAtOneTimeAreToldApart();
    void ofEqualQueuesTheFirstMomentIsShown();
    void alarmsOfALongQueueAreNotLostInIt();
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
    QCOMPARE(found[0].waiting, 10);
    QCOMPARE(found[0].alarms, 6);
    QCOMPARE(found[0].blocker, 12U);
    QVERIFY(found[0].object == row("5"));
    QCOMPARE(found[1].kind, Incident::Kind::Alarm);
    QCOMPARE(found[1].blocker, 13U);
    QCOMPARE(found[1].waiting, 4);
    QCOMPARE(found[1].alarms, 4);
    QCOMPARE(found[1].longest, 69s);
    QVERIFY(found[1].object == row("6"));
    QVERIFY(found[1].from > kNow + 50s && found[1].to < kNow + 100s);
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
    QCOMPARE(found[1].kind, Incident::Kind::Alarm);
    QCOMPARE(found[1].alarms, 2);
    QCOMPARE(found[1].blocker, 12U);
}

QTEST_GUILESS_MAIN(TestIncidents)
#include "tst_incidents.moc"
