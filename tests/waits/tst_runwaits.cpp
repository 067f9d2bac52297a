// SPDX-License-Identifier: MIT
// Which waits are those of a lesson or of the lab among its own sessions, and that a name hides nobody else's.
#include "session/runnames.h"
#include "waitparts.h"
#include "waits/waitgraph.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

const auto kRun = u"0123456789abcdef"_s;
const auto kOther = u"fedcba9876543210"_s;

void add(ServerWaits *waits, quint64 id, const QString &user, const QString &schema)
{
    ServerSession session;
    session.id = id;
    session.user = user;
    session.schema = schema;
    waits->sessions.insert(id, session);
}

/// 1 and 2 of a lesson, 3 of another run of it; 11 and 12 of the lab; 21 and 22 of a shop that uses the same account.
ServerWaits server()
{
    ServerWaits waits;
    for (const quint64 id : {1ULL, 2ULL})
        add(&waits, id, lessonUserName(kRun), lessonSchemaName(kRun));
    add(&waits, 3, lessonUserName(kOther), lessonSchemaName(kOther));
    for (const quint64 id : {11ULL, 12ULL})
        add(&waits, id, u"app"_s, labSchemaName(kRun));
    for (const quint64 id : {21ULL, 22ULL})
        add(&waits, id, u"app"_s, u"shop"_s);
    return waits;
}

ServerObject rowIn(const QString &schema)
{
    ServerObject object = row("5");
    object.schema = schema;
    return object;
}

ServerObject named(const QByteArray &name)
{
    ServerObject object;
    object.kind = ServerLockKind::User;
    object.name = name;
    return object;
}

const ServerObject kLessons = rowIn(lessonSchemaName(kRun));
const ServerObject kLabs = rowIn(labSchemaName(kRun));

QList<quint64> found(const ServerWaits &waits)
{
    const QSet<quint64> sessions = buildWaitGraph(waits, kNow).ofRuns;
    QList<quint64> sorted(sessions.cbegin(), sessions.cend());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

} // namespace

class TestRunWaits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatARunDoesToItselfIsItsOwn_data();
    void onlyWhatARunDoesToItselfIsItsOwn();
    void aNameAloneHidesNothing_data();
    void aNameAloneHidesNothing();
    void aPreparedTransactionIsOfTheRunWhoseRowItHolds();
    void whoWaitsForNobodyKnownIsTold();
    void theGraphCountsThemApart();
};

void TestRunWaits::onlyWhatARunDoesToItselfIsItsOwn_data()
{
    QTest::addColumn<QList<WaitEdge>>("edges");
    QTest::addColumn<QList<quint64>>("own"); // 1, 2 and 3 of lessons hold nobody else up
    using Own = QList<quint64>;
    QTest::newRow("nobody waits") << QList<WaitEdge>() << Own{1, 2, 3};
    QTest::newRow("within a lesson") << QList<WaitEdge>{edge(2, 1, kLessons)} << Own{1, 2, 3};
    QTest::newRow("within the lab") << QList<WaitEdge>{edge(12, 11, kLabs)} << Own{1, 2, 3, 11, 12};
    QTest::newRow("a lock by name") << QList<WaitEdge>{edge(12, 11, named("x")), edge(2, 1, named("x"))}
                                    << Own{1, 2, 3, 11, 12};
    QTest::newRow("a ring") << QList<WaitEdge>{edge(2, 1, kLessons), edge(1, 2, kLessons)} << Own{1, 2, 3};
    QTest::newRow("a stranger behind it") << QList<WaitEdge>{edge(21, 1, kLessons)} << Own{2, 3};
    QTest::newRow("a stranger behind one who waits")
        << QList<WaitEdge>{edge(2, 1, kLessons), edge(21, 2, kLessons), edge(12, 11, kLabs)} << Own{3, 11, 12};
    QTest::newRow("behind a stranger") << QList<WaitEdge>{edge(11, 21, kLabs), edge(12, 11, kLabs)} << Own{1, 2, 3};
    QTest::newRow("behind another run") << QList<WaitEdge>{edge(2, 3, kLessons)} << Own{1};
    QTest::newRow("the lab behind a lesson") << QList<WaitEdge>{edge(12, 1, kLabs)} << Own{2, 3};
    QTest::newRow("others") << QList<WaitEdge>{edge(22, 21, row("5"))} << Own{1, 2, 3};
    QTest::newRow("behind one that is gone") << QList<WaitEdge>{edge(2, 99, kLessons)} << Own{1, 3};
}

void TestRunWaits::onlyWhatARunDoesToItselfIsItsOwn()
{
    QFETCH(QList<WaitEdge>, edges);
    QFETCH(QList<quint64>, own);
    ServerWaits waits = server();
    waits.edges = edges;
    QCOMPARE(found(waits), own);
}

void TestRunWaits::aNameAloneHidesNothing_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("schema"); // of 21, who holds up 22
    QTest::addColumn<QString>("waiterUser");
    QTest::addColumn<QString>("waiterSchema");
    QTest::addColumn<QString>("objects"); // in which the row is
    const QString lesson = lessonSchemaName(kRun);
    const QString lab = labSchemaName(kRun);
    const QString learner = lessonUserName(kRun);
    QTest::newRow("he uses the lab's schema") << u"app"_s << lab << u"app"_s << u"shop"_s << u"shop"_s;
    QTest::newRow("both use it, for the shop's row") << u"app"_s << lab << u"app"_s << lab << u"shop"_s;
    QTest::newRow("as two users") << u"app"_s << lab << u"root"_s << lab << lab;
    QTest::newRow("both use a lesson's") << u"app"_s << lesson << u"app"_s << lesson << lesson;
    QTest::newRow("he is called like a learner") << learner << u"shop"_s << u"app"_s << u"shop"_s << u"shop"_s;
    QTest::newRow("both are, elsewhere") << learner << u"shop"_s << learner << u"shop"_s << u"shop"_s;
    QTest::newRow("both are, in another run's schema")
        << learner << lessonSchemaName(kOther) << learner << lessonSchemaName(kOther) << lessonSchemaName(kOther);
    QTest::newRow("a name that is almost one") << u"app"_s << lab + u'0' << u"app"_s << lab + u'0' << lab + u'0';
    QTest::newRow("in capitals") << u"app"_s << lab.toUpper() << u"app"_s << lab.toUpper() << lab.toUpper();
}

void TestRunWaits::aNameAloneHidesNothing()
{
    QFETCH(QString, user);
    QFETCH(QString, schema);
    QFETCH(QString, waiterUser);
    QFETCH(QString, waiterSchema);
    QFETCH(QString, objects);
    ServerWaits waits;
    add(&waits, 21, user, schema);
    add(&waits, 22, waiterUser, waiterSchema);
    waits.edges = {edge(22, 21, rowIn(objects))};
    QCOMPARE(found(waits), QList<quint64>());
}

void TestRunWaits::aPreparedTransactionIsOfTheRunWhoseRowItHolds()
{
    const quint64 prepared = preparedNumber(421);
    ServerWaits waits = server();
    waits.prepared.insert(prepared, {});
    waits.edges = {edge(2, prepared, kLessons)};
    QVERIFY(found(waits).contains(prepared) && found(waits).contains(2));
    waits.prepared[prepared].session = 1;
    QVERIFY(found(waits).contains(2));
    waits.prepared[prepared].session = 21; // a stranger has prepared it
    QCOMPARE(found(waits), QList<quint64>({1, 3}));
    waits.prepared[prepared].session = 0;
    waits.edges = {edge(2, prepared, rowIn(u"shop"_s))};
    QCOMPARE(found(waits), QList<quint64>({1, 3}));
    waits.edges = {edge(2, prepared, kLessons), edge(21, prepared, kLessons)};
    QCOMPARE(found(waits), QList<quint64>({1, 3}));
}

void TestRunWaits::whoWaitsForNobodyKnownIsTold()
{
    ServerWaits waits = server();
    waits.edges = {edge(2, 1, kLessons)};
    waits.lost = {{1, ServerLockKind::Metadata, kNow}};
    QCOMPARE(found(waits), QList<quint64>({3}));
}

void TestRunWaits::theGraphCountsThemApart()
{
    ServerWaits waits = server();
    waits.edges = {edge(2, 1, kLessons), edge(22, 21, row("5"))};
    WaitGraph graph = buildWaitGraph(waits, kNow);
    QCOMPARE(graph.waiting(), 2);
    QCOMPARE(graph.waitingOfRuns(), 1);
    waits.edges = {edge(2, 1, kLessons), edge(1, 2, kLessons), edge(22, 21, row("5"))};
    graph = buildWaitGraph(waits, kNow);
    QCOMPARE(graph.waiting(), 3);
    QCOMPARE(graph.waitingOfRuns(), 2);
    QCOMPARE(std::count_if(graph.nodes.cbegin(), graph.nodes.cend(),
                           [&graph](const WaitNode &node) { return graph.isOfRun(node); }),
             3); // the ring too
}

QTEST_GUILESS_MAIN(TestRunWaits)
#include "tst_runwaits.moc"
