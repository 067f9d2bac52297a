// SPDX-License-Identifier: MIT
// Locks that other programs keep in a real ZooKeeper: read, and ended where they are still what was shown.
#include "actions/keyrelease.h"
#include "keylocks/conventionlibrary.h"
#include "sources/zookeeperkeys.h"
#include "sources/zookeepersource.h"
#include "strict.h"
#include "zookeeperfixture.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

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
    void cleanup();
    void aLockOfAProgramIsReadAndReleased_data();
    void aLockOfAProgramIsReadAndReleased();
    void whoWaitsIsToldInOrder();
    void aPlaceOfSolrIsReadAndNotReleased();
    void readersHoldTogether();
    void whatChangedAtTheLastMomentIsLeftAlone();
    void aReleaseTellsWhereTheNextHolderMayNotBeRead();
    void whoseHolderMayNotBeReadIsNotShownAsAnothers_data();
    void whoseHolderMayNotBeReadIsNotShownAsAnothers();
    void aFolderThatMayNotBeReadIsNotTakenForFree();
    void whatMayNotBeReadAnyMoreIsLeftAlone();
    void whatDoesNotGoWithASessionIsNoLock();
    void leasesAreNotListedTwice();
    void aWalkThatWasCutSaysSo();
    void aUserWithoutAPasswordIsRefused();

private:
    QByteArray path(const QByteArray &name) const { return m_url.chroot.toUtf8() + name; }
    std::shared_ptr<detail::ZooKeeperSession> openSession(const QString &user = {}) const;
    /// Nodes that go with a session, the holder's, or are numbered too; what they are called.
    QByteArray make(const QByteArray &name, const QByteArray &data, Node kind = Node::EphemeralSequential)
    {
        return makeBy(*m_holder, name, data, kind);
    }
    QByteArray makeBy(detail::ZooKeeperSession &session, const QByteArray &name, const QByteArray &data, Node kind);
    void use(ZooKeeperSource &source) const;
    KeyLocks readAll();

    std::shared_ptr<detail::ZooKeeperSession> m_holder;
    std::shared_ptr<detail::ZooKeeperSession> m_secret; ///< whose nodes nobody else may read
};

void ZooKeeperKeysTest::init()
{
    ZooKeeperTest::init();
    failOnWarnings();
    m_holder = openSession();
    m_secret = openSession(u"secret"_s);
}

void ZooKeeperKeysTest::cleanup()
{
    m_holder.reset();
    m_secret.reset();
}

std::shared_ptr<detail::ZooKeeperSession> ZooKeeperKeysTest::openSession(const QString &user) const
{
    ZooKeeperConfig as = config();
    as.server.chroot.clear();
    as.server.user = user;
    as.password = user.isEmpty() ? QString() : u"password"_s;
    LockError error;
    auto session = detail::ZooKeeperSession::open(as, {[] {}, [](const QByteArray &, bool) {}}, &error);
    if (!session || !session->waitConnected(std::chrono::seconds(30)))
        qFatal("%s", qPrintable(error.toString()));
    return session;
}

QByteArray ZooKeeperKeysTest::makeBy(detail::ZooKeeperSession &session, const QByteArray &name, const QByteArray &data,
                                     Node kind)
{
    const QByteArray whole = path(name);
    m_eye->make(whole.left(whole.lastIndexOf('/')));
    detail::ZooKeeperFlight flight(session);
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
    const QByteArray statement = source.keyStatement(*row.keyLock, first);
    QVERIFY2(statement.contains("cZxid = 0x" + QByteArray::number(first.part.token, 16)
                                + ", and V is dataVersion\ndelete -v V \"/"),
             statement);
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

/// The second number is there twice: one has joined behind the first.
void ZooKeeperKeysTest::aPlaceOfSolrIsReadAndNotReleased()
{
    const QByteArray election = "/solr/collections/orders/leader_elect/shard1/election/";
    const auto leader = make(election + "72057594040811521-core_node3-n_", {});
    make(election + "-8502796096475496448-core_node5-n_", {});
    make(election + "72057594040811523-core_node7-n_0000000001", {}, Node::Ephemeral);
    make("/solr/overseer_elect/election/72057594040811521-10.0.0.7:8983_solr-n_", {});
    make("/app/election/72057594040811521-other-n_", {});
    KeyLocks found = readAll();
    std::sort(found.rows.begin(), found.rows.end(),
              [](const LockRow &a, const LockRow &b) { return a.key.resource < b.key.resource; });
    QCOMPARE(found.rows.size(), 2);
    QCOMPARE(found.rows[0].owner.service, u"core_node3"_s);
    QCOMPARE(found.rows[0].keyLock->convention.id, u"solr-election"_s);
    QCOMPARE(found.rows[1].owner.service, u"10.0.0.7:8983_solr"_s);
    ZooKeeperSource source(config());
    use(source);
    QList<Waiter> queue;
    QVERIFY(!source.waiters(found.rows[0].key, &queue));
    QCOMPARE(queue.size(), 2);
    QCOMPARE(queue[0].owner.service, u"core_node5"_s);
    QCOMPARE(queue[1].owner.service, u"core_node7"_s);

    const QTemporaryDir folder;
    AuditFile audit(folder.filePath(u"audit.jsonl"_s));
    const KeyReleaseOrder order{found.rows[0].key, found.rows[0].keyLock->holders.first().guard(), u"ada"_s,
                                u"it hangs"_s, true};
    const ForcedRelease refused = releaseKey(source, order, ServerAccess::toAct(), &audit);
    QVERIFY(refused.error);
    QVERIFY2(refused.error->message.contains(u"REBALANCELEADERS"_s), qPrintable(refused.error->message));
    QCOMPARE(m_eye->node(leader).code, 0);
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

void ZooKeeperKeysTest::aReleaseTellsWhereTheNextHolderMayNotBeRead()
{
    const QByteArray name = "/app/orders/_c_" + kUuid + "-lock-";
    const QByteArray holder = makeBy(*m_holder, name, "10.0.0.7", Node::EphemeralSequential);
    makeBy(*m_secret, name, "10.0.0.8", Node::EphemeralSequential);
    ZooKeeperSource source(config());
    use(source);
    const QTemporaryDir records;
    AuditFile audit(records.filePath(u"audit.jsonl"_s));
    const KeyReleaseOrder order{{LockKind::ZooKeeperNode, holder.left(holder.lastIndexOf('/'))},
                                QByteArray::number(m_eye->node(holder).token),
                                u"ada"_s,
                                u"it hangs"_s,
                                false};
    const auto report = releaseKey(source, order, ServerAccess::toAct(), &audit);
    QCOMPARE(report.outcome, ForcedRelease::Outcome::Released);
    QVERIFY(!report.isNowKnown);
    QVERIFY(!report.lockNow);
}

void ZooKeeperKeysTest::whoseHolderMayNotBeReadIsNotShownAsAnothers_data()
{
    QTest::addColumn<QByteArrayList>("nodes"); // in their order; those that nobody else may read begin with a !
    QTest::addColumn<qint64>("unreadable");
    QTest::addColumn<int>("holders"); // 0: it is no lock of which anything is told
    QTest::addColumn<int>("waiters"); // -1: nobody knows
    const QByteArray lock = "/app/orders/_c_" + kUuid + "-lock-";
    const QByteArray lease = "/pool/leases/_c_" + kUuid + "-lease-";
    const QByteArray read = "/app/rw/_c_" + kUuid + "-__READ__";
    const QByteArray write = "/app/rw/_c_" + kUuid + "-__WRIT__";
    QTest::newRow("the holder") << QByteArrayList{'!' + lock, lock, '!' + lock} << qint64(1) << 0 << -1;
    QTest::newRow("all") << QByteArrayList{'!' + lock, '!' + lock} << qint64(2) << 0 << -1;
    QTest::newRow("who waits") << QByteArrayList{lock, '!' + lock, lock} << qint64(0) << 1 << 2;
    QTest::newRow("one of several that hold it") << QByteArrayList{lease, '!' + lease} << qint64(1) << 1 << -1;
    QTest::newRow("all that hold it") << QByteArrayList{'!' + lease} << qint64(1) << 0 << -1;
    QTest::newRow("a writer between readers") << QByteArrayList{read, '!' + write, read} << qint64(0) << 1 << 2;
    QTest::newRow("a reader between readers") << QByteArrayList{read, '!' + read, read} << qint64(0) << 2 << 1;
    QTest::newRow("who leads") << QByteArrayList{"!/hbase/master"} << qint64(1) << 0 << -1;
}

void ZooKeeperKeysTest::whoseHolderMayNotBeReadIsNotShownAsAnothers()
{
    QFETCH(const QByteArrayList, nodes);
    QFETCH(qint64, unreadable);
    QFETCH(int, holders);
    QFETCH(int, waiters);
    const bool isNumbered = nodes.first().endsWith('-') || nodes.first().endsWith("__");
    QByteArrayList made;
    for (const QByteArray &node : nodes) {
        const bool isSecret = node.startsWith('!');
        made += makeBy(isSecret ? *m_secret : *m_holder, isSecret ? node.mid(1) : node, "10.0.0.7",
                       isNumbered ? Node::EphemeralSequential : Node::Ephemeral);
    }
    const QByteArray folder = made.first().left(made.first().lastIndexOf('/'));
    const KeyLocks found = readAll();
    QCOMPARE(found.unreadable, unreadable);
    QCOMPARE(found.rows.size(), holders > 0 ? 1 : 0);
    if (holders > 0) {
        QCOMPARE(found.rows.first().keyLock->holders.size(), holders);
        QCOMPARE(found.rows.first().waiters.value_or(-1), waiters);
        return;
    }
    ZooKeeperSource source(config());
    use(source);
    const QTemporaryDir records;
    AuditFile audit(records.filePath(u"audit.jsonl"_s));
    for (const QByteArray &node : std::as_const(made)) {
        const QByteArray guard = QByteArray::number(m_eye->node(node).token);
        const KeyReleaseOrder order{
            {LockKind::ZooKeeperNode, isNumbered ? folder : made.first()}, guard, u"ada"_s, u"it hangs"_s, true};
        const auto report = releaseKey(source, order, ServerAccess::toAct(), &audit);
        QCOMPARE(report.outcome, ForcedRelease::Outcome::Failed);
        QCOMPARE(report.error->kind, LockError::Kind::NoPermission);
    }
    QCOMPARE(m_eye->children(folder).size(), made.size());
}

void ZooKeeperKeysTest::aFolderThatMayNotBeReadIsNotTakenForFree()
{
    const QByteArray folder = makeBy(*m_secret, "/app/orders", {}, Node::Persistent);
    QCOMPARE(readAll().unreadable, 1);
    ZooKeeperSource source(config());
    use(source);
    std::optional<LockRow> row;
    SnapshotClock clock;
    const auto error = source.one({LockKind::ZooKeeperNode, folder}, &row, &clock);
    QVERIFY(error && !row);
    QCOMPARE(error->kind, LockError::Kind::NoPermission);
}

/// Its name has another one by now.
void ZooKeeperKeysTest::whatMayNotBeReadAnyMoreIsLeftAlone()
{
    const QByteArray made = make("/hbase/master", "bytes", Node::Ephemeral);
    const LockRow shown = readAll().rows.first();
    m_eye->remove(made);
    makeBy(*m_secret, "/hbase/master", "bytes", Node::Ephemeral);
    ZooKeeperSource source(config());
    use(source);
    const ForcedRelease ended = source.endKey(*shown.keyLock, shown.keyLock->holders.first());
    QCOMPARE(ended.outcome, ForcedRelease::Outcome::Failed);
    QCOMPARE(ended.error->kind, LockError::Kind::NoPermission);
    QCOMPARE(m_eye->children(path("/hbase")), QByteArrayList{"master"});
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
