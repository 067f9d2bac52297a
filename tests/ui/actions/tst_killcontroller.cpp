// SPDX-License-Identifier: MIT
// From the picture of waits to a session that has ended, on a real server: looks, dialog and kill together.
#include "actor.h"
#include "enginefixture.h"
#include "strict.h"

#include "ui/actions/killcontroller.h"
#include "ui/actions/killdialog.h"
#include "ui/actions/killflow.h"
#include "ui/alarms/alarmcenter.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/widgets/messagebar.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using Step = KillFlow::Step;

namespace {

constexpr int kPatience = 30'000;

} // namespace

class TestKillController : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance({Theme::Light, u"en"_s, false}); }
    void init();
    void cleanup();

    void endsABlocker();
    void seesThatTheTargetIsGone();
    void aBlockedSessionRaisesAnAlarm();

private:
    bool isBlocked() const;

    TestServer *m_server = nullptr;
    std::unique_ptr<ServerConnection> m_connection;
    std::unique_ptr<WaitsFeed> m_feed;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<Actor> m_holder;
    std::unique_ptr<Actor> m_waiter;
    MessageBar *m_messages = nullptr;
    KillController *m_controller = nullptr;
    ServerWaitsPtr m_last;
};

void TestKillController::init()
{
    failOnWarnings(OffscreenWarning);
    m_server = &TestServer::instance();
    Observer observer(*m_server);
    observer.run("DROP DATABASE IF EXISTS shop");
    observer.run("CREATE DATABASE shop");
    observer.run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    observer.run("INSERT INTO shop.stock VALUES (1,0)");
    m_holder = std::make_unique<Actor>(*m_server);
    m_waiter = std::make_unique<Actor>(*m_server);
    m_holder->run("BEGIN");
    m_holder->run("UPDATE shop.stock SET n = 1 WHERE id = 1");
    m_waiter->start("UPDATE shop.stock SET n = 2 WHERE id = 1");

    m_connection = std::make_unique<ServerConnection>();
    m_connection->startOperatorMode();
    m_window = std::make_unique<QWidget>();
    m_messages = new MessageBar(m_window.get());
    m_controller = new KillController(m_connection.get(), m_messages, m_window.get());
    m_feed = std::make_unique<WaitsFeed>(targetFor(*m_server));
    connect(m_feed.get(), &WaitsFeed::updated, m_controller, &KillController::onWaits);
    connect(m_feed.get(), &WaitsFeed::updated, this, [this](const ServerWaitsPtr &waits) { m_last = waits; });
    connect(m_feed.get(), &WaitsFeed::killProgressed, m_controller, &KillController::onProgressed);
    connect(m_feed.get(), &WaitsFeed::killed, m_controller, &KillController::onKilled);
    connect(m_controller, &KillController::ordered, m_feed.get(),
            [this](const KillOrder &order) { m_feed->kill(order, ServerAccess::toAct()); });
    connect(m_controller, &KillController::tracked, m_feed.get(),
            [this](const QSet<quint64> &sessions) { m_feed->track(sessions, {}); });
    m_feed->setInterval(std::chrono::milliseconds(200));
    m_feed->start();
    QTRY_VERIFY_WITH_TIMEOUT(isBlocked(), kPatience);
}

void TestKillController::cleanup()
{
    m_feed.reset();
    m_window.reset();
    m_connection.reset();
    m_last.reset();
    m_waiter.reset();
    m_holder.reset();
}

bool TestKillController::isBlocked() const
{
    return m_last && std::any_of(m_last->edges.cbegin(), m_last->edges.cend(), [this](const WaitEdge &edge) {
               return edge.waiter == m_waiter->id() && edge.blocker == m_holder->id();
           });
}

void TestKillController::endsABlocker()
{
    m_controller->ask({m_holder->id()});
    QVERIFY(m_controller->dialog());
    QCOMPARE(m_controller->dialog()->flow()->step(), Step::Ready);
    QCOMPARE(m_controller->dialog()->flow()->sum().forecast.atOnce, QList<quint64>{m_waiter->id()});
    m_controller->dialog()->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(m_controller->dialog()->actButton()->isEnabled());
    m_controller->dialog()->actButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(m_messages->text(),
                              u"Connection %1 has ended, according to the server."_s.arg(m_holder->id()), kPatience);
    QVERIFY(m_waiter->finish()); // it goes on
    QCOMPARE(Observer(*m_server).value("SELECT n FROM shop.stock").toInt(), 2);
}

void TestKillController::seesThatTheTargetIsGone()
{
    m_controller->ask({m_holder->id()});
    m_controller->dialog()->reasonEdit()->setText(u"stuck"_s);
    m_holder.reset();
    QTRY_COMPARE_WITH_TIMEOUT(m_controller->dialog()->flow()->step(), Step::Nothing, kPatience);
    QVERIFY(!m_controller->dialog()->actButton()->isVisible());
}

void TestKillController::aBlockedSessionRaisesAnAlarm()
{
    AlarmCenter center;
    AlarmSettings settings;
    settings.limits.blocked = std::chrono::milliseconds(1);
    settings.limits.settle = std::chrono::milliseconds(1);
    center.setSettings(settings);
    const QSignalSpy announced(&center, &AlarmCenter::announced);
    connect(m_feed.get(), &WaitsFeed::updated, &center,
            [&center](const ServerWaitsPtr &waits) { center.onPicture(WaitPicture::of(waits)); });
    QTRY_COMPARE_WITH_TIMEOUT(announced.count(), 1, kPatience);
    QCOMPARE(center.alarms().first().subject.session, m_waiter->id());
    QCOMPARE(center.alarms().first().blocker, m_holder->id());
    m_holder->run("ROLLBACK");
    QTRY_VERIFY_WITH_TIMEOUT(center.alarms().isEmpty(), kPatience);
}

QTEST_MAIN(TestKillController)
#include "tst_killcontroller.moc"
