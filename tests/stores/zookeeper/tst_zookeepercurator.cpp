// SPDX-License-Identifier: MIT
// Apache Curator's InterProcessMutex itself, beside our engine: they exclude each other, in one queue.
#include "curatorjars.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

QString classPath()
{
    const QStringList jars = curatorJars();
    for (const QString &jar : jars) {
        if (!QFile::exists(jar))
            qFatal("%s is not installed: sudo apt-get install bsh libcurator-client-java libcurator-framework-java "
                   "libcurator-recipes-java libguava-java",
                   qPrintable(jar));
    }
    return jars.join(u':');
}

} // namespace

class TestZooKeeperCurator : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void curatorExcludesUs();
    void weExcludeCurator();
    void bothWaitInOneQueue();
    void curatorsLockIsListedAndReleasedByForce();

private:
    std::unique_ptr<StoreWorker> m_curator;
    std::unique_ptr<LockEngine> m_engine;
};

void TestZooKeeperCurator::init()
{
    ZooKeeperTest::init();
    m_engine = newEngine();
    const ZooKeeperUrl::Host &host = m_url.hosts.first();
    m_curator = std::make_unique<StoreWorker>(
        u"java"_s,
        QStringList{u"-cp"_s, classPath(), u"bsh.Interpreter"_s, QStringLiteral(LOCKSCOPE_CURATOR),
                    u"%1:%2"_s.arg(host.name).arg(host.port), QString::fromUtf8(folder("r"))});
}

void TestZooKeeperCurator::cleanup()
{
    m_curator.reset();
    m_engine.reset();
}

void TestZooKeeperCurator::curatorExcludesUs()
{
    QCOMPARE(m_curator->ask("acquire 60000"), u"granted"_s);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r", 200ms))), QByteArray("timed"));
    QCOMPARE(queue("r").size(), 1);
    AcquireResult taken;
    std::thread waiter([&] { taken = m_engine->acquire(leaseRequest("r", 1min)); });
    QVERIFY(haveJoined(1));
    QCOMPARE(m_curator->ask("release"), u"released"_s);
    waiter.join();
    QCOMPARE(textOf(taken), QByteArray("granted"));
}

void TestZooKeeperCurator::weExcludeCurator()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(m_curator->ask("acquire 200"), u"busy"_s);
    m_curator->send("acquire 60000");
    QVERIFY(haveJoined(1));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_curator->answer(), u"granted"_s);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(m_curator->ask("release"), u"released"_s);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestZooKeeperCurator::bothWaitInOneQueue()
{
    const auto other = newEngine();
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_curator->send("acquire 60000");
    QVERIFY(haveJoined(1));
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", 1min)); });
    QVERIFY(haveJoined(2));
    const quint64 before = taken.handle.token();
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_curator->answer(), u"granted"_s);
    QCOMPARE(queue("r").size(), 2); // ours waits behind it
    QCOMPARE(m_curator->ask("release"), u"released"_s);
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > before);
}

void TestZooKeeperCurator::curatorsLockIsListedAndReleasedByForce()
{
    QCOMPARE(m_curator->ask("acquire 60000"), u"granted"_s);
    const HeldLeases held = m_engine->heldLeases({"r"});
    QCOMPARE(held.leases.size(), 1);
    // The address that Curator writes, which newer ones leave out.
    const QByteArray written = m_eye->node(folder("r") + '/' + queue("r").constFirst()).text;
    QCOMPARE(held.leases.first().owner.host.toUtf8(), written);
    QCOMPARE(m_engine->requestRelease("r", u"please"_s).outcome, RequestOutcome::Failed);
    QCOMPARE(m_engine->forceRelease(held.leases, u"janitor"_s, u"test"_s).released, 1);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

QTEST_GUILESS_MAIN(TestZooKeeperCurator)
#include "tst_zookeepercurator.moc"
