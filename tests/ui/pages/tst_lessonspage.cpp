// SPDX-License-Identifier: MIT
// The page of lessons on a real server: what is shown is what that answered, a step back replays, questions come first.
#include "actor.h"
#include "lessons/lessonlibrary.h"
#include "lessonserver.h"
#include "strict.h"
#include "windowtest.h"

#include "ui/alarms/alarmcenter.h"
#include "ui/pages/lessons/freeplaybar.h"
#include "ui/pages/lessons/indexruler.h"
#include "ui/pages/lessons/lessonautoplay.h"
#include "ui/pages/lessons/lessoncomparebox.h"
#include "ui/pages/lessons/lessonexercisebox.h"
#include "ui/pages/lessons/lessonfaultbox.h"
#include "ui/pages/lessons/lessonfilebar.h"
#include "ui/pages/lessons/lessonfiles.h"
#include "ui/pages/lessons/lessonlanes.h"
#include "ui/pages/lessons/lessonlibrarybox.h"
#include "ui/pages/lessons/lessonlistmodel.h"
#include "ui/pages/lessons/lessonlockmodel.h"
#include "ui/pages/lessons/lessonprose.h"
#include "ui/pages/lessons/lessonquestion.h"
#include "ui/pages/lessons/lessonscore.h"
#include "ui/pages/lessons/lessonspage.h"
#include "ui/pages/lessons/lessonstepmodel.h"
#include "ui/pages/lessons/lessontext.h"
#include "ui/pages/lessons/lessontimeline.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/widgets/linklabel.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QProcess>
#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtGui/QTextDocument>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableWidget>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kPatience = 60'000;

} // namespace

class TestLessonsPage : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { closeWindow(); }

    void aLessonIsPlayedStepByStep();
    void aStepBackReplaysInAFreshSchema();
    void anEarlierStepCanBeLookedAtAgain();
    void aClickPlaysUpToHere();
    void aQuestionIsAskedBeforeItsStep();
    void aLessonPlaysOnByItselfUpToAQuestion();
    void nothingGoesOnByItselfAfterAWrongAnswer();
    void theProseIsThatOfTheStepThatIsLookedAt();
    void itsOwnWaitsAreNoAlarm();
    void aPreparedTransactionIsCalledSo();
    void manyLanesScrollToThatOfTheStep();
    void aLessonOfOnesOwnIsPlayed();
    void filesAreCalledLikeTheLesson();
    void theSettingsAreThisTestsOwn();
    void aScriptRunsInAPlainClient();
    void anotherLessonEndsTheRun();
    void aLessonOfTheOtherFamilyIsNotPlayed();
    void anotherPageGoesOnWhereThisOneWas();
    void whatARunHasLeftIsTold();
    void aLearnerChoosesWhoseTurnItIs();
    void statementsOfOnesOwnAndFaultsAreRun();
    void anExerciseIsRunThroughTheWholeLesson();
    void theSameLessonSideBySide();
    void wordsFindLessons();
    void aWrongAnswerComesAgainUntilItIsRight();
    void theCourseThatWasPlayedIsCounted();
    void theSpeedIsKept();

private:
    /// Plays, without answering questions, until so many steps are played.
    void playTo(qsizetype steps);
    void press(QPushButton *button);
    QString cell(int step, int session) const;
    int schemas() const;

    LessonsPage *m_page = nullptr;
};

void TestLessonsPage::initTestCase()
{
    prepare();
    showLocksOfLessons();
    QSettings().clear();
}

void TestLessonsPage::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    m_page = m_window->lessonsPage();
    new QAbstractItemModelTester(m_page->steps(), QAbstractItemModelTester::FailureReportingMode::Fatal, m_page);
    new QAbstractItemModelTester(m_page->locks(), QAbstractItemModelTester::FailureReportingMode::Fatal, m_page);
    new QAbstractItemModelTester(m_page->library()->list()->model(),
                                 QAbstractItemModelTester::FailureReportingMode::Fatal, m_page);
    m_window->show();
    openServer(u"private"_s, TestServer::instance().url(), true);
    m_window->showPage(6);
    QTRY_VERIFY_WITH_TIMEOUT(m_connection->isOpen(), kPatience);
}

void TestLessonsPage::playTo(qsizetype steps)
{
    while (m_page->steps()->moments().size() < steps) {
        if (m_page->question()->isOpen())
            QTest::mouseClick(m_page->question()->choices().constFirst(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->nextButton()->isEnabled(), kPatience);
        const qsizetype before = m_page->steps()->moments().size();
        m_page->next();
        QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), before + 1, kPatience);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
}

QString TestLessonsPage::cell(int step, int session) const
{
    return m_page->steps()->index(step, session).data().toString();
}

int TestLessonsPage::schemas() const
{
    return Observer(TestServer::instance())
        .value("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE 'lockscope\\_lesson%'")
        .toInt();
}

void TestLessonsPage::aLessonIsPlayedStepByStep()
{
    m_page->open(u"ghost-stock"_s);
    QVERIFY(!m_page->backButton()->isEnabled());
    QCOMPARE(schemas(), 0); // reading costs nothing
    playTo(6);
    QCOMPARE(cell(1, 0), u"SELECT stock FROM goods WHERE id=1\n→ (10)"_s);
    QCOMPARE(cell(5, 1), u"UPDATE goods SET stock=5 WHERE id=1\n→ waits for A: a row or a gap"_s);
    QCOMPARE(cell(7, 1), u"COMMIT"_s); // not yet
    const auto locks = [this](int row, LessonLockModel::Column column) {
        return m_page->locks()->index(row, column).data().toString();
    };
    QStringList rows;
    for (int row = 0; row < m_page->locks()->rowCount(); ++row)
        rows += locks(row, LessonLockModel::Session) + u' ' + locks(row, LessonLockModel::Reach) + u' '
            + locks(row, LessonLockModel::Key) + u' ' + locks(row, LessonLockModel::State);
    QCOMPARE(rows, QStringList({u"A record 1 held"_s, u"B record 1 waits, new"_s}));
    const QList<IndexPicture::Bar> bars = m_page->ruler()->picture().bars();
    QCOMPARE(bars.size(), 2);
    QVERIFY(bars[0].session == u"A" && !bars[0].isWaiting && bars[1].session == u"B" && bars[1].isWaiting);
    QVERIFY(bars[0].from < 0 && bars[0].from > -0.5 && bars[0].to > 0 && bars[0].to < 0.5); // the record alone
    QCOMPARE(m_page->ruler()->accessibleDescription(),
             u"goods.PRIMARY, 1: A holds this lock\ngoods.PRIMARY, 1: B waits for this lock"_s);
    QCOMPARE(schemas(), 1);
    const qsizetype all = m_page->steps()->rowCount();
    playTo(all);
    QVERIFY2(cell(6, 1).startsWith(u"→ goes on: "_s), qPrintable(cell(6, 1)));
    QVERIFY2(!m_page->steps()->hasDiffered(), qPrintable(m_page->state()));
    QVERIFY(!m_page->nextButton()->isEnabled());
    QVERIFY(m_page->exported(u"md"_s).contains("→") || m_page->exported(u"md"_s).contains("waits for A"));
    QVERIFY(QSettings().value(u"lessons/played"_s).toStringList().contains(u"ghost-stock"_s));
}

void TestLessonsPage::aStepBackReplaysInAFreshSchema()
{
    m_page->open(u"ghost-stock"_s);
    playTo(5);
    const QString before = cell(4, 0);
    m_page->back();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 4, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QCOMPARE(schemas(), 1);
    playTo(5);
    QCOMPARE(cell(4, 0), before);
}

void TestLessonsPage::anEarlierStepCanBeLookedAtAgain()
{
    m_page->open(u"ghost-stock"_s);
    playTo(6);
    LessonTimeline *line = m_page->timeline();
    QCOMPARE(line->line().arrows, QList<Timeline::Arrow>({{5, 1, 0, false}}));
    QTest::keyClick(line, Qt::Key_Left);
    QCOMPARE(m_page->state(), u"You look at step 5 of 6"_s);
    QCOMPARE(m_page->ruler()->picture().bars().size(), 1); // B does not wait yet
    QCOMPARE(m_page->locks()->rowCount(), 1);
    line->moveTo(2);
    QCOMPARE(m_page->locks()->rowCount(), 0);
    QCOMPARE(m_page->steps()->moments().size(), 6); // nothing was replayed
    QTest::keyClick(line, Qt::Key_End);
    QVERIFY2(!m_page->state().contains(u"look at"_s), qPrintable(m_page->state()));
    QCOMPARE(m_page->locks()->rowCount(), 2);
    line->moveTo(0);
    playTo(7);
    QCOMPARE(line->looked(), 6); // what is new is looked at
    QCOMPARE(line->line().arrows.last(), (Timeline::Arrow{6, 0, 1, true}));
}

void TestLessonsPage::aClickPlaysUpToHere()
{
    m_page->open(u"ghost-stock"_s);
    LessonTimeline *line = m_page->timeline();
    QTest::mouseClick(line, Qt::LeftButton, {}, line->columnRect(3).center());
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 4, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(m_page->nextButton()->isEnabled(), kPatience);
    QCOMPARE(m_page->steps()->moments().size(), 4); // and no further
    QTest::mouseClick(line, Qt::LeftButton, {}, line->columnRect(7).center());
    QTRY_VERIFY_WITH_TIMEOUT(m_page->question()->isOpen(), kPatience);
    QCOMPARE(m_page->steps()->moments().size(), 6); // it is asked first
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QTest::mouseClick(m_page->question()->choices().at(1), Qt::LeftButton); // the right one
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 8, kPatience);
    m_page->back();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 7, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(m_page->nextButton()->isEnabled(), kPatience);
    QCOMPARE(m_page->steps()->moments().size(), 7);
}

void TestLessonsPage::aQuestionIsAskedBeforeItsStep()
{
    m_page->open(u"ghost-stock"_s);
    playTo(6);
    QVERIFY(m_page->question()->isOpen());
    QVERIFY(!m_page->nextButton()->isEnabled());
    QCOMPARE(m_page->question()->choices().size(), 4);
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QTest::keyClick(m_window.get(), Qt::Key_2, Qt::AltModifier); // the right one
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->question()->isOpen(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(m_page->nextButton()->isEnabled(), kPatience);
    QVERIFY(QSettings().value(u"lessons/score/right/lost update"_s).toInt() > 0);
    m_page->next();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 7, kPatience);
    QVERIFY(m_page->question()->choices().isEmpty());
}

void TestLessonsPage::aLessonPlaysOnByItselfUpToAQuestion()
{
    m_page->open(u"ghost-stock"_s);
    QTest::mouseClick(m_page->autoPlay()->button(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_page->question()->isOpen(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QCOMPARE(m_page->steps()->moments().size(), 6);
    QVERIFY(m_page->closeLast()); // Esc
    QVERIFY(!m_page->autoPlay()->button()->isChecked());
}

/// Neither Auto-play nor what a click on a later step has begun: why it was wrong is to be read.
void TestLessonsPage::nothingGoesOnByItselfAfterAWrongAnswer()
{
    m_page->open(u"ghost-stock"_s);
    LessonTimeline *line = m_page->timeline();
    QTest::mouseClick(line, Qt::LeftButton, {}, line->columnRect(7).center());
    QTRY_VERIFY_WITH_TIMEOUT(m_page->question()->isOpen(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QTest::mouseClick(m_page->autoPlay()->button(), Qt::LeftButton);
    QTest::mouseClick(m_page->question()->choices().constFirst(), Qt::LeftButton);
    QVERIFY(!m_page->autoPlay()->isOn());
    QVERIFY(!m_page->isBusy());
    QCOMPARE(m_page->steps()->moments().size(), 6);
    QVERIFY2(m_page->question()->because().startsWith(u"No. "_s), qPrintable(m_page->question()->because()));
    QVERIFY(m_page->nextButton()->hasFocus());
    QTest::keyClick(m_page->nextButton(), Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 7, kPatience);
    QCOMPARE(m_page->question()->because(), QString());
}

void TestLessonsPage::theProseIsThatOfTheStepThatIsLookedAt()
{
    m_page->open(u"ghost-stock"_s);
    const auto says = [this](qsizetype step) {
        QTextDocument wanted;
        wanted.setMarkdown(m_page->steps()->lesson().steps.at(step).caption);
        return !wanted.toPlainText().isEmpty() && m_page->prose()->toPlainText() == wanted.toPlainText();
    };
    QList<qsizetype> told; // steps before which something is said
    for (qsizetype step = 1; step < m_page->steps()->lesson().steps.size(); ++step) {
        if (!m_page->steps()->lesson().steps.at(step).caption.isEmpty())
            told += step;
    }
    QVERIFY(told.size() >= 2);
    const QString intro = m_page->prose()->toPlainText();
    playTo(told.at(1) + 2);
    m_page->timeline()->moveTo(told.at(0));
    QVERIFY(says(told.at(0)));
    const QModelIndex second = m_page->steps()->index(int(told.at(1)), 0);
    m_page->timeline()->moveTo(0);
    QCOMPARE(m_page->prose()->toPlainText(), intro);
    Q_EMIT m_page->lanes()->clicked(second); // in the list of the statements
    QVERIFY(says(told.at(1)));
    while (m_page->steps()->moments().size() > told.at(0)) {
        m_page->back();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->backButton()->isEnabled() && !m_page->isBusy(), kPatience);
    }
    QVERIFY(says(told.at(0)));
    m_page->timeline()->moveTo(0);
    QCOMPARE(m_page->prose()->toPlainText(), intro);
}

/// Until somebody else waits behind them.
void TestLessonsPage::itsOwnWaitsAreNoAlarm()
{
    auto *alarms = m_window->findChild<AlarmCenter *>();
    AlarmSettings settings;
    settings.limits.blocked = 0s;
    settings.limits.queue = 0;
    settings.limits.settle = 0s;
    alarms->setSettings(settings);
    int seen = -1; // who waits
    int badge = -1;
    connect(m_window->waitsPage(), &WaitsPage::pictureTaken, this,
            [&seen](const WaitPicturePtr &picture) { seen = picture->graph.waiting(); });
    connect(m_window->waitsPage(), &Page::badgeChanged, this, [&badge](int count) { badge = count; });
    m_page->open(u"ghost-stock"_s);
    playTo(6);
    QTRY_COMPARE_WITH_TIMEOUT(seen, 1, kPatience);
    QCOMPARE(badge, 0);
    QVERIFY2(alarms->alarms().isEmpty(), qPrintable(alarms->text()));
    const QString schema =
        Observer(TestServer::instance())
            .value("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'lockscope\\_lesson%'")
            .toString();
    Actor stranger(TestServer::instance());
    stranger.start("UPDATE `" + schema.toLatin1() + "`.goods SET stock=0 WHERE id=1");
    QTRY_COMPARE_WITH_TIMEOUT(badge, 2, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(alarms->alarms().size() >= 3, kPatience); // two who wait, and their queue
    m_page->open(u"relative-update"_s);                                // ends it
    disconnect(m_window->waitsPage(), nullptr, this, nullptr);
}

void TestLessonsPage::aPreparedTransactionIsCalledSo()
{
    m_page->open(u"xa-prepare"_s);
    const auto waits = [this] {
        return !m_page->steps()->moments().isEmpty() && !m_page->steps()->moments().constLast().waiting.isEmpty();
    };
    while (!waits())
        playTo(m_page->steps()->moments().size() + 1);
    const QString header = m_page->steps()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString();
    QVERIFY2(header.startsWith(u"B\nwaits for a prepared transaction, since "_s), qPrintable(header));
    QVERIFY(m_page->timeline()->line().lanes.contains(u"prepared"_s));
    QVERIFY2(!LessonText::session(u"prepared"_s).isEmpty() && LessonText::session(u"prepared"_s) != u"prepared",
             qPrintable(LessonText::session(u"prepared"_s)));
}

void TestLessonsPage::manyLanesScrollToThatOfTheStep()
{
    QByteArray text = "---\nid: many\ntitle: many\nsummary: many\nlevel: basic\ntags: [x]\n"
                      "servers: [mariadb, mysql]\nisolation: [rr]\n---\n";
    for (const char session : {'A', 'B', 'C', 'D', 'E', 'F'})
        text += QByteArray("```sql ") + session + " ok\nDO 1;\n```\n";
    QFile file(m_folder.filePath(u"many.md"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush());
    Q_EMIT m_page->library()->files()->opened({file.fileName()});
    LessonLanes *lanes = m_page->lanes();
    lanes->setFixedWidth(400);
    playTo(6);
    const int least = lanes->horizontalHeader()->minimumSectionSize();
    QVERIFY(least > 20 * lanes->fontMetrics().horizontalAdvance(u'0'));
    QVERIFY2(6 * least > lanes->viewport()->width(), "they do not fit");
    for (int step = 5; step >= 0; --step) {
        QVERIFY(lanes->columnWidth(step) >= least - 1); // what is left over is shared out
        m_page->timeline()->moveTo(step);
        const QRect cell = lanes->visualRect(m_page->steps()->index(step, step));
        QVERIFY2(cell.left() >= 0 && cell.right() <= lanes->viewport()->width(), qPrintable(QString::number(step)));
    }
    m_page->library()->takeOff(file.fileName());
}

void TestLessonsPage::aLessonOfOnesOwnIsPlayed()
{
    const QString path = m_folder.filePath(u"mine.md"_s);
    const auto write = [&path](const QByteArray &text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    };
    write(lessonSkeleton(u"mine"_s));
    Q_EMIT m_page->library()->files()->opened({path});
    QCOMPARE(m_page->steps()->lesson().id, u"mine"_s);
    playTo(1);
    playTo(m_page->steps()->rowCount());
    QVERIFY(!m_page->steps()->hasDiffered());
    QVERIFY(QSettings().value(u"lessons/played"_s).toStringList().contains(path));
    write("faulty");
    m_page->library()->readAgain();
    QVERIFY(m_page->fault()->isVisible() && !m_page->nextButton()->isVisible());
    QVERIFY2(m_page->fault()->text().contains(u"mine.md"_s), qPrintable(m_page->fault()->text()));
    QCOMPARE(m_page->steps()->rowCount(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(schemas(), 0, kPatience);
    write(lessonSkeleton(u"mine"_s));
    m_page->fault()->againButton()->click();
    QVERIFY(!m_page->fault()->isVisible() && m_page->nextButton()->isVisible());
    QFile::remove(path);
    m_page->library()->readAgain();
    m_page->fault()->takeOffButton()->click();
    QVERIFY(!m_page->fault()->isVisible());
    QVERIFY(m_page->steps()->rowCount() > 0);
}

void TestLessonsPage::filesAreCalledLikeTheLesson()
{
    m_page->open(u"ghost-stock"_s);
    QCOMPARE(m_page->exportName(), u"ghost-stock"_s);
    m_page->open(u"relative-update"_s);
    QCOMPARE(m_page->exportName(), u"relative-update"_s);
}

/// Another one that runs with the same home counts its own lessons.
void TestLessonsPage::theSettingsAreThisTestsOwn()
{
    QVERIFY2(QSettings().fileName().startsWith(m_folder.path()), qPrintable(QSettings().fileName()));
}

/// In one client instead of two nobody waits, but each statement must be one.
void TestLessonsPage::aScriptRunsInAPlainClient()
{
    const QString client = QStandardPaths::findExecutable(u"mariadb"_s);
    if (client.isEmpty())
        QSKIP("there is no mariadb");
    m_page->open(u"ghost-stock"_s);
    playTo(9);
    const QByteArray page = m_page->exported(u"html"_s);
    QVERIFY(page.contains("waits for A: a row or a gap") && page.count("<svg") > 3);
    QVERIFY(m_page->exported(u"svg"_s).contains("COMMIT"));
    Observer server(TestServer::instance());
    const ServerUrl url = TestServer::instance().url();
    QProcess process;
    process.start(client, {u"--no-defaults"_s, u"--socket="_s + url.socket, u"--user="_s + url.user, u"--table"_s});
    process.write(m_page->exported(u"sql"_s));
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(server.value("SELECT stock FROM lesson_ghost_stock.goods").toInt(), 5);
    server.run("DROP DATABASE lesson_ghost_stock");
}

void TestLessonsPage::anotherLessonEndsTheRun()
{
    m_page->open(u"ghost-stock"_s);
    playTo(2);
    m_page->open(u"condition-in-the-update"_s);
    QCOMPARE(m_page->steps()->moments().size(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(schemas(), 0, kPatience);
    playTo(1);
}

void TestLessonsPage::aLessonOfTheOtherFamilyIsNotPlayed()
{
    const bool isMySql = TestServer::instance().family() == Family::MySql;
    const auto *lessons = m_page->findChild<LessonListModel *>();
    const auto isOfTheOther = [&](const Lesson &lesson) {
        return lesson.families == QList<Family>{isMySql ? Family::MariaDb : Family::MySql};
    };
    int row = 0;
    while (row < lessons->rowCount() && !isOfTheOther(lessons->lesson(row)))
        ++row;
    if (!isMySql) {
        QCOMPARE(row, lessons->rowCount()); // all of them are of MariaDB too
        return;
    }
    QVERIFY(row < lessons->rowCount());
    m_page->open(lessons->lesson(row).id);
    m_page->next();
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QCOMPARE(m_page->steps()->moments().size(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(schemas(), 0, kPatience);
}

/// As when the window is made anew, for the presenter or in another language.
void TestLessonsPage::anotherPageGoesOnWhereThisOneWas()
{
    m_page->open(u"ghost-stock"_s);
    playTo(3);
    MainWindow next(m_connection.get());
    next.setRemembersState(false);
    next.lessonsPage()->takeOver(m_page);
    m_connection->reopen(); // as its host does
    QTRY_COMPARE_WITH_TIMEOUT(next.lessonsPage()->steps()->moments().size(), 3, kPatience);
    QCOMPARE(next.lessonsPage()->steps()->lesson().id, u"ghost-stock"_s);
}

void TestLessonsPage::whatARunHasLeftIsTold()
{
    const LessonRemains remains{u"lockscope_lesson_1"_s,
                                u"lockscope_l_1@localhost"_s,
                                u"Lock wait timeout"_s,
                                {u"XA ROLLBACK 'a'"_s, u"XA ROLLBACK 'b'"_s}};
    Q_EMIT m_page->stage()->playback()->leftBehind(remains);
    QStringList told;
    for (const MessageBar *bar : m_page->findChildren<MessageBar *>()) {
        for (const QLabel *label : bar->findChildren<QLabel *>())
            told += label->isVisible() ? label->text() : QString();
    }
    const QString all = told.join(u'\n');
    for (const QString &word : QStringList{remains.schema, remains.account, remains.reason} + remains.rollbacks)
        QVERIFY2(all.contains(word), qPrintable(all));
}

void TestLessonsPage::press(QPushButton *button)
{
    QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kPatience);
    const qsizetype before = m_page->steps()->moments().size();
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), before + 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
}

void TestLessonsPage::aLearnerChoosesWhoseTurnItIs()
{
    m_page->open(u"a-b-b-a"_s);
    m_page->freeButton()->setChecked(true);
    const FreePlayBar *free = m_page->freePlay();
    QVERIFY(free->isVisible());
    QCOMPARE(free->turns().size(), 3);
    QVERIFY2(free->goals().contains(u"6 steps are enough"_s), qPrintable(free->goals()));
    QPushButton *a = free->turns().at(0);
    QPushButton *b = free->turns().at(1);
    for (QPushButton *turn : {b, b, a, a, b}) // B begins, other than in the lesson
        press(turn);
    QVERIFY(!b->isEnabled()); // it waits
    const QString header = m_page->steps()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString();
    QVERIFY2(header.startsWith(u"B\nwaits for A, since "_s), qPrintable(header));
    QVERIFY(!m_page->steps()->hasDiffered());
    QVERIFY(!m_page->question()->isOpen());
    press(a); // the circle
    QVERIFY2(free->goals().contains(u"Reached in 6 steps"_s), qPrintable(free->goals()));
    m_page->back();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 5, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QVERIFY(!b->isEnabled());
    QTest::mouseClick(m_page->nextButton(), Qt::LeftButton); // whoever can
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 6, kPatience);
    QCOMPARE(m_page->steps()->moments().constLast().step.session, u"A"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
}

void TestLessonsPage::statementsOfOnesOwnAndFaultsAreRun()
{
    m_page->open(u"a-b-b-a"_s);
    m_page->freeButton()->setChecked(true);
    FreePlayBar *free = m_page->freePlay();
    for (int i = 0; i < 2; ++i)
        press(free->turns().at(0));
    const int rows = m_page->steps()->rowCount();
    free->session()->setCurrentText(u"D"_s); // none of the lesson's
    free->statement()->setText(u"SELECT v FROM t WHERE id=1 LOCK IN SHARE MODE;"_s);
    QTest::keyClick(free->statement(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 3, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QCOMPARE(m_page->steps()->rowCount(), rows + 1);
    QCOMPARE(m_page->steps()->columnCount(), 4);
    QVERIFY2(cell(2, 3).contains(u"waits for A"_s), qPrintable(cell(2, 3)));
    Q_EMIT free->faults()->aboutToShow();
    free->faults()->actions().at(1)->trigger(); // the server kills A
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 4, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QVERIFY2(cell(3, 0).contains(u"kills A"_s), qPrintable(cell(3, 0)));
    QVERIFY2(cell(3, 3).contains(u"goes on: (0)"_s), qPrintable(cell(3, 3)));
    const QTemporaryDir folder;
    m_page->keepAs(folder.filePath(u"Mine.md"_s)); // a name that no lesson may have
    QVERIFY(!QFile::exists(folder.filePath(u"Mine.md"_s)));
    m_page->keepAs(folder.filePath(u"mine.md"_s));
    QFile kept(folder.filePath(u"mine.md"_s));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray text = kept.readAll();
    QVERIFY2(text.contains("step A is killed; unblocks D: rows (0)"), text);
    QCOMPARE(LessonFiles::paths(), QStringList(kept.fileName()));
    m_page->library()->takeOff(kept.fileName());
    m_page->open(u"ghost-stock"_s);
    QCOMPARE(m_page->steps()->columnCount(), 2);
}

void TestLessonsPage::anExerciseIsRunThroughTheWholeLesson()
{
    m_page->open(u"ghost-stock"_s);
    QVERIFY(m_page->exerciseButton()->isVisible());
    m_page->exerciseButton()->setChecked(true);
    LessonExerciseBox *exercise = m_page->exercise();
    QVERIFY(exercise->isVisible());
    QCOMPARE(exercise->statement()->toPlainText(), u"UPDATE goods SET stock=5 WHERE id=1"_s);
    exercise->statement()->setPlainText(u"UPDATE goods SET stock=3 WHERE id=1"_s);
    QTest::mouseClick(exercise->tryButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!exercise->isRunning(), kPatience);
    QVERIFY2(exercise->verdict().contains(u"✘"_s), qPrintable(exercise->verdict()));
    QVERIFY2(!exercise->verdict().contains(u"Solved."_s), qPrintable(exercise->verdict()));
    exercise->statement()->setPlainText(u"UPDATE goods"_s); // no statement at all
    QTest::mouseClick(exercise->tryButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!exercise->isRunning(), kPatience);
    QTest::mouseClick(exercise->solutionButton(), Qt::LeftButton);
    QTest::mouseClick(exercise->tryButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!exercise->isRunning(), kPatience);
    QVERIFY2(exercise->verdict().contains(u"Solved."_s), qPrintable(exercise->verdict()));
    QTRY_COMPARE_WITH_TIMEOUT(schemas(), 0, kPatience);
}

/// Two isolation levels on this server, and on one of the other family where it is installed.
void TestLessonsPage::theSameLessonSideBySide()
{
    m_page->open(u"idempotent-order"_s);
    const LessonCompareBox *box = m_page->comparison();
    box->playButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!box->isRunning(), kPatience);
    const QTableWidget *table = box->table();
    const bool isMySql = TestServer::instance().family() == Family::MySql;
    if (isMySql) { // tests of MySQL run where MariaDB is
        QCOMPARE(table->columnCount(), 5);
        QVERIFY(table->horizontalHeaderItem(3)->text().startsWith(u"MariaDB"_s));
        QVERIFY2(table->item(4, 4)->text().startsWith(u"≠"_s), qPrintable(table->item(4, 4)->text()));
    } else if (table->columnCount() < 5) {
        QVERIFY2(box->said().contains(u"No MySQL server is installed"_s), qPrintable(box->said()));
    }
    QVERIFY(table->horizontalHeaderItem(2)->text().contains(u"READ COMMITTED"_s));
    QVERIFY2(table->item(4, 1)->text().contains(u"waits for B"_s), qPrintable(table->item(4, 1)->text()));
    QVERIFY2(table->item(4, 2)->text().startsWith(u"≠ 1 row"_s), qPrintable(table->item(4, 2)->text()));
    QVERIFY2(box->summary().contains(u"Steps that differ"_s), qPrintable(box->summary()));
    QTRY_COMPARE_WITH_TIMEOUT(schemas(), 0, kPatience);
}

void TestLessonsPage::wordsFindLessons()
{
    const int all = m_page->library()->list()->model()->rowCount();
    m_page->focusFilter();
    QTest::keyClicks(m_window->focusWidget(), u"oversold"_s);
    QVERIFY(m_page->library()->list()->model()->rowCount() < all);
}

void TestLessonsPage::aWrongAnswerComesAgainUntilItIsRight()
{
    QSettings().clear();
    m_page->open(u"ghost-stock"_s);
    playTo(6);
    QTest::mouseClick(m_page->question()->choices().at(0), Qt::LeftButton);
    LinkLabel *again = m_page->library()->again();
    QCOMPARE(again->accessibleName(), u"1 to be asked again"_s);
    m_page->open(u"condition-in-the-update"_s);
    again->setFocus(Qt::TabFocusReason);
    QTest::keyClick(again, Qt::Key_Return);
    QCOMPARE(m_page->steps()->lesson().id, u"ghost-stock"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->steps()->moments().size(), 6, kPatience);
    QVERIFY(m_page->question()->isOpen());
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kPatience);
    QTest::mouseClick(m_page->question()->choices().at(1), Qt::LeftButton); // the right one
    QVERIFY(!again->isVisible());
    QVERIFY(LessonScore::again().isEmpty());
    QVERIFY2(m_page->library()->progress().endsWith(u"1 of 2 foreseen"_s), qPrintable(m_page->library()->progress()));
}

void TestLessonsPage::theCourseThatWasPlayedIsCounted()
{
    QSettings().clear();
    closeWindow();
    init();
    QVERIFY2(m_page->library()->progress().startsWith(u"0 of "_s), qPrintable(m_page->library()->progress()));
    m_page->open(u"no-transaction-no-lock"_s);
    playTo(m_page->steps()->rowCount());
    QVERIFY2(m_page->library()->progress().startsWith(u"1 of "_s), qPrintable(m_page->library()->progress()));
}

void TestLessonsPage::theSpeedIsKept()
{
    QSettings().remove(u"lessons/speed"_s);
    QCOMPARE(LessonAutoPlay().interval(), 2500ms);
    QTest::keyClick(m_page->autoPlay()->speed(), Qt::Key_End);
    QCOMPARE(m_page->autoPlay()->interval(), 1s);
    QCOMPARE(LessonAutoPlay().interval(), 1s);
    QSettings().setValue(u"lessons/speed"_s, 7);
    QCOMPARE(LessonAutoPlay().interval(), 2500ms);
    QSettings().remove(u"lessons/speed"_s);
}

QTEST_MAIN(TestLessonsPage)
#include "tst_lessonspage.moc"
