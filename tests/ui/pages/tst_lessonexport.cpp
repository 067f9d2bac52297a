// SPDX-License-Identifier: MIT
// What was played of a lesson, taken home: a value from a table is never markup, never a statement, never a command.
#include "strict.h"

#include "ui/pages/lessons/lessonexport.h"
#include "ui/pages/lessons/lessonpictures.h"
#include "ui/pages/lessons/timeline.h"
#include "ui/pages/lessons/timelinepicture.h"
#include "ui/style/appearance.h"
#include "ui/style/theme.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QXmlStreamReader>
#include <QtGui/QImage>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

using Kind = LessonAnswer::Kind;

LessonMoment moment(const QString &session, const QString &sql, const LessonAnswer &answer,
                    const QList<LessonFreed> &freed = {})
{
    LessonMoment made;
    made.step.session = session;
    made.step.sql = sql;
    made.result.outcome = {answer, freed};
    return made;
}

LessonAnswer rows(const QStringList &values)
{
    LessonAnswer answer{Kind::Rows};
    answer.rows = values;
    return answer;
}

/// A waits for nobody, B for A, and both have a lock on the same row.
PlayedLesson aPlayedLesson()
{
    PlayedLesson played;
    played.lesson.id = u"a-lesson"_s;
    played.lesson.title = u"A <lesson>"_s;
    played.lesson.summary = u"About \"a & b\""_s;
    played.lesson.intro = u"# A <lesson>\n\nThe *shop* has <b>ten</b> phones. [Another](other.md)"_s;
    played.lesson.outro = u"Done."_s;
    played.lesson.setup = QStringList{u"CREATE TABLE t(id INT PRIMARY KEY)"_s};
    played.lesson.claims = {{u"Locks lock"_s, LessonVerdict::OnlyIf, u"they do"_s}};
    played.sessions = QStringList{u"A"_s, u"B"_s};
    played.place.version = QVersionNumber(10, 11, 19);
    LessonMoment first = moment(u"A"_s, u"SELECT name FROM t -- all"_s, rows({u"phone"_s}));
    first.step.caption = u"Both *read*."_s;
    first.result.entries = {{u"t"_s, u"PRIMARY"_s, {u"1"_s}}};
    first.result.locks.locks = {{7, u"t"_s, u"PRIMARY"_s, u"X,REC_NOT_GAP"_s, u"1"_s}};
    first.holders = {{7, u"A"_s}};
    LessonMoment second = first;
    LessonAnswer waits{Kind::Blocked};
    waits.blockers = QStringList{u"A"_s};
    second.step = LessonStep();
    second.step.session = u"B"_s;
    second.step.sql = u"KILL QUERY {A}"_s;
    second.result.outcome = {waits, {}};
    second.waiting = QStringList{u"B"_s};
    LessonAnswer error{Kind::Error};
    error.error = 1213;
    error.message = u"In plain words"_s;
    error.serverText = u"Deadlock found"_s;
    played.moments = {first, second, moment(u"A"_s, u"COMMIT"_s, {Kind::Ok}, {{{u"B"_s}, error}})};
    return played;
}

/// With this value in an answer, a key, a statement and an error.
PlayedLesson hostile(const QString &value)
{
    PlayedLesson played = aPlayedLesson();
    LessonMoment &first = played.moments.first();
    first.result.outcome.answer.rows = QStringList{value, value};
    first.result.entries.first().keys = QStringList{value};
    first.result.locks.locks.first().key = value;
    LessonAnswer &error = played.moments.last().result.outcome.freed.first().answer;
    error.serverText = value;
    return played;
}

QString exported(const PlayedLesson &played, const QString &format)
{
    return QString::fromUtf8(exportedLesson(played, format, paperPalette()));
}

/// All that is no comment and not empty.
QStringList statements(const QString &script)
{
    QStringList lines = script.split(u'\n', Qt::SkipEmptyParts);
    lines.removeIf([](const QString &line) { return line.startsWith(u"-- "_s); });
    return lines;
}

} // namespace

class TestLessonExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init() { failOnWarnings(OffscreenWarning); }

    void aPageHasAllThatWasPlayed();
    void aScriptIsToBeTyped();
    void theBodyOfAProcedureIsOneStatementForAClient();
    void whatMayReachBeyondTheLessonIsAComment_data();
    void whatMayReachBeyondTheLessonIsAComment();
    void aHostileValueIsNoMarkup_data();
    void aHostileValueIsNoMarkup();
    void aHostileValueIsNoStatement_data() { aHostileValueIsNoMarkup_data(); }
    void aHostileValueIsNoStatement();
    void picturesAreForSlides();
    void nothingPlayedCanBeExported();
};

void TestLessonExport::aPageHasAllThatWasPlayed()
{
    const QString page = exported(aPlayedLesson(), u"html"_s);
    for (const QString &part :
         {u"<h1>A &lt;lesson&gt;</h1>"_s, u"About &quot;a &amp; b&quot;"_s, u"MariaDB 10.11.19, REPEATABLE READ"_s,
          u"CREATE TABLE t(id INT PRIMARY KEY);"_s, u"<pre>SELECT name FROM t -- all</pre>"_s, u"→ (phone)"_s,
          u"→ waits for A"_s, u"B goes on: error 1213: Deadlock found"_s, u"Locks lock"_s, u"only if"_s, u"Done."_s})
        QVERIFY2(page.contains(part), qPrintable(part));
    QCOMPARE(page.count(u"<h1>"_s), 1);
    QCOMPARE(page.count(u"<svg"_s), 2);             // the time line, and the index where it has changed
    QVERIFY(page.contains(u"A holds this lock"_s)); // for who cannot see it
    QVERIFY(!page.contains(u"<b>"_s));
    QVERIFY(!page.contains(u"href"_s)); // the other lesson is not here
    QVERIFY(!page.contains(u"<?xml"_s));
}

void TestLessonExport::aScriptIsToBeTyped()
{
    const QString script = exported(aPlayedLesson(), u"sql"_s);
    const QStringList expected{u"CREATE DATABASE lesson_a_lesson;"_s,
                               u"USE lesson_a_lesson;"_s,
                               u"CREATE TABLE t(id INT PRIMARY KEY);"_s,
                               u"USE lesson_a_lesson;"_s,
                               u"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ;"_s,
                               u"SELECT name FROM t -- all"_s,
                               u";"_s,
                               u"SET @A = 0;"_s,
                               u"KILL QUERY @A;"_s,
                               u"COMMIT;"_s};
    QCOMPARE(statements(script), expected);
    QVERIFY(script.contains(u"-- Both *read*.\n-- 1. A\nSELECT"_s));
    QVERIFY(script.contains(u"COMMIT;\n-- → done\n-- → B goes on: error 1213: Deadlock found"_s));
    QVERIFY(script.contains(u"client for each session: A, B."_s));
}

void TestLessonExport::theBodyOfAProcedureIsOneStatementForAClient()
{
    PlayedLesson played = aPlayedLesson();
    played.lesson.setup = QStringList{u"CREATE PROCEDURE p() BEGIN SELECT 'http://x'; SELECT 2; END -- two"_s};
    const QStringList expected{u"DELIMITER ///"_s, played.lesson.setup.first(), u"///"_s, u"DELIMITER ;"_s};
    QCOMPARE(statements(exported(played, u"sql"_s)).mid(2, expected.size()), expected);
}

void TestLessonExport::whatMayReachBeyondTheLessonIsAComment_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("reason");
    QTest::newRow("server") << u"DROP DATABASE\nmysql"_s << u"may change the server"_s;
    QTest::newRow("schema") << u"DELETE FROM shop.goods"_s << u"another schema"_s;
    QTest::newRow("files") << u"SELECT 1 INTO OUTFILE '/tmp/x'"_s << u"files of the server"_s;
    QTest::newRow("several") << u"SELECT 1;\nDROP DATABASE mysql"_s << u"several statements"_s;
    QTest::newRow("unclear") << u"SELECT 1 \\! id"_s << u"cannot be said"_s;
}

/// Where a server refused it to the lesson's account, a plain client would run it.
void TestLessonExport::whatMayReachBeyondTheLessonIsAComment()
{
    QFETCH(QString, sql);
    QFETCH(QString, reason);
    const QStringList harmless = statements(exported(aPlayedLesson(), u"sql"_s));
    PlayedLesson played = aPlayedLesson();
    played.moments += moment(u"A"_s, sql, {Kind::Ok});
    const QString script = exported(played, u"sql"_s);
    QCOMPARE(statements(script), harmless);
    QVERIFY2(script.contains(reason) && script.contains(u"-- "_s + sql.section(u'\n', 0, 0)), qPrintable(script));
    played = aPlayedLesson();
    played.lesson.setup += sql;
    QCOMPARE(statements(exported(played, u"sql"_s)), harmless);
}

void TestLessonExport::aHostileValueIsNoMarkup_data()
{
    QTest::addColumn<QString>("value");
    QTest::newRow("script") << u"<script>alert(1)</script>"_s;
    QTest::newRow("attribute") << u"\" onload=\"alert(1)"_s;
    QTest::newRow("end of a title") << u"</title></svg><img src=x onerror=alert(1)>"_s;
    QTest::newRow("comment") << u"--><script>1</script><!--"_s;
    QTest::newRow("CDATA") << u"]]><script>1</script>"_s;
    QTest::newRow("lines") << u"1\nDROP DATABASE mysql;\r\n\u2028DROP DATABASE mysql;\u2029x\vy"_s;
    QTest::newRow("control") << u"a\u0001b\u001b[31m\u202ec"_s;
    QTest::newRow("command") << u"\n\\! id\ndelimiter x"_s;
}

void TestLessonExport::aHostileValueIsNoMarkup()
{
    QFETCH(const QString, value);
    const PlayedLesson played = hostile(value);
    const QString page = exported(played, u"html"_s);
    static const QRegularExpression foreign(u"<(script|img)|<[^>]*\\son[a-z]+=|-->|<!--|\u202e|\u001b"_s);
    QVERIFY2(!page.contains(foreign), qPrintable(foreign.match(page).captured()));
    QXmlStreamReader reader(exported(played, u"svg"_s));
    while (!reader.atEnd())
        reader.readNext();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

void TestLessonExport::aHostileValueIsNoStatement()
{
    QFETCH(const QString, value);
    QCOMPARE(statements(exported(hostile(value), u"sql"_s)), statements(exported(aPlayedLesson(), u"sql"_s)));
}

void TestLessonExport::picturesAreForSlides()
{
    const PlayedLesson played = aPlayedLesson();
    const Timeline line = timelineOf(played.sessions, played.moments, {});
    const QSize size = TimelinePicture(line, usualFont(), paperPalette()).size();
    const QImage image = QImage::fromData(exportedLesson(played, u"png"_s, paperPalette()));
    QCOMPARE(image.size(), size * 2);
    QCOMPARE(image.pixelColor(0, 0), paperPalette().color(QPalette::Base));
    const QString svg = exported(played, u"svg"_s);
    QVERIFY(svg.contains(u"KILL"_s) && svg.contains(u"error 1213"_s));
    QVERIFY(svg.contains(u"waits for A"_s)); // in words
}

void TestLessonExport::nothingPlayedCanBeExported()
{
    PlayedLesson played = aPlayedLesson();
    played.moments.clear();
    for (const QString &format : lessonFormats())
        QVERIFY2(!exportedLesson(played, format, paperPalette()).isEmpty(), qPrintable(format));
    for (const QString &format : lessonFormats()) // no lesson was chosen
        QVERIFY2(!exportedLesson({}, format, paperPalette()).isEmpty(), qPrintable(format));
}

QTEST_MAIN(TestLessonExport)
#include "tst_lessonexport.moc"
