// SPDX-License-Identifier: MIT
// The model of histories, the generator and the shrinking, without any server.
#include "generator.h"
#include "kinds.h"
#include "runner.h"
#include "shrink.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr quint64 kSeeds = 400;

/// "queue B2 a 2": kind, who, resource, options.
Move moveFrom(const QString &text)
{
    const QStringList words = text.split(u' ');
    for (const KindOfMove &kind : kindsOfMoves()) {
        if (words[0] == QLatin1String(kind.name))
            return {kind.kind, words.value(1), words.value(2), words.value(3).toInt()};
    }
    qFatal("%s is no kind of move", qPrintable(words[0]));
}

Moves movesFrom(const QStringList &texts)
{
    Moves moves;
    for (const QString &text : texts)
        moves += moveFrom(text);
    return moves;
}

/// The steps of a scenario, without its head and without what is only told of tokens.
QStringList stepsOf(const History &history)
{
    QStringList steps = history.scenario().split(u'\n', Qt::SkipEmptyParts).mid(3);
    steps.removeIf([](const QString &step) { return step.startsWith(u"remember token") || step.contains(u" > "); });
    return steps;
}

} // namespace

class TestHistoryModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modelKnows_data();
    void modelKnows();
    void tokensAreCompared();
    void aMoveThatCannotBeMadeIsLeftOut();
    void everyHistoryIsAScenario_data();
    void everyHistoryIsAScenario();
    void oneSeedIsOneHistory();
    void kindsCanBeLeftOut();
    void aHistoryEndsWithTheLineThatFailed();
    void aWrongOrderIsFoundAndMadeShort();
};

void TestHistoryModel::modelKnows_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QStringList>("moves");
    QTest::addColumn<QStringList>("steps"); // the last ones
    const QString unique = u"unique"_s;
    const QString rows = u"pessimistic"_s;
    const QString versions = u"optimistic"_s;
    const QStringList three{u"try A a"_s, u"queue B a"_s, u"queue C a"_s};

    QTest::newRow("first come, first served") << unique << three + QStringList{u"release A a"_s, u"release B a"_s}
                                              << QStringList{u"A: release a -> released"_s, u"B: -> granted"_s,
                                                             u"B: release a -> released"_s, u"C: -> granted"_s};
    QTest::newRow("rows in any order") << rows << three + QStringList{u"release A a"_s}
                                       << QStringList{u"A: release a -> released"_s, u"any order: B C"_s};
    const QStringList two{u"try A a"_s, u"queue B a"_s};
    QTest::newRow("a store decides what becomes of one that does not answer")
        << u"redis"_s << two + QStringList{u"freeze B"_s, u"release A a"_s} << QStringList{u"freeze B"_s};
    QTest::newRow("on Redis who is cut off is dead")
        << u"redis"_s << two + QStringList{u"cut B"_s, u"release A a"_s}
        << QStringList{u"cut network of B"_s, u"B is gone"_s, u"A: release a -> released"_s};
    QTest::newRow("on etcd who is cut off is not dead")
        << u"etcd"_s << two + QStringList{u"cut B"_s, u"release A a"_s} << QStringList{u"cut network of B"_s};
    for (const QString &store : {u"etcd"_s, u"zookeeper"_s}) {
        QTest::addRow("on %s a lost connection is no death", qPrintable(store))
            << store << two + QStringList{u"stall B"_s, u"kill-connections B"_s, u"release A a"_s}
            << QStringList{u"stall network of B"_s, u"kill connections of B"_s};
    }
    QTest::newRow("on ZooKeeper the dead hold on") << u"zookeeper"_s << QStringList{u"try A a"_s, u"kill A"_s}
                                                   << QStringList{u"A: acquire a ttl 300s -> granted"_s};
    QTest::newRow("no store looks for cycles")
        << u"etcd"_s << QStringList{u"try A a"_s, u"try B b"_s, u"queue A b"_s, u"time-out B a"_s}
        << QStringList{u"A queues for b ttl 300s"_s};
    QTest::newRow("a try does not wait") << unique << QStringList{u"try A a"_s, u"try B a"_s}
                                         << QStringList{u"B: acquire a ttl 300s -> busy"_s};
    QTest::newRow("an owner enters again")
        << unique << QStringList{u"try A a"_s, u"try A a"_s, u"release A a"_s, u"try B a"_s, u"release A a"_s}
        << QStringList{u"A: acquire a -> granted"_s, u"token of A = a1"_s, u"A: release a -> released"_s,
                       u"B: acquire a ttl 300s -> busy"_s, u"A: release a -> released"_s};
    QTest::newRow("a key is one owner of two threads, and of one process")
        << unique << QStringList{u"try A a 2"_s, u"try A2 a 2"_s, u"try B a 2"_s}
        << QStringList{u"A2: acquire a key k -> granted"_s, u"token of A2 = a1"_s,
                       u"B: acquire a ttl 300s key k -> busy"_s};
    QTest::newRow("a cycle is told") << unique
                                     << QStringList{u"try A a"_s, u"try B b"_s, u"queue A b"_s, u"time-out B a"_s}
                                     << QStringList{u"B: acquire a wait 60s -> deadlock"_s};
    QTest::newRow("who is frozen is granted and hears of it later")
        << unique << three + QStringList{u"freeze B"_s, u"release A a"_s, u"try D a"_s, u"thaw B"_s}
        << QStringList{u"A: release a -> released"_s, u"D: acquire a ttl 300s -> busy"_s, u"thaw B"_s,
                       u"B: -> granted"_s};
    QTest::newRow("who is frozen at the end is passed over")
        << unique << QStringList{u"try A a 1"_s, u"queue B a"_s, u"queue C a"_s, u"freeze B"_s, u"expire A a"_s}
        << QStringList{u"A: renew 2s a -> renewed"_s, u"C: -> granted"_s, u"A: held a -> no"_s};
    QTest::newRow("where it stands afterwards nobody knows")
        << unique << QStringList{u"try A a 1"_s,  u"queue B a"_s, u"queue C a"_s, u"freeze B"_s,
                                 u"expire A a"_s, u"queue D a"_s, u"thaw B"_s,    u"release C a"_s}
        << QStringList{u"B waits for a"_s, u"C: release a -> released"_s, u"any order: B D"_s};
    QTest::newRow("who is cut off is passed over, and comes back")
        << unique << three + QStringList{u"cut B"_s, u"release A a"_s, u"heal B"_s, u"release C a"_s}
        << QStringList{u"cut network of B"_s, u"B is gone"_s,         u"A: release a -> released"_s,
                       u"C: -> granted"_s,    u"heal network of B"_s, u"C: release a -> released"_s,
                       u"B: -> granted"_s};
    QTest::newRow("on Redis it joins anew, behind whoever came meanwhile")
        << u"redis"_s
        << two + QStringList{u"cut B"_s, u"release A a"_s, u"try A a"_s, u"heal B"_s, u"queue C a"_s, u"release A a"_s}
        << QStringList{u"C queues for a ttl 300s"_s, u"B waits for a"_s, u"A: release a -> released"_s,
                       u"any order: B C"_s};
    QTest::newRow("on a store who cancels after a crash is known again")
        << u"redis"_s << two + QStringList{u"crash A"_s, u"cancel B"_s}
        << QStringList{u"crash server"_s, u"B waits for a"_s, u"B: cancel"_s, u"B: -> cancelled"_s};
    QTest::newRow("on a store a release after a cut may have been carried out")
        << u"zookeeper"_s
        << QStringList{u"try A a"_s, u"cut A"_s, u"force-release X a"_s, u"heal A"_s, u"release A a"_s}
        << QStringList{u"heal network of A"_s, u"A: release a -> not held | released"_s};
    QTest::newRow("a lease outlives connections and servers, and so does the order")
        << unique << three + QStringList{u"kill-connections A"_s, u"restart A"_s, u"release A a"_s}
        << QStringList{u"kill connections of A"_s, u"restart server"_s,           u"B waits for a"_s,
                       u"C waits for a"_s,         u"A: release a -> released"_s, u"B: -> granted"_s};
    QTest::newRow("a row does not") << rows << QStringList{u"try A a"_s, u"queue B a"_s, u"kill-connections A"_s}
                                    << QStringList{u"kill connections of A"_s, u"A: lost a -> session ended"_s,
                                                   u"B: -> granted"_s};
    QTest::newRow("a dead holder's lease can be forced")
        << unique << QStringList{u"try A a"_s, u"queue B a"_s, u"kill A"_s, u"force-release X a"_s}
        << QStringList{u"kill A"_s, u"A is gone"_s, u"force release a a1 -> released"_s, u"B: -> granted"_s};
    QTest::newRow("it ends by itself") << unique << QStringList{u"try A a"_s, u"queue B a"_s, u"kill-at-end A"_s}
                                       << QStringList{u"A: renew 2s a -> renewed"_s, u"kill A"_s, u"A is gone"_s,
                                                      u"B: -> granted"_s};
    QTest::newRow("who was forced out does not know it")
        << unique << QStringList{u"try A a"_s, u"force-release X a"_s, u"held A a"_s, u"try A a"_s, u"renew A a"_s}
        << QStringList{u"force release a a1 -> released"_s, u"A: renew 300s a -> not held"_s};
    QTest::newRow("a minimum hold is ended by force, also in the end")
        << unique << QStringList{u"try A a 4"_s, u"release A a"_s, u"try B a"_s}
        << QStringList{u"A: release a -> released"_s, u"B: acquire a ttl 300s -> busy"_s,
                       u"force release a a1 -> released"_s};
    QTest::newRow("a commit on an old version is a conflict")
        << versions << QStringList{u"read A a"_s, u"read B a"_s, u"commit B a"_s, u"commit A a"_s}
        << QStringList{u"B: commit a -> committed"_s, u"version of B = a + 1"_s, u"A: commit a -> conflict"_s};
    QTest::newRow("an overtaken commit is one too")
        << versions << QStringList{u"read A a"_s, u"read B a"_s, u"overtaken-commit A a"_s}
        << QStringList{u"A: commit a &"_s, u"B: commit a -> committed"_s, u"reset network of A"_s, u"A: -> conflict"_s};
    QTest::newRow("of those that commit one version one wins")
        << versions << QStringList{u"read A a"_s, u"read B a"_s, u"race-commit A a"_s, u"commit A a"_s}
        << QStringList{u"A B: commit a &"_s, u"one of A B: committed, the others: conflict"_s};
}

void TestHistoryModel::modelKnows()
{
    QFETCH(QString, mode);
    QFETCH(QStringList, moves);
    QFETCH(QStringList, steps);
    const QStringList all = stepsOf({mode, u"t"_s, {}, movesFrom(moves)});
    QCOMPARE(all.mid(all.size() - steps.size()), steps);
}

void TestHistoryModel::tokensAreCompared()
{
    const History history{u"unique"_s, u"t"_s, {}, movesFrom({u"try A a"_s, u"queue B a"_s, u"release A a"_s})};
    QCOMPARE(history.scenario(),
             u"scenario: t\nexcept pessimistic: a history of unique mode\n"
             "except optimistic: a history of unique mode\n"
             "A: acquire a ttl 300s -> granted\nremember token of A as a1\n"
             "B queues for a ttl 300s\nA: release a -> released\n"
             "B: -> granted\nremember token of B as a2\na2 > a1\n"_s);
}

void TestHistoryModel::aMoveThatCannotBeMadeIsLeftOut()
{
    const Moves moves = movesFrom({u"release A a"_s, u"try A a"_s, u"cancel B"_s, u"queue A a"_s, u"thaw A"_s,
                                   u"expire A a"_s, u"heal C"_s, u"read A a"_s});
    const History history{u"unique"_s, u"t"_s, {}, moves};
    QCOMPARE(stepsOf(history), QStringList{u"A: acquire a ttl 300s -> granted"_s});
    QCOMPARE(history.upTo().moves.size(), 1);
}

void TestHistoryModel::everyHistoryIsAScenario_data()
{
    QTest::addColumn<QString>("mode");
    for (const QString &mode : knownModes() + knownStores())
        QTest::newRow(qPrintable(mode)) << mode;
}

/// And every kind of move that a mode has is made.
void TestHistoryModel::everyHistoryIsAScenario()
{
    QFETCH(QString, mode);
    QMap<Move::Kind, int> made;
    for (quint64 seed = 1; seed <= kSeeds; ++seed) {
        const History history = generate(mode, seed);
        QList<Scenario> scenarios;
        QString error;
        QVERIFY2(parseScenarios(u"history"_s, history.scenario(), &scenarios, &error), qPrintable(error));
        QCOMPARE(scenarios.size(), 1);
        const QString mistake = Runner::mistakeIn(scenarios.first());
        QVERIFY2(mistake.isEmpty(), qPrintable(mistake));
        for (const Move &move : history.moves)
            ++made[move.kind];
    }
    for (const KindOfMove &kind : kindsOfMoves())
        QVERIFY2((made[kind.kind] >= 3) == (kind.weight(mode) > 0), kind.name);
}

void TestHistoryModel::oneSeedIsOneHistory()
{
    for (const QString &mode : knownModes()) {
        QCOMPARE(generate(mode, 7).scenario(), generate(mode, 7).scenario());
        QVERIFY(generate(mode, 7).scenario() != generate(mode, 8).scenario());
    }
}

void TestHistoryModel::kindsCanBeLeftOut()
{
    for (quint64 seed = 1; seed <= kSeeds; ++seed) {
        const QString scenario = generate(u"unique"_s, seed, {u"restart"_s, u"crash"_s}).scenario();
        QVERIFY2(!scenario.contains(u"restart server") && !scenario.contains(u"crash server"), qPrintable(scenario));
    }
}

void TestHistoryModel::aHistoryEndsWithTheLineThatFailed()
{
    const History history{u"unique"_s, u"t"_s, {}, movesFrom({u"try A a"_s, u"queue B a"_s, u"release A a"_s})};
    QCOMPARE(history.upTo(3).moves.size(), 0);
    QCOMPARE(history.upTo(4).moves.size(), 1);
    QCOMPARE(history.upTo(5).moves.size(), 1); // the token of A
    QCOMPARE(history.upTo(6).moves.size(), 2);
    QCOMPARE(history.upTo(9).moves.size(), 3);
}

/// The right model stands for the server, and the wrong one, in which the newest waiter comes first, is tested by it.
/// What is left must be few moves, mostly the four that show it: A has it, B and C wait, A releases.
void TestHistoryModel::aWrongOrderIsFoundAndMadeShort()
{
    const auto fails = [](const History &wrong) {
        History right = wrong;
        right.rules = {};
        return right.scenario() != wrong.scenario();
    };
    int found = 0;
    int shortestOfAll = 0;
    for (quint64 seed = 1; seed <= kSeeds; ++seed) {
        const History wrong = generate(u"unique"_s, seed, {}, {.newestFirst = true});
        if (!fails(wrong))
            continue;
        ++found;
        const History shortest = shrunk(wrong, fails).upTo();
        QVERIFY2(fails(shortest), qPrintable(shortest.scenario()));
        QVERIFY2(shortest.moves.size() <= 7, qPrintable(shortest.scenario()));
        shortestOfAll += shortest.moves.size() == 4;
    }
    qInfo("%d found, %d of them made as short as can be", found, shortestOfAll);
    QVERIFY(found > int(kSeeds / 20));
    QVERIFY(shortestOfAll > found / 2);
}

QTEST_GUILESS_MAIN(TestHistoryModel)
#include "tst_historymodel.moc"
