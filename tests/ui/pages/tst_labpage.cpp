// SPDX-License-Identifier: MIT
// The lab's page on a real private server: a run starts, is watched and harmed,
// stops, and stands in the list.
#include "enginefixture.h"
#include "environment.h"
#include "stores/nodes/storeprograms.h"
#include "strict.h"
#include "windowtest.h"

#include "ui/pages/lab/harmtiles.h"
#include "ui/pages/lab/labform.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/lab/labrunmodel.h"
#include "ui/pages/lab/laneview.h"
#include "ui/pages/lab/runspanel.h"
#include "ui/widgets/messagebar.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryFile>
#include <QtSvg/QSvgRenderer>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

/// Long enough to be stopped.
LabPlan longPlan()
{
    LabPlan plan;
    plan.workers = 3;
    plan.hold.mean = 5ms;
    plan.duration = 1h;
    plan.usesProcesses = true;
    return plan;
}

} // namespace

class TestLabPage : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { closeWindow(); }

    void aRunIsWatchedHarmedAndStopped();
    void modesStandSideBySide();
    void anotherPageGoesOnWithTheRun();
    void aModeBringsItsNumbersUnlessTheyWereTouched();
    void onlyStoresWithNodesAskWhatTheyKeep();
#ifdef LOCKSCOPE_HAS_ALL_STORES
    void fourStoresRunWithOneButton();
#endif
    void everyScenarioRunsFromTheWindow_data();
    void everyScenarioRunsFromTheWindow();
    void aMissingWorkerProgramEndsTheRunAtOnce();
    void aRunThatCannotBeginSaysWhy();
    void anAbsurdPlanCannotBeStarted();
    void anotherServerIsLoadedAfterAQuestionOnly();
    void aProductionServerIsNeverLoaded();
    void runsAreKeptAsFiles();
    void damagedFilesAreRefused_data();
    void damagedFilesAreRefused();
    void lanesSayWhatAWorkerDid();

private:
    QPushButton *button(const QString &text) const;

    LabPage *m_page = nullptr;
};

void TestLabPage::init()
{
    failOnWarnings(OffscreenWarning);
    const TestServer &server = TestServer::instance();
    makeWindow();
    m_page = m_window->labPage();
    m_page->setWorkerProgram(QStringLiteral(LOCKSCOPE_LOCKCTL));
    new QAbstractItemModelTester(m_page->runs(), QAbstractItemModelTester::FailureReportingMode::Fatal, m_page);
    m_window->show();
    ServerProfile profile = ServerProfile::privateServer({});
    profile.url = server.url();
    m_connection->open(profile, {});
    m_window->showPage(4);
}

QPushButton *TestLabPage::button(const QString &text) const
{
    for (QPushButton *found : m_page->findChildren<QPushButton *>()) {
        if (found->text() == text)
            return found;
    }
    return nullptr;
}

void TestLabPage::aRunIsWatchedHarmedAndStopped()
{
    LabPlan plan = longPlan();
    plan.usesProcesses = false;
    m_page->form()->setPlan(plan);
    QSignalSpy progress(m_page->runner(), &LabRunner::progressed);
    QTRY_VERIFY_WITH_TIMEOUT(button(u"Start run"_s)->isEnabled(), kPatience);
    QTest::mouseClick(button(u"Start run"_s), Qt::LeftButton);
    QVERIFY(m_page->runner()->isRunning());
    QVERIFY(!m_page->form()->isEnabled());
    const auto granted = [&progress] {
        return progress.isEmpty() ? 0 : progress.last().first().value<LabProgress>().counts.granted;
    };
    QTRY_VERIFY_WITH_TIMEOUT(granted() > 10, kPatience);
    QCOMPARE(m_page->lanes()->lanes().count(), 3);
    m_page->inject(LabFault::Kind::Crowd);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->lanes()->lanes().count(), 23, kPatience);
    QTest::mouseClick(button(u"Stop run"_s), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->runner()->isRunning(), kPatience);
    QCOMPARE(m_page->runs()->rowCount(), 1);
    QVERIFY(m_page->runs()->reports().first().partial);
    QVERIFY(button(u"Start run"_s)->isEnabled());
    QCOMPARE(m_page->harm()->text(0), u"0"_s);
    QVERIFY2(m_page->verdict().startsWith(u"No harm in "_s), qPrintable(m_page->verdict()));
}

/// As when the window is made anew, for the presenter or in another language.
void TestLabPage::anotherPageGoesOnWithTheRun()
{
    LabPlan plan = longPlan();
    plan.usesProcesses = false;
    m_page->form()->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(button(u"Start run"_s)->isEnabled(), kPatience);
    m_page->runs()->add({});
    m_page->start();
    LabRunner *runner = m_page->runner();
    MainWindow next(m_connection.get());
    next.setRemembersState(false);
    next.labPage()->takeOver(m_page);
    QCOMPARE(next.labPage()->runner(), runner);
    QCOMPARE(next.labPage()->form()->plan(), plan);
    m_window.reset();
    m_connection->reopen();
    QVERIFY(runner->isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(next.labPage()->verdict().startsWith(u"No harm in "_s), kPatience);
    next.labPage()->start(); // which is to stop
    QTRY_COMPARE_WITH_TIMEOUT(next.labPage()->runs()->rowCount(), 2, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!runner->isRunning(), kPatience);
}

void TestLabPage::modesStandSideBySide()
{
    LabPlan plan = longPlan();
    plan.usesProcesses = false;
    plan.duration = 300ms;
    m_page->form()->setPlan(plan);
    m_page->startAllModes();
    QTRY_COMPARE_WITH_TIMEOUT(m_page->runs()->rowCount(), 3, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->runner()->isRunning(), kPatience);
    QStringList modes;
    for (const LabReport &report : m_page->runs()->reports())
        modes += QString::fromLatin1(traitsOf(report.plan.way).name);
    QCOMPARE(modes, (QStringList{u"unique"_s, u"pessimistic"_s, u"optimistic"_s}));
}

void TestLabPage::aModeBringsItsNumbersUnlessTheyWereTouched()
{
    const QList<QComboBox *> boxes = m_page->form()->findChildren<QComboBox *>();
    const auto choose = [mode = boxes[1]](LabWay way) { mode->setCurrentIndex(mode->findData(int(way))); };
    choose(LabWay::Cleaner);
    const LabPlan cleaner = m_page->form()->plan();
    QVERIFY(cleaner.hold.mean + cleaner.hold.mean > cleaner.ttl); // uniform: some hold for longer
    choose(LabWay::Unique);
    QCOMPARE(m_page->form()->plan().hold.mean, 50ms);
    LabPlan touched = m_page->form()->plan();
    touched.workers = 3;
    m_page->form()->setPlan(touched);
    choose(LabWay::Cleaner);
    QCOMPARE(m_page->form()->plan().workers, 3);
    QCOMPARE(m_page->form()->plan().hold.mean, 50ms);
}

/// What cannot be chosen in a mode is not there.
void TestLabPage::onlyStoresWithNodesAskWhatTheyKeep()
{
    const auto field = [this](const QString &name) {
        QComboBox *found = nullptr;
        for (QComboBox *box : m_page->form()->findChildren<QComboBox *>()) {
            if (box->accessibleName() == name)
                found = box;
        }
        return found;
    };
    QComboBox *keeping = field(u"Store keeps"_s);
    QComboBox *servers = field(u"Servers"_s);
    QVERIFY(keeping && servers);
    LabPlan plan = longPlan();
    for (const LabWay way : allLabWays()) {
        plan.way = way;
        m_page->form()->setPlan(plan);
        const LabStore store = traitsOf(way).store;
        QCOMPARE(!keeping->isHidden(), choosesKeeping(store));
        QCOMPARE(!servers->isHidden(), mayBeEnsemble(store));
    }
    plan.way = LabWay::ZooKeeper;
    plan.servers = 3;
    m_page->form()->setPlan(plan);
    QCOMPARE(servers->currentText(), u"3"_s);
    QCOMPARE(m_page->form()->plan(), plan);
}

#ifdef LOCKSCOPE_HAS_ALL_STORES
void TestLabPage::fourStoresRunWithOneButton()
{
    QStandardPaths::setTestModeEnabled(false); // where the servers are that no package has installed
    const QByteArray unpacked = QFile::encodeName(unpackedPackages() + u"/usr/bin"_s);
    QStandardPaths::setTestModeEnabled(true);
    Environment environment;
    environment.set("PATH", qgetenv("PATH") + ':' + unpacked);
    m_page->form()->chooseScenario(u"four-stores"_s);
    LabPlan plan = m_page->form()->plan();
    plan.duration = 300ms;
    m_page->form()->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(button(u"Run side by side"_s) && button(u"Run side by side"_s)->isEnabled(), kPatience);
    QTest::mouseClick(button(u"Run side by side"_s), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->runner()->isRunning(), kPatience);
    const auto all = labSideBySide(plan, labComparisonOf(plan));
    QCOMPARE(m_page->runs()->rowCount(), int(all.size()));
    QSet<QString> names;
    for (int row = 0; row < m_page->runs()->rowCount(); ++row)
        names.insert(m_page->runs()->index(row, 0).data().toString());
    QCOMPARE(names.size(), all.size());
    QVERIFY(names.contains(u"Unique, on ZooKeeper (on disk with each write)"_s));
}
#endif

void TestLabPage::everyScenarioRunsFromTheWindow_data()
{
    QTest::addColumn<int>("number");
#ifdef LOCKSCOPE_HAS_ALL_STORES
    constexpr bool hasStores = true;
#else
    constexpr bool hasStores = false;
#endif
    for (qsizetype i = 0; i < labScenarios().size(); ++i) {
        const LabPlan plan = labScenarios()[i];
        if (hasStores || traitsOf(plan.way).store == LabStore::Database)
            QTest::newRow(qPrintable(plan.name)) << int(i);
    }
}

/// Chosen by hand; only the duration is less than its own.
void TestLabPage::everyScenarioRunsFromTheWindow()
{
    QFETCH(int, number);
    auto *scenarios = m_page->form()->findChild<QComboBox *>();
    scenarios->setFocus();
    QTest::keyClick(scenarios, Qt::Key_Home);
    for (int i = 0; i <= number; ++i) // behind the own load
        QTest::keyClick(scenarios, Qt::Key_Down);
    LabPlan plan = m_page->form()->plan();
    QCOMPARE(plan.name, labScenarios()[number].name);
    QCOMPARE(plan.faults, labScenarios()[number].faults);
    plan.duration = plan.faults.isEmpty() ? 1s : 6s;
    int grants = 0;
    for (int runs = 1; grants == 0 && runs <= 3; ++runs) { // on a busy machine a second may be too little
        m_page->form()->setPlan(plan);
        QTRY_VERIFY_WITH_TIMEOUT(button(u"Start run"_s)->isEnabled(), kPatience);
        QTest::mouseClick(button(u"Start run"_s), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_page->runs()->rowCount(), runs, kPatience);
        const LabReport &report = m_page->runs()->reports().last();
        QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
        QVERIFY(!report.hasBrokenPromise());
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->runner()->isRunning(), kPatience);
        grants = int(report.counts.granted);
        plan.duration *= 4;
    }
    QVERIFY(grants > 0);
}

void TestLabPage::aMissingWorkerProgramEndsTheRunAtOnce()
{
    m_page->setWorkerProgram(u"/nonexistent/lockctl"_s);
    LabPlan plan = longPlan();
    plan.faults = {{LabFault::Kind::Freeze, 0ms, 50ms}}; // which must not meet this process
    m_page->form()->setPlan(plan);
    QSignalSpy ended(m_page->runner(), &LabRunner::ended);
    QTRY_VERIFY_WITH_TIMEOUT(button(u"Start run"_s)->isEnabled(), kPatience);
    m_page->start();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
    const auto result = ended.first().first().value<LabResult>();
    QVERIFY(result.error && result.error->message.contains(u"/nonexistent/lockctl"_s));
}

/// Until something else is wanted.
void TestLabPage::aRunThatCannotBeginSaysWhy()
{
    const auto *message = m_page->findChild<MessageBar *>();
    LabPlan plan = longPlan();
    plan.way = LabWay::RedisSet;
    m_page->form()->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(button(u"Start run"_s)->isEnabled(), kPatience);
    Environment environment;
    environment.set("PATH", "/nonexistent"); // where no Redis is
    environment.set("XDG_CACHE_HOME", "/nonexistent");
    QSignalSpy finished(m_page->runner(), &LabRunner::finished);
    m_page->start();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
    environment.restore();
    QCoreApplication::processEvents();
    QVERIFY2(message->text().contains(u"Redis"_s), qPrintable(message->text()));
    QCOMPARE(message->level(), MessageBar::Level::Error);
    plan.way = LabWay::Unique;
    m_page->form()->setPlan(plan);
    Q_EMIT m_page->form()->changed();
    QCOMPARE(message->text(), QString());
}

void TestLabPage::anAbsurdPlanCannotBeStarted()
{
    LabPlan plan = longPlan();
    plan.workers = LabPlan::MaxProcesses + 1;
    m_page->form()->setPlan(plan);
    Q_EMIT m_page->form()->changed();
    QVERIFY(!button(u"Start run"_s)->isEnabled());
    m_page->start();
    QVERIFY(!m_page->runner()->isRunning());
}

void TestLabPage::anotherServerIsLoadedAfterAQuestionOnly()
{
    ServerProfile profile;
    profile.url = TestServer::instance().url();
    profile.name = u"elsewhere"_s;
    m_connection->open(profile, {});
    QTRY_VERIFY_WITH_TIMEOUT(button(u"Start run"_s)->isEnabled(), kPatience);
    int asked = 0;
    const auto answer = [&asked](const QString &text) {
        QTimer::singleShot(0, qApp, [&asked, text] {
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            if (!box)
                return;
            ++asked;
            for (QAbstractButton *button : box->buttons()) {
                if (button->text().remove(u'&') == text)
                    button->click();
            }
        });
    };
    answer(u"Cancel"_s);
    m_page->start();
    QCOMPARE(asked, 1);
    QVERIFY(!m_page->runner()->isRunning());
    LabPlan plan = longPlan();
    plan.duration = 200ms;
    m_page->form()->setPlan(plan);
    answer(u"Load this server"_s);
    m_page->start();
    QCOMPARE(asked, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->runs()->rowCount(), 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_page->runner()->isRunning(), kPatience);
}

void TestLabPage::aProductionServerIsNeverLoaded()
{
    ServerProfile profile;
    profile.url = TestServer::instance().url();
    profile.name = u"payments"_s;
    profile.isProduction = true;
    m_connection->open(profile, {});
    QVERIFY(m_connection->isOpen());
    QVERIFY(!button(u"Start run"_s)->isEnabled());
    m_page->start();
    QVERIFY(!m_page->runner()->isRunning());
}

void TestLabPage::runsAreKeptAsFiles()
{
    LabReport report;
    report.counts.granted = 7;
    m_page->runs()->add(report);
    const QJsonArray runs = QJsonDocument::fromJson(m_page->exported(u"json"_s)).array();
    QString error;
    const auto read = LabReport::fromJson(runs.first().toObject(), &error);
    QVERIFY2(read, qPrintable(error));
    QCOMPARE(read->counts.granted, 7u);
    QVERIFY(m_page->exported(u"md"_s).startsWith("| mode |"));
    QVERIFY(!m_page->exported(u"png"_s).isEmpty());
    const QList<QByteArray> lines = m_page->exported(u"csv"_s).split('\n');
    QVERIFY(lines[0].contains("\"granted\"") && lines[0].contains("\"latency.p95Us\""));
    QVERIFY(lines[1].contains("\"No harm in 7 grants.\""));
    QCOMPARE(lines[1].count("\",\""), lines[0].count("\",\""));
    const auto files = m_page->exportedFiles(u"md"_s, u"mine"_s)();
    QCOMPARE(files.keys(), (QStringList{u"mine-chart.svg"_s, u"mine-lanes.png"_s, u"mine.md"_s}));
    QVERIFY(files[u"mine.md"_s].contains("](<mine-chart.svg>)"));
    QSvgRenderer chart(files[u"mine-chart.svg"_s]);
    QVERIFY(chart.isValid());
}

void TestLabPage::damagedFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("reason");
    QByteArray whole = QJsonDocument(LabReport().toJson()).toJson();
    QTest::newRow("cut in half") << whole.left(whole.size() / 2) << u"damaged or cut off"_s;
    QTest::newRow("newer") << whole.replace("\"version\": 1", "\"version\": 2") << u"Update Lockscope"_s;
    QTest::newRow("something else") << QByteArray("[1]") << u"not a run of Lockscope's lab"_s;
}

void TestLabPage::damagedFilesAreRefused()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, reason);
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write(content);
    file.close();
    QSignalSpy failed(m_page->runsPanel(), &RunsPanel::failed);
    m_page->runsPanel()->open(file.fileName());
    QCOMPARE(failed.size(), 1);
    QVERIFY2(failed.first().first().toString().contains(reason), qPrintable(failed.first().first().toString()));
    QCOMPARE(m_page->runs()->rowCount(), 0);
}

void TestLabPage::lanesSayWhatAWorkerDid()
{
    using Kind = LabEvent::Kind;
    LaneView *lanes = m_page->lanes();
    lanes->clear(2);
    lanes->add({{1'000'000, Kind::Ask, 0, 0, 0, 0},
                {3'100'000, Kind::Got, 0, 0, 1, 0},
                {3'300'000, Kind::Finished, 0, 0, 1, 0},
                {3'400'000, Kind::Crashed, 1, -1, 0, 0}});
    QCOMPARE(lanes->sentence(0, 2'000'000), u"Worker 1 waited 2.1 s for resource-1."_s);
    QCOMPARE(lanes->sentence(0, 3'200'000), u"Worker 1 held resource-1 for 0.2 s."_s);
    QCOMPARE(lanes->sentence(1, 3'500'000), u"Worker 2 was killed."_s);
    QCOMPARE(lanes->sentence(1, 1'000'000), QString());
    QCOMPARE(lanes->sentence(7, 1'000'000), QString());
}

QTEST_MAIN(TestLabPage)
#include "tst_labpage.moc"
