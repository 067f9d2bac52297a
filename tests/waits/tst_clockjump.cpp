// SPDX-License-Identifier: MIT
// The clock of a server that jumps while it is watched: what is stuck is still found and ended, and nobody else.
#include "waitstest.h"

#include "actions/sessionkill.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestClockJump : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void theOneThatIsStuckEndsAcrossAJump_data();
    void theOneThatIsStuckEndsAcrossAJump();
};

void TestClockJump::theOneThatIsStuckEndsAcrossAJump_data()
{
    QTest::addColumn<std::chrono::seconds>("jump");
    QTest::addColumn<bool>("isChosenBefore");

    QTest::newRow("an hour ahead, chosen before") << std::chrono::seconds(1h) << true;
    QTest::newRow("an hour ahead, chosen after") << std::chrono::seconds(1h) << false;
    QTest::newRow("an hour back, chosen before") << std::chrono::seconds(-1h) << true;
    QTest::newRow("an hour back, chosen after") << std::chrono::seconds(-1h) << false;
}

void TestClockJump::theOneThatIsStuckEndsAcrossAJump()
{
    QFETCH(std::chrono::seconds, jump);
    QFETCH(bool, isChosenBefore);
    m_telling->setClock(0s);
    useServer(true);
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    Actor bystander(*m_used);
    QVERIFY(bystander.run("BEGIN"));
    QVERIFY(bystander.run("UPDATE shop.stock SET n = 1 WHERE id = 2"));
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    const auto isSeen = [&](const ServerWaits &now) { return edgeOf(now, waiter, holder).has_value(); };
    const ServerWaits before = lookUntil(isSeen);

    m_telling->setClock(jump);
    m_reader->probeSoon();
    const ServerWaits after = lookUntil(isSeen);
    QVERIFY(std::chrono::abs(after.clock.server - before.clock.server - jump) < 10min);
    QVERIFY(isSameRun(before.identity, after.identity));
    const WaitGraph graph = buildWaitGraph(after, after.clock.server);
    QCOMPARE(graph.roots.size(), 1);
    QCOMPARE(graph.nodes[graph.roots.first()].session, holder.id());
    QVERIFY(graph.nodes[graph.roots.first()].waited >= Microseconds::zero());

    const ServerWaits &chosen = isChosenBefore ? before : after;
    const KillOrder order{KillTarget::of(chosen, holder.id()), KillKind::Connection, QStringLiteral("test"),
                          QStringLiteral("stuck")};
    const KillReport report = SessionKill(*m_session, m_reader->capabilities()).act(order);
    QVERIFY2(report.outcome == KillReport::Outcome::Ended || report.outcome == KillReport::Outcome::RollingBack,
             report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY(waiter.finish());
    QVERIFY(bystander.run("COMMIT"));
}

QTEST_GUILESS_MAIN(TestClockJump)
#include "tst_clockjump.moc"
