// SPDX-License-Identifier: MIT
// Ten connections of one pool at one row are one thing to a reader.
#include "waitparts.h"
#include "waits/equalwaiters.h"

#include <QtTest/QTest>

#include <functional>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

using Change = std::function<void(ServerWaits &, ServerSession &)>;

/// 1 holds row 5; four of a pool wait for it one behind the other, each with another value.
ServerWaits pool()
{
    ServerWaits waits;
    waits.clock.server = kNow;
    for (quint64 id = 1; id <= 5; ++id) {
        ServerSession session;
        session.id = id;
        session.user = QStringLiteral("app");
        session.host = QStringLiteral("10.0.0.5:%1").arg(40'000 + id);
        session.command = QStringLiteral("Query");
        session.statement = {Statement::Source::Running,
                             "UPDATE stock SET n = " + QByteArray::number(id) + " WHERE id = 5"};
        waits.sessions.insert(id, session);
        for (quint64 before = 1; before < id; ++before)
            waits.edges.append(edge(id, before, row("5"), 20s - std::chrono::seconds(id)));
    }
    return waits;
}

/// "[2 3 4] 5": the groups below the first root, by session.
QString groupsOf(const ServerWaits &waits)
{
    const WaitGraph graph = buildWaitGraph(waits, kNow);
    QStringList texts;
    for (const QList<int> &group : equalWaiters(waits, graph, graph.nodes[graph.roots.first()].children)) {
        QStringList sessions;
        for (const int node : group)
            sessions += QString::number(graph.nodes[node].session);
        const QString text = sessions.join(u' ');
        texts += group.size() == 1 ? text : u'[' + text + u']';
    }
    return texts.join(u' ');
}

} // namespace

Q_DECLARE_METATYPE(Change)

class TestEqualWaiters : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoSaysTheSameIsOneGroup();
    void whatDiffersKeepsThemApart_data();
    void whatDiffersKeepsThemApart();
    void twoAreShownAsTwo();
};

void TestEqualWaiters::whoSaysTheSameIsOneGroup()
{
    QCOMPARE(groupsOf(pool()), QStringLiteral("[2 3 4 5]"));
}

void TestEqualWaiters::whatDiffersKeepsThemApart_data()
{
    QTest::addColumn<Change>("change"); // of session 3
    QTest::newRow("its user") << Change([](auto &, auto &session) { session.user = QStringLiteral("root"); });
    QTest::newRow("its host") << Change([](auto &, auto &session) { session.host = QStringLiteral("10.0.0.6:1"); });
    QTest::newRow("its program") << Change([](auto &, auto &session) { session.program = QStringLiteral("cron"); });
    QTest::newRow("its statement") << Change(
        [](auto &, auto &session) { session.statement.text = "DELETE FROM stock"; });
    QTest::newRow("it is replication") << Change(
        [](auto &, auto &session) { session.protection = Protection::Replication; });
    QTest::newRow("somebody waits for it")
        << Change([](auto &waits, auto &) { waits.edges.append(edge(9, 3, row("7"))); });
    QTest::newRow("it waits in another mode") << Change([](auto &waits, auto &) {
        for (WaitEdge &edge : waits.edges)
            edge.mode = edge.waiter == 3 ? QStringLiteral("S") : edge.mode;
    });
    QTest::newRow("it waits for the gap") << Change([](auto &waits, auto &) {
        for (WaitEdge &edge : waits.edges)
            edge.object.isGap = edge.waiter == 3;
    });
}

void TestEqualWaiters::whatDiffersKeepsThemApart()
{
    QFETCH(Change, change);
    ServerWaits waits = pool();
    change(waits, waits.sessions[3]);
    QCOMPARE(groupsOf(waits), QStringLiteral("[2 4 5] 3"));
}

void TestEqualWaiters::twoAreShownAsTwo()
{
    ServerWaits waits = pool();
    waits.sessions[4].program = waits.sessions[5].program = QStringLiteral("cron");
    QCOMPARE(groupsOf(waits), QStringLiteral("2 3 4 5"));
}

QTEST_GUILESS_MAIN(TestEqualWaiters)
#include "tst_equalwaiters.moc"
