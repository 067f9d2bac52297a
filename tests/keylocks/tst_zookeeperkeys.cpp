// SPDX-License-Identifier: MIT
// Locks that other programs keep in a real ZooKeeper: read, and ended where they are still what was shown.
#include "keylocks/conventionlibrary.h"
#include "sources/zookeeperkeys.h"
#include "sources/zookeepersource.h"
#include "strict.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

using Node = detail::ZooKeeperFlight::Node;
const QByteArray kUuid = "0f8fad5b-d9cb-469f-a165-70867728950e";

} // namespace

class ZooKeeperKeysTest : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_holder.reset(); }
    void aLockOfAProgramIsReadAndReleased_data();
    void aLockOfAProgramIsReadAndReleased();
    void whoWaitsIsToldInOrder();
    void readersHoldTogether();
    void whatChangedAtTheLastMomentIsLeftAlone();
    void whatDoesNotGoWithASessionIsNoLock();
    void leasesAreNotListedTwice();
    void aWalkThatWasCutSaysSo();
    void aUserWithoutAPasswordIsRefused();

private:
    QByteArray path(const QByteArray &name) const { return m_url.chroot.toUtf8() + name; }
    /// Nodes that go with the holder's session, or are numbered too; what they are called.
    QByteArray make(const QByteArray &name, const QByteArray &data, Node kind = Node::EphemeralSequential);
    void use(ZooKeeperSource &source) const;
    KeyLocks readAll();

    std::shared_ptr<detail::ZooKeeperSession> m_holder;
};

void ZooKeeperKeysTest::init()
{
    ZooKeeperTest::init();
    failOnWarnings();
    ZooKeeperConfig plain = config();
    plain.server.chroot.clear();
    LockError error;
    m_holder = detail::ZooKeeperSession::open(plain, {[] {}, [](const QByteArray &, bool) {}}, &error);
    QVERIFY(m_holder && m_holder->waitConnected(std::chrono::seconds(30)));
}

QByteArray ZooKeeperKeysTest::make(const QByteArray &name, const QByteArray &data, Node kind)
{
    const QByteArray whole = path(name);
    m_eye->make(whole.left(whole.lastIndexOf('/')));
    detail::ZooKeeperFlight flight(*m_holder);
    flight.create(whole, data, kind);
    flight.wait();
    if (flight[0].code != 0)
        qFatal("%s: %d", whole.constData(), flight[0].code);
    return flight[0].text;
}

void ZooKeeperKeysTest::use(ZooKeeperSource &source) const
{
    source.useConventions(conventionsFor(builtInConventions(), KeyStore::ZooKeeper, source.server(), false));
}

KeyLocks ZooKeeperKeysTest::readAll()
{
    ZooKeeperSource source(config());
    use(source);
    KeyLocks found;
    const auto error = source.keyLocks({1'000}, {}, &found);
    if (error)
        qFatal("%s", qPrintable(error->toString()));
    return found;
}

void ZooKeeperKeysTest::aLockOfAProgramIsReadAndReleased_data()
{
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<bool>("isNumbered");
    QTest::addColumn<QString>("convention");
    QTest::addColumn<QString>("holder");
    QTest::newRow("Curator's mutex further down")
        << QByteArray("/app/orders/_c_" + kUuid + "-lock-") << QByteArray("10.0.0.7") << true << u"curator-lock"_s
        << u"10.0.0.7"_s;
    QTest::newRow("Curator's mutex at a name that an engine writes in another way")
        << QByteArray("/\xe8\xae\xa2\xe5\x8d\x95 100%/_c_" + kUuid + "-lock-") << QByteArray("10.0.0.7") << true
        << u"curator-lock"_s << u"10.0.0.7"_s;
    QTest::newRow("an engine's, seen from above its path")
        << QByteArray("/app/orders/_c_" + kUuid + "-lock-")
        << QByteArray(R"({"owner":{"service":"billing","host":"a7","pid":12,"thread":"main"}})") << true
        << u"curator-lock"_s << u"billing@a7:12/main"_s;
    QTest::newRow("Curator's semaphore") << QByteArray("/pool/leases/_c_" + kUuid + "-lease-") << QByteArray("10.0.0.7")
                                         << true << u"curator-semaphore"_s << u"10.0.0.7"_s;
    QTest::newRow("Curator's latch") << QByteArray("/leader/_c_" + kUuid + "-latch-") << QByteArray("app-1") << true
                                     << u"curator-latch"_s << u"app-1"_s;
    QTest::newRow("kazoo") << QByteArray("/orders/0123456789abcdef0123456789abcdef__lock__") << QByteArray("host-a7")
                           << true << u"kazoo"_s << u"host-a7"_s;
    QTest::newRow("the controller of Kafka")
        << QByteArray("/controller") << QByteArray(R"({"version":1,"brokerid":3,"timestamp":"1764212345123"})") << false
        << u"kafka-controller"_s << u"3"_s;
    QTest::newRow("the active node of Hadoop")
        << QByteArray("/hadoop-ha/main/ActiveStandbyElectorLock") << QByteArray("\x0a\x04main\x12\x03nn1") << false
        << u"hadoop-elector"_s << QString();
}

void ZooKeeperKeysTest::aLockOfAProgramIsReadAndReleased()
{
    QFETCH(QByteArray, node);
    QFETCH(QByteArray, data);
    QFETCH(bool, isNumbered);
    QFETCH(QString, convention);
    QFETCH(QString, holder);
    const QByteArray made = make(node, data, isNumbered ? Node::EphemeralSequential : Node::Ephemeral);
    const KeyLocks found = readAll();
    QCOMPARE(found.rows.size(), 1);
    const LockRow row = found.rows.first();
    QCOMPARE(row.key.kind, LockKind::ZooKeeperNode);
    QCOMPARE(row.key.resource, isNumbered ? made.left(made.lastIndexOf('/')) : made);
    QVERIFY(row.keyLock);
    QCOMPARE(row.keyLock->convention.id, convention);
    const KeyHolder first = row.keyLock->holders.first();
    QCOMPARE(first.text, holder);
    QCOMPARE(first.guard(), QByteArray::number(m_eye->node(made).token));
    QVERIFY(first.since);
    ZooKeeperSource source(config());
    use(source);
    QCOMPARE(source.endKey(*row.keyLock, first).outcome, ForcedRelease::Outcome::Released);
    QVERIFY(m_eye->node(made).code != 0);
    QCOMPARE(readAll().rows.size(), 0);
}

void ZooKeeperKeysTest::whoWaitsIsToldInOrder()
{
    for (const char *who : {"a", "b", "c"})
        make("/orders/0123456789abcdef0123456789abcde" + QByteArray(who) + "__lock__", who);
    const KeyLocks found = readAll();
    QCOMPARE(found.rows.size(), 1);
    QCOMPARE(found.rows.first().waiters, 2);
    QCOMPARE(found.rows.first().owner.service, u"a"_s);
    ZooKeeperSource source(config());
    use(source);
    QList<Waiter> queue;
    QVERIFY(!source.waiters(found.rows.first().key, &queue));
    QCOMPARE(queue.size(), 2);
    QCOMPARE(queue[0].owner.service, u"b"_s);
    QCOMPARE(queue[1].position, 2);
    QVERIFY(queue[1].since);
}

void ZooKeeperKeysTest::readersHoldTogether()
{
    for (const char *kind : {"__READ__", "__READ__", "__WRIT__", "__READ__"})
        make("/app/rw/_c_" + kUuid + '-' + kind, "10.0.0.7");
    const KeyLocks found = readAll();
    QCOMPARE(found.rows.size(), 1);
    QCOMPARE(found.rows.first().keyLock->convention.id, u"curator-readwrite"_s);
    QCOMPARE(found.rows.first().keyLock->holders.size(), 2);
    QCOMPARE(found.rows.first().waiters, 2);
}

void ZooKeeperKeysTest::whatChangedAtTheLastMomentIsLeftAlone()
{
    const QByteArray data = R"({"version":1,"brokerid":3,"timestamp":"1764212345123"})";
    const QByteArray made = make("/controller", data, Node::Ephemeral);
    const LockRow shown = readAll().rows.first();
    m_eye->remove(made);
    ZooKeeperSource source(config());
    use(source);
    QCOMPARE(source.endKey(*shown.keyLock, shown.keyLock->holders.first()).outcome,
             ForcedRelease::Outcome::TargetChanged);
    make("/controller", data, Node::Ephemeral);
    QCOMPARE(source.endKey(*shown.keyLock, shown.keyLock->holders.first()).outcome,
             ForcedRelease::Outcome::TargetChanged);
    QCOMPARE(m_eye->node(made).code, 0);
}

void ZooKeeperKeysTest::whatDoesNotGoWithASessionIsNoLock()
{
    m_eye->make(path("/controller"), R"({"version":1,"brokerid":3,"timestamp":"1764212345123"})");
    m_eye->make(path("/orders/0123456789abcdef0123456789abcdef__lock__0000000001"), "host-a7");
    QCOMPARE(readAll().rows.size(), 0);
}

/// What lies right below the path of the address is the engine's, too.
void ZooKeeperKeysTest::leasesAreNotListedTwice()
{
    make("/orders/_c_" + kUuid + "-lock-", "10.0.0.7");
    QCOMPARE(readAll().rows.size(), 0);
    ZooKeeperSource source(config());
    QList<LockRow> rows;
    QVERIFY(!source.leases({}, [&rows](const QList<LockRow> &part, const SnapshotClock &) { rows += part; }));
    QCOMPARE(rows.size(), 1);
}

/// Also where nothing more is found afterwards.
void ZooKeeperKeysTest::aWalkThatWasCutSaysSo()
{
    constexpr qsizetype most = 3; // the root and two more
    ZooKeeperKeys keys({}, most);
    const auto walk = [&] { return keys.walk(*m_holder, path({}), {}, [](const QList<KeyLock> &) {}); };
    for (const char *name : {"/a", "/b"})
        m_eye->make(path(name));
    QVERIFY(!walk() && !keys.isCut());
    m_eye->make(path("/c"));
    QVERIFY(!walk() && keys.isCut());
    m_eye->remove(path("/c"));
    QVERIFY(!walk() && !keys.isCut());
}

/// So that whoever looks is asked for it.
void ZooKeeperKeysTest::aUserWithoutAPasswordIsRefused()
{
    ZooKeeperConfig as = config();
    as.server.user = u"locks"_s;
    const auto refused = ZooKeeperSource(as).open();
    QVERIFY(refused);
    QCOMPARE(refused->kind, LockError::Kind::AccessDenied);
    as.password = u"secret"_s;
    QVERIFY(!ZooKeeperSource(as).open());
}

QTEST_GUILESS_MAIN(ZooKeeperKeysTest)
#include "tst_zookeeperkeys.moc"
