// SPDX-License-Identifier: MIT
// A recording is opened in the window: its deadlocks at each moment, the way to its incidents, and files that are not
// as they should be.
#include "deadlocks/deadlockreport.h"
#include "recording/recordingdatabase.h"
#include "recordmaker.h"
#include "strict.h"
#include "tablelockmaker.h"
#include "ui/pages/deadlocks/deadlockinspector.h"
#include "ui/pages/deadlocks/deadlocklistmodel.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/latency/latencypage.h"
#include "ui/pages/locks/lockinspector.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/style/displaytimezone.h"
#include "ui/widgets/livetableview.h"
#include "ui/window/replaybar.h"
#include "ui/window/windowactions.h"
#include "visibletext.h"
#include "windowtest.h"

#include <QtCore/QFile>
#include <QtGui/QAction>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSlider>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 60'000;
constexpr int kSeconds = 60;
constexpr int kFirstDeadlock = 10; // seconds of the recording
constexpr int kQueue = 20;
constexpr int kWaiters = 7;
constexpr int kLastDeadlock = 30;
constexpr int kMissed = 3; // then

enum PageNumber { LocksNumber, WaitsNumber, DeadlocksNumber, LatencyNumber, LabNumber, EventsNumber };

Deadlock printed(const QString &name)
{
    QFile file(QStringLiteral(LOCKSCOPE_RAW "/") + name + u".txt"_s);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qUtf8Printable(file.fileName()));
    return *latestDeadlock(file.readAll());
}

} // namespace

class TestReplayFile : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { closeWindow(); }

    void eachMomentHasTheDeadlocksThatWereKeptByThen();
    void anIncidentLeadsToWhereItIsSeen();
    void theKeysStepThroughIncidentsAndTime();
    void nothingCanBeDoneToARecording();
    void oneOfANewerVersionIsRefusedOnEveryPage();
    void oneThatWasCutOpensUpToTheCut();
    void deadlocksThatCouldNotBeReadAreNotSaidToBeNone();
    void theTableLocksOfAMomentAreInTheList();
    void theMenuNamesWhoBlockedWhat();
    void missingLatenciesAreSaidToBeMissing();
    void aClickOnTheSliderGoesThere();
    void theKeysMoveThroughAShortRecording();
    void aWrittenTimeIsGoneTo();

private:
    void open(const QString &path);
    /// The slider is moved there, and that moment is shown.
    void showSecond(int second);
    int shown() const { return m_page->model()->rowCount(); }

    WrittenRecording m_written;
    DeadlocksPage *m_page = nullptr;
    ReplayBar *m_bar = nullptr;
    ReplayedMomentPtr m_moment;
};

void TestReplayFile::initTestCase()
{
    prepare();
    QVERIFY2(m_written.open(), qPrintable(m_written.error));
    Recorder recorder(m_written.options, std::move(m_written.writer));
    for (int second = 0; second <= kSeconds; ++second) {
        RecordedNews news = newsAt(second, second == kQueue ? kWaiters : 0);
        if (second == kFirstDeadlock)
            news.deadlocks = {printed(u"mysql-two"_s)};
        if (second == kLastDeadlock) {
            news.deadlocks = {printed(u"mysql-three"_s)};
            news.deadlocksMissed = kMissed;
        }
        recorder.take(news);
    }
    QCOMPARE(recorder.end(), QString());
}

void TestReplayFile::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    m_page = m_window->deadlocksPage();
    m_bar = m_window->replayBar();
    m_moment.reset();
    connect(m_connection.get(), &ServerConnection::momentShown, this,
            [this](const ReplayedMomentPtr &moment) { m_moment = moment; });
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestReplayFile::open(const QString &path)
{
    m_connection->open(ServerProfile::ofRecording(path), {});
    QTRY_VERIFY_WITH_TIMEOUT(m_moment, kPatience);
}

void TestReplayFile::showSecond(int second)
{
    m_bar->slider()->setValue(second);
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(second), kPatience);
}

void TestReplayFile::eachMomentHasTheDeadlocksThatWereKeptByThen()
{
    open(m_written.options.path);
    m_window->showPage(DeadlocksNumber);
    showSecond(0);
    QCOMPARE(shown(), 0);
    const QString said = visibleText(m_page);
    QVERIFY2(said.contains(u"Until this moment none was recorded"_s), qPrintable(said));
    showSecond(kFirstDeadlock);
    QCOMPARE(shown(), 1);
    QVERIFY(m_page->inspector()->shape());
    QCOMPARE(m_page->inspector()->shape()->latest.sides.size(), 2);
    QCOMPARE(m_page->missing(), QString());
    showSecond(kSeconds);
    QCOMPARE(shown(), 2);
    QVERIFY2(m_page->missing().startsWith(u"3 not captured"_s), qPrintable(m_page->missing()));
    QVERIFY(visibleText(m_page).contains(m_page->missing()));
    QVERIFY(m_bar->isVisible() && m_bar->text().contains(u"RECORDED"_s));
    showSecond(kLastDeadlock - 1);
    QCOMPARE(shown(), 1);
    QCOMPARE(m_page->missing(), QString());

    openSilentServer(); // nothing of a recording is left
    QCOMPARE(shown(), 0);
    QVERIFY(visibleText(m_page).contains(u"Looking for deadlocks"_s));
}

void TestReplayFile::anIncidentLeadsToWhereItIsSeen()
{
    open(m_written.options.path); // where the queue is
    QCOMPARE(m_moment->wanted, RecordMaker::timeOf(kQueue));
    m_bar->nextIncident()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kLastDeadlock), kPatience);
    QCOMPARE(m_window->page(), int(DeadlocksNumber));
    QVERIFY(m_page->inspector()->shape());
    QCOMPARE(m_page->inspector()->shape()->latest.sides.size(), 3);
    m_bar->previousIncident()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kQueue), kPatience);
    QCOMPARE(m_window->page(), int(WaitsNumber));
    m_window->showPage(LocksNumber);
    m_bar->previousIncident()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kFirstDeadlock), kPatience);
    QCOMPARE(m_window->page(), int(DeadlocksNumber));
    QCOMPARE(m_page->inspector()->shape()->latest.sides.size(), 2);
    QVERIFY(!m_bar->previousIncident()->isEnabled());
    QVERIFY(m_bar->nextIncident()->isEnabled());
}

void TestReplayFile::theKeysStepThroughIncidentsAndTime()
{
    open(m_written.options.path);
    QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::AltModifier);
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kLastDeadlock), kPatience);
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kQueue), kPatience);
    m_bar->slider()->setFocus();
    QTest::keyClick(m_bar->slider(), Qt::Key_Left);
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kQueue - 1), kPatience);
    QTest::keyClick(m_bar->slider(), Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kSeconds), kPatience);
    QVERIFY(!m_bar->nextIncident()->isEnabled());
}

void TestReplayFile::nothingCanBeDoneToARecording()
{
    open(m_written.options.path);
    m_window->showPage(LabNumber);
    const auto text = [this] { return visibleText(m_window->labPage()); };
    QVERIFY2(text().contains(u"This is a recording"_s), qPrintable(text()));
    for (const auto *button : m_window->labPage()->findChildren<QPushButton *>()) {
        if (button->text().contains(u"Start"_s))
            QVERIFY2(!button->isEnabled(), qPrintable(button->text()));
    }
    const auto areOffered = [this] {
        int count = 0;
        for (const QAction *action : WindowActions::all(m_window.get()))
            count += action->isEnabled() && (action->text() == u"&Pause"_s || action->text() == u"&Refresh now"_s);
        return count;
    };
    QCOMPARE(areOffered(), 0);
    openSilentServer();
    QVERIFY2(!text().contains(u"This is a recording"_s), qPrintable(text()));
    QCOMPARE(areOffered(), 2);
}

void TestReplayFile::oneOfANewerVersionIsRefusedOnEveryPage()
{
    QByteArray content = contentOf(m_written.options.path);
    content[63] = char(kRecordingFormat + 1);
    const QString path = m_folder.filePath(u"newer.lockscope"_s);
    writeFile(path, content);
    m_connection->open(ServerProfile::ofRecording(path), {});
    QTRY_VERIFY_WITH_TIMEOUT(m_connection->status().isFailing(), kPatience);
    for (const int page : {LocksNumber, WaitsNumber, DeadlocksNumber, LatencyNumber, EventsNumber}) {
        m_window->showPage(page);
        const QString said = visibleText(m_window.get());
        QVERIFY2(said.contains(u"was recorded by a newer Lockscope: its format is 2, and this one reads up to 1."_s),
                 qPrintable(said));
        QVERIFY2(!said.contains(u"keeps trying"_s) && !said.contains(u"Not connected"_s), qPrintable(said));
    }
    QVERIFY(!m_bar->slider()->isEnabled());
    QCOMPARE(contentOf(path), content);
    open(m_written.options.path); // and another one after it
    QVERIFY(!m_connection->status().isFailing());
    QVERIFY(!visibleText(m_window.get()).contains(u"newer Lockscope"_s));
}

void TestReplayFile::oneThatWasCutOpensUpToTheCut()
{
    WrittenRecording written;
    QVERIFY2(written.open(), qPrintable(written.error));
    QCOMPARE(written.write(400), QString());
    QCOMPARE(written.writer->finish(), QString());
    const QByteArray content = contentOf(written.options.path);
    const QString path = m_folder.filePath(u"cut.lockscope"_s);
    writeFile(path, content.left(content.size() / 2));
    open(path);
    const QString said = visibleText(m_window.get());
    QVERIFY2(said.contains(u"The file was cut: only what lies before the cut is here."_s), qPrintable(said));
    QVERIFY(!m_connection->status().isFailing());
    const int last = m_bar->slider()->maximum();
    QVERIFY2(last > 150 && last < 250, qPrintable(QString::number(last)));
    showSecond(last);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->locksPage()->model()->rowCount(), 40, kPatience); // leases
    QCOMPARE(contentOf(path).size(), content.size() / 2);
}

void TestReplayFile::deadlocksThatCouldNotBeReadAreNotSaidToBeNone()
{
    WrittenRecording written;
    QVERIFY2(written.open(), qPrintable(written.error));
    Recorder recorder(written.options, std::move(written.writer));
    RecordedNews news = newsAt(0, 0);
    news.deadlockSight = DeadlockSight::Nothing;
    news.whyNoDeadlocks = u"This account may not read them."_s;
    recorder.take(news);
    QCOMPARE(recorder.end(), QString());
    open(written.options.path);
    m_window->showPage(DeadlocksNumber);
    const QString said = visibleText(m_page);
    QVERIFY2(said.contains(u"This account may not read them."_s) && !said.contains(u"No deadlock was seen"_s),
             qPrintable(said));
}

void TestReplayFile::theTableLocksOfAMomentAreInTheList()
{
    WrittenRecording written;
    QVERIFY2(written.open(), qPrintable(written.error));
    Recorder recorder(written.options, std::move(written.writer));
    for (int second = 0; second <= 4; ++second) {
        RecordedNews news = newsAt(second, 0);
        if (second == 1 || second == 2)
            news.look.tables.locks = {tableLock("nightly")};
        recorder.take(news);
    }
    QCOMPARE(recorder.end(), QString());
    open(written.options.path); // at its end
    LocksPage *page = m_window->locksPage();
    m_window->showPage(LocksNumber);
    const LockKey key{LockKind::Table, "app.shedlock nightly", 0, 0};
    const auto isListed = [&] { return page->model()->rowOf(key) >= 0; };
    QVERIFY(!isListed());
    showSecond(2);
    QTRY_VERIFY_WITH_TIMEOUT(isListed(), kPatience);
    page->select(key);
    const auto said = [page] { return visibleText(page->inspector()); };
    QTRY_VERIFY_WITH_TIMEOUT(said().contains(u"locked_by = a7"_s), kPatience);
    QVERIFY(!page->releaseAction()->isEnabled());
    page->view()->setFocus();
    QTest::keyClick(page->view(), Qt::Key_Delete);
    QVERIFY2(visibleText(m_window.get()).contains(u"This is a recording"_s), qPrintable(visibleText(m_window.get())));
    int left = 0;
    m_connection->follow(&Monitor::listUpdated, this, [&left](const LockListUpdatePtr &update) {
        for (const LockItem &item : update->items)
            left += item.vanishedAt ? 1 : 0;
    });
    showSecond(3);
    QTRY_VERIFY_WITH_TIMEOUT(!isListed(), kPatience);
    QCOMPARE(left, 0); // it did not end then
}

void TestReplayFile::theMenuNamesWhoBlockedWhat()
{
    open(m_written.options.path);
    const auto *menu = m_bar->findChild<QMenu *>();
    QCOMPARE(menu->actions().size(), 3);
    QString queue;
    for (const QAction *action : menu->actions())
        queue += action->text() + u'\n';
    QVERIFY2(queue.contains(u"7 waited, up to "_s) && queue.contains(u"shop.stock PRIMARY (5) · Session 12"_s),
             qPrintable(queue));
}

void TestReplayFile::missingLatenciesAreSaidToBeMissing()
{
    open(m_written.options.path);
    m_window->showPage(LatencyNumber);
    const auto said = [this] { return visibleText(m_window->latencyPage()); };
    QTRY_VERIFY_WITH_TIMEOUT(said().contains(u"No latencies were recorded in this time"_s), kPatience);
    QVERIFY2(!said().contains(u"lockctl"_s) && !said().contains(u"Start demo"_s), qPrintable(said()));
}

void TestReplayFile::aClickOnTheSliderGoesThere()
{
    open(m_written.options.path);
    QSlider *slider = m_bar->slider();
    const int width = slider->width();
    QTest::mouseClick(slider, Qt::LeftButton, {}, {width * 3 / 4, slider->height() / 2});
    QVERIFY2(std::abs(slider->value() - kSeconds * 3 / 4) <= 1, qPrintable(QString::number(slider->value())));
    QTest::mousePress(slider, Qt::LeftButton, {}, {width / 4, slider->height() / 2});
    QTest::mouseMove(slider, {width / 2, slider->height() / 2});
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {width / 2, slider->height() / 2});
    QVERIFY2(std::abs(slider->value() - kSeconds / 2) <= 1, qPrintable(QString::number(slider->value())));
    QCOMPARE(slider->width(), width);
}

void TestReplayFile::theKeysMoveThroughAShortRecording()
{
    WrittenRecording written;
    QVERIFY2(written.open(), qPrintable(written.error));
    Recorder recorder(written.options, std::move(written.writer));
    RecordedNews last = newsAt(7, 0);
    last.look.waits.clock.server += std::chrono::microseconds(333'331);
    recorder.take(newsAt(0, 0));
    recorder.take(last);
    QCOMPARE(recorder.end(), QString());
    open(written.options.path);
    QSlider *slider = m_bar->slider();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    for (int step = 1; step <= slider->maximum(); ++step) {
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(slider->value(), step);
    }
}

void TestReplayFile::aWrittenTimeIsGoneTo()
{
    open(m_written.options.path);
    const auto write = [this](const QString &text) {
        m_bar->timeField()->setText(text);
        m_bar->timeField()->setFocus();
        QTest::keyClick(m_bar->timeField(), Qt::Key_Return);
    };
    write(DisplayTimeZone::instance()->of(RecordMaker::timeOf(12)).toString(u"HH:mm:ss"_s));
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(12), kPatience);
    QCOMPARE(m_bar->timeField()->text(), QString()); // for the next one
    QCOMPARE(m_bar->slider()->value(), 12);
    write(u"noon"_s);
    QVERIFY2(m_bar->text().contains(u"that is no time: write 03:12"_s), qPrintable(m_bar->text()));
    QCOMPARE(m_bar->timeField()->text(), u"noon"_s); // to be mended
    write(DisplayTimeZone::instance()->of(RecordMaker::timeOf(12)).addDays(1).toString(u"yyyy-MM-dd HH:mm"_s));
    QTRY_COMPARE_WITH_TIMEOUT(m_moment->wanted, RecordMaker::timeOf(kSeconds), kPatience);
    QVERIFY2(m_bar->text().contains(u"the recording ends here"_s), qPrintable(m_bar->text()));
    showSecond(3);
    QVERIFY2(!m_bar->text().contains(u"ends here"_s), qPrintable(m_bar->text()));
}

QTEST_MAIN(TestReplayFile)
#include "tst_replayfile.moc"
