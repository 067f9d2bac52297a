// SPDX-License-Identifier: MIT
// Lessons of one's own: listed from their files, read again each time, and what is wrong with them.
#include "lessons/lessonlibrary.h"
#include "strict.h"
#include "ui/pages/lessons/lessonfaultbox.h"
#include "ui/pages/lessons/lessonfilebar.h"
#include "ui/pages/lessons/lessonfiles.h"
#include "ui/pages/lessons/lessonlibrarybox.h"
#include "ui/pages/lessons/lessonlistmodel.h"
#include "ui/pages/lessons/lessonscore.h"
#include "ui/style/appearance.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/linklabel.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QMimeData>
#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtGui/QDropEvent>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

/// As `lockctl lesson new` writes it.
QByteArray lessonText(const QString &id)
{
    return lessonSkeleton(id);
}

} // namespace

class TestLessonFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_box.reset(); }

    void aFileIsListedAsOnesOwn();
    void itIsThereAtTheNextStart();
    void anEditIsSeenWhenItIsChosen();
    void anEditIsSeenWhenTheChosenOneIsClicked();
    void whatIsWrongIsToldWithFileAndLine_data();
    void whatIsWrongIsToldWithFileAndLine();
    void aFileThatIsGoneCanBeTakenOff();
    void takingOffAnotherLeavesTheChosenOne();
    void oneOfTheLibrarysNameIsAnotherLesson();
    void whatWasForeseenIsKeptByThePath();
    void filesAreDropped();
    void othersThanLessonsAreNotDropped();

private:
    QString write(const QString &name, const QByteArray &text) const;
    void open(const QStringList &paths) { Q_EMIT m_box->files()->opened(paths); }
    QString cell(int row, LessonListModel::Column column) const
    {
        return m_box->list()->model()->index(row, column).data().toString();
    }
    /// The one that is chosen.
    QString title() const
    {
        return m_box->list()->currentIndex().siblingAtColumn(LessonListModel::Title).data().toString();
    }
    void makeBox();

    QTemporaryDir m_folder;
    std::unique_ptr<LessonLibraryBox> m_box;
    std::unique_ptr<QSignalSpy> m_chosen;
    std::unique_ptr<QSignalSpy> m_refused;
};

void TestLessonFiles::initTestCase()
{
    QCoreApplication::setOrganizationName(u"lockscope-test"_s);
    QCoreApplication::setApplicationName(u"TestLessonFiles"_s);
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
}

void TestLessonFiles::init()
{
    failOnWarnings(OffscreenWarning);
    QSettings().clear();
    applyAppearance({Theme::Light, u"en"_s, false});
    makeBox();
}

void TestLessonFiles::makeBox()
{
    m_box = std::make_unique<LessonLibraryBox>();
    m_box->resize(400, 600);
    m_box->show();
    new QAbstractItemModelTester(m_box->list()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal,
                                 m_box.get());
    m_chosen = std::make_unique<QSignalSpy>(m_box.get(), &LessonLibraryBox::chosen);
    m_refused = std::make_unique<QSignalSpy>(m_box.get(), &LessonLibraryBox::refused);
}

QString TestLessonFiles::write(const QString &name, const QByteArray &text) const
{
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("%ls", qUtf16Printable(file.errorString()));
    return file.fileName();
}

void TestLessonFiles::aFileIsListedAsOnesOwn()
{
    const QString path = write(u"mine.md"_s, lessonText(u"mine"_s));
    open({path});
    QCOMPARE(m_chosen->size(), 1);
    const auto lesson = m_chosen->last().first().value<Lesson>();
    QCOMPARE(lesson.id, u"mine"_s);
    QCOMPARE(m_box->current(), path);
    QCOMPARE(title(), lesson.title);
    QCOMPARE(cell(0, LessonListModel::Number), u"own"_s);
    QCOMPARE(cell(1, LessonListModel::Number), u"1"_s);
    const QString tip = m_box->list()->model()->index(0, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"mine.md"_s), qPrintable(tip));
    m_box->filter()->setText(u"own"_s);
    QCOMPARE(cell(0, LessonListModel::Title), lesson.title);
    open({path}); // is not listed twice
    m_box->filter()->setText(u"mine.md"_s);
    QCOMPARE(m_box->list()->model()->rowCount(), 1);
}

void TestLessonFiles::itIsThereAtTheNextStart()
{
    const QString path = write(u"mine.md"_s, lessonText(u"mine"_s));
    open({path});
    makeBox();
    m_box->chooseAny();
    QCOMPARE(m_chosen->last().first().value<Lesson>().id, lessonIds().constFirst()); // not what may be half written
    QCOMPARE(cell(0, LessonListModel::Number), u"own"_s);
    m_box->choose(path);
    QCOMPARE(m_chosen->last().first().value<Lesson>().id, u"mine"_s);
}

void TestLessonFiles::anEditIsSeenWhenItIsChosen()
{
    const QByteArray text = lessonText(u"mine"_s);
    const QString path = write(u"mine.md"_s, text);
    open({path});
    const QString before = title();
    m_box->choose(u"ghost-stock"_s);
    write(u"mine.md"_s, QByteArray(text).replace("title: \"", "title: \"Edited. "));
    m_box->choose(path);
    QCOMPARE(m_chosen->last().first().value<Lesson>().title, u"Edited. "_s + before);
    QCOMPARE(title(), u"Edited. "_s + before);
    m_box->choose(u"ghost-stock"_s);
    write(u"mine.md"_s, "nothing");
    m_box->choose(path);
    QCOMPARE(m_refused->size(), 1);
    QCOMPARE(title(), u"mine.md: faulty"_s);
    write(u"mine.md"_s, text);
    m_box->readAgain();
    QCOMPARE(title(), before);
    QCOMPARE(m_chosen->last().first().value<Lesson>().title, before);
}

void TestLessonFiles::anEditIsSeenWhenTheChosenOneIsClicked()
{
    const QByteArray text = lessonText(u"mine"_s);
    open({write(u"mine.md"_s, text)});
    const auto click = [this] {
        m_box->list()->scrollTo(m_box->list()->currentIndex());
        QTest::mouseClick(m_box->list()->viewport(), Qt::LeftButton, {},
                          m_box->list()->visualRect(m_box->list()->currentIndex()).center());
    };
    click();
    QCOMPARE(m_chosen->size(), 1); // it is as it was
    write(u"mine.md"_s, QByteArray(text).replace("title: \"", "title: \"Edited. "));
    click();
    QCOMPARE(m_chosen->size(), 2);
    QVERIFY(title().startsWith(u"Edited. "_s));
}

void TestLessonFiles::whatIsWrongIsToldWithFileAndLine_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after"); // in a lesson that is right
    QTest::newRow("no lesson") << QByteArray() << QByteArray();
    QTest::newRow("an unknown word") << QByteArray("level: basic") << QByteArray("level: simple");
    QTest::newRow("an unknown scenario") << QByteArray("level: basic") << QByteArray("level: basic\nlab: [moon]");
}

/// As `lockctl lesson check` tells it, and in the lesson's place.
void TestLessonFiles::whatIsWrongIsToldWithFileAndLine()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const QByteArray text = lessonText(u"mine"_s);
    QVERIFY(text.contains(before));
    const QString path = write(u"mine.md"_s, before.isEmpty() ? after : QByteArray(text).replace(before, after));
    open({path});
    QCOMPARE(m_refused->size(), 1);
    QVERIFY(m_chosen->isEmpty());
    const auto file = m_refused->last().first().value<LessonFile>();
    QVERIFY(file.fault());
    LessonFaultBox box;
    box.show(file);
    const QString said = box.text().remove(QChar(0x200b));
    const QString where = file.fault()->line > 0 ? u"%1:%2: "_s.arg(path).arg(file.fault()->line) : path + u": "_s;
    QVERIFY2(said.contains(where + file.fault()->reason), qPrintable(said));
    if (file.fault()->line > 0)
        QVERIFY2(said.endsWith(QString::fromUtf8(after.split('\n').constLast())), qPrintable(said));
}

void TestLessonFiles::aFileThatIsGoneCanBeTakenOff()
{
    const QString path = write(u"mine.md"_s, lessonText(u"mine"_s));
    open({path});
    const int rows = m_box->list()->model()->rowCount();
    QFile::remove(path);
    makeBox();
    m_box->load();
    QCOMPARE(cell(0, LessonListModel::Title), u"mine.md: gone"_s);
    QVERIFY(!m_box->files()->takeOffButton()->isVisible());
    m_box->choose(path);
    QCOMPARE(m_refused->size(), 1);
    LessonFaultBox fault;
    fault.show(m_refused->last().first().value<LessonFile>());
    QVERIFY2(fault.text().startsWith(u"mine.md is gone\nThere is no file "_s), qPrintable(fault.text()));
    QVERIFY(m_box->files()->takeOffButton()->isVisible());
    m_box->files()->takeOffButton()->click();
    QCOMPARE(m_box->list()->model()->rowCount(), rows - 1);
    QVERIFY(LessonFiles::paths().isEmpty());
    QCOMPARE(m_chosen->last().first().value<Lesson>().id, lessonIds().constFirst());
    QVERIFY(!m_box->files()->takeOffButton()->isVisible());
}

void TestLessonFiles::takingOffAnotherLeavesTheChosenOne()
{
    const QString one = write(u"one.md"_s, lessonText(u"one"_s));
    const QString two = write(u"two.md"_s, lessonText(u"two"_s));
    open({one, two});
    QCOMPARE(m_box->current(), two);
    m_box->takeOff(one);
    QCOMPARE(m_box->current(), two);
    QCOMPARE(m_chosen->size(), 1);
    QCOMPARE(LessonFiles::paths(), QStringList(two));
}

void TestLessonFiles::oneOfTheLibrarysNameIsAnotherLesson()
{
    const QString path = write(u"ghost-stock.md"_s, lessonText(u"ghost-stock"_s));
    open({path});
    const QString own = title();
    m_box->setPlayed(path);
    m_box->choose(u"ghost-stock"_s);
    QCOMPARE(m_box->current(), u"ghost-stock"_s);
    QVERIFY(title() != own);
    QVERIFY2(m_box->progress().startsWith(u"0 of "_s), qPrintable(m_box->progress()));
    m_box->choose(path);
    QCOMPARE(title(), own);
}

/// Which may have a # in it.
void TestLessonFiles::whatWasForeseenIsKeptByThePath()
{
    QVERIFY(QDir(m_folder.path()).mkpath(u"c#"_s));
    const QString path = write(u"c#/mine.md"_s, lessonText(u"mine"_s));
    open({path});
    LessonScore::keep({path, 0}, u"x"_s, false);
    m_box->choose(u"ghost-stock"_s);
    QSignalSpy again(m_box.get(), &LessonLibraryBox::askedAgain);
    Q_EMIT m_box->again()->chosen({});
    QCOMPARE(m_box->current(), path);
    QCOMPARE(again.size(), 1);
}

void TestLessonFiles::filesAreDropped()
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(write(u"one.md"_s, lessonText(u"one"_s))),
                  QUrl::fromLocalFile(write(u"two.md"_s, lessonText(u"two"_s)))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_box.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_box.get(), &drop);
    QCOMPARE(LessonFiles::paths().size(), 2);
    QCOMPARE(m_chosen->last().first().value<Lesson>().id, u"two"_s);
}

void TestLessonFiles::othersThanLessonsAreNotDropped()
{
    QMimeData data;
    data.setUrls({QUrl(u"https://example.org/x.md"_s), QUrl::fromLocalFile(write(u"x.txt"_s, "x"))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QCoreApplication::sendEvent(m_box.get(), &enter);
    QVERIFY(!enter.isAccepted());
}

QTEST_MAIN(TestLessonFiles)
#include "tst_lessonfiles.moc"
