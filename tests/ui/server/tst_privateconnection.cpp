// SPDX-License-Identifier: MIT
// The window at a private server that it starts itself.
#include "privateprogram.h"
#include "strict.h"

#include "privateserver/privateserver.h"
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

QTEST_GUILESS_MAIN(TestPrivateConnection)
#include "tst_privateconnection.moc"
