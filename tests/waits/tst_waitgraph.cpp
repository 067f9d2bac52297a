// SPDX-License-Identifier: MIT
// Who blocks whom: trees, rings and what ending a session frees, from edges as both servers tell them.
#include "waitparts.h"
#include "waits/waitgraph.h"

#include <QtTest/QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

ServerObject of(ServerLockKind kind, const QByteArray &name)
{
    ServerObject object;
    object.kind = kind;
    object.name = name;
    return object;
}

/// `waiters` of one row, each behind all before it, as InnoDB tells it.
QList<WaitEdge> queue(quint64 holder, const QList<quint64> &waiters, const ServerObject &object)
{
    QList<WaitEdge> edges;
    for (int i = 0; i < waiters.size(); ++i) {
        const auto waited = std::chrono::seconds(waiters.size() - i);
        for (int before = i - 1; before >= 0; --before)
            edges.append(edge(waiters[i], waiters[before], object, waited));
        edges.append(edge(waiters[i], holder, object, waited));
    }
    return edges;
}

WaitGraph graphOf(const QList<WaitEdge> &edges, const QList<quint64> &lost = {})
{
    ServerWaits waits;
    waits.edges = edges;
    for (const quint64 session : lost)
        waits.lost.append({session, ServerLockKind::Metadata, kNow - 5s});
    return buildWaitGraph(waits, kNow);
}

/// "1(2 3(4))", roots in their order.
QString text(const WaitGraph &graph, const QList<int> &nodes)
{
    QStringList parts;
    for (const int i : nodes) {
        const WaitNode &node = graph.nodes[i];
        QString part = node.isCycle() ? QStringLiteral("ring") : QString::number(node.session);
        if (!node.children.isEmpty())
            part += u'(' + text(graph, node.children) + u')';
        parts.append(part);
    }
    return parts.join(u' ');
}

QString text(const WaitGraph &graph)
{
    return text(graph, graph.roots);
}

using Pairs = std::set<std::pair<quint64, quint64>>;

Pairs pairsOf(const QList<WaitEdge> &edges)
{
    Pairs pairs;
    for (const WaitEdge &edge : edges)
        pairs.insert({edge.waiter, edge.blocker});
    return pairs;
}

/// All pairs of which the first waits for the second, be it over others.
Pairs closure(Pairs pairs)
{
    for (;;) {
        Pairs more = pairs;
        for (const auto &[a, b] : pairs)
            for (const auto &[c, d] : pairs)
                if (b == c)
                    more.insert({a, d});
        if (more == pairs)
            return pairs;
        pairs = more;
    }
}

/// Of each session the edges to who holds what it waits for, or all where nobody does; and those of rings.
QList<WaitEdge> blaming(const QList<WaitEdge> &edges)
{
    const Pairs reached = closure(pairsOf(edges));
    const auto waitsFor = [&](quint64 session, const ServerObject &object) {
        return std::any_of(edges.cbegin(), edges.cend(),
                           [&](const WaitEdge &one) { return one.waiter == session && one.object == object; });
    };
    const auto isOfHolder = [&](const WaitEdge &one) { return !waitsFor(one.blocker, one.object); };
    QList<WaitEdge> kept;
    for (const WaitEdge &one : edges) {
        const bool isOfRing = reached.contains({one.blocker, one.waiter});
        const bool hasHolder = std::any_of(edges.cbegin(), edges.cend(), [&](const WaitEdge &other) {
            return other.waiter == one.waiter && isOfHolder(other);
        });
        if (isOfRing || !hasHolder || isOfHolder(one))
            kept.append(one);
    }
    return kept;
}

/// Who goes on when `ended` has ended, found by trying.
int freedBy(quint64 ended, const QList<WaitEdge> &edges)
{
    std::set<quint64> gone{ended};
    for (bool grows = true; grows;) {
        grows = false;
        for (const WaitEdge &one : edges) {
            const bool waits =
                !gone.contains(one.waiter) && std::any_of(edges.cbegin(), edges.cend(), [&](const WaitEdge &other) {
                    return other.waiter == one.waiter && !gone.contains(other.blocker);
                });
            if (!waits && gone.insert(one.waiter).second)
                grows = true;
        }
    }
    return int(gone.size()) - 1;
}

} // namespace

class TestWaitGraph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nobodyWaits();
    void aQueueStandsBelowItsHolder();
    void aQueueHasOneLinkForEachWaiter();
    void whoQueuesBehindAWaiterStandsBelowIt();
    void theRootThatFreesMostComesFirst();
    void whoIsBlockedTwiceIsFreedByNeither();
    void whoIsBlockedTwiceStaysBelowTheSameOne();
    void aRingOverThreeKindsIsFound();
    void ringsAreKeptApart();
    void whoWaitsForSomethingUnnamedIsShown();
    void anEdgeToItselfIsNoRing();
    void randomEdgesAreNeitherLostNorMadeUp();
    void objectsAreNamedAsPeopleNameThem_data();
    void objectsAreNamedAsPeopleNameThem();
};

void TestWaitGraph::nobodyWaits()
{
    const WaitGraph graph = graphOf({});
    QVERIFY(graph.nodes.isEmpty() && graph.roots.isEmpty() && graph.cycles.isEmpty() && graph.links.isEmpty());
    QCOMPARE(graph.waiting(), 0);
}

void TestWaitGraph::aQueueStandsBelowItsHolder()
{
    const WaitGraph graph = graphOf(queue(1, {2, 3, 4}, row("5")));
    QCOMPARE(text(graph), QStringLiteral("1(2 3 4)"));
    const WaitNode &root = *graph.nodeOf(1);
    QCOMPARE(root.frees, 3);
    QCOMPARE(root.waited, Microseconds(6s));
    QVERIFY(!root.cause);
    QCOMPARE(graph.nodeOf(3)->cause->blocker, quint64(1));
    QCOMPARE(graph.nodeOf(3)->frees, 0);
    QVERIFY(graph.nodeOf(4)->alsoBlockedBy.isEmpty());
    QCOMPARE(graph.waiting(), 3);
    QCOMPARE(root.atOnce, 1);
    QCOMPARE(root.direct, 3);
    QCOMPARE(root.behind, 3);
    QCOMPARE(graph.nodeOf(2)->direct, 0); // it stands before the others and holds nothing
    QCOMPARE(graph.nodeOf(2)->behind, 2);
}

void TestWaitGraph::aQueueHasOneLinkForEachWaiter()
{
    QList<quint64> waiters(200);
    std::iota(waiters.begin(), waiters.end(), 2);
    const auto edges = queue(1, waiters, row("5"));
    QCOMPARE(edges.size(), 200 * 201 / 2);
    const WaitGraph graph = graphOf(edges);
    QCOMPARE(graph.links.size(), 200);
    for (const WaitEdge &link : graph.links)
        QCOMPARE(link.blocker, quint64(1)); // not the one before it, who is not to blame
    QCOMPARE(graph.nodeOf(1)->frees, 200);
}

void TestWaitGraph::whoQueuesBehindAWaiterStandsBelowIt()
{
    const auto table = of(ServerLockKind::Metadata, "stock");
    auto edges = queue(1, {2, 3}, row("5"));
    edges << edge(4, 2, table) << edge(4, 1, table) << edge(4, 3, table); // ALTER behind those who write
    edges << edge(5, 4, table, 4s) << edge(6, 4, table, 3s);              // readers behind the ALTER
    const WaitGraph graph = graphOf(edges);
    QCOMPARE(text(graph), QStringLiteral("1(4(5 6) 2 3)"));
    QCOMPARE(graph.nodeOf(1)->frees, 5);
    QCOMPARE(graph.nodeOf(4)->frees, 2);
    QVERIFY(graph.nodeOf(4)->alsoBlockedBy.isEmpty()); // 2 and 3 go on with 1
}

void TestWaitGraph::theRootThatFreesMostComesFirst()
{
    auto edges = queue(10, {11}, row("1")) + queue(20, {21, 22}, row("2"));
    edges << edge(31, 30, of(ServerLockKind::User, "job"), 3600s);
    QCOMPARE(text(graphOf(edges)), QStringLiteral("20(21 22) 30(31) 10(11)"));
}

void TestWaitGraph::whoIsBlockedTwiceIsFreedByNeither()
{
    const WaitGraph graph = graphOf({edge(3, 1, row("5")), edge(3, 2, row("5")), edge(4, 3, row("6"))});
    QCOMPARE(graph.nodeOf(1)->frees, 0);
    QCOMPARE(graph.nodeOf(2)->frees, 0);
    QCOMPARE(graph.nodeOf(3)->frees, 1);
    QCOMPARE(graph.nodeOf(3)->alsoBlockedBy, QList<quint64>{2});
    QCOMPARE(graph.roots.size(), 2); // both are shown
}

void TestWaitGraph::whoIsBlockedTwiceStaysBelowTheSameOne()
{
    QList<WaitEdge> edges{edge(9, 7, row("5")), edge(9, 3, row("5")), edge(9, 5, row("5")), edge(5, 1, row("6"))};
    for (int look = 0; look < 4; ++look) { // a server tells them in any order
        const WaitGraph graph = graphOf(edges);
        QCOMPARE(text(graph), QStringLiteral("1(5) 3(9) 7"));
        QCOMPARE(graph.nodeOf(9)->alsoBlockedBy, (QList<quint64>{5, 7}));
        QCOMPARE(graph.nodeOf(7)->direct, 1);
        QCOMPARE(graph.nodeOf(7)->frees, 0);
        std::rotate(edges.begin(), edges.begin() + 1, edges.end());
    }
}

void TestWaitGraph::aRingOverThreeKindsIsFound()
{
    QList<WaitEdge> edges{edge(1, 2, row("5")), edge(2, 3, of(ServerLockKind::Metadata, "stock")),
                          edge(3, 1, of(ServerLockKind::User, "job")), edge(4, 2, row("7"))};
    const WaitGraph graph = graphOf(edges);
    QCOMPARE(graph.cycles, QList<QList<quint64>>({{1, 2, 3}}));
    QCOMPARE(text(graph), QStringLiteral("ring(1 2(4) 3)"));
    QCOMPARE(graph.nodes[graph.roots.first()].frees, 1);
    QCOMPARE(pairsOf(graph.links), pairsOf(edges));
    QCOMPARE(graph.nodeOf(1)->frees, 3); // a ring is broken anywhere
    QCOMPARE(graph.waiting(), 4);
}

void TestWaitGraph::ringsAreKeptApart()
{
    const WaitGraph graph = graphOf(
        {edge(1, 2, row("1")), edge(2, 1, row("2")), edge(3, 4, row("3")), edge(4, 3, row("4")), edge(3, 1, row("5"))});
    QCOMPARE(graph.cycles.size(), 2);
    QVERIFY(graph.cycles.contains(QList<quint64>({1, 2})));
    QVERIFY(graph.cycles.contains(QList<quint64>({3, 4})));
}

void TestWaitGraph::whoWaitsForSomethingUnnamedIsShown()
{
    const WaitGraph graph = graphOf(queue(1, {2}, row("5")), {7});
    QCOMPARE(text(graph), QStringLiteral("1(2) 7"));
    QVERIFY(graph.nodeOf(7)->isLost);
    QCOMPARE(graph.waiting(), 2);
}

void TestWaitGraph::anEdgeToItselfIsNoRing()
{
    const auto table = of(ServerLockKind::Metadata, "stock");
    const WaitGraph graph = graphOf({edge(2, 2, table), edge(2, 1, table), edge(2, 1, table)});
    QVERIFY(graph.cycles.isEmpty());
    QCOMPARE(text(graph), QStringLiteral("1(2)"));
    QCOMPARE(graph.links.size(), 1);
}

void TestWaitGraph::randomEdgesAreNeitherLostNorMadeUp()
{
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        QList<WaitEdge> edges;
        const int sessions = 2 + int(random() % 9);
        const int count = int(random() % 20);
        for (int i = 0; i < count; ++i) {
            const auto waiter = quint64(random() % unsigned(sessions)) + 1;
            const auto blocker = quint64(random() % unsigned(sessions)) + 1;
            const bool isNew = std::none_of(edges.cbegin(), edges.cend(), [&](const WaitEdge &one) {
                return one.waiter == waiter && one.blocker == blocker;
            });
            if (waiter != blocker && isNew)
                edges.append(edge(waiter, blocker, row(QByteArray::number(random() % 3))));
        }
        const WaitGraph graph = graphOf(edges);
        QCOMPARE(closure(pairsOf(graph.links)), closure(pairsOf(blaming(edges))));
        qsizetype inRings = 0;
        for (const auto &cycle : graph.cycles)
            inRings += cycle.size();
        const Pairs reached = closure(pairsOf(edges));
        QCOMPARE(inRings, std::count_if(reached.cbegin(), reached.cend(), [](const auto &pair) {
                     return pair.first == pair.second;
                 }));
        for (const WaitNode &node : graph.nodes) {
            if (!node.isCycle())
                QCOMPARE(node.frees, freedBy(node.session, edges));
        }
    }
}

void TestWaitGraph::objectsAreNamedAsPeopleNameThem_data()
{
    QTest::addColumn<ServerObject>("object");
    QTest::addColumn<QString>("text");

    ServerObject schema = of(ServerLockKind::Metadata, {});
    schema.scope = QStringLiteral("SCHEMA");
    schema.schema = QStringLiteral("shop");
    ServerObject everything = of(ServerLockKind::Metadata, {});
    everything.scope = QStringLiteral("GLOBAL");
    ServerObject table = row({});
    table.kind = ServerLockKind::Table;
    ServerObject definition = table;
    definition.kind = ServerLockKind::Metadata;
    definition.scope = QStringLiteral("TABLE");
    ServerObject function = definition;
    function.scope = QStringLiteral("FUNCTION");
    QTest::newRow("row") << row("5, 'a'") << QStringLiteral("shop.stock PRIMARY (5, 'a')");
    QTest::newRow("row without a key") << row({}) << QStringLiteral("shop.stock PRIMARY");
    QTest::newRow("table") << table << QStringLiteral("shop.stock");
    QTest::newRow("definition") << definition << QStringLiteral("shop.stock");
    QTest::newRow("function") << function << QStringLiteral("function shop.stock");
    QTest::newRow("schema") << schema << QStringLiteral("schema shop");
    QTest::newRow("everything") << everything << QStringLiteral("the whole server (global)");
    QTest::newRow("user") << of(ServerLockKind::User, "job \xc3\xa4") << QStringLiteral("job ä");
}

void TestWaitGraph::objectsAreNamedAsPeopleNameThem()
{
    QFETCH(ServerObject, object);
    QTEST(object.toString(), "text");
}

QTEST_GUILESS_MAIN(TestWaitGraph)
#include "tst_waitgraph.moc"
