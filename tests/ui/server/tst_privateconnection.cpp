// SPDX-License-Identifier: MIT
// The window at a private server that it starts itself.
#include "privateprogram.h"
#include "strict.h"

#include "privateserver/privateserver.h"
#include "ui/server/serverconnection.h"

#include <QtTest/QtTest>

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
