// SPDX-License-Identifier: MIT
// What a lesson's file expects of a step: how it is written, where it holds, and what agrees with it.
#include "lessons/lessonexpectation.h"

#include <QtTest/QTest>

using namespace lockscope;

namespace {

LessonOutcome outcomeOf(const QString &text, const LessonPlace &place = {})
{
    QString reason;
    const auto found = lessonExpectation(text, &reason);
    return found ? found->at(place) : LessonOutcome{};
}

} // namespace

class TestLessonExpectation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadAndWrittenAgain_data();
    void whatIsWrittenIsReadAndWrittenAgain();
    void anythingElseIsRefusedWithAReason_data();
    void anythingElseIsRefusedWithAReason();
    void theLastAlternativeThatFitsIsMeant();
    void whatAgrees_data();
    void whatAgrees();
};

void TestLessonExpectation::whatIsWrittenIsReadAndWrittenAgain_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text :
         {"ok", "ok 1", "ok 0 id 3", "rows", "rows none", "rows (1, phone) (2, NULL)", "rows ({\"a\":1})", "any",
          "not sent", "error 1213", "error", "blocks on A", "blocks on A, B (row)", "blocks on W1 (user lock)",
          "blocks on prepared (row)", "ok; unblocks B: ok 1; unblocks C", "ok; one of B C: error 1213",
          "blocks on A (row) | rc: ok 1 | mysql>=8.4 rr: error 1205; unblocks B: rows (a; b | c)"})
        QTest::newRow(text) << QString::fromUtf8(text);
}

void TestLessonExpectation::whatIsWrittenIsReadAndWrittenAgain()
{
    QFETCH(QString, text);
    QString reason;
    const auto found = lessonExpectation(text, &reason);
    QVERIFY2(found, qPrintable(reason));
    QCOMPARE(toString(*found), text);
}

void TestLessonExpectation::anythingElseIsRefusedWithAReason_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::newRow("nothing") << QString() << QStringLiteral("is no answer");
    QTest::newRow("a word") << QStringLiteral("fine") << QStringLiteral("\"fine\" is no answer");
    QTest::newRow("an error with words") << QStringLiteral("error deadlock") << QStringLiteral("is no answer");
    QTest::newRow("blocks on nobody") << QStringLiteral("blocks") << QStringLiteral("blocks on A");
    QTest::newRow("blocks on a name") << QStringLiteral("blocks on Ada") << QStringLiteral("no name of a session");
    QTest::newRow("blocks on something") << QStringLiteral("blocks on A (page)") << QStringLiteral("blocks on A");
    QTest::newRow("a place without name") << QStringLiteral("ok | error 1") << QStringLiteral("where it is so");
    QTest::newRow("no such place") << QStringLiteral("ok | oracle: error 1")
                                   << QStringLiteral("\"oracle\" is no place");
    QTest::newRow("no such effect") << QStringLiteral("ok; wakes B") << QStringLiteral("unblocks B");
}

void TestLessonExpectation::anythingElseIsRefusedWithAReason()
{
    QFETCH(QString, text);
    QFETCH(QString, reason);
    QString told;
    QVERIFY(!lessonExpectation(text, &told));
    QVERIFY2(told.contains(reason), qPrintable(told));
}

void TestLessonExpectation::theLastAlternativeThatFitsIsMeant()
{
    QString reason;
    const auto found =
        lessonExpectation(QStringLiteral("ok | mysql: error 1 | rc: error 2 | mariadb>=11.8 rr: error 3"), &reason);
    QVERIFY2(found, qPrintable(reason));
    const auto errorAt = [&found](Family family, const QVersionNumber &version, LessonIsolation isolation) {
        return found->at({family, version, isolation}).answer.error;
    };
    using Isolation = LessonIsolation;
    QCOMPARE(errorAt(Family::MariaDb, QVersionNumber(10, 11), Isolation::RepeatableRead), 0);
    QCOMPARE(errorAt(Family::MySql, QVersionNumber(9, 7), Isolation::RepeatableRead), 1);
    QCOMPARE(errorAt(Family::MySql, QVersionNumber(9, 7), Isolation::ReadCommitted), 2);
    QCOMPARE(errorAt(Family::MariaDb, QVersionNumber(11, 8, 6), Isolation::RepeatableRead), 3);
    QCOMPARE(errorAt(Family::MariaDb, QVersionNumber(11, 8, 6), Isolation::ReadCommitted), 2);
}

void TestLessonExpectation::whatAgrees_data()
{
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("seen");
    QTest::addColumn<bool>("isSo");
    const auto row = [](const char *expected, const char *seen, bool isSo) {
        QTest::addRow("%s, %s", expected, seen) << QString::fromUtf8(expected) << QString::fromUtf8(seen) << isSo;
    };
    row("ok", "ok 1 id 7", true);
    row("ok 1", "ok 2", false);
    row("ok", "error 1213", false);
    row("any", "error 1213", true);
    row("any", "blocks on A", false);
    row("error", "error 2006", true);
    row("error", "ok", false);
    row("rows", "rows (1)", true);
    row("rows none", "rows (1)", false);
    row("blocks on A", "blocks on A (row)", true);
    row("blocks on A (metadata)", "blocks on A (row)", false);
    row("blocks on A", "blocks on A, B (row)", false);
    row("ok", "ok; unblocks B: ok", false);
    row("ok; unblocks B", "ok", false);
    row("ok; unblocks B; unblocks C", "ok; unblocks C: ok; unblocks B: ok", true);
    row("ok; one of B C: ok; one of B C: error 1213", "ok; unblocks C: error 1213; unblocks B: ok", true);
    row("ok; one of B C: ok; one of B C: error 1213", "ok; unblocks C: ok; unblocks B: ok", false);
    row("ok; one of B C; unblocks B: ok", "ok; unblocks B: ok; unblocks C: ok", true);
    row("ok; one of B C: ok", "ok; unblocks D: ok", false);
}

void TestLessonExpectation::whatAgrees()
{
    QFETCH(QString, expected);
    QFETCH(QString, seen);
    QFETCH(bool, isSo);
    QCOMPARE(agrees(outcomeOf(expected), outcomeOf(seen)), isSo);
}

QTEST_GUILESS_MAIN(TestLessonExpectation)
#include "tst_lessonexpectation.moc"
