// SPDX-License-Identifier: MIT
// An incident is recorded from the window, and the recording opened there: each moment shows what was, and nothing of
// it can be changed.
#include "deadlockmaker.h"
#include "scriptedincident.h"
#include "smalldisk.h"
#include "strict.h"
#include "visibletext.h"
#include "windowtest.h"

#include "ui/alarms/alarmbar.h"
#include "ui/pages/deadlocks/deadlockinspector.h"
#include "ui/pages/deadlocks/deadlocklistmodel.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/server/serverrecording.h"
#include "ui/window/recordcontrol.h"
#include "ui/window/replaybar.h"

#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QSlider>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 60'000;
constexpr int kFreed = ScriptedIncident::Waiters + 1; // and the ALTER

/// Who is below whom, and what each frees: what of a picture does not move with time.
QMap<quint64, QPair<quint64, int>> treeOf(const ServerWaits &waits)
{
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QMap<quint64, QPair<quint64, int>> tree;
    for (const WaitNode &node : graph.nodes)
        tree.insert(node.session, {node.parent < 0 ? 0 : graph.nodes[node.parent].session, node.frees});
    return tree;
}

} // namespace

class TestReplay : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void anIncidentIsRecordedAndReplayed();
    void whatIsNoRecordingIsSaid();
    void aFullDiskIsSaidAndNothingIsLost();

private:
    int freedBy(quint64 session) const;
    /// What happens now is in a look when this returns.
    void waitForLooks();
    void record(const QString &path);

    QTemporaryDir m_home;
    std::unique_ptr<Observer> m_observer;
    ServerWaitsPtr m_last;
    quint64 m_blocker = 0;
    QMap<quint64, QPair<quint64, int>> m_tree; ///< as it was when it was the worst
};

void TestReplay::initTestCase()
{
    prepare();
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
}

void TestReplay::init()
{
    failOnWarnings(OffscreenWarning);
    makeWindow();
    m_connection->follow(&WaitsFeed::updated, this, [this](const ServerWaitsPtr &waits) { m_last = waits; });
    m_window->show();
}

void TestReplay::cleanup()
{
    closeWindow();
    m_last.reset();
}

int TestReplay::freedBy(quint64 session) const
{
    const WaitGraph graph = buildWaitGraph(*m_last, m_last->clock.server);
    const WaitNode *node = graph.nodeOf(session);
    return node && node->parent < 0 ? node->frees : 0;
}

void TestReplay::waitForLooks()
{
    const qint64 looks = m_connection->recording()->status().looks;
    QTRY_VERIFY_WITH_TIMEOUT(m_connection->recording()->status().looks > looks + 1, kPatience);
}

void TestReplay::record(const QString &path)
{
    TestServer &server = TestServer::instance();
    m_observer = std::make_unique<Observer>(server);
    m_observer->run("CREATE DATABASE IF NOT EXISTS shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (5, 0), (6, 0)");
    openServer(u"shop"_s, server.url());
    QTRY_VERIFY_WITH_TIMEOUT(m_last, kPatience);
    ServerRecording *recording = m_connection->recording();
    recording->start(path);
    QVERIFY(m_window->recordControl()->label()->isVisible());
    waitForLooks();
    QVERIFY(makeDeadlock(*m_observer, server, 5, 6));
    QTRY_COMPARE_WITH_TIMEOUT(recording->status().deadlocks, 1, kPatience);
    ScriptedIncident incident(server);
    m_blocker = incident.idle();
    QVERIFY(incident.begin());
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(m_blocker), kFreed - 1, kPatience);
    QVERIFY(incident.goOn());
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(m_blocker), kFreed, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(treeOf(*m_last).contains(incident.waiterForName()), kPatience);
    m_tree = treeOf(*m_last);
    waitForLooks();
    QVERIFY(incident.end());
    waitForLooks();
    recording->stop();
    QVERIFY(!m_window->recordControl()->label()->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(path + u"-wal"_s), kPatience);
}

void TestReplay::anIncidentIsRecordedAndReplayed()
{
    const QString path = m_home.filePath(u"night.lockscope"_s);
    record(path);
    if (QTest::currentTestFailed())
        return;
    const ReplayBar *bar = m_window->replayBar();
    QVERIFY(!bar->isVisible());
    m_connection->open(ServerProfile::ofRecording(path), {});
    QVERIFY(bar->isVisible());

    // It opens where most waited.
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(m_blocker), kFreed, kPatience);
    QCOMPARE(treeOf(*m_last), m_tree);
    QVERIFY2(bar->text().contains(u"RECORDED"_s), qPrintable(bar->text()));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->locksPage()->model()->rowCount() > 0, kPatience);
    m_window->waitsPage()->select(m_blocker);
    QVERIFY(!m_window->waitsPage()->endAction()->isEnabled());
    QVERIFY(!m_window->locksPage()->releaseAction()->isEnabled());
    m_connection->startOperatorMode();
    QVERIFY(!m_connection->isOperator());
    QVERIFY(!m_window->alarmBar()->isVisible());

    bar->slider()->setValue(bar->slider()->minimum());
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(m_blocker), 0, kPatience);
    QVERIFY(bar->nextIncident()->isEnabled());
    bar->nextIncident()->trigger();
    const DeadlocksPage *deadlocks = m_window->deadlocksPage();
    QTRY_VERIFY_WITH_TIMEOUT(deadlocks->inspector()->shape(), kPatience);
    QVERIFY(deadlocks->isVisible());
    QCOMPARE(deadlocks->model()->rows()[0].tables, QStringList{u"shop.stock"_s});
    QVERIFY(deadlocks->inspector()->shape()->latest.text.contains("shop"));
    bar->nextIncident()->trigger(); // the queue, or an alarm of it
    QTRY_VERIFY_WITH_TIMEOUT(freedBy(m_blocker) > 0, kPatience);
    QVERIFY(m_window->waitsPage()->isVisible());
    bar->slider()->setValue(bar->slider()->maximum());
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(m_blocker), 0, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(m_connection->status().phase == MonitorStatus::Phase::Failing,
                              m_connection->status().isWithoutTables(), kPatience);

    openServer(u"shop"_s, TestServer::instance().url());
    QVERIFY(!bar->isVisible());
    m_last.reset();
    QTRY_VERIFY_WITH_TIMEOUT(m_last, kPatience);
}

void TestReplay::whatIsNoRecordingIsSaid()
{
    const QString path = m_home.filePath(u"text"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("notes\n");
    file.close();
    m_connection->open(ServerProfile::ofRecording(path), {});
    QTRY_VERIFY_WITH_TIMEOUT(m_connection->status().isFailing(), kPatience);
    QVERIFY(m_connection->status().error->message.contains(u"is not a recording"_s));
    QVERIFY(!m_window->replayBar()->slider()->isEnabled());
}

void TestReplay::aFullDiskIsSaidAndNothingIsLost()
{
    SmallDisk disk(4 * 1024 * 1024);
    const QString path = disk.path(u"night.lockscope"_s);
    openServer(u"shop"_s, TestServer::instance().url());
    QTRY_VERIFY_WITH_TIMEOUT(m_last, kPatience);
    ServerRecording *recording = m_connection->recording();
    const auto said = [this] { return visibleText(m_window.get()); };
    recording->start(path);
    waitForLooks();
    disk.fill();
    QTRY_VERIFY_WITH_TIMEOUT(!recording->trouble().isEmpty(), kPatience);
    QVERIFY2(said().contains(u"night.lockscope cannot be written: "_s), qPrintable(said()));
    QCOMPARE(m_window->recordControl()->label()->text(), u"Nothing is recorded at present"_s);
    const qint64 kept = recording->status().looks;
    disk.makeRoom();
    QTRY_VERIFY_WITH_TIMEOUT(recording->status().looks > kept + 1, kPatience);
    QVERIFY2(!said().contains(u"cannot be written"_s), qPrintable(said()));

    disk.fill();
    QTRY_VERIFY_WITH_TIMEOUT(!recording->trouble().isEmpty(), kPatience);
    const qint64 looks = recording->status().looks;
    recording->stop();
    QTRY_VERIFY_WITH_TIMEOUT(said().contains(u"which belong together"_s), kPatience);
    disk.makeRoom();
    QString error;
    const auto read = Recording::open(path, &error);
    QVERIFY2(read, qPrintable(error));
    QCOMPARE(read->info().looks, looks);
    QCOMPARE(read->info().damage, QString());
}

QTEST_MAIN(TestReplay)
#include "tst_replay.moc"
