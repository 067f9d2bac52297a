// SPDX-License-Identifier: MIT
#include "waitstest.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QThread>
#include <QtTest/QTest>

#include <algorithm>

namespace lockscope::test {

namespace {

QStringList tellingOptions()
{
    return {QStringLiteral("--performance-schema=ON"),
            QStringLiteral("--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON"),
            QStringLiteral("--performance-schema-consumer-events-statements-current=ON")};
}

} // namespace

const SourceStatus &statusOf(const ServerWaits &waits, WaitSource source)
{
    const auto found = std::find_if(waits.sources.cbegin(), waits.sources.cend(),
                                    [source](const SourceStatus &one) { return one.source == source; });
    if (found == waits.sources.cend())
        qFatal("The source is not told.");
    return *found;
}

std::optional<WaitEdge> edgeOf(const ServerWaits &waits, const Actor &waiter, const Actor &blocker)
{
    const auto found = std::find_if(waits.edges.cbegin(), waits.edges.cend(), [&](const WaitEdge &edge) {
        return edge.waiter == waiter.id() && edge.blocker == blocker.id();
    });
    return found == waits.edges.cend() ? std::nullopt : std::optional(*found);
}

std::optional<LostWaiter> lostOf(const ServerWaits &waits, const Actor &waiter)
{
    const auto found = std::find_if(waits.lost.cbegin(), waits.lost.cend(),
                                    [&](const LostWaiter &one) { return one.session == waiter.id(); });
    return found == waits.lost.cend() ? std::nullopt : std::optional(*found);
}

QList<quint64> waitersDrawnAsRoots(const ServerWaits &waits)
{
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QList<quint64> found;
    for (const ServerSession &session : waits.sessions) {
        const WaitNode *node = graph.nodeOf(session.id);
        const bool isWaiting = session.transaction && session.transaction->state == QLatin1String("LOCK WAIT");
        if (isWaiting && (!node || (node->parent < 0 && !node->isLost)))
            found.append(session.id);
    }
    return found;
}

bool isAccepted(const KillReport &report)
{
    return report.outcome == KillReport::Outcome::Ended || report.outcome == KillReport::Outcome::RollingBack;
}

void WaitsTest::initTestCase()
{
    qputenv("TZ", "JST-9"); // InnoDB tells times in the server's own zone
    EngineTest::initTestCase();
}

void WaitsTest::init()
{
    EngineTest::init();
    useServer(true);
}

void WaitsTest::cleanup()
{
    m_reader.reset();
    m_session.reset();
}

void WaitsTest::useServer(bool tellsMost)
{
    if (tellsMost && !m_telling)
        m_telling = std::make_unique<TestServer>(tellingOptions());
    use(tellsMost ? *m_telling : *m_server);
}

void WaitsTest::use(TestServer &server)
{
    QThread::msleep(kInnoDbKeeps); // the test before has looked too
    m_used = &server;
    m_observer = std::make_unique<Observer>(*m_used);
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (1,0),(2,0),(3,0),(4,0),(5,0),(6,0),(7,0),(8,0),(9,0)");
    lookAs(targetFor(*m_used));
}

void WaitsTest::lookAs(const SessionTarget &target)
{
    LockError error;
    m_reader.reset();
    m_session = Session::open(target, &error);
    QVERIFY2(m_session, qPrintable(error.toString()));
    m_reader = std::make_unique<WaitsReader>(*m_session);
}

ServerWaits WaitsTest::look(const WaitOptions &options)
{
    ServerWaits waits;
    if (const auto error = m_reader->read(&waits, options))
        qFatal("%s", qPrintable(error->toString()));
    return waits;
}

ServerWaits WaitsTest::lookUntil(const std::function<bool(const ServerWaits &)> &condition, const WaitOptions &options)
{
    const QDeadlineTimer patience(Patience);
    for (;;) {
        ServerWaits waits = look(options);
        if (condition(waits))
            return waits;
        if (patience.hasExpired()) {
            qWarning("What was waited for was not seen.");
            return waits;
        }
        QThread::msleep(kInnoDbKeeps);
    }
}

ServerWaits WaitsTest::lookUntilBlocked(const Actor &waiter, const Actor &blocker)
{
    return lookUntil([&](const ServerWaits &now) { return edgeOf(now, waiter, blocker).has_value(); });
}

KillOrder WaitsTest::orderFor(const ServerWaits &waits, const Actor &actor, KillKind kind) const
{
    return {KillTarget::of(waits, actor.id()), kind, QStringLiteral("ada@ops1"), QStringLiteral("stuck")};
}

KillReport WaitsTest::act(const KillOrder &order)
{
    return SessionKill(*m_session, m_reader->capabilities()).act(order);
}

bool WaitsTest::isAlive(const Actor &actor)
{
    return m_observer
               ->value("SELECT COUNT(*) FROM information_schema.processlist WHERE id = "
                       + QByteArray::number(actor.id()))
               .toInt()
        == 1;
}

bool WaitsTest::seenIn(const Actor &actor, const char *state)
{
    return eventually([&] {
        return m_observer
                   ->value("SELECT state FROM information_schema.processlist WHERE id = "
                           + QByteArray::number(actor.id()))
                   .toString()
            == QLatin1StringView(state);
    });
}

SessionTarget WaitsTest::userWith(const QByteArray &name, const QList<QByteArray> &grants)
{
    m_observer->run("DROP USER IF EXISTS '" + name + "'@'localhost'");
    m_observer->run("CREATE USER '" + name + "'@'localhost'");
    for (const QByteArray &grant : grants)
        m_observer->run("GRANT " + grant + " TO '" + name + "'@'localhost'");
    SessionTarget target = targetFor(*m_used);
    target.url.user = QString::fromLatin1(name);
    target.url.schema.clear();
    return target;
}

} // namespace lockscope::test
