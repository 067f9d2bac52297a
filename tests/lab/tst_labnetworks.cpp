// SPDX-License-Identifier: MIT
// Whom a worker reaches over its own network while networks are cut.
#include "lab/labnetworks.h"

#include <QtCore/QTemporaryDir>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

/// Sends back what it is sent.
class Echo
{
public:
    explicit Echo(const QString &path)
    {
        QObject::connect(&m_server, &QLocalServer::newConnection, &m_server, [this] {
            QLocalSocket *socket = m_server.nextPendingConnection();
            QObject::connect(socket, &QLocalSocket::readyRead, socket, [socket] { socket->write(socket->readAll()); });
        });
        if (!m_server.listen(path))
            qFatal("%s", qPrintable(m_server.errorString()));
    }

private:
    QLocalServer m_server;
};

bool reaches(const QString &path)
{
    QLocalSocket socket;
    socket.connectToServer(path);
    socket.write("x");
    return QTest::qWaitFor([&] { return socket.bytesAvailable() > 0; }, 20'000);
}

/// What is cut stays so however long one waits.
bool isCutOff(const QString &path)
{
    QLocalSocket socket;
    socket.connectToServer(path);
    socket.write("x");
    return !QTest::qWaitFor([&] { return socket.bytesAvailable() > 0; }, 100);
}

} // namespace

class TestLabNetworks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aServerIsCutOffFromThoseWhoComeLater();
    void aServerStaysCutWhateverElseHeals();
    void openingAllForgetsEveryCut();
    void anAddressThatWasLostIsTakenAgain();
    void whatIsLeftHealsWhileAnAddressIsLost();

private:
    QString path(const QString &name) const { return m_folder.filePath(name); }

    const QTemporaryDir m_folder;
    const Echo m_first{path(u"a"_s)};
    const Echo m_second{path(u"b"_s)};
    const QStringList m_servers{path(u"a"_s), path(u"b"_s)};
};

void TestLabNetworks::aServerIsCutOffFromThoseWhoComeLater()
{
    LabNetworks networks(m_servers);
    const QStringList first = networks.addressesOf(0);
    QVERIFY(networks.cutServer(1));
    const QStringList late = networks.addressesOf(1);
    QVERIFY(reaches(first[0]) && reaches(late[0]));
    QVERIFY(isCutOff(first[1]) && isCutOff(late[1]));
    networks.healServer(1);
    QVERIFY(reaches(first[1]) && reaches(late[1]));
}

void TestLabNetworks::aServerStaysCutWhateverElseHeals()
{
    LabNetworks networks(m_servers);
    const QStringList worker = networks.addressesOf(0);
    QVERIFY(networks.cutServer(1) && networks.cutServer(1)); // two that overlap
    QVERIFY(networks.set(0, FaultyProxy::State::Stalled));
    QVERIFY(isCutOff(worker[0]) && isCutOff(worker[1]));
    QVERIFY(networks.set(0, FaultyProxy::State::Open));
    QVERIFY(reaches(worker[0]) && isCutOff(worker[1]));
    networks.healServer(1);
    QVERIFY(isCutOff(worker[1]));
    networks.healServer(1);
    QVERIFY(reaches(worker[1]));
}

void TestLabNetworks::openingAllForgetsEveryCut()
{
    LabNetworks networks(m_servers);
    const QStringList worker = networks.addressesOf(0);
    QVERIFY(networks.set(0, FaultyProxy::State::Stalled) && networks.cutServer(0));
    networks.openAll();
    QVERIFY(reaches(worker[0]) && reaches(worker[1]));
    networks.healServer(0); // at its time, which comes after the end of the run
    QVERIFY(networks.cutServer(0));
    QVERIFY(isCutOff(worker[0]));
}

void TestLabNetworks::anAddressThatWasLostIsTakenAgain()
{
    LabNetworks networks(m_servers);
    const QStringList worker = networks.addressesOf(0);
    QVERIFY(networks.set(0, FaultyProxy::State::Cut));
    {
        const Echo stranger(worker[0]);
        QVERIFY(!networks.set(0, FaultyProxy::State::Open));
    }
    QVERIFY(networks.set(0, FaultyProxy::State::Open));
    QVERIFY(reaches(worker[0]) && reaches(worker[1]));
    QCOMPARE(networks.addressesOf(0), worker);
}

void TestLabNetworks::whatIsLeftHealsWhileAnAddressIsLost()
{
    LabNetworks networks(m_servers);
    const QStringList worker = networks.addressesOf(0);
    QVERIFY(networks.set(0, FaultyProxy::State::Cut));
    const Echo stranger(worker[0]);
    QVERIFY(!networks.set(0, FaultyProxy::State::Stalled));
    QVERIFY(isCutOff(worker[1]));
    QVERIFY(!networks.set(0, FaultyProxy::State::Open));
    QVERIFY(reaches(worker[1]));
}

QTEST_GUILESS_MAIN(TestLabNetworks)
#include "tst_labnetworks.moc"
