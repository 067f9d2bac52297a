// SPDX-License-Identifier: MIT
// The window at a private server that it starts itself.
#include "packetproxy.h"
#include "privateprogram.h"
#include "strict.h"

#include "privateserver/privateserver.h"
#include "ui/server/furtherservers.h"
#include "ui/server/knownservers.h"
#include "ui/server/serverconnection.h"

#include <QtTest/QtTest>

#include <csignal>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

namespace {

constexpr int kPatience = 120'000;

} // namespace

class TestPrivateConnection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }
    void cleanup() { PrivateServer::stop(folder()); }
    void aServerThatWasStoppedIsStartedAgain();
    void aServerThatStandsStillIsNotTakenForLive();
    void itOutlivesAWindowWhereSomebodyElseUsesIt();
    void aProductionServerIsKnownThroughATunnel();

private:
    QString folder() const { return m_temporary.filePath(u"server"_s); }

    PrivateProgram m_program;
    QTemporaryDir m_temporary;
};

void TestPrivateConnection::aServerThatWasStoppedIsStartedAgain()
{
    ServerConnection connection;
    connection.open(ServerProfile::privateServer(folder()), {});
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    QVERIFY(PrivateServer::stop(folder()).wasRunning);
    connection.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Failing, kPatience);
    QVERIFY(!PrivateServer::url(folder())); // nobody asked for it
    const QSignalSpy opened(&connection, &ServerConnection::opened);
    connection.refresh(); // as "Try now" does
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    QCOMPARE(opened.count(), 0); // what was shown stays
    connection.leavePrivateServer();
    QVERIFY2(!PrivateServer::url(folder()), "it outlived the window");
}

void TestPrivateConnection::aServerThatStandsStillIsNotTakenForLive()
{
    ServerConnection connection;
    connection.open(ServerProfile::privateServer(folder()), {});
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(connection.clock()->isKnown(), kPatience);
    QFile file(folder() + u"/server.pid"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const int pid = file.readAll().trimmed().toInt();
    QVERIFY(pid > 1);
    QCOMPARE(::kill(pid, SIGSTOP), 0);
    const auto goOn = qScopeGuard([pid] { ::kill(pid, SIGCONT); });
    // Late first; where this machine is slow, the poll itself may have given up by then.
    QTRY_VERIFY_WITH_TIMEOUT(connection.status().isFailing(), kPatience);
    QVERIFY(connection.status().error);
    QCOMPARE(::kill(pid, SIGCONT), 0);
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    QVERIFY(!connection.isUnanswered());
    connection.leavePrivateServer();
}

void TestPrivateConnection::itOutlivesAWindowWhereSomebodyElseUsesIt()
{
    PrivateServerUser command;
    QCOMPARE(command.start(folder()).error, QString());
    ServerConnection connection;
    connection.open(ServerProfile::privateServer(folder()), {});
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    command.leave();
    QVERIFY2(PrivateServer::url(folder()), "it ended under the window");
    QCOMPARE(command.start(folder()).error, QString());
    connection.leavePrivateServer();
    QVERIFY(PrivateServer::url(folder()));
}

/// As one's own server and as one of several in the list.
void TestPrivateConnection::aProductionServerIsKnownThroughATunnel()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"lockscope"_s); // where the lab and the lessons look
    QCoreApplication::setApplicationName(u"lockscope"_s);
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_temporary.filePath(u"settings"_s));
    PrivateServerUser command;
    QCOMPARE(command.start(folder()).error, QString());
    ServerProfile direct = ServerProfile::unnamed(*PrivateServer::url(folder()));
    KnownServers().put(direct, {});
    ServerProfile tunnel = direct;
    tunnel.name = u"tunnel"_s;
    tunnel.url.socket = m_temporary.filePath(u"tunnel"_s);
    const PacketProxy proxy(tunnel.url.socket, direct.url.socket);

    ServerConnection connection;
    connection.open(tunnel, {});
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    QVERIFY(!connection.profile().isGuarded());
    connection.open(direct, {});
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);

    connection.open(tunnel, {});
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    direct.isProduction = true;
    KnownServers().put(direct, {}); // as another window does
    QVERIFY(!connection.profile().isGuarded());
    connection.startOperatorMode();
    QVERIFY(connection.profile().isGuarded());

    const QSignalSpy guards(&connection, &ServerConnection::guardChanged);
    connection.open(tunnel, {});
    QTRY_VERIFY_WITH_TIMEOUT(connection.profile().isGuarded(), kPatience);
    QCOMPARE(guards.count(), 1);
    QVERIFY(connection.access().refusalOfLab());
    connection.open(ServerProfile::privateServer(folder()), {});
    const int further = connection.further()->add(tunnel, {});
    QTRY_VERIFY_WITH_TIMEOUT(connection.profileOf(further).isGuarded(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, Phase::Live, kPatience);
    QVERIFY(!connection.profile().isGuarded()); // Lockscope's own, whatever it is also known as
    connection.leavePrivateServer();
    command.leave();
}

QTEST_GUILESS_MAIN(TestPrivateConnection)
#include "tst_privateconnection.moc"
