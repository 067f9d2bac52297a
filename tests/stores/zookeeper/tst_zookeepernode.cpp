// SPDX-License-Identifier: MIT
// A private ZooKeeper: who may see its data, what a restart keeps, and that nothing of it is left.
#include "environment.h"
#include "stores/nodes/zookeeperensemble.h"
#include "zookeeperfixture.h"

#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestZooKeeperNode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLeftOfIt();
    void aRestartKeepsPortAndData_data();
    void aRestartKeepsPortAndData();
    void severalLiveSideBySide();
    void threeAreOneAndGoOnWithTwo();
    void aMissingProgramIsSaidWithItsCommand();
};

void TestZooKeeperNode::nothingIsLeftOfIt()
{
    QString folder;
    qint64 pid = 0;
    {
        ZooKeeperNode node;
        QCOMPARE(node.pid(), 0);
        const auto error = node.start();
        QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
        folder = node.folder();
        pid = node.pid();
        QCOMPARE(QFileInfo(folder).permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther),
                 QFile::Permissions());
        QVERIFY(node.url().isLocal());
    }
    QVERIFY(!QFileInfo::exists(folder));
    QCOMPARE(::kill(pid_t(pid), 0), -1);
}

void TestZooKeeperNode::aRestartKeepsPortAndData_data()
{
    QTest::addColumn<ZooKeeperNode::Keeping>("keeping");
    QTest::addColumn<bool>("isKilled");

    QTest::newRow("stopped") << ZooKeeperNode::Keeping::Memory << false;
    QTest::newRow("killed") << ZooKeeperNode::Keeping::Memory << true;
    QTest::newRow("durable") << ZooKeeperNode::Keeping::Durable << true;
}

void TestZooKeeperNode::aRestartKeepsPortAndData()
{
    QFETCH(ZooKeeperNode::Keeping, keeping);
    QFETCH(bool, isKilled);
    ZooKeeperNode node(keeping);
    QVERIFY(!node.start());
    const ZooKeeperUrl url = node.url();
    QCOMPARE(ZooKeeperEye(url).make("/a/b", "kept"), 0);
    isKilled ? node.kill9() : node.stop();
    QCOMPARE(node.pid(), 0);
    QVERIFY(!node.start());
    QCOMPARE(node.url(), url);
    QCOMPARE(ZooKeeperEye(url).node("/a/b").text, QByteArray("kept"));
}

void TestZooKeeperNode::severalLiveSideBySide()
{
    ZooKeeperNode one;
    ZooKeeperNode two;
    QVERIFY(!one.start() && !two.start());
    QVERIFY(one.url() != two.url());
    QCOMPARE(ZooKeeperEye(one.url()).make("/only-here"), 0);
    QVERIFY(ZooKeeperEye(two.url()).node("/only-here").code != 0);
}

void TestZooKeeperNode::threeAreOneAndGoOnWithTwo()
{
    ZooKeeperEnsemble servers(3, ZooKeeperNode::Keeping::Memory);
    const auto error = servers.start();
    QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
    QCOMPARE(servers.url().hosts.size(), 3);
    QCOMPARE(ZooKeeperEye(servers.url()).make("/everywhere", "seen"), 0);
    ZooKeeperNode *leader = servers.leader();
    QVERIFY(leader);
    const ZooKeeperUrl before = leader->url();
    leader->kill9();
    QTRY_VERIFY_WITH_TIMEOUT(servers.leader() && servers.leader() != leader, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(ZooKeeperEye(servers.leader()->url()).node("/everywhere").text, QByteArray("seen"),
                              30'000);
    QVERIFY(!leader->start());
    QCOMPARE(leader->url(), before);
    QVERIFY(leader->ask("srvr").contains("Mode: follower"));
    QVERIFY(leader->ask("mntr").contains("zk_packets_received\t"));
}

void TestZooKeeperNode::aMissingProgramIsSaidWithItsCommand()
{
    const QTemporaryDir empty;
    Environment environment;
    environment.set("PATH", "/nowhere");
    environment.set("XDG_CACHE_HOME", empty.path().toUtf8());
    ZooKeeperNode node;
    const auto error = node.start();
    environment.restore();
    QVERIFY(error);
    QVERIFY2(error->message.contains(u"`sudo apt install default-jre-headless"_s), qPrintable(error->message));
    QVERIFY2(error->message.contains(u"apt-get download $(apt-cache depends default-jre-headless"_s),
             qPrintable(error->message));
    QVERIFY(!node.start());
}

QTEST_GUILESS_MAIN(TestZooKeeperNode)
#include "tst_zookeepernode.moc"
