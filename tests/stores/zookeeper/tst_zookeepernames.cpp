// SPDX-License-Identifier: MIT
// What a lock's nodes are called and say, whatever its name is and whoever wrote them.
#include "stores/zookeeper/zookeepernames.h"

#include "lockscope/lockrequest.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::detail;
using namespace Qt::StringLiterals;

class TestZooKeeperNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aResourceIsOnePartOfAPath_data();
    void aResourceIsOnePartOfAPath();
    void eachByteHasItsOwnPart();
    void aPartThatNoResourceHasIsNone_data();
    void aPartThatNoResourceHasIsNone();
    void onlyRequestsAreInTheQueue_data();
    void onlyRequestsAreInTheQueue();
    void theNearestOneBeforeIsFound();
    void whatHasNoPlaceInTheOrderIsAhead();
    void onlyNumbersThatGrowMakeAnOrder_data();
    void onlyNumbersThatGrowMakeAnOrder();
    void aNoteIsReadAsItWasWritten_data();
    void aNoteIsReadAsItWasWritten();
    void aQuestionKeepsTheRest();
    void manyQuestionsLeaveANoteThatIsRead();
    void anyDataIsRead_data();
    void anyDataIsRead();
};

void TestZooKeeperNames::aResourceIsOnePartOfAPath_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::addColumn<QByteArray>("part");

    QTest::newRow("plain") << QByteArray("nightly") << QByteArray("nightly");
    QTest::newRow("slash") << QByteArray("orders/42") << QByteArray("orders%2F42");
    QTest::newRow("percent") << QByteArray("100%2F") << QByteArray("100%252F");
    QTest::newRow("space") << QByteArray("a b") << QByteArray("a%20b");
    QTest::newRow("dot") << QByteArray(".") << QByteArray("%2E");
    QTest::newRow("dots") << QByteArray("..") << QByteArray("%2E.");
    QTest::newRow("three dots") << QByteArray("...") << QByteArray("...");
    QTest::newRow("ZooKeeper's own") << QByteArray("zookeeper") << QByteArray("%7Aookeeper");
    QTest::newRow("UTF-8") << QByteArray("é") << QByteArray("%C3%A9");
    QTest::newRow("no UTF-8") << QByteArray("\xff") << QByteArray("%FF");
    QTest::newRow("control") << QByteArray("a\x01\x7f") << QByteArray("a%01%7F");
    QTest::newRow("a node's name") << QByteArray("_c_1-lock-0000000001") << QByteArray("_c_1-lock-0000000001");
}

void TestZooKeeperNames::aResourceIsOnePartOfAPath()
{
    QFETCH(QByteArray, resource);
    QTEST(partOf(resource), "part");
    QCOMPARE(resourceOf(partOf(resource)), std::optional(resource));
}

void TestZooKeeperNames::eachByteHasItsOwnPart()
{
    QSet<QByteArray> parts;
    for (int c = 1; c < 256; ++c) {
        const QByteArray part = partOf(QByteArray(1, char(c)));
        QVERIFY(std::all_of(part.begin(), part.end(), [](char p) { return p > ' ' && p < 0x7f && p != '/'; }));
        parts += part;
    }
    QCOMPARE(parts.size(), 255);
}

void TestZooKeeperNames::aPartThatNoResourceHasIsNone_data()
{
    QTest::addColumn<QByteArray>("part");

    QTest::newRow("unescaped UTF-8") << QByteArray("é");
    QTest::newRow("needless escape") << QByteArray("%61");
    QTest::newRow("lower case") << QByteArray("a%2fb");
    QTest::newRow("half an escape") << QByteArray("a%2");
    QTest::newRow("ZooKeeper's own") << QByteArray("zookeeper");
}

void TestZooKeeperNames::aPartThatNoResourceHasIsNone()
{
    QFETCH(QByteArray, part);
    QCOMPARE(resourceOf(part), std::nullopt);
}

void TestZooKeeperNames::onlyRequestsAreInTheQueue_data()
{
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<QByteArray>("number");

    QTest::newRow("ours") << newNodePrefix() + "0000000007" << QByteArray("0000000007");
    QTest::newRow("Curator's without protection") << QByteArray("lock-0000000003") << QByteArray("0000000003");
    QTest::newRow("another recipe") << QByteArray("_c_1-lease-0000000003") << QByteArray();
    QTest::newRow("read lock") << QByteArray("_c_1-__READ__0000000003") << QByteArray();
    QTest::newRow("nine digits") << QByteArray("lock-000000003") << QByteArray();
    QTest::newRow("eleven digits") << QByteArray("lock-00000000003") << QByteArray();
    QTest::newRow("negative") << QByteArray("_c_1-lock--2147483648") << QByteArray("-2147483648");
    QTest::newRow("negative, filled up") << QByteArray("lock--000000001") << QByteArray("-000000001");
    QTest::newRow("negative, not filled up") << QByteArray("lock--00000001") << QByteArray();
    QTest::newRow("negative, twelve signs") << QByteArray("lock--02147483648") << QByteArray();
    QTest::newRow("sign alone") << QByteArray("lock--") << QByteArray();
    QTest::newRow("no digits") << QByteArray("lock-") << QByteArray();
    QTest::newRow("letters") << QByteArray("lock-00000000zz") << QByteArray();
    QTest::newRow("digits alone") << QByteArray("0000000003") << QByteArray();
    QTest::newRow("empty") << QByteArray() << QByteArray();
}

void TestZooKeeperNames::onlyRequestsAreInTheQueue()
{
    QFETCH(QByteArray, node);
    QTEST(numberOf(node), "number");
}

void TestZooKeeperNames::theNearestOneBeforeIsFound()
{
    const QByteArrayList children{"_c_b-lock-0000000009", "stranger", "_c_a-lock-0000000010", "lock-0000000003",
                                  "_c_c-lock-0000000004"};
    QCOMPARE(before(children, "_c_a-lock-0000000010"), std::optional<QByteArray>("_c_b-lock-0000000009"));
    QCOMPARE(before(children, "_c_c-lock-0000000004"), std::optional<QByteArray>("lock-0000000003"));
    QCOMPARE(before(children, "lock-0000000003"), std::optional<QByteArray>(QByteArray()));
    QCOMPARE(before(children, "_c_z-lock-0000000011"), std::nullopt);
    QCOMPARE(
        queueOf(children),
        QByteArrayList({"lock-0000000003", "_c_c-lock-0000000004", "_c_b-lock-0000000009", "_c_a-lock-0000000010"}));
}

/// What another program has made in a folder whose counter is used up.
void TestZooKeeperNames::whatHasNoPlaceInTheOrderIsAhead()
{
    const QByteArray mine = "_c_a-lock-2147483646";
    const QByteArray negative = "_c_b-lock--2147483648";
    QCOMPARE(before({mine, negative}, mine), std::optional(negative));
    QCOMPARE(before({negative, "lock-2147483645", mine}, mine), std::optional<QByteArray>("lock-2147483645"));
    QCOMPARE(queueOf({mine, negative}), QByteArrayList({negative, mine}));
    const QByteArray twin = "_c_c-lock-2147483646";
    QCOMPARE(before({mine, twin}, mine), std::optional(twin));
    QCOMPARE(before({twin, mine}, twin), std::optional(mine));
}

void TestZooKeeperNames::onlyNumbersThatGrowMakeAnOrder_data()
{
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<bool>("isOrdered");

    QTest::newRow("first") << newNodePrefix() + "0000000000" << true;
    QTest::newRow("last but one") << newNodePrefix() + "2147483646" << true;
    QTest::newRow("last, again and again") << newNodePrefix() + "2147483647" << false;
    QTest::newRow("overflown") << newNodePrefix() + "-2147483648" << false;
    QTest::newRow("overflown for long") << newNodePrefix() + "-000000001" << false;
    QTest::newRow("none") << newNodePrefix() << false;
}

void TestZooKeeperNames::onlyNumbersThatGrowMakeAnOrder()
{
    QFETCH(QByteArray, node);
    QTEST(hasOrder(node), "isOrdered");
}

void TestZooKeeperNames::aNoteIsReadAsItWasWritten_data()
{
    QTest::addColumn<QByteArray>("note");

    QTest::newRow("none") << QByteArray();
    QTest::newRow("text") << QByteArray("month end");
    QTest::newRow("UTF-8") << QByteArray("für \"uns\"\n");
    QTest::newRow("bytes") << QByteArray("\xff\xfe\x00x", 4);
}

void TestZooKeeperNames::aNoteIsReadAsItWasWritten()
{
    QFETCH(QByteArray, note);
    Owner owner;
    owner.service = u"billing"_s;
    owner.host = u"a7"_s;
    owner.pid = 812;
    owner.session = QByteArray(32, 'a');
    const ZooKeeperNote read = noteOf(noteData(owner.toJson(), note));
    QVERIFY(read.isOurs);
    QCOMPARE(read.owner, owner);
    QCOMPARE(read.note, note);
    QVERIFY(read.asks.reasons.isEmpty());
}

void TestZooKeeperNames::aQuestionKeepsTheRest()
{
    Owner owner;
    owner.service = u"billing"_s;
    const QByteArray asked = askedData(noteData(owner.toJson(), "n"), u"let go"_s);
    const ZooKeeperNote read = noteOf(askedData(asked, u"now"_s));
    QCOMPARE(read.owner, owner);
    QCOMPARE(read.note, QByteArray("n"));
    QCOMPARE(read.asks.reasons, QStringList({u"let go"_s, u"now"_s}));
    QCOMPARE(read.asks.after(1), QStringList(u"now"_s));
}

void TestZooKeeperNames::manyQuestionsLeaveANoteThatIsRead()
{
    QByteArray data = noteData(Owner().toJson(), "n");
    constexpr int count = 50;
    for (int i = 0; i < count; ++i)
        data = askedData(data, QString(MaxReasonCharacters - 1, QChar(0x4e00)) + QChar(u'0' + i));
    const ZooKeeperNote read = noteOf(data);
    QVERIFY(read.isOurs);
    QCOMPARE(read.asks.count, count);
    QVERIFY(read.asks.reasons.last().endsWith(QChar(u'0' + count - 1)));
    QCOMPARE(read.asks.after(count), QStringList());
    QCOMPARE(read.asks.after(0), read.asks.reasons);
}

void TestZooKeeperNames::anyDataIsRead_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<QString>("host");

    QTest::newRow("none") << QByteArray() << QString();
    QTest::newRow("Curator's") << QByteArray("10.0.0.7") << u"10.0.0.7"_s;
    QTest::newRow("binary") << QByteArray("\x00\xff\x01", 3) << QString();
    QTest::newRow("escapes of a terminal") << QByteArray("\x1b[2J") << QString();
    QTest::newRow("long") << QByteArray(100, 'x') << QString();
    QTest::newRow("huge") << QByteArray(1'000'000, '[') << QString();
    QTest::newRow("huge and ours") << "{\"owner\":{\"host\":\"" + QByteArray(1'000'000, 'x') + "\"}}" << QString();
    QTest::newRow("deep") << QByteArray(5000, '[') << QString();
    QTest::newRow("an owner that is none") << QByteArray(R"({"owner":7})") << u"{\"owner\":7}"_s;
    QTest::newRow("an owner of other types") << QByteArray(R"({"owner":{"host":7,"pid":"x"}})") << QString();
}

void TestZooKeeperNames::anyDataIsRead()
{
    QFETCH(QByteArray, data);
    QTEST(noteOf(data).owner.host, "host");
}

QTEST_GUILESS_MAIN(TestZooKeeperNames)
#include "tst_zookeepernames.moc"
