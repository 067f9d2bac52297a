// SPDX-License-Identifier: MIT
// What lanes make of a run's events: who did what when, who had it before, and in which words; bounded, and by steps.
#include "strict.h"

#include "ui/pages/lab/lanes.h"
#include "ui/pages/lab/lanetext.h"
#include "ui/pages/lab/laneview.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using Kind = LabEvent::Kind;
using State = Lanes::State;

Q_DECLARE_METATYPE(lockscope::LabEvent)

class TestLanes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }
    void aSentenceSaysWhatHappenedAndWhy_data();
    void aSentenceSaysWhatHappenedAndWhy();
    void aThawedHolderHoldsOn();
    void theNetworkIsBesideWhatAWorkerDoes();
    void stepsVisitEveryChangeInOrder();
    void manyEventsAreMergedAndNotLost();
    void whatMustNotBeMissedIsNeverMerged();
    void aRecordingForgetsNothingUntilItIsFull();
    void theViewStepsAndSaysSo();
    void theViewBeginsAnewAfterWhatIsMissing();
    void anotherViewShowsTheSame();
    void slowMotionReachesTheEndOfARecording();
    void keysDoWhatTheButtonsDo();
};

void TestLanes::aSentenceSaysWhatHappenedAndWhy_data()
{
    QTest::addColumn<QList<LabEvent>>("events");
    QTest::addColumn<QString>("sentence");
    const LabEvent asks{1'000'000, Kind::Ask, 2, 0, 0, 0};
    const LabEvent otherHas{500'000, Kind::Got, 0, 0, 1, 0};
    const LabEvent gets{3'100'000, Kind::Got, 2, 0, 2, 0};
    using Events = QList<LabEvent>;
    QTest::newRow("handed over") << Events{otherHas, asks, {3'099'000, Kind::Finished, 0, 0, 1, 0}, gets}
                                 << u"Worker 3 got resource-1 after 2.1 s because worker 1 released it."_s;
    QTest::newRow("killed before")
        << Events{otherHas, asks, {1'100'000, Kind::Crashed, 0, -1, 0, 0}, gets}
        << u"Worker 3 got resource-1 after 2.1 s: worker 1, which had it, was killed 2.0 s before."_s;
    QTest::newRow("still there") << Events{
        otherHas, asks,
        gets} << u"Worker 3 got resource-1 after 2.1 s although worker 1 still works with it: its time was up."_s;
    QTest::newRow("first") << Events{asks, gets} << u"Worker 3 got resource-1 after 2.1 s: nobody had it before."_s;
    QTest::newRow("free") << Events{otherHas, {600'000, Kind::Finished, 0, 0, 1, 0}, asks, gets}
                          << u"Worker 3 got resource-1 after 2.1 s: it was free since worker 1 released it."_s;
    QTest::newRow("asks") << Events{otherHas, asks} << u"Worker 3 asks for resource-1, which worker 1 holds."_s;
    QTest::newRow("asks for a free one") << Events{asks} << u"Worker 3 asks for resource-1, which nobody holds."_s;
    QTest::newRow("gives up") << Events{otherHas, asks, {1'400'000, Kind::TimedOut, 2, 0, 0, 0}}
                              << u"Worker 3 gives up waiting for resource-1 after 0.4 s."_s;
    QTest::newRow("releases") << Events{asks, gets, {3'300'000, Kind::Finished, 2, 0, 2, 0}}
                              << u"Worker 3 releases resource-1 after 0.2 s."_s;
    QTest::newRow("too late") << Events{asks,
                                        gets,
                                        {3'300'000, Kind::Finished, 2, 0, 2, 0},
                                        {3'310'000, Kind::NotHeld, 2, 0, 2, 0}}
                              << u"Worker 3 is done and finds that resource-1 was no longer its own."_s;
    QTest::newRow("refused") << Events{asks,
                                       gets,
                                       {3'300'000, Kind::Finished, 2, 0, 2, 0},
                                       {3'310'000, Kind::Refused, 2, 0, 2, 0}}
                             << u"Worker 3's write to resource-1 is refused: a later holder has been there."_s;
}

void TestLanes::aSentenceSaysWhatHappenedAndWhy()
{
    QFETCH(QList<LabEvent>, events);
    QFETCH(QString, sentence);
    Lanes lanes;
    lanes.clear(3);
    lanes.add(events);
    const Lanes::Span &last = lanes.spans(2).back();
    QCOMPARE(LaneText::event(lanes, 2, last), sentence);
    QCOMPARE(last.state == State::Refused, last.why == Kind::Refused); // it did no harm
    QVERIFY(LaneText::state(State::Refused) != LaneText::state(State::Stale));
}

void TestLanes::aThawedHolderHoldsOn()
{
    Lanes lanes;
    lanes.clear(1);
    lanes.add({{100, Kind::Got, 0, 4, 0, 0}, {200, Kind::Frozen, 0, -1, 0, 0}, {300, Kind::Thawed, 0, -1, 0, 0}});
    QCOMPARE(lanes.at(0, 250)->state, State::Frozen);
    QCOMPARE(lanes.at(0, 350)->state, State::Holding);
    QCOMPARE(lanes.at(0, 350)->resource, 4);
    QCOMPARE(LaneText::event(lanes, 0, *lanes.at(0, 350)), u"Worker 1 goes on as if nothing had happened."_s);
}

void TestLanes::theNetworkIsBesideWhatAWorkerDoes()
{
    Lanes lanes;
    lanes.clear(1);
    lanes.add({{100, Kind::Got, 0, 0, 0, 0}, {200, Kind::CutOff, 0, -1, 0, 0}, {300, Kind::Healed, 0, -1, 0, 0}});
    QCOMPARE(lanes.at(0, 250)->state, State::Holding);
    QCOMPARE(lanes.networks(0).size(), 1u);
    QCOMPARE(lanes.networks(0).front().state, State::CutOff);
    QCOMPARE(lanes.networks(0).front().to, 300);
}

void TestLanes::stepsVisitEveryChangeInOrder()
{
    Lanes lanes;
    lanes.clear(2);
    lanes.add({{100, Kind::Ask, 0, 0, 0, 0},
               {200, Kind::Got, 0, 0, 0, 0},
               {250, Kind::Ask, 1, 0, 0, 0},
               {300, Kind::Finished, 0, 0, 0, 0},
               {310, Kind::Got, 1, 0, 0, 0}});
    QList<qint64> times;
    for (auto change = lanes.next(0); change; change = lanes.next(change->span.from))
        times += change->span.from;
    QCOMPARE(times, (QList<qint64>{100, 200, 250, 300, 310}));
    QList<qint64> back;
    for (auto change = lanes.previous(1000); change; change = lanes.previous(change->span.from))
        back.prepend(change->span.from);
    QCOMPARE(back, times);
}

void TestLanes::manyEventsAreMergedAndNotLost()
{
    constexpr int turns = 100'000;
    constexpr qint64 turn = 200; // microseconds: three spans each, within what is kept
    Lanes lanes;
    lanes.clear(1);
    for (int i = 0; i < turns; i += 100) {
        QList<LabEvent> batch;
        for (int j = i; j < i + 100; ++j) {
            const qint64 at = 1 + j * turn;
            batch +=
                {{at, Kind::Ask, 0, 0, 0, 0}, {at + 50, Kind::Got, 0, 0, 0, 0}, {at + 150, Kind::Finished, 0, 0, 0, 0}};
        }
        lanes.add(batch);
        QVERIFY(lanes.spans(0).size() <= Lanes::Max + 300);
    }
    int holds = 0;
    for (const Lanes::Span &span : lanes.spans(0))
        holds += span.merged > 0 ? span.merged : int(span.state == State::Holding);
    QCOMPARE(holds, turns);
    const QString sentence = LaneText::during(0, lanes.spans(0).front(), 0);
    QVERIFY2(sentence.contains(u"in these"_s), qPrintable(sentence));
}

void TestLanes::whatMustNotBeMissedIsNeverMerged()
{
    Lanes lanes;
    lanes.clear(1);
    QList<LabEvent> events;
    for (int i = 0; i < 50'000; ++i) {
        const qint64 at = 1 + i * 100;
        events += {{at, Kind::Ask, 0, 0, 0, 0}, {at + 30, Kind::Got, 0, 0, 0, 0}};
        if (i % 10'000 == 0)
            events += {{at + 40, Kind::Finished, 0, 0, 0, 0}, {at + 50, Kind::Stale, 0, 0, 0, 0}};
        else
            events += {{at + 60, Kind::Finished, 0, 0, 0, 0}};
    }
    lanes.add(events);
    QVERIFY(lanes.spans(0).size() < std::size_t(events.size()));
    QCOMPARE(std::ranges::count(lanes.spans(0), State::Stale, &Lanes::Span::state), 5);
}

void TestLanes::aRecordingForgetsNothingUntilItIsFull()
{
    Lanes lanes;
    lanes.clear(1);
    lanes.setRecording(true);
    lanes.add({{1, Kind::Ask, 0, 0, 0, 0}});
    lanes.add({{2 * Lanes::Kept, Kind::Got, 0, 0, 0, 0}});
    QCOMPARE(lanes.spans(0).front().from, 1);
    qint64 at = 2 * Lanes::Kept;
    while (!lanes.isFull() && lanes.spans(0).size() < 10 * Lanes::Max)
        lanes.add({{++at, Kind::Finished, 0, 0, 0, 0}, {++at, Kind::Ask, 0, 0, 0, 0}});
    QVERIFY(lanes.isFull());
    const std::size_t full = lanes.spans(0).size();
    lanes.add({{++at, Kind::Finished, 0, 0, 0, 0}, {++at, Kind::Ask, 0, 0, 0, 0}});
    QCOMPARE(lanes.spans(0).size(), full);
}

void TestLanes::theViewBeginsAnewAfterWhatIsMissing()
{
    LaneView view;
    view.clear(2);
    view.add({{1'000'000, Kind::Got, 0, 0, 0, 0}});
    view.setSpeed(LaneView::Speed::Paused);
    view.add({{9'000'000, Kind::Ask, 1, 0, 0, 0}}, 5);
    QCOMPARE(view.lanes().spans(0).size(), 1u); // the recording keeps what it has
    QVERIFY(view.lanes().spans(1).empty());     // … and takes nothing that does not follow on it
    view.setSpeed(LaneView::Speed::Live);
    QVERIFY(view.lanes().spans(0).empty()); // who knows what became of that hold
    QCOMPARE(view.lanes().spans(1).size(), 1u);
}

void TestLanes::anotherViewShowsTheSame()
{
    LaneView view;
    view.clear(1);
    view.add({{1'000'000, Kind::Got, 0, 0, 0, 0}, {1'200'000, Kind::Finished, 0, 0, 0, 0}});
    view.step(false);
    LaneView next;
    QSignalSpy told(&next, &LaneView::told);
    next.takeOver(view);
    QCOMPARE(next.speed(), LaneView::Speed::Paused);
    QCOMPARE(next.lanes().spans(0).size(), 2u);
    QCOMPARE(told.last().first().toString(), u"Worker 1 got resource-1: nobody had it before."_s);
    next.step(true); // on from the same moment
    QCOMPARE(told.last().first().toString(), u"Worker 1 releases resource-1 after 0.2 s."_s);
}

void TestLanes::theViewStepsAndSaysSo()
{
    LaneView view;
    view.clear(1);
    view.add({{1'000, Kind::Ask, 0, 0, 0, 0}, {2'000, Kind::Got, 0, 0, 0, 0}, {9'000, Kind::Finished, 0, 0, 0, 0}});
    QSignalSpy told(&view, &LaneView::told);
    view.step(false);
    QCOMPARE(view.speed(), LaneView::Speed::Paused);
    QCOMPARE(told.last().first().toString(), u"Worker 1 got resource-1 after 1.0 ms: nobody had it before."_s);
    view.step(true);
    QCOMPARE(told.last().first().toString(), u"Worker 1 releases resource-1 after 7.0 ms."_s);
    view.step(true);
    QVERIFY(told.last().first().toString().startsWith(u"Nothing happened after this"_s));
    // What the run does meanwhile can be stepped to.
    view.add({{10'000, Kind::Ask, 0, 1, 0, 0}});
    view.step(true);
    QVERIFY(told.last().first().toString().startsWith(u"Worker 1 asks for resource-2"_s));
    view.setSpeed(LaneView::Speed::Live);
    QCOMPARE(told.last().first().toString(), QString());
}

void TestLanes::slowMotionReachesTheEndOfARecording()
{
    LaneView view;
    view.clear(1);
    view.add({{1'000, Kind::Ask, 0, 0, 0, 0}});
    view.setSpeed(LaneView::Speed::Tenth);
    QList<LabEvent> events;
    for (std::size_t i = 0; i < 2 * Lanes::Max + 10; ++i) // microseconds apart: a moment even when ten times slower
        events += LabEvent{2'000 + qint64(i / 1000), i % 2 == 0 ? Kind::Got : Kind::Ask, 0, 0, 0, 0};
    view.add(events);
    QVERIFY(view.lanes().isFull());
    QTRY_COMPARE_WITH_TIMEOUT(view.speed(), LaneView::Speed::Paused, 30'000);
}

void TestLanes::keysDoWhatTheButtonsDo()
{
    LaneView view;
    view.clear(1);
    view.add({{1'000, Kind::Ask, 0, 0, 0, 0}, {2'000, Kind::Got, 0, 0, 0, 0}});
    const qint64 span = view.span();
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.span() < span);
    QTest::keyClick(&view, Qt::Key_Minus);
    QCOMPARE(view.span(), span);
    QTest::keyClick(&view, Qt::Key_Space);
    QCOMPARE(view.speed(), LaneView::Speed::Paused);
    QTest::keyClick(&view, Qt::Key_Space);
    QCOMPARE(view.speed(), LaneView::Speed::Live);
    QSignalSpy told(&view, &LaneView::told);
    QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(told.last().first().toString().startsWith(u"Worker 1 asks"_s));
}

QTEST_MAIN(TestLanes)
#include "tst_lanes.moc"
