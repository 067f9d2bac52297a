// SPDX-License-Identifier: MIT
// The library of lessons: found by any word, by what articles say, and by what was not foreseen.
#include "lessons/lessonlibrary.h"
#include "strict.h"
#include "ui/pages/lessons/lessonclaimmodel.h"
#include "ui/pages/lessons/lessonlibrarybox.h"
#include "ui/pages/lessons/lessonlistmodel.h"
#include "ui/pages/lessons/lessonprose.h"
#include "ui/pages/lessons/lessonquestion.h"
#include "ui/pages/lessons/lessonscore.h"
#include "ui/style/appearance.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/linklabel.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTabWidget>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

QString chosenBy(const QSignalSpy &spy)
{
    return spy.isEmpty() ? QString() : spy.last().first().value<Lesson>().id;
}

} // namespace

class TestLessonLibraryBox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void noFileIsReadForALesson();

    void claimsAreAModelOfTheirOwn();
    void eachClaimSaysWhatIsTrue();
    void oneFilterFindsLessonsAndClaims();
    void aClaimOpensItsLesson();
    void returnOpensTheFirstThatIsFound();
    void thatNothingIsFoundIsSaid();
    void whatIsWrongIsAskedAgain();
    void aQuestionThatIsGoneIsForgotten();
    void theScoreIsKeptByTopic();
    void topicsOfTheLibraryHaveChineseNames();

private:
    QTemporaryDir m_folder;
};

void TestLessonLibraryBox::initTestCase()
{
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
    QCoreApplication::setOrganizationName(u"lockscope-test"_s);
    QCoreApplication::setApplicationName(u"TestLessonLibraryBox"_s);
}

void TestLessonLibraryBox::init()
{
    failOnWarnings(OffscreenWarning);
    QSettings().clear();
    applyAppearance({Theme::Light, u"en"_s, false});
}

void TestLessonLibraryBox::claimsAreAModelOfTheirOwn()
{
    LessonClaimModel model(nullptr);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.add({});
    Lesson lesson;
    lesson.id = u"x"_s;
    model.add({lesson}); // which claims nothing
    QCOMPARE(model.rowCount(), 0);
    lesson.claims = {{u"It is\nso."_s, LessonVerdict::True, {}},
                     {u"<b>Never</b>."_s, LessonVerdict::False, u"At noon."_s}};
    model.add({lesson, lesson});
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.index(0, LessonClaimModel::Claim).data().toString(), u"It is so."_s);
    QVERIFY(!model.index(1, LessonClaimModel::Claim).data(Qt::ToolTipRole).toString().contains(u"<b>"_s));
    QVERIFY(resets.isEmpty());
}

void TestLessonLibraryBox::eachClaimSaysWhatIsTrue()
{
    LessonLibraryBox box;
    box.load();
    const QAbstractItemModel *claims = box.claims()->model();
    QVERIFY(claims->rowCount() > 90);
    QMap<QString, int> verdicts;
    for (int row = 0; row < claims->rowCount(); ++row) {
        const QModelIndex verdict = claims->index(row, LessonClaimModel::Verdict);
        ++verdicts[verdict.data().toString()];
        QVERIFY(!verdict.data(Qt::DecorationRole).value<QIcon>().isNull());
    }
    QCOMPARE(verdicts.keys(), (QStringList{u"false"_s, u"only if"_s, u"true"_s}));
}

void TestLessonLibraryBox::oneFilterFindsLessonsAndClaims()
{
    LessonLibraryBox box;
    box.load();
    auto *filter = box.findChild<FilterEdit *>();
    const int lessons = box.list()->model()->rowCount();
    const int claims = box.claims()->model()->rowCount();
    filter->setText(u"fencing"_s);
    QVERIFY(box.list()->model()->rowCount() > 0 && box.list()->model()->rowCount() < lessons);
    QVERIFY(box.claims()->model()->rowCount() > 0 && box.claims()->model()->rowCount() < claims);
    filter->setText(u"only if"_s);
    const int half = box.claims()->model()->rowCount();
    QVERIFY(half > 0 && half < claims);
    filter->clear();
    QCOMPARE(box.claims()->model()->rowCount(), claims);
}

/// Also while the filter hides most lessons: that of a claim which is found is found too.
void TestLessonLibraryBox::aClaimOpensItsLesson()
{
    LessonLibraryBox box;
    box.resize(400, 600);
    box.show();
    box.load();
    QSignalSpy chosen(&box, &LessonLibraryBox::chosen);
    auto *filter = box.findChild<FilterEdit *>();
    box.tabs()->setCurrentIndex(1);
    for (const QString &word : {u""_s, u"fencing"_s, u"only if"_s}) {
        filter->setText(word);
        filter->setFocus();
        QTest::keyClick(filter, Qt::Key_Down); // moves in the list that is shown
        const QModelIndex row = box.claims()->currentIndex();
        QVERIFY(row.isValid());
        QTest::keyClick(box.claims(), Qt::Key_Return);
        QCOMPARE(chosenBy(chosen), row.data(LessonClaimModel::LessonRole).toString());
        QCOMPARE(filter->text(), word);
        QCOMPARE(box.tabs()->currentIndex(), 1);
    }
    const QModelIndex last = box.claims()->model()->index(box.claims()->model()->rowCount() - 1, 0);
    box.claims()->scrollTo(last);
    const QPoint at = box.claims()->visualRect(last).center();
    QTest::mouseClick(box.claims()->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(box.claims()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(chosenBy(chosen), last.data(LessonClaimModel::LessonRole).toString());
}

void TestLessonLibraryBox::returnOpensTheFirstThatIsFound()
{
    LessonLibraryBox box;
    box.show();
    box.chooseAny();
    QSignalSpy chosen(&box, &LessonLibraryBox::chosen);
    box.takeFilter();
    QTest::keyClicks(box.filter(), u"deadlock"_s);
    QVERIFY(chosen.isEmpty());
    QTest::keyClick(box.filter(), Qt::Key_Return);
    QCOMPARE(box.list()->currentIndex().row(), 0);
    QCOMPARE(chosenBy(chosen), box.current());
    const QString first = box.current();
    QTest::keyClick(box.filter(), Qt::Key_Down);
    QVERIFY(box.current() != first);
    const QString second = box.current();
    QTest::keyClick(box.filter(), Qt::Key_Return); // it is open already
    QCOMPARE(box.current(), second);
    box.tabs()->setCurrentIndex(1);
    box.filter()->setText(u"fencing"_s);
    QTest::keyClick(box.filter(), Qt::Key_Return);
    const QModelIndex claim = box.claims()->model()->index(0, 0);
    QCOMPARE(box.current(), claim.data(LessonClaimModel::LessonRole).toString());
    box.filter()->setText(u"no such word"_s);
    QTest::keyClick(box.filter(), Qt::Key_Return);
    QCOMPARE(box.current(), chosenBy(chosen));
    const qsizetype before = chosen.size();
    box.chooseAny(); // as when the page is shown again: there is one, though the filter hides it
    QCOMPARE(chosen.size(), before);
}

void TestLessonLibraryBox::thatNothingIsFoundIsSaid()
{
    LessonLibraryBox box;
    box.show();
    box.load();
    for (int tab = 0; tab < 2; ++tab) {
        box.tabs()->setCurrentIndex(tab);
        const QWidget *list = tab == 0 ? static_cast<QWidget *>(box.list()) : box.claims();
        auto *empty = box.tabs()->currentWidget()->findChild<EmptyState *>();
        QVERIFY(list->isVisible() && !empty->isVisible());
        box.filter()->setText(u"no such word"_s);
        QVERIFY(!list->isVisible() && empty->isVisible());
        empty->findChild<QPushButton *>()->click();
        QCOMPARE(box.filter()->text(), QString());
        QVERIFY(list->isVisible() && !empty->isVisible());
    }
}

void TestLessonLibraryBox::whatIsWrongIsAskedAgain()
{
    LessonScore::keep({u"relative-update"_s, 1}, u"waiting"_s, false);
    LessonScore::keep({u"ghost-stock"_s, 0}, u"lost update"_s, false);
    LessonScore::keep({u"relative-update"_s, 1}, u"waiting"_s, false); // once more: now it is the last
    LessonLibraryBox box;
    box.show();
    QCOMPARE(box.again()->accessibleName(), u"2 to be asked again"_s);
    QSignalSpy chosen(&box, &LessonLibraryBox::chosen);
    QSignalSpy again(&box, &LessonLibraryBox::askedAgain);
    Q_EMIT box.again()->chosen({});
    QCOMPARE(chosenBy(chosen), u"ghost-stock"_s);
    QCOMPARE(again.last().first().toLongLong(), 0);
    LessonScore::keep({u"ghost-stock"_s, 0}, u"lost update"_s, true);
    box.showScore();
    QCOMPARE(box.again()->accessibleName(), u"1 to be asked again"_s);
    Q_EMIT box.again()->chosen({});
    QCOMPARE(chosenBy(chosen), u"relative-update"_s);
    QCOMPARE(again.last().first().toLongLong(), 1);
}

/// Of a newer or older version.
void TestLessonLibraryBox::aQuestionThatIsGoneIsForgotten()
{
    LessonScore::keep({u"no-such-lesson"_s, 0}, u"x"_s, false);
    LessonScore::keep({u"ghost-stock"_s, 17}, u"x"_s, false);
    LessonLibraryBox box;
    QSignalSpy again(&box, &LessonLibraryBox::askedAgain);
    Q_EMIT box.again()->chosen({});
    QVERIFY(again.isEmpty());
    QVERIFY(LessonScore::again().isEmpty());
    QVERIFY(box.again()->links().isEmpty());
}

void TestLessonLibraryBox::theScoreIsKeptByTopic()
{
    QCOMPARE(LessonScore::total(), QString());
    for (const bool isRight : {true, true, false, true})
        LessonScore::keep({u"ghost-stock"_s, 0}, u"lost update"_s, isRight);
    LessonScore::keep({u"mine"_s, 0}, u"tea"_s, false);
    QCOMPARE(LessonScore::byTopic(), (QStringList{u"lost update: 3 of 4"_s, u"tea: 0 of 1"_s}));
    QCOMPARE(LessonScore::total(), u"3 of 5 foreseen"_s);
}

void TestLessonLibraryBox::topicsOfTheLibraryHaveChineseNames()
{
    QSet<QString> topics;
    for (const QString &id : lessonIds()) {
        const Lesson lesson = std::get<Lesson>(libraryLesson(id));
        for (const LessonQuestion &question : lesson.questions)
            topics += question.topic;
    }
    applyAppearance({Theme::Light, u"zh_CN"_s, false});
    for (const QString &topic : std::as_const(topics))
        LessonScore::keep({u"x"_s, 0}, topic, true);
    const QString lines = LessonScore::byTopic().join(u'\n');
    for (const QString &topic : std::as_const(topics))
        QVERIFY2(!lines.contains(topic), qPrintable(topic));
}

/// A picture in a stranger's text could name any file or device.
void TestLessonLibraryBox::noFileIsReadForALesson()
{
    LessonProse prose;
    const QUrl picture = QUrl::fromLocalFile(u"/etc/hostname"_s);
    QVERIFY(!prose.loadResource(QTextDocument::ImageResource, picture).isValid());
    LessonQuestionBox box;
    LessonQuestion question;
    question.text = u"![x](/dev/zero) <img src='/dev/zero'> a < b"_s;
    box.ask({}, question);
    const auto labels = box.findChildren<QLabel *>();
    QVERIFY(!labels.isEmpty());
    for (const QLabel *label : labels)
        QVERIFY2(!label->text().contains("!["_L1) && !label->text().contains("<i"_L1), qPrintable(label->text()));
}

QTEST_MAIN(TestLessonLibraryBox)
#include "tst_lessonlibrarybox.moc"
