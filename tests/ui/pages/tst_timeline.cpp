// SPDX-License-Identifier: MIT
// A time line of a lesson: who waits from where to where, for whom, who is freed; and its widget as a slider.
#include "strict.h"

#include "ui/pages/lessons/lessontimeline.h"
#include "ui/pages/lessons/timeline.h"
#include "ui/pages/lessons/timelinepicture.h"
#include "ui/style/appearance.h"

#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

using Kind = LessonAnswer::Kind;
using Line = Timeline::Line;
using Look = Timeline::Look;

LessonAnswer changed(qint64 rows)
{
    LessonAnswer answer{Kind::Ok};
    answer.changed = rows;
    return answer;
}

LessonAnswer blockedOn(const QString &who)
{
    LessonAnswer answer{Kind::Blocked};
    answer.blockers = QStringList(who);
    answer.on = u"row"_s;
    return answer;
}

LessonAnswer error(int number)
{
    LessonAnswer answer{Kind::Error};
    answer.error = number;
    return answer;
}

TimelineStep step(const QString &session, const QString &sql, const LessonAnswer &answer = {Kind::Ok},
                  const QStringList &waiting = {}, const QList<LessonFreed> &freed = {})
{
    return {session, sql, LessonStep::Kind::Statement, {answer, freed}, waiting};
}

/// B waits for A, is freed by its COMMIT, and goes on.
QList<TimelineStep> aWait()
{
    return {step(u"A"_s, u"BEGIN"_s), step(u"A"_s, u"UPDATE t SET n=1"_s, changed(1)),
            step(u"B"_s, u"UPDATE t SET n=2"_s, blockedOn(u"A"_s), {u"B"_s}),
            step(u"A"_s, u"SELECT 1"_s, {Kind::Rows}, {u"B"_s}),
            step(u"A"_s, u"COMMIT"_s, {Kind::Ok}, {}, {{{u"B"_s}, changed(2)}})};
}

Timeline made(const QList<TimelineStep> &played, const QList<TimelineStep> &ahead = {})
{
    return timelineOf({u"A"_s, u"B"_s}, played, ahead);
}

} // namespace

class TestTimeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init() { failOnWarnings(OffscreenWarning); }

    void aWaitLastsUntilItIsFreed();
    void whoFreesIsNotAlwaysWhoWasWaitedFor();
    void aDeadlockEndsItsTransaction();
    void aKilledWaiterIsNoWaiterAnyMore();
    void whoIsKilledIsGone();
    void whoIsNoSessionOfTheLessonGetsALane();
    void whatIsNotPlayedIsAhead();
    void statementsHaveShortNames_data();
    void statementsHaveShortNames();
    void aTransactionIsWhatTheStatementsSay_data();
    void aTransactionIsWhatTheStatementsSay();
    void hostileValuesStayOnTheirLine();
    void itIsASlider();
    void itLooksTheSameWithNothingPlayed();
};

void TestTimeline::aWaitLastsUntilItIsFreed()
{
    const Timeline line = made(aWait());
    const QList<Timeline::Stretch> stretches{{0, 0, 4, Line::Transaction}, {1, 2, 4, Line::Waiting}};
    QCOMPARE(line.stretches, stretches);
    const QList<Timeline::Arrow> arrows{{2, 1, 0, false}, {4, 0, 1, true}};
    QCOMPARE(line.arrows, arrows);
    QCOMPARE(line.notes.at(2), (Timeline::Note{1, 2, Look::Waits, u"UPDATE"_s, u"waits: row"_s}));
    QCOMPARE(line.notes.at(5), (Timeline::Note{1, 4, Look::Freed, {}, u"2 rows"_s}));
    QCOMPARE(line.words.at(2), u"3. B: UPDATE t SET n=2: waits for A: a row or a gap"_s);
    QCOMPARE(line.words.at(4), u"5. A: COMMIT: done; B goes on: 2 rows changed"_s);
    QCOMPARE(line.toString().count(u'\n'), 4);
}

void TestTimeline::whoFreesIsNotAlwaysWhoWasWaitedFor()
{
    QList<TimelineStep> steps = aWait();
    steps.last().session = u"C"_s;
    steps.last().text = u"KILL QUERY 7"_s;
    const Timeline line = timelineOf({u"A"_s, u"B"_s, u"C"_s}, steps, {});
    QCOMPARE(line.arrows.last(), (Timeline::Arrow{4, 2, 1, true}));
}

/// The one that is chosen was waiting, or was just about to.
void TestTimeline::aDeadlockEndsItsTransaction()
{
    QList<TimelineStep> steps{step(u"A"_s, u"BEGIN"_s), step(u"B"_s, u"BEGIN"_s),
                              step(u"A"_s, u"UPDATE t SET n=1"_s, blockedOn(u"B"_s), {u"A"_s}),
                              step(u"B"_s, u"UPDATE t SET n=2"_s, changed(1), {}, {{{u"A"_s}, error(1213)}}),
                              step(u"B"_s, u"SELECT 1"_s, {Kind::Rows})};
    const Timeline line = made(steps);
    const QList<Timeline::Stretch> stretches{
        {0, 0, 2, Line::Transaction}, {0, 2, 3, Line::Waiting}, {0, 3, 4, Line::Idle}, {1, 1, 4, Line::Transaction}};
    QCOMPARE(line.stretches, stretches);
    QVERIFY(line.notes.contains(Timeline::Note{0, 3, Look::Error, {}, u"error 1213"_s}));
}

void TestTimeline::aKilledWaiterIsNoWaiterAnyMore()
{
    QList<TimelineStep> steps = aWait();
    steps.resize(4);
    steps.append({u"B"_s, u"B disconnects"_s, LessonStep::Kind::Disconnect, {{Kind::Ok}, {}}, {}});
    steps.append(step(u"A"_s, u"COMMIT"_s));
    const Timeline line = made(steps);
    const QList<Timeline::Stretch> stretches{{1, 2, 4, Line::Waiting}, {0, 0, 5, Line::Transaction}};
    QCOMPARE(line.stretches, stretches);
    QCOMPARE(line.words.at(4), u"5. B disconnects"_s);
    QCOMPARE(made(steps.first(4)).stretches.last(), (Timeline::Stretch{1, 2, 3, Line::Waiting})); // still
}

void TestTimeline::whoIsKilledIsGone()
{
    const QList<TimelineStep> begun{step(u"A"_s, u"BEGIN"_s), step(u"B"_s, u"SELECT 1"_s)};
    const TimelineStep end = step(u"B"_s, u"SELECT 1"_s);
    const Timeline killed = made(begun + QList{step(u"B"_s, u"kill {A}"_s), end});
    QVERIFY(killed.stretches.contains(Timeline::Stretch{0, 0, 2, Line::Transaction}));
    const Timeline only = made(begun + QList{step(u"B"_s, u"KILL QUERY {A}"_s), end});
    QVERIFY(only.stretches.contains(Timeline::Stretch{0, 0, 3, Line::Transaction}));
    LessonAnswer denied = error(1095);
    const Timeline refused = made(begun + QList{step(u"B"_s, u"KILL {A}"_s, denied), end});
    QVERIFY(refused.stretches.contains(Timeline::Stretch{0, 0, 3, Line::Transaction}));
}

void TestTimeline::whoIsNoSessionOfTheLessonGetsALane()
{
    const Timeline line = made({step(u"B"_s, u"SELECT 1 FOR UPDATE"_s, blockedOn(u"prepared"_s), {u"B"_s})});
    QCOMPARE(line.lanes, QStringList({u"A"_s, u"B"_s, u"prepared"_s}));
    QCOMPARE(line.arrows, QList<Timeline::Arrow>({{0, 1, 2, false}}));
}

void TestTimeline::whatIsNotPlayedIsAhead()
{
    const Timeline line = made(aWait().first(2), {step(u"B"_s, u"DELETE FROM t"_s)});
    QCOMPARE(line.columns(), 3);
    QCOMPARE(line.played, 2);
    QCOMPARE(line.notes.last(), (Timeline::Note{1, 2, Look::Ahead, u"DELETE"_s, {}}));
    QVERIFY(!line.toString().contains(u"DELETE"_s));
}

void TestTimeline::statementsHaveShortNames_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("name");
    QTest::newRow("update") << u"update t set n=1"_s << u"UPDATE"_s;
    QTest::newRow("locking read") << u"SELECT * FROM t WHERE id=1 for  update SKIP LOCKED"_s << u"FOR UPDATE"_s;
    QTest::newRow("shared") << u"SELECT 1 FROM t LOCK IN SHARE MODE"_s << u"SHARE MODE"_s;
    QTest::newRow("name") << u"SELECT GET_LOCK('a', 5)"_s << u"GET_LOCK"_s;
    QTest::newRow("comment") << u"/* why */ -- how\n INSERT INTO t VALUES(1)"_s << u"INSERT"_s;
    QTest::newRow("bracket") << u"(SELECT 1)"_s << u"SELECT"_s;
    QTest::newRow("xa") << u"XA  PREPARE 'x'"_s << u"XA PREPARE"_s;
    QTest::newRow("nothing") << QString() << QString();
}

void TestTimeline::statementsHaveShortNames()
{
    QFETCH(const QString, sql);
    QTEST(shortStatement(sql), "name");
}

void TestTimeline::aTransactionIsWhatTheStatementsSay_data()
{
    QTest::addColumn<QStringList>("statements");
    QTest::addColumn<bool>("isOpen");
    QTest::newRow("begin") << QStringList{u"begin"_s} << true;
    QTest::newRow("start") << QStringList{u"START TRANSACTION WITH CONSISTENT SNAPSHOT"_s} << true;
    QTest::newRow("commit") << QStringList{u"BEGIN"_s, u"COMMIT"_s} << false;
    QTest::newRow("savepoint") << QStringList{u"BEGIN"_s, u"ROLLBACK TO s"_s} << true;
    QTest::newRow("none") << QStringList{u"UPDATE t SET n=1"_s} << false;
    QTest::newRow("autocommit off") << QStringList{u"SET autocommit=0"_s} << false;
    QTest::newRow("and then a statement") << QStringList{u"SET autocommit=0"_s, u"SELECT 1 FROM t"_s} << true;
    QTest::newRow("on again") << QStringList{u"SET autocommit=0"_s, u"SELECT 1"_s, u"SET autocommit = 1"_s} << false;
    QTest::newRow("definition") << QStringList{u"BEGIN"_s, u"ALTER TABLE t ADD c INT"_s} << false;
    QTest::newRow("prepared") << QStringList{u"XA START 'x'"_s, u"XA END 'x'"_s, u"XA PREPARE 'x'"_s} << false;
}

void TestTimeline::aTransactionIsWhatTheStatementsSay()
{
    QFETCH(const QStringList, statements);
    QFETCH(const bool, isOpen);
    QList<TimelineStep> steps;
    for (const QString &sql : statements)
        steps.append(step(u"A"_s, sql));
    steps.append(step(u"B"_s, u"SELECT 1"_s)); // what goes on is drawn up to here
    QCOMPARE(made(steps).stretches.last().line, isOpen ? Line::Transaction : Line::Idle);
}

void TestTimeline::hostileValuesStayOnTheirLine()
{
    LessonAnswer answer{Kind::Rows};
    answer.rows = QStringList{u"a\nb\u202e<b>"_s};
    const Timeline line = made({step(u"A"_s, u"SELECT\n1"_s, answer)});
    QVERIFY(!line.notes.first().answer.contains(u'\n'));
    QVERIFY(!line.notes.first().answer.contains(QChar(0x202e)));
    QVERIFY(line.words.first().startsWith(u"1. A: SELECT 1: "_s));
}

void TestTimeline::itIsASlider()
{
    LessonTimeline widget;
    widget.show(made(aWait(), {step(u"B"_s, u"COMMIT"_s), step(u"A"_s, u"SELECT 1"_s)}));
    widget.resize(widget.sizeHint());
    QSignalSpy looked(&widget, &LessonTimeline::lookedAt);
    QSignalSpy run(&widget, &LessonTimeline::runTo);
    QCOMPARE(widget.looked(), 4);
    QTest::keyClick(&widget, Qt::Key_Left);
    QCOMPARE(looked.takeFirst().first().toInt(), 3);
    QVERIFY(widget.accessibleDescription().startsWith(u"4. A: SELECT 1"_s));
    QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.columnRect(1).center());
    QCOMPARE(looked.takeFirst().first().toInt(), 1);
    QTest::keyClick(&widget, Qt::Key_Home);
    QTest::keyClick(&widget, Qt::Key_Left); // there is nothing before
    QCOMPARE(widget.looked(), 0);
    QTest::keyClick(&widget, Qt::Key_End);
    QCOMPARE(widget.looked(), 4);
    QCOMPARE(run.size(), 0);
    QTest::keyClick(&widget, Qt::Key_Right);
    QTest::keyClick(&widget, Qt::Key_Right);
    QTest::keyClick(&widget, Qt::Key_Right); // there is nothing behind
    QCOMPARE(widget.position(), 6);
    QCOMPARE(widget.looked(), 4);
    QTest::keyClick(&widget, Qt::Key_Return);
    QCOMPARE(run.takeFirst().first().toInt(), 7);
    QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.columnRect(5).center());
    QCOMPARE(run.takeFirst().first().toInt(), 6);
}

void TestTimeline::itLooksTheSameWithNothingPlayed()
{
    LessonTimeline widget;
    QTest::keyClick(&widget, Qt::Key_Left);
    QTest::mouseClick(&widget, Qt::LeftButton);
    widget.show(made({}, aWait()));
    QCOMPARE(widget.looked(), -1);
    QTest::keyClick(&widget, Qt::Key_Left);
    QCOMPARE(widget.position(), -1);
    QVERIFY(!widget.grab().isNull());
}

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
