// SPDX-License-Identifier: MIT
// kazoo takes its lock on ZooKeeper, Lockscope sees it and releases it, and the program goes on unharmed.
#include "keyclient.h"
#include "keylocks/conventionlibrary.h"
#include "sources/zookeepersource.h"
#include "strict.h"
#include "zookeeperfixture.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class ZooKeeperClientsTest : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void kazooGoesOnAfterItsLockWasReleased();
};

void ZooKeeperClientsTest::kazooGoesOnAfterItsLockWasReleased()
{
    failOnWarnings();
    ZooKeeperConfig whole = config();
    whole.server.chroot.clear();
    const ZooKeeperUrl::Host host = whole.server.hosts.first();
    KeyClient client(u"kazoolock.py"_s, u"CLIENT_HOST"_s, u"%1:%2"_s.arg(host.name).arg(host.port));
    QCOMPARE(client.line(), QByteArray("held"));
    ZooKeeperSource source(whole);
    source.useConventions(conventionsFor(builtInConventions(), KeyStore::ZooKeeper, source.server(), false));
    KeyLocks found;
    QVERIFY(!source.keyLocks({100}, {}, &found));
    QCOMPARE(found.rows.size(), 1);
    const LockRow lock = found.rows.first();
    QCOMPARE(lock.key.resource, QByteArray("/app/orders"));
    QCOMPARE(lock.keyLock->convention.id, u"kazoo"_s);
    QCOMPARE(lock.owner.service, u"host-a7"_s);
    QCOMPARE(source.endKey(*lock.keyLock, lock.keyLock->holders.first()).outcome, ForcedRelease::Outcome::Released);
    client.goOn();
    for (const char *line : {"another takes it: yes", "the holder is told: no", "the other has it: yes", "done"})
        QCOMPARE(client.line(), QByteArray(line));
}

QTEST_GUILESS_MAIN(ZooKeeperClientsTest)
#include "tst_zookeeperclients.moc"
