// SPDX-License-Identifier: MIT
// Real `etcdctl lock`, which is Go's package concurrency: its locks and ours exclude each other.
#include "etcdbench.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// The key that it says it holds; empty: nothing yet.
QByteArray heldBy(QProcess &etcdctl)
{
    etcdctl.waitForReadyRead(10);
    return etcdctl.canReadLine() ? etcdctl.readLine().trimmed() : QByteArray();
}

void end(QProcess &etcdctl)
{
    etcdctl.terminate(); // at which it gives its lock back
    etcdctl.waitForFinished();
}

} // namespace

class TestEtcdctl : public EtcdTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void itExcludesUs_data();
    void itExcludesUs();
    void weExcludeIt_data();
    void weExcludeIt();
    void bothWaitInOneQueue();
    void itsLockIsListedAndReleasedByForce();

private:
    std::unique_ptr<QProcess> lock(const QByteArray &resource);

    std::unique_ptr<LockEngine> m_engine;
};

void TestEtcdctl::init()
{
    EtcdTest::init();
    m_engine = m_bench.newEngine();
}

/// Waits for the lock, holds it and says so.
std::unique_ptr<QProcess> TestEtcdctl::lock(const QByteArray &resource)
{
    const QString name = m_bench.url().path + u'/' + QString::fromUtf8(resource);
    return m_bench.newEtcdctl({u"lock"_s, name, u"--ttl"_s, u"2"_s});
}

void TestEtcdctl::itExcludesUs_data()
{
    QTest::addColumn<QByteArray>("name");

    QTest::newRow("a word") << QByteArray("r");
    QTest::newRow("slashes") << QByteArray("a/b//c");
    QTest::newRow("UTF-8") << QByteArray("Schlüssel 鎖");
    QTest::newRow("percent") << QByteArray("a%2Fb");
}

void TestEtcdctl::itExcludesUs()
{
    QFETCH(QByteArray, name);
    const auto etcdctl = lock(name);
    QVERIFY(eventually([&] { return !heldBy(*etcdctl).isEmpty(); }));
    QCOMPARE(textOf(m_engine->acquire(leaseRequest(name))), QByteArray("busy"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_engine->acquire(leaseRequest(name, 1min))); });
    QVERIFY(m_bench.haveJoined(1, name));
    end(*etcdctl);
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
}

void TestEtcdctl::weExcludeIt_data()
{
    itExcludesUs_data();
}

void TestEtcdctl::weExcludeIt()
{
    QFETCH(QByteArray, name);
    AcquireResult taken = m_engine->acquire(leaseRequest(name));
    const auto etcdctl = lock(name);
    QVERIFY(m_bench.haveJoined(1, name));
    std::this_thread::sleep_for(300ms); // time to take what it may not
    QCOMPARE(heldBy(*etcdctl), QByteArray());
    QVERIFY(taken.handle.isHeld());
    const QByteArray waits = m_bench.queue(name).last().key;
    taken.handle.release();
    QByteArray key;
    QVERIFY(eventually([&] { return !(key = heldBy(*etcdctl)).isEmpty(); }));
    QCOMPARE(key, waits);
    end(*etcdctl);
}

void TestEtcdctl::bothWaitInOneQueue()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const auto first = lock("r");
    QVERIFY(m_bench.haveJoined(1));
    AcquireResult mine;
    std::thread second([&] { mine = m_engine->acquire(leaseRequest("r", 1min)); });
    QVERIFY(m_bench.haveJoined(2));
    const auto third = lock("r");
    QVERIFY(m_bench.haveJoined(3));
    taken.handle.release();
    QVERIFY(eventually([&] { return !heldBy(*first).isEmpty(); }));
    end(*first);
    second.join();
    QCOMPARE(textOf(mine), QByteArray("granted"));
    QCOMPARE(heldBy(*third), QByteArray());
    mine.handle.release();
    QVERIFY(eventually([&] { return !heldBy(*third).isEmpty(); }));
    end(*third);
}

void TestEtcdctl::itsLockIsListedAndReleasedByForce()
{
    const auto etcdctl = lock("r");
    QVERIFY(eventually([&] { return !heldBy(*etcdctl).isEmpty(); }));
    const HeldLeases held = m_engine->heldLeases({"r"});
    QCOMPARE(held.leases.size(), 1);
    QVERIFY(held.leases.first().expiresAt && !held.leases.first().acquiredAt);
    QCOMPARE(held.leases.first().owner, Owner());
    const RequestResult asked = m_engine->requestRelease("r", u"please"_s);
    QCOMPARE(asked.outcome, RequestOutcome::Failed);
    QVERIFY2(asked.error->message.contains(u"another program"_s), qPrintable(asked.error->message));
    QCOMPARE(m_engine->forceRelease(held.leases, u"janitor"_s, u"stuck"_s).released, 1);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted"));
    end(*etcdctl);
}

QTEST_GUILESS_MAIN(TestEtcdctl)
#include "tst_etcdctl.moc"
