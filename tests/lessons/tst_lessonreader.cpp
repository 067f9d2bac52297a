// SPDX-License-Identifier: MIT
// A lesson's file is read as it is meant, and a faulty one is refused with the line and what is wrong.
#include "lessons/lessonreader.h"

#include <QtTest/QTest>

using namespace lockscope;

namespace {

const QByteArray kHead = "---\nid: x\ntitle: A lesson\nsummary: Short.\nlevel: basic\ntags: [a, b]\n"
                         "servers: [mariadb, mysql]\nisolation: [rr, rc]\n---\n"; // 9 lines
const QByteArray kLinks = "lab: [flash-sale, hot-row]\nexplains: [gap wait, deadlock]\n";
const QByteArray kStep = "```sql A ok\nBEGIN;\n```\n";

const QByteArray kWhole = kHead
    + "\n# A lesson\n\nIt begins.\n\n"
      "```sql setup\nCREATE TABLE t(id INT);\nINSERT INTO t\nVALUES(1);\n```\n\n"
      "First.\n\n```sql A ok\nBEGIN;\n```\n\n"
      "```text\nnot a block of ours\n```\n\nLook.\n\n"
      "```predict waiting\nWhat now?\n- [ ] it waits\n- [x] it does not\n\nBecause.\n```\n\n"
      "Then.\n\n```sql B rows (1)\nSELECT id\n  FROM t\n```\n"
      "```step pause 1.5s\n```\n```step B disconnects\n```\n\nAll over.\n\n"
      "```exercise edit 2\nLock it.\n```\n```sql solution\nSELECT id FROM t FOR UPDATE;\n```\n```sql check\nSELECT "
      "1\n```\n"
      "```claim only if\nIt is so.\n\nOnly today.\n```\n";

} // namespace

class TestLessonReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyBlockIsRead();
    void whatOthersWriteIsRead();
    void aHeadMayNameWhatItsLessonExplains();
    void whatMayBefallASessionIsRead();
    void goalsAreRead();
    void aFaultIsToldWithItsLine_data();
    void aFaultIsToldWithItsLine();
    void whatIsTooLargeIsNotRead();
    void anyBytesAreRefusedOrRead();
};

void TestLessonReader::everyBlockIsRead()
{
    const auto read = readLesson(kWhole, QStringLiteral("x"));
    const auto *fault = std::get_if<LessonFault>(&read);
    QVERIFY2(!fault, fault ? qPrintable(QStringLiteral("%1: %2").arg(fault->line).arg(fault->reason)) : "");
    const Lesson &lesson = std::get<Lesson>(read);
    QCOMPARE(lesson.title, QStringLiteral("A lesson"));
    QCOMPARE(lesson.tags, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(lesson.setup,
             (QStringList{QStringLiteral("CREATE TABLE t(id INT)"), QStringLiteral("INSERT INTO t\nVALUES(1)")}));
    QCOMPARE(lesson.intro, QStringLiteral("# A lesson\n\nIt begins.\n\nFirst."));
    QCOMPARE(lesson.steps.size(), 4);
    QCOMPARE(lesson.steps[0].sql, QStringLiteral("BEGIN"));
    QCOMPARE(lesson.steps[1].sql, QStringLiteral("SELECT id\n  FROM t"));
    QCOMPARE(lesson.steps[1].caption, QStringLiteral("```text\nnot a block of ours\n```\n\nLook.\n\nThen."));
    QCOMPARE(lesson.steps[1].line, 43);
    QCOMPARE(lesson.steps[2].pause, std::chrono::milliseconds(1500));
    QCOMPARE(lesson.steps[3].kind, LessonStep::Kind::Disconnect);
    QCOMPARE(lesson.sessions(), (QStringList{QStringLiteral("A"), QStringLiteral("B")}));
    QCOMPARE(lesson.questions.size(), 1);
    QCOMPARE(lesson.questions[0].beforeStep, 1);
    QCOMPARE(lesson.questions[0].topic, QStringLiteral("waiting"));
    QVERIFY(lesson.questions[0].choices[1].isRight);
    QCOMPARE(lesson.questions[0].because, QStringLiteral("Because."));
    QCOMPARE(lesson.exercises.size(), 1);
    QCOMPARE(lesson.exercises[0].step, 1);
    QCOMPARE(lesson.exercises[0].solution, QStringLiteral("SELECT id FROM t FOR UPDATE"));
    QCOMPARE(lesson.claims[0].verdict, LessonVerdict::OnlyIf);
    QCOMPARE(lesson.claims[0].because, QStringLiteral("Only today."));
}

/// A byte order mark, an example that shows a lesson's own blocks, one without a language.
void TestLessonReader::whatOthersWriteIsRead()
{
    const auto read =
        readLesson("\xEF\xBB\xBF" + kHead + "````text\n```sql A ok\nBEGIN\n```\n````\n```\n\nplain\n```\n" + kStep,
                   QStringLiteral("x"));
    const auto *fault = std::get_if<LessonFault>(&read);
    QVERIFY2(!fault, fault ? qPrintable(QStringLiteral("%1: %2").arg(fault->line).arg(fault->reason)) : "");
    QCOMPARE(std::get<Lesson>(read).steps.size(), 1);
    QVERIFY(std::get<Lesson>(read).intro.endsWith(QStringLiteral("plain\n```")));
}

void TestLessonReader::aHeadMayNameWhatItsLessonExplains()
{
    const auto read = readLesson(QByteArray(kHead).replace("level:", kLinks + "level:") + kStep, QStringLiteral("x"));
    QVERIFY(std::holds_alternative<Lesson>(read));
    const Lesson &lesson = std::get<Lesson>(read);
    QCOMPARE(lesson.scenarios, (QStringList{QStringLiteral("flash-sale"), QStringLiteral("hot-row")}));
    QVERIFY(lesson.explains == (QList<WaitShape>{WaitShape::Gap, WaitShape::Deadlock}));
}

void TestLessonReader::whatMayBefallASessionIsRead()
{
    const auto read = readLesson(kHead + kStep
                                     + "```step A is killed\n```\n```step A is cut off\n```\n```step A freezes\n```\n"
                                       "```sql A not sent\nBEGIN\n```\n```step A goes on\n```\n"
                                       "```sql A blocks on A\nBEGIN\n```\n" // for the connection that was lost
                                       "```step A disconnects; unblocks A\n```\n"
                                     + kStep,
                                 QStringLiteral("x"));
    const auto *fault = std::get_if<LessonFault>(&read);
    QVERIFY2(!fault, fault ? qPrintable(QStringLiteral("%1: %2").arg(fault->line).arg(fault->reason)) : "");
    using Kind = LessonStep::Kind;
    QList<Kind> kinds;
    for (const LessonStep &step : std::get<Lesson>(read).steps)
        kinds += step.kind;
    QCOMPARE(kinds,
             (QList{Kind::Statement, Kind::Kill, Kind::CutOff, Kind::Freeze, Kind::Statement, Kind::Thaw,
                    Kind::Statement, Kind::Disconnect, Kind::Statement}));
}

void TestLessonReader::goalsAreRead()
{
    const auto read = readLesson(kHead + kStep + kStep
                                     + "```goal error 1213\nBreak it.\n\nA A\n```\n"
                                       "```goal check\nSave it.\n\nA\nA\n```\n```sql check\nSELECT 1;\n```\n"
                                       "```goal no error\nSave it too.\n\nA A\n```\n",
                                 QStringLiteral("x"));
    QVERIFY(std::holds_alternative<Lesson>(read));
    const QList<LessonGoal> goals = std::get<Lesson>(read).goals;
    QCOMPARE(goals.size(), 3);
    QCOMPARE(goals[0].error, 1213);
    QCOMPARE(goals[0].text, QStringLiteral("Break it."));
    QCOMPARE(goals[1].check, QStringLiteral("SELECT 1"));
    QCOMPARE(goals[1].order, (QStringList{QStringLiteral("A"), QStringLiteral("A")}));
    QCOMPARE(goals[2].kind, LessonGoal::Kind::NoError);
}

void TestLessonReader::aFaultIsToldWithItsLine_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, const QByteArray &file, int line, const char *reason) {
        QTest::newRow(name) << file << line << QString::fromUtf8(reason);
    };
    const auto head = [](const char *from, const char *to) { return QByteArray(kHead).replace(from, to) + kStep; };
    row("empty", "", 1, "front matter");
    row("no head", kStep, 1, "front matter");
    row("no title", head("title: A lesson\n", ""), 1, "title is missing");
    row("no YAML", head("title: A lesson", "title: [A"), 4, "");
    row("another file's id", head("id: x", "id: y"), 2, "id must be x, as the file is called");
    row("a key twice", head("level: basic", "level: basic\nlevel: deep"), 6, "level is there twice");
    row("a colon in a text", head("title: A lesson", "title: A lesson: one"), 3, "quote a text");
    row("no such level", head("level: basic", "level: easy"), 5, "level is");
    row("no such server", head("[mariadb, mysql]", "[oracle]"), 7, "servers are");
    row("no such isolation", head("[rr, rc]", "[chaos]"), 8, "isolation is");
    row("an unknown key", head("level: basic", "level: basic\nauthor: me"), 6, "author is no key of a lesson: id, ");
    row("no such wait", head("level: basic", "level: basic\nexplains: [row wait, long wait]"), 6,
        "explains has these: row wait, gap wait, table wait, metadata wait, user lock wait, prepared transaction, "
        "deadlock; not long wait");
    row("no list of scenarios", head("level: basic", "level: basic\nlab: flash-sale"), 6, "lab is a list");
    row("no step", kHead + "\nProse.\n", 0, "no step");
    row("no expectation", kHead + "```sql A\nBEGIN\n```\n", 10, "what is expected");
    row("a wrong expectation", kHead + kStep + "```sql A fine\nCOMMIT\n```\n", 13, "\"fine\" is no answer");
    row("no session", kHead + "```sql ok\nBEGIN\n```\n", 10, "\"ok\" is no session");
    row("no statement", kHead + "```sql A ok\n\n```\n", 10, "no statement");
    row("a block without end", kHead + "```sql A ok\nBEGIN\n", 10, "not closed");
    row("a block that the next one cuts off", kHead + "```sql A ok\nBEGIN\n" + kStep, 12, "fence of line 10");
    row("a block that two backticks open", kHead + kStep + "``sql A ok\nCOMMIT\n```\n\n" + kStep, 17,
        "fence of line 15");
    row("a last block without a beginning", kHead + kStep + "COMMIT\n```\nThe end.\n", 14, "not closed");
    row("a mistyped word", kHead + kStep + "```predcit x\nWhat?\n```\n", 13,
        "\"predcit\" is none of a lesson's words: sql, ");
    row("a setup in between", kHead + kStep + "```sql setup\nSELECT 1;\n```\n", 13, "before the first step");
    row("a blocker that is not there", kHead + "```sql B blocks on A\nBEGIN\n```\n", 10, "no session A yet");
    row("a waiter is asked", kHead + kStep + "```sql B blocks on A\nSELECT 1\n```\n```sql B ok\nSELECT 1\n```\n", 16,
        "still waits");
    row("nobody to free", kHead + kStep + "```sql A ok; unblocks B\nCOMMIT\n```\n", 13, "B does not wait here");
    row("nobody to await", kHead + kStep + "```step await A\n```\n", 13, "A does not wait");
    row("a long pause", kHead + kStep + "```step pause 11s\n```\n", 13, "10s at most");
    row("a frozen client is asked", kHead + kStep + "```step A freezes\n```\n" + kStep, 15, "stands still");
    row("waits for itself", kHead + kStep + "```sql A blocks on A\nBEGIN\n```\n", 13, "no session A yet");
    row("no such goal", kHead + kStep + "```goal win\nDo.\n\nA\n```\n", 13, "goal error 1213");
    row("a goal without turns", kHead + kStep + "```goal error 1213\nDo.\n```\n", 13, "whose turns");
    row("a turn of nobody", kHead + kStep + "```goal no error\nDo.\n\nA A\n```\n", 13, "A has no turn left");
    row("a goal without check", kHead + kStep + "```goal check\nDo.\n\nA\n```\n", 13, "followed by a ```sql check");
    row("no such event", kHead + kStep + "```step A explodes\n```\n", 13, "A disconnects");
    row("two right choices", kHead + kStep + "```predict x\nWhat?\n- [x] a\n- [x] b\nSo.\n```\n", 13, "one is right");
    const auto asking = [](const char *choices) {
        return kHead + kStep + "```predict x\nWhat?\n" + choices + "\nSo.\n```\n";
    };
    row("a choice without a blank", asking("- [x] a\n- [] b\n- [ ] c"), 16, "a choice is written");
    row("a choice without a box", asking("- a\n- [ ] b\n- [x] c"), 15, "a choice is written");
    row("a choice with round brackets", asking("- [x] a\n- [ ] b\n( ) c"), 17, "a choice is written");
    row("a choice that touches its box", asking("- [x]a\n- [ ] b\n- [x] c"), 15, "a choice is written");
    row("a choice with another mark", asking("- [ ] a\n- [v] b\n- [x] c"), 16, "a choice is written");
    row("the number of nobody", kHead + "```sql A ok\nKILL {B}\n```\n", 10, "no session B yet, so {B} has no number");
    row("an exercise of nothing", kHead + kStep + "```exercise edit 2\nDo.\n```\n", 13, "above it there are 1 steps");
    row("an exercise of no number", kHead + kStep + "```exercise edit x\nDo.\n```\n", 13, "number of the step");
    const QByteArray exercise = kHead + kStep + "```exercise edit 1\nDo.\n```\n";
    row("an exercise without a check", exercise + "```sql solution\nSELECT 1\n```\n", 13, "and a ```sql check");
    row("an exercise without a solution", exercise + "```sql check\nSELECT 1\n```\n", 13, "a ```sql solution and");
    row("a check of nothing", kHead + kStep + "```sql check\nSELECT 1\n```\n", 13, "behind an exercise");
    row("no such verdict", kHead + kStep + "```claim maybe\nSo.\n```\n", 13, "claim true");
    row("not UTF-8", kHead + "\xff" + kStep, 0, "not UTF-8");
    row("a zero", kHead + QByteArray("\0", 1) + kStep, 0, "not UTF-8");
}

void TestLessonReader::aFaultIsToldWithItsLine()
{
    QFETCH(QByteArray, file);
    QFETCH(int, line);
    QFETCH(QString, reason);
    const auto read = readLesson(file, QStringLiteral("x"));
    const auto *fault = std::get_if<LessonFault>(&read);
    QVERIFY2(fault, "it was read");
    QVERIFY2(fault->reason.contains(reason), qPrintable(fault->reason));
    QCOMPARE(fault->line, line);
}

void TestLessonReader::whatIsTooLargeIsNotRead()
{
    const auto read = readLesson(kHead + QByteArray(10'000'000, '`'), QStringLiteral("x"));
    QVERIFY(std::get<LessonFault>(read).reason.contains(QLatin1String("KiB")));
    QByteArray many = kHead;
    for (int i = 0; i < 201; ++i)
        many += kStep;
    QVERIFY(std::get<LessonFault>(readLesson(many, QStringLiteral("x"))).reason.contains(QLatin1String("200 steps")));
}

/// Cut anywhere, and with any byte in any place.
void TestLessonReader::anyBytesAreRefusedOrRead()
{
    int read = 0;
    for (qsizetype i = 0; i < kWhole.size(); ++i) {
        read += readLesson(kWhole.left(i), QStringLiteral("x")).index() == 0;
        for (const char byte : {'\0', '\n', '`', '|', ';', ':', '(', '[', '\xc3', '-'}) {
            QByteArray changed = kWhole;
            changed[i] = byte;
            read += readLesson(changed, QStringLiteral("x")).index() == 0;
        }
    }
    QVERIFY(read > 0);
}

QTEST_GUILESS_MAIN(TestLessonReader)
#include "tst_lessonreader.moc"
