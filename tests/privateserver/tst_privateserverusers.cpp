// SPDX-License-Identifier: MIT
// Who uses a private server, and that it ends with the last of them. Users are processes, as windows and commands are:
// this program itself, with "--use FOLDER".
#include "privateprogram.h"
#include "strict.h"

#include "privateserver/privateserver.h"
#include "session/session.h"

#include <QtCore/QProcess>
#include <QtTest/QtTest>

#include <cstdio>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 120'000;

/// Uses the server until its input ends.
int useServer(const QString &folder)
{
    PrivateServerUser user;
    const auto started = user.start(folder);
    std::printf("%s\n", started.error.isEmpty() ? (started.started ? "started" : "joined") : qPrintable(started.error));
    std::fflush(stdout);
    while (std::getchar() != EOF) { }
    return 0;
}

class UserProcess
{
public:
    /// Returns when it uses the server.
    explicit UserProcess(const QString &folder)
    {
        m_process.start(QCoreApplication::applicationFilePath(), {u"--use"_s, folder});
        if (m_process.waitForReadyRead(kPatience))
            m_word = QString::fromUtf8(m_process.readLine()).trimmed();
    }
    ~UserProcess() { end(); }
    /// "started" or "joined"; else what went wrong.
    QString word() const { return m_word; }
    qint64 pid() const { return m_process.processId(); }
    void end()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(kPatience);
    }
    void kill9()
    {
        m_process.kill();
        m_process.waitForFinished(kPatience);
    }

private:
    QProcess m_process;
    QString m_word;
};

bool answers(const ServerUrl &url)
{
    SessionTarget target;
    target.url = url;
    target.url.schema.clear();
    LockError error;
    const auto session = Session::open(target, &error);
    return session && session->run("SELECT 1", "test").value().toInt() == 1;
}

} // namespace

class PrivateServerUsersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }
    void cleanup() { QCOMPARE(PrivateServer::stop(folder()).error, QString()); }
    void theServerEndsWithTheLastUser_data();
    void theServerEndsWithTheLastUser();
    void aStarterThatWasKilledIsNoUser();
    void whatAKilledUserLeftEndsWithTheNext();
    void whoStartsItToStayKeepsIt_data();
    void whoStartsItToStayKeepsIt();
    void aRestartChangesNothingInThat_data();
    void aRestartChangesNothingInThat();
    void aStopSaysWhoUsedIt();
    void whoFindsItStoppedStartsItAgain();
    void anotherFolderLeavesTheFirst();
    void aFailedStartMakesNoUser();
    void startsThatRaceEndsAlwaysGiveAServer();

private:
    QString folder() const { return m_temporary.filePath(u"server"_s); }
    bool isRunning() const { return PrivateServer::url(folder()).has_value(); }

    PrivateProgram m_program;
    QTemporaryDir m_temporary;
};

/// Its data is made once.
void PrivateServerUsersTest::initTestCase()
{
    QCOMPARE(PrivateServer::start(folder()).error, QString());
    cleanup();
}

void PrivateServerUsersTest::theServerEndsWithTheLastUser_data()
{
    QTest::addColumn<bool>("starterEndsFirst");
    QTest::newRow("who started it ends first") << true;
    QTest::newRow("who started it ends last") << false;
}

void PrivateServerUsersTest::theServerEndsWithTheLastUser()
{
    QFETCH(bool, starterEndsFirst);
    UserProcess starter(folder());
    UserProcess other(folder());
    QCOMPARE(starter.word(), u"started"_s);
    QCOMPARE(other.word(), u"joined"_s);
    (starterEndsFirst ? starter : other).end();
    const auto url = PrivateServer::url(folder());
    QVERIFY2(url && answers(*url), "it was stopped under who uses it");
    (starterEndsFirst ? other : starter).end();
    QVERIFY2(!isRunning(), "it outlived its last user");
}

void PrivateServerUsersTest::aStarterThatWasKilledIsNoUser()
{
    UserProcess starter(folder());
    UserProcess other(folder());
    starter.kill9();
    QVERIFY(isRunning());
    other.end();
    QVERIFY2(!isRunning(), "a dead user held it");
}

void PrivateServerUsersTest::whatAKilledUserLeftEndsWithTheNext()
{
    UserProcess(folder()).kill9();
    QVERIFY(isRunning());
    UserProcess next(folder());
    QCOMPARE(next.word(), u"joined"_s);
    next.end();
    QVERIFY(!isRunning());
}

void PrivateServerUsersTest::whoStartsItToStayKeepsIt_data()
{
    QTest::addColumn<bool>("isFirst");
    QTest::newRow("before somebody uses it") << true;
    QTest::newRow("while somebody uses it") << false;
}

void PrivateServerUsersTest::whoStartsItToStayKeepsIt()
{
    QFETCH(bool, isFirst);
    if (isFirst)
        QCOMPARE(PrivateServer::start(folder()).error, QString());
    UserProcess user(folder());
    if (!isFirst)
        QCOMPARE(PrivateServer::start(folder()).error, QString());
    user.end();
    QVERIFY(isRunning());
}

void PrivateServerUsersTest::aRestartChangesNothingInThat_data()
{
    QTest::addColumn<bool>("stays");
    QTest::newRow("a server that ends with its users") << false;
    QTest::newRow("a server that stays") << true;
}

void PrivateServerUsersTest::aRestartChangesNothingInThat()
{
    QFETCH(bool, stays);
    if (stays)
        QCOMPARE(PrivateServer::start(folder()).error, QString());
    UserProcess user(folder());
    QCOMPARE(PrivateServer::restart(folder()), QString());
    QVERIFY(isRunning());
    user.end();
    QCOMPARE(isRunning(), stays);
}

void PrivateServerUsersTest::aStopSaysWhoUsedIt()
{
    QCOMPARE(PrivateServer::start(folder()).error, QString());
    UserProcess one(folder());
    UserProcess two(folder());
    UserProcess dead(folder());
    dead.kill9();
    QStringList users;
    for (const qint64 pid : {std::min(one.pid(), two.pid()), std::max(one.pid(), two.pid())})
        users += u"process %1 (tst_privateserv)"_s.arg(pid); // the system keeps 15 bytes
    const auto stopped = PrivateServer::stop(folder());
    QCOMPARE(stopped.error, QString());
    QVERIFY(stopped.wasRunning);
    QCOMPARE(stopped.users, users);
    QVERIFY(!isRunning());
    one.end();
    two.end();
    QCOMPARE(PrivateServer::start(folder()).error, QString());
    QCOMPARE(PrivateServer::stop(folder()).users, QStringList());
}

void PrivateServerUsersTest::whoFindsItStoppedStartsItAgain()
{
    PrivateServerUser user;
    QVERIFY(user.start(folder()).started);
    QVERIFY(!user.start(folder()).started); // it runs
    QVERIFY(PrivateServer::stop(folder()).wasRunning);
    const auto again = user.start(folder());
    QCOMPARE(again.error, QString());
    QVERIFY(again.started);
    QVERIFY(answers(again.url));
    user.leave();
    QVERIFY(!isRunning());
    user.leave(); // nothing is left to do
}

void PrivateServerUsersTest::anotherFolderLeavesTheFirst()
{
    const QString other = m_temporary.filePath(u"other"_s);
    {
        PrivateServerUser user;
        QVERIFY(user.start(folder()).started);
        QVERIFY(user.start(other).started);
        QVERIFY(!isRunning());
    }
    QVERIFY(!PrivateServer::url(other));
}

void PrivateServerUsersTest::aFailedStartMakesNoUser()
{
    PrivateServerOptions options;
    options.program = u"/bin/true"_s;
    PrivateServerUser user;
    QVERIFY(!user.start(folder(), options).error.isEmpty());
    QCOMPARE(PrivateServer::start(folder()).error, QString());
    QCOMPARE(PrivateServer::stop(folder()).users, QStringList());
}

void PrivateServerUsersTest::startsThatRaceEndsAlwaysGiveAServer()
{
    constexpr int rounds = 3;
    std::array<int, 4> served{};
    {
        std::vector<std::jthread> threads;
        threads.reserve(served.size());
        for (int &count : served) {
            threads.emplace_back([this, &count] {
                for (int i = 0; i < rounds; ++i) {
                    PrivateServerUser user;
                    const auto started = user.start(folder());
                    count += started.error.isEmpty() && answers(started.url) ? 1 : 0;
                }
            });
        }
    }
    for (const int count : served)
        QCOMPARE(count, rounds);
    QVERIFY(!isRunning());
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.value(1) == u"--use"_s)
        return useServer(words.value(2));
    PrivateServerUsersTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_privateserverusers.moc"
