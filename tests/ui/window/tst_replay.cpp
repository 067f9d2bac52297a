// SPDX-License-Identifier: MIT
// An incident is recorded from the window, and the recording opened there: each moment shows what was, and nothing of
// it can be changed.
#include "actor.h"
#include "enginefixture.h"
#include "strict.h"
#include "windowtest.h"

#include "ui/alarms/alarmbar.h"
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
constexpr int kWaiters = 10;

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

private:
    int freedBy(quint64 session) const;
    /// What happens now is in a look when this returns.
    void waitForLooks();
    void record(const QString &path, quint64 *blocker);

    QTemporaryDir m_home;
    std::unique_ptr<Observer> m_observer;
    ServerWaitsPtr m_last;
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

void TestReplay::record(const QString &path, quint64 *blocker)
{
    TestServer &server = TestServer::instance();
    m_observer = std::make_unique<Observer>(server);
    m_observer->run("CREATE DATABASE IF NOT EXISTS shop");
    m_observer->run("CREATE TABLE IF NOT EXISTS shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("REPLACE INTO shop.stock VALUES (5, 0)");
    openServer(u"shop"_s, server.url());
    QTRY_VERIFY_WITH_TIMEOUT(m_last, kPatience);
    ServerRecording *recording = m_connection->recording();
    recording->start(path);
    QVERIFY(m_window->recordControl()->label()->isVisible());
    waitForLooks();
    Actor idle(server);
    *blocker = idle.id();
    QVERIFY(idle.run("BEGIN"));
    QVERIFY(idle.run("UPDATE shop.stock SET n = 1 WHERE id = 5"));
    QList<std::shared_ptr<Actor>> waiters;
    for (int i = 0; i < kWaiters; ++i) {
        waiters.append(std::make_shared<Actor>(server));
        waiters.last()->start("UPDATE shop.stock SET n = n + 1 WHERE id = 5");
    }
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(*blocker), kWaiters, kPatience);
    waitForLooks();
    QVERIFY(idle.run("ROLLBACK"));
    for (const auto &waiter : std::as_const(waiters))
        QVERIFY(waiter->finish());
    waitForLooks();
    recording->stop();
    QVERIFY(!m_window->recordControl()->label()->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(path + u"-wal"_s), kPatience);
}

void TestReplay::anIncidentIsRecordedAndReplayed()
{
    const QString path = m_home.filePath(u"night.lockscope"_s);
    quint64 blocker = 0;
    record(path, &blocker);
    if (QTest::currentTestFailed())
        return;
    const ReplayBar *bar = m_window->replayBar();
    QVERIFY(!bar->isVisible());
    m_connection->open(ServerProfile::ofRecording(path), {});
    QVERIFY(bar->isVisible());

    // It opens where most waited.
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(blocker), kWaiters, kPatience);
    QVERIFY2(bar->text().contains(u"RECORDED"_s), qPrintable(bar->text()));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->locksPage()->model()->rowCount() > 0, kPatience);
    m_window->waitsPage()->select(blocker);
    QVERIFY(!m_window->waitsPage()->endAction()->isEnabled());
    QVERIFY(!m_window->locksPage()->releaseAction()->isEnabled());
    m_connection->startOperatorMode();
    QVERIFY(!m_connection->isOperator());
    QVERIFY(!m_window->alarmBar()->isVisible());

    bar->slider()->setValue(bar->slider()->minimum());
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(blocker), 0, kPatience);
    QVERIFY(bar->nextIncident()->isEnabled());
    bar->nextIncident()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(blocker), kWaiters, kPatience);
    bar->slider()->setValue(bar->slider()->maximum());
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(blocker), 0, kPatience);
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

QTEST_MAIN(TestReplay)
#include "tst_replay.moc"
