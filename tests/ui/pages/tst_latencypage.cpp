// SPDX-License-Identifier: MIT
// The latency page on a real server: what engines measured is on it, and keys and wheel move through it.
#include "enginefixture.h"
#include "strict.h"
#include "windowtest.h"

#include "ui/pages/latency/latencypage.h"
#include "ui/pages/latency/latencyranks.h"
#include "ui/pages/latency/latencysummary.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/livetableview.h"

#include <QtGui/QImage>
#include <QtGui/QWheelEvent>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;
constexpr int kMedianRow = 0;
constexpr int kGrantedRow = 4;

} // namespace

class TestLatencyPage : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void nothingMeasuredSaysWhatWouldBeHere();
    void whatEnginesMeasuredIsCounted();
    void aChosenProgramIsShownAlone();
    void wheelAndKeysMoveThroughTime();
    void theCrosshairTellsItsMoment();
    void everyFormatIsExported();
    void aHiddenPageAsksNothing();
    void whoWaitedLeadsToItsChartAndToWhoHeld();

private:
    void measure(const QString &service, int grants, const QByteArray &prefix = {});
    QString granted() const { return m_page->summary()->cell(kGrantedRow, "unique"); }
    QComboBox *combo(const QString &name) const;

    TestServer *m_server = nullptr;
    LatencyPage *m_page = nullptr;
};

void TestLatencyPage::init()
{
    failOnWarnings();
    m_server = &TestServer::instance();
    resetTables(*m_server);
    makeWindow();
    m_page = m_window->latencyPage();
    m_window->show();
    openServer(u"test"_s, m_server->url());
    m_window->showPage(3);
}

void TestLatencyPage::measure(const QString &service, int grants, const QByteArray &prefix)
{
    EngineConfig config = configFor(*m_server);
    config.service = service;
    config.namePrefix = prefix;
    LockEngine engine(config);
    for (int i = 0; i < grants; ++i)
        QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
}

QComboBox *TestLatencyPage::combo(const QString &name) const
{
    for (QComboBox *box : m_page->findChildren<QComboBox *>()) {
        if (box->accessibleName() == name)
            return box;
    }
    return nullptr;
}

void TestLatencyPage::nothingMeasuredSaysWhatWouldBeHere()
{
    auto *empty = m_page->findChild<EmptyState *>();
    const auto says = [empty](const QString &text) {
        const auto labels = empty->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(), [&](QLabel *label) { return label->text().contains(text); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says(u"Nothing was measured"_s), kPatience);
    QVERIFY(empty->isVisible());
}

void TestLatencyPage::whatEnginesMeasuredIsCounted()
{
    measure(u"billing"_s, 3);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"3"_s, kPatience);
    measure(u"cron"_s, 4);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"7"_s, kPatience);
    QVERIFY(m_page->summary()->cell(kMedianRow, "unique") != u"–"_s);
}

void TestLatencyPage::aChosenProgramIsShownAlone()
{
    measure(u"billing"_s, 3);
    measure(u"cron"_s, 4);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"7"_s, kPatience);
    QComboBox *programs = combo(u"Program"_s);
    QVERIFY(programs);
    QVERIFY(programs->findText(u"cron"_s) > 0);
    programs->setCurrentIndex(programs->findText(u"cron"_s));
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"4"_s, kPatience);
    QVERIFY(programs->findText(u"billing"_s) > 0); // still there to choose
}

void TestLatencyPage::wheelAndKeysMoveThroughTime()
{
    measure(u"billing"_s, 3);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"3"_s, kPatience);
    TimeChart *chart = m_page->latencyChart();
    const auto length = [chart] { return chart->range().to - chart->range().from; };
    const Microseconds whole = length();
    QVERIFY2(whole < 15min, "there is more time without measurements than with them");
    QWheelEvent wheel(QPointF(chart->rect().center()), chart->mapToGlobal(QPointF(chart->rect().center())), {},
                      {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(chart->viewport(), &wheel);
    QTRY_COMPARE_WITH_TIMEOUT(length(), whole * 4 / 5, kPatience);
    QCOMPARE(m_page->rateChart()->range(), chart->range());
    const auto zoomed = chart->range();
    QTest::keyClick(chart, Qt::Key_Left, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(chart->range().from, zoomed.from - whole / 5, kPatience);
    QTest::keyClick(chart, Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(length() >= whole, kPatience);
}

void TestLatencyPage::theCrosshairTellsItsMoment()
{
    measure(u"billing"_s, 3);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"3"_s, kPatience);
    TimeChart *chart = m_page->latencyChart();
    const LatencyPoint point = m_page->picture()->period.curve("unique")->points.front();
    Q_EMIT chart->crosshairMoved(point.at + 1s);
    QCOMPARE(granted(), QString::number(point.counts.granted));
    Q_EMIT chart->crosshairMoved(point.at - 5min);
    QCOMPARE(granted(), u"–"_s);
    Q_EMIT chart->crosshairMoved(std::nullopt);
    QCOMPARE(granted(), u"3"_s);
}

void TestLatencyPage::everyFormatIsExported()
{
    measure(u"billing"_s, 3);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"3"_s, kPatience);
    QCOMPARE(m_page->exportFormats(), (QStringList{u"png"_s, u"svg"_s, u"csv"_s}));
    QVERIFY(!QImage::fromData(m_page->exported(u"png"_s)).isNull());
    QVERIFY(m_page->exported(u"svg"_s).contains("<polyline"));
    const auto lines = m_page->exported(u"csv"_s).trimmed().split('\n');
    QVERIFY(lines.first().startsWith("time,mode,granted,p50_us"));
    QVERIFY(lines.size() >= 2 && lines.last().contains(",unique,"));
}

void TestLatencyPage::aHiddenPageAsksNothing()
{
    measure(u"billing"_s, 3);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"3"_s, kPatience);
    m_window->showPage(0);
    QSignalSpy updates(m_connection.get(), &ServerConnection::listUpdated);
    QVERIFY(updates.wait(kPatience)); // what was under way has arrived
    QSignalSpy pictures(m_connection->feed<LatencyFeed>(), &LatencyFeed::pictureReady);
    for (int i = 0; i < 6; ++i)
        QVERIFY(updates.wait(kPatience));
    QVERIFY(pictures.isEmpty());
}

void TestLatencyPage::whoWaitedLeadsToItsChartAndToWhoHeld()
{
    measure(u"billing"_s, 3, "orders/");
    measure(u"cron"_s, 4, "jobs/");
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"7"_s, kPatience);
    QAbstractItemModel *waiters = m_page->waitersView()->model();
    QAbstractItemModel *holders = m_page->holdersView()->model();
    const QAbstractItemModelTester tester(waiters, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto cell = [waiters](int row, LatencyRanks::Column column) {
        return waiters->index(row, column).data().toString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(waiters->rowCount(), 2, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(holders->rowCount(), 2, kPatience);
    const int row = cell(0, LatencyRanks::ProgramColumn) == u"cron"_s ? 0 : 1;
    QCOMPARE(cell(row, LatencyRanks::PrefixColumn), u"jobs/…"_s);
    QCOMPARE(cell(row, LatencyRanks::CountColumn), u"4"_s);
    QVERIFY(cell(row, LatencyRanks::ShareColumn).endsWith(u'%'));
    const QPoint place = m_page->waitersView()->visualRect(waiters->index(row, 0)).center();
    QTest::mouseClick(m_page->waitersView()->viewport(), Qt::LeftButton, {}, place);
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"4"_s, kPatience); // its chart and numbers
    QCOMPARE(holders->rowCount(), 1);
    QCOMPARE(holders->index(0, 0).data().toString(), u"cron"_s);
    QCOMPARE(waiters->rowCount(), 2); // still among all
    QVERIFY(m_page->closeLast());
    QTRY_COMPARE_WITH_TIMEOUT(granted(), u"7"_s, kPatience);
    QCOMPARE(holders->rowCount(), 2);
}

QTEST_MAIN(TestLatencyPage)
#include "tst_latencypage.moc"
