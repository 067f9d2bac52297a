// SPDX-License-Identifier: MIT
// Locks that other programs keep in a real etcd: read, and ended where they are still what was shown.
#include "actions/keyrelease.h"
#include "etcdbench.h"
#include "keylocks/conventionlibrary.h"
#include "sources/etcdsource.h"
#include "strict.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray kUuid = "b3c4f0d0-cb4d-11f0-a4a9-acde48001122";

} // namespace

class EtcdKeysTest : public EtcdTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aLockOfAProgramIsReadAndReleased_data();
    void aLockOfAProgramIsReadAndReleased();
    void whatChangedAtTheLastMomentIsLeftAlone();
    void aLeaderIsEndedOnlyWhenThatIsMeant();
    void whatIsNoLockIsLeftAlone_data();
    void whatIsNoLockIsLeftAlone();
    void aConventionOfManyKeysFindsThemAll();
    void whatLiesOutsideOfTheAddressIsNotAskedFor();

private:
    EtcdConfig config()
    {
        EtcdConfig whole = m_bench.config();
        whole.server.path.clear();
        return whole;
    }
    static void use(EtcdSource &source)
    {
        source.useConventions(conventionsFor(builtInConventions(), KeyStore::Etcd, source.server(), false));
    }
    KeyLocks readAll();
};

void EtcdKeysTest::init()
{
    EtcdTest::init();
    failOnWarnings();
    for (const QByteArray &prefix : {QByteArray("/locks/"), QByteArray("/service/"), QByteArray("/registry/")}) {
        for (const detail::EtcdKey &key : m_bench.eye().keys(prefix))
            m_bench.eye().remove(key.key);
    }
}

KeyLocks EtcdKeysTest::readAll()
{
    EtcdSource source(config());
    use(source);
    KeyLocks found;
    const auto error = source.keyLocks({1'000}, {}, &found);
    if (error)
        qFatal("%s", qPrintable(error->toString()));
    return found;
}

void EtcdKeysTest::aLockOfAProgramIsReadAndReleased_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("convention");
    QTest::addColumn<QString>("holder");
    QTest::newRow("etcd3gw") << QByteArray("/locks/orders") << kUuid << u"python-etcd"_s << QString::fromLatin1(kUuid);
    QTest::newRow("python-etcd3, which keeps bytes")
        << QByteArray("/locks/orders") << QByteArray::fromHex(QByteArray(kUuid).replace('-', "")) << u"python-etcd"_s
        << QString::fromLatin1(kUuid);
    QTest::newRow("the leader of Patroni")
        << QByteArray("/service/main/leader") << QByteArray("pg-1") << u"patroni-etcd"_s << u"pg-1"_s;
}

void EtcdKeysTest::aLockOfAProgramIsReadAndReleased()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(QString, convention);
    QFETCH(QString, holder);
    m_bench.eye().put(name, value, m_bench.eye().grant(std::chrono::seconds(60)));
    const KeyLocks found = readAll();
    QCOMPARE(found.rows.size(), 1);
    const LockRow row = found.rows.first();
    QCOMPARE(row.key, (LockKey{LockKind::EtcdKey, name}));
    QVERIFY(row.keyLock && row.expiresAt);
    QCOMPARE(row.keyLock->convention.id, convention);
    QCOMPARE(row.keyLock->convention.release.isOfLeader, convention == u"patroni-etcd"_s);
    const KeyHolder first = row.keyLock->holders.first();
    QCOMPARE(first.text, holder);
    QCOMPARE(first.guard(), QByteArray::number(m_bench.eye().keys(name).first().created));
    EtcdSource source(config());
    use(source);
    QCOMPARE(source.keyStatement(*row.keyLock, first),
             "txn if create(\"" + name + "\") = \"" + first.guard() + "\" then del \"" + name + '"');
    QCOMPARE(source.endKey(*row.keyLock, first).outcome, ForcedRelease::Outcome::Released);
    QVERIFY(m_bench.eye().keys(name).isEmpty());
}

void EtcdKeysTest::whatChangedAtTheLastMomentIsLeftAlone()
{
    const qint64 lease = m_bench.eye().grant(std::chrono::seconds(60));
    m_bench.eye().put("/locks/orders", kUuid, lease);
    const LockRow shown = readAll().rows.first();
    m_bench.eye().remove("/locks/orders");
    EtcdSource source(config());
    use(source);
    const KeyHolder holder = shown.keyLock->holders.first();
    QCOMPARE(source.endKey(*shown.keyLock, holder).outcome, ForcedRelease::Outcome::TargetChanged);
    m_bench.eye().put("/locks/orders", kUuid, lease);
    QCOMPARE(source.endKey(*shown.keyLock, holder).outcome, ForcedRelease::Outcome::TargetChanged);
    QCOMPARE(m_bench.eye().keys("/locks/orders").size(), 1);
}

void EtcdKeysTest::aLeaderIsEndedOnlyWhenThatIsMeant()
{
    m_bench.eye().put("/service/main/leader", "pg-1", m_bench.eye().grant(std::chrono::seconds(60)));
    const LockRow shown = readAll().rows.first();
    EtcdSource source(config());
    use(source);
    const QTemporaryDir folder;
    AuditFile audit(folder.filePath(u"audit.jsonl"_s));
    KeyReleaseOrder order{shown.key, shown.keyLock->holders.first().guard(), u"ada"_s, u"it hangs"_s, false};
    KeyReleasePreview seen;
    QVERIFY(!previewKeyRelease(source, order, &seen));
    QVERIFY(seen.statement.isEmpty() && seen.refusal.contains(u"leader"_s));
    const KeyReleaseReport refused = releaseKey(source, order, ServerAccess::toAct(), &audit);
    QVERIFY(refused.isRefused && refused.outcome == ForcedRelease::Outcome::Failed);
    QCOMPARE(m_bench.eye().keys("/service/main/leader").size(), 1);
    order.isForLeader = true;
    QCOMPARE(releaseKey(source, order, ServerAccess::toAct(), &audit).outcome, ForcedRelease::Outcome::Released);
    QVERIFY(m_bench.eye().keys("/service/main/leader").isEmpty());
}

void EtcdKeysTest::whatIsNoLockIsLeftAlone_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("hasLease");
    QTest::newRow("a key that has no lease") << QByteArray("/locks/orders") << kUuid << false;
    QTest::newRow("another value") << QByteArray("/locks/orders") << QByteArray("busy") << true;
    QTest::newRow("a lease of Kubernetes")
        << QByteArray("/registry/leases/kube-system/kube-scheduler") << kUuid << true;
    QTest::newRow("another name") << QByteArray("/registry/locks/orders") << kUuid << true;
}

void EtcdKeysTest::whatIsNoLockIsLeftAlone()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(bool, hasLease);
    m_bench.eye().put(name, value, hasLease ? m_bench.eye().grant(std::chrono::seconds(60)) : 0);
    QCOMPARE(readAll().rows.size(), 0);
    EtcdSource source(config());
    use(source);
    std::optional<LockRow> row;
    SnapshotClock clock;
    QVERIFY(!source.one({LockKind::EtcdKey, name}, &row, &clock));
    QVERIFY(!row);
}

/// More than one transaction reads, on both sides of what is Kubernetes' own.
void EtcdKeysTest::aConventionOfManyKeysFindsThemAll()
{
    constexpr int locks = 110;
    const qint64 lease = m_bench.eye().grant(std::chrono::seconds(60));
    for (int i = 0; i < locks; ++i)
        m_bench.eye().put("/locks/" + QByteArray::number(i) + "/mine", kUuid, lease);
    m_bench.eye().put("/service/mine", kUuid, lease);
    m_bench.eye().put("/registry/mine", kUuid, lease);
    const auto own = readConvention("format = 1\ntitle = \"Mine\"\n[key]\nnames = [\"/*/mine\"]\ntype = \"key\"\n"
                                    "value = '.*'\n[release]\nby = \"removal\"\n",
                                    u"mine"_s);
    EtcdSource source(config());
    source.useConventions({std::get<KeyConvention>(own)});
    KeyLocks found;
    QVERIFY(!source.keyLocks({1'000}, {}, &found));
    QCOMPARE(found.rows.size(), locks + 1);
}

/// Of an account that may read no more than the locks: the names of Patroni's leaders are refused.
void EtcdKeysTest::whatLiesOutsideOfTheAddressIsNotAskedFor()
{
    EtcdEye &eye = m_bench.eye();
    const QString secret = u"secret"_s;
    for (const QString &name : {u"root"_s, u"locks"_s}) {
        eye.call("auth/user/add", {{u"name"_s, name}, {u"password"_s, secret}});
        eye.call("auth/role/add", {{u"name"_s, name}});
        eye.call("auth/user/grant", {{u"user"_s, name}, {u"role"_s, name}});
    }
    const auto base64 = [](const QByteArray &key) { return QString::fromLatin1(key.toBase64()); };
    const QJsonObject locks{{u"permType"_s, u"READ"_s},
                            {u"key"_s, base64("/locks/")},
                            {u"range_end"_s, base64(detail::endOfPrefix("/locks/"))}};
    eye.call("auth/role/grant", {{u"name"_s, u"locks"_s}, {u"perm"_s, locks}});
    eye.put("/locks/orders", kUuid, eye.grant(std::chrono::seconds(60)));
    eye.call("auth/enable", {});
    const auto look = [&](const QString &path) {
        EtcdConfig as = config();
        as.server.user = u"locks"_s;
        as.server.path = path;
        as.password = secret;
        EtcdSource source(as);
        use(source);
        KeyLocks found;
        source.keyLocks({1'000}, {}, &found);
        return found;
    };
    const KeyLocks everywhere = look({});
    const KeyLocks below = look(u"/locks"_s);
    EtcdUrl root = m_bench.node().url();
    root.user = u"root"_s;
    EtcdEye(root, secret).call("auth/disable", {});
    QCOMPARE(everywhere.rows.size(), 1);
    QCOMPARE(everywhere.unreadable, 1);
    QCOMPARE(below.rows.size(), 1);
    QCOMPARE(below.unreadable, 0);
}

QTEST_GUILESS_MAIN(EtcdKeysTest)
#include "tst_etcdkeys.moc"
