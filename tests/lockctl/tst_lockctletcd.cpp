// SPDX-License-Identifier: MIT
// lockctl where the locks are on etcd.
#include "etcdbench.h"
#include "stores/common/storectltest.h"

#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class LockctlEtcdTest : public StoreCtlTest
{
    Q_OBJECT

public:
    LockctlEtcdTest()
        : StoreCtlTest(m_etcd, "create(KEY) = \"")
    {
    }

private Q_SLOTS:
    void aGoProgramsLockIsListed();
    void aGoProgramsWaitHasNoKnownLength();
    void whatTheStoreCannotDoIsRefused_data();
    void aWrongAddressIsToldBeforeAnythingIsRun_data();

private:
    QString url() const override { return m_etcd.url().toString(); }

    EtcdBench m_etcd;
};

void LockctlEtcdTest::aGoProgramsLockIsListed()
{
    const qint64 lease = m_etcd.eye().grant(60s);
    m_etcd.eye().put(detail::requestKey(m_etcd.url(), "gophers", lease), {}, lease);
    const QJsonValue lock = locks()[0];
    QCOMPARE(lock[u"resource"_s].toString(), u"gophers"_s);
    QVERIFY(lock[u"remainingMs"_s].toInteger() > 0);
    const QString token = QString::number(lock[u"token"_s].toInteger());
    const auto shown =
        m_ctl->run({u"release"_s, u"gophers"_s, u"--token"_s, token, u"--reason"_s, u"it hangs"_s, u"--dry-run"_s});
    QVERIFY2(shown.exitCode == 0 && shown.out.contains("told nothing"), shown.text());
}

void LockctlEtcdTest::aGoProgramsWaitHasNoKnownLength()
{
    for (int i = 0; i < 2; ++i) {
        const qint64 lease = m_etcd.eye().grant(60s);
        m_etcd.eye().put(detail::requestKey(m_etcd.url(), "jobs/nightly", lease), {}, lease);
    }
    const QStringList words{u"check"_s, u"--max-wait"_s, u"1s"_s};
    const auto unknown = m_ctl->run(words);
    QVERIFY2(unknown.exitCode == 3
                 && unknown.out.contains("; not seen: how long 1 request has waited for jobs/nightly"),
             unknown.text());
    const QJsonObject json = m_ctl->run(words + QStringList{u"--json"_s}).object();
    QVERIFY(json[u"waitMs"_s].isNull() && json[u"heldMs"_s].isNull() && json[u"queue"_s].toInt() == 1);
    const auto judged = m_ctl->run(words + QStringList{u"--max-queue"_s, u"1"_s, u"--max-held"_s, u"1m"_s});
    QVERIFY2(judged.exitCode == 0 && judged.out.contains("since when 1 lease is held"), judged.text());
}

void LockctlEtcdTest::whatTheStoreCannotDoIsRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("a row") << QStringList{u"--mode"_s, u"pessimistic"_s}
                           << QByteArray("pessimistic is for MySQL and MariaDB");
    QTest::newRow("a minimum") << QStringList{u"--hold-at-least"_s, u"1s"_s} << QByteArray("A minimum hold time");
    QTest::newRow("a short TTL") << QStringList{u"--ttl"_s, u"1s"_s} << QByteArray("The TTL must be at least 2 s");
}

void LockctlEtcdTest::aWrongAddressIsToldBeforeAnythingIsRun_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("no server there") << u"etcd://localhost:1"_s << QByteArray("etcd cannot be reached");
    QTest::newRow("no socket there") << u"etcd:///?socket=%2Fnowhere%2Fc:1"_s
                                     << QByteArray("No such file or directory");
    QTest::newRow("a password in it") << u"etcd://ada:secret@localhost"_s << QByteArray("password");
    QTest::newRow("nowhere") << u"etcd:///locks"_s << QByteArray("neither a host nor a socket");
}

QTEST_GUILESS_MAIN(LockctlEtcdTest)
#include "tst_lockctletcd.moc"
