// SPDX-License-Identifier: MIT
// An incident as it happens, seen and resolved in the window: an idle transaction, ten that want its row, an ALTER
// behind them, a writer behind that, and a migration that waits for another one's GET_LOCK.
#include "actor.h"
#include "enginefixture.h"
#include "strict.h"
#include "windowtest.h"

#include "ui/actions/killcontroller.h"
#include "ui/actions/killdialog.h"
#include "ui/actions/killflow.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/style/appearance.h"

#include <QtCore/QTemporaryDir>
#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 60'000;
constexpr int kWaiters = 10;

} // namespace

class TestIncident : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(OffscreenWarning); }
    void initTestCase();
    void cleanup();

    void theIncidentIsSeenAndResolved_data();
    void theIncidentIsSeenAndResolved();

private:
    void openWindow();
    std::unique_ptr<Actor> waiting(const QByteArray &statement);
    int freedBy(quint64 session) const;
    void endAsOperator(quint64 session);
    QSet<quint64> sessions();

    QTemporaryDir m_home;
    std::unique_ptr<TestServer> m_telling;
    TestServer *m_server = nullptr;
    std::unique_ptr<Observer> m_observer;
    ServerWaitsPtr m_last;
};

void TestIncident::initTestCase()
{
    applyAppearance({Theme::Light, u"en"_s, false});
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8()); // of the record
    m_telling = std::make_unique<TestServer>(
        QStringList{u"--performance-schema=ON"_s, u"--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON"_s,
                    u"--performance-schema-consumer-events-statements-current=ON"_s});
}

void TestIncident::cleanup()
{
    closeWindow();
    m_last.reset();
    m_observer.reset();
}

void TestIncident::openWindow()
{
    makeWindow();
    m_connection->follow(&WaitsFeed::updated, this, [this](const ServerWaitsPtr &waits) { m_last = waits; });
    ServerProfile profile;
    profile.name = u"shop"_s;
    profile.url = m_server->url();
    profile.url.schema = u"absent"_s; // it has never heard of us
    m_connection->open(profile, {});
    m_connection->startOperatorMode();
    m_window->resize(1280, 800);
    m_window->show();
    QTRY_VERIFY_WITH_TIMEOUT(m_last, kPatience);
}

/// Begins it in a session of its own; the server has it by the time another look is taken.
std::unique_ptr<Actor> TestIncident::waiting(const QByteArray &statement)
{
    auto actor = std::make_unique<Actor>(*m_server);
    actor->start(statement);
    return actor;
}

int TestIncident::freedBy(quint64 session) const
{
    const WaitGraph graph = buildWaitGraph(*m_last, m_last->clock.server);
    const WaitNode *node = graph.nodeOf(session);
    return node && node->parent < 0 ? node->frees : 0;
}

/// As a person does: the row, Del, a reason, the button.
void TestIncident::endAsOperator(quint64 session)
{
    WaitsPage *page = m_window->waitsPage();
    page->select(session);
    QTRY_VERIFY_WITH_TIMEOUT(page->endAction()->isEnabled(), kPatience);
    page->endAction()->trigger();
    KillDialog *dialog = m_window->killController()->dialog();
    QVERIFY(dialog && dialog->isVisible());
    QCOMPARE(dialog->flow()->parts().size(), 1);
    QCOMPARE(dialog->flow()->parts().first().target.session, session);
    dialog->reasonEdit()->setText(u"idle since lunch"_s);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->actButton()->isEnabled(), kPatience);
    dialog->actButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->killController()->dialog(), kPatience);
}

QSet<quint64> TestIncident::sessions()
{
    QSet<quint64> ids;
    for (const QVariantList &row : m_observer->rows("SELECT id FROM information_schema.processlist"))
        ids.insert(row.value(0).toULongLong());
    return ids;
}

void TestIncident::theIncidentIsSeenAndResolved_data()
{
    QTest::addColumn<bool>("tellsMost");

    QTest::newRow("as a server is by default") << false;
    QTest::newRow("with all it can tell") << true;
}

void TestIncident::theIncidentIsSeenAndResolved()
{
    QFETCH(bool, tellsMost);
    m_server = tellsMost ? m_telling.get() : &TestServer::instance();
    m_observer = std::make_unique<Observer>(*m_server);
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (5,0),(9,0)");
    openWindow();

    Actor idle(*m_server);
    QVERIFY(idle.run("BEGIN"));
    QVERIFY(idle.run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
    std::vector<std::unique_ptr<Actor>> others;
    for (int i = 0; i < kWaiters; ++i)
        others.push_back(waiting("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(idle.id()), kWaiters, kPatience);
    others.push_back(waiting("ALTER TABLE shop.stock ADD COLUMN extra INT, ALGORITHM=COPY"));
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(idle.id()), kWaiters + 1, kPatience);
    others.push_back(waiting("UPDATE shop.stock SET n = 7 WHERE id = 9"));
    Actor migration(*m_server);
    QVERIFY(migration.run("SELECT GET_LOCK('Flyway--1695041341', 0)"));
    const auto second = waiting("SELECT GET_LOCK('Flyway--1695041341', 600)");
    QTRY_COMPARE_WITH_TIMEOUT(freedBy(migration.id()), 1, kPatience);

    QSet<quint64> alive{migration.id(), second->id()};
    for (const auto &one : others)
        alive.insert(one->id());
    endAsOperator(idle.id());
    for (const auto &one : others)
        QVERIFY(one->finish());
    QVERIFY(!sessions().contains(idle.id()));
    QVERIFY(sessions().contains(alive)); // nobody else was ended
    QVERIFY(second->isBusy());
    QCOMPARE(m_observer->value("SELECT n FROM shop.stock WHERE id = 5").toInt(), kWaiters);

    endAsOperator(migration.id());
    QVERIFY(second->finish());
    alive.remove(migration.id());
    QVERIFY(!sessions().contains(migration.id()));
    QVERIFY(sessions().contains(alive));
}

QTEST_MAIN(TestIncident)
#include "tst_incident.moc"
