// SPDX-License-Identifier: MIT
#include "freeze.h"
#include "strict.h"

#include "privateserver/filelock.h"
#include "privateserver/privateserver.h"
#include "privateserver/socketprobe.h"
#include "session/schema.h"
#include "waits/capabilities.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QtTest>

#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

const QString kLockctl = QStringLiteral(LOCKSCOPE_LOCKCTL);

constexpr uid_t Nobody = 65534;

FileLock ownLock(const QString &folder)
{
    QString error;
    return {OwnFolder::open(folder, &error), "server.lock"};
}

/// A folder for one server, which is stopped at the end, whatever the test did.
class Sandbox
{
public:
    explicit Sandbox(const QString &name = u"server"_s)
        : m_folder(m_temporary.filePath(name))
    {
    }
    ~Sandbox() { PrivateServer::stop(m_folder); }

    QString folder() const { return m_folder; }
    QString file(const QString &name) const { return m_folder + u'/' + name; }
    QString temporaryPath() const { return m_temporary.path(); }
    pid_t serverPid() const { return static_cast<pid_t>(ownLock(m_folder).recordedPid()); }

private:
    QTemporaryDir m_temporary;
    QString m_folder;
};

QVariant ask(const ServerUrl &url, const QByteArray &sql)
{
    SessionTarget target;
    target.url = url;
    target.url.schema.clear(); // not installed in every test
    LockError error;
    const auto session = Session::open(target, &error);
    if (!session) {
        qWarning("%ls", qUtf16Printable(error.toString()));
        return {};
    }
    const Reply reply = session->run(sql, "test");
    return reply ? reply.value() : QVariant();
}

/// A child process that does `work` and then stays until it is destroyed.
template<typename Work>
class Bystander
{
public:
    explicit Bystander(Work work)
    {
        int ready[2] = {-1, -1};
        if (::pipe(ready) != 0)
            qFatal("pipe");
        m_pid = ::fork();
        if (m_pid == 0) {
            work();
            [[maybe_unused]] const ssize_t written = ::write(ready[1], "x", 1);
            for (;;)
                ::pause();
        }
        ::close(ready[1]);
        char c = 0;
        [[maybe_unused]] const ssize_t count = ::read(ready[0], &c, 1);
        ::close(ready[0]);
    }
    ~Bystander()
    {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    bool isAlive() const { return ::waitpid(m_pid, nullptr, WNOHANG) == 0; }
    pid_t pid() const { return m_pid; }

private:
    pid_t m_pid = 0;
};

} // namespace

class PrivateServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }
    void cleanup();
    void aServerRunsInAnyFolder_data();
    void aServerRunsInAnyFolder();
    void nothingButItsSocketLeadsToIt();
    void theConsoleSeesAllThatItsFamilyTells();
    void noCommitIsLostInACrash();
    void aSecondStartJoins();
    void sixteenStartsAtOnceMakeOneServer();
    void itOutlivesWhoeverStartedIt();
    void itHoldsNoStreamOfItsStarter();
    void aKilledServerIsRecovered();
    void aStarterThatIsKilledLeavesNothingHalfDone_data();
    void aStarterThatIsKilledLeavesNothingHalfDone();
    void aServerWhoseSocketWasClearedAwayIsReplaced();
    void aFrozenServerIsStopped();
    void stoppingWhatDoesNotRunIsNoError();
    void onlyTheServerItselfIsSignalled();
    void onlyItsOwnSocketIsRemoved();
    void aFolderThatIsNotThereIsNotTheWorkingDirectory();
    void anotherUsersFolderIsLeftAlone_data();
    void anotherUsersFolderIsLeftAlone();
    void anotherUsersServerIsForeign();
    void anUnusableFolderIsNamed_data();
    void anUnusableFolderIsNamed();
    void aFolderInUseNamesItsUser();
    void dataOfTheOtherFamilyIsNotTouched();
    void aMissingServerProgramIsNamed_data();
    void aMissingServerProgramIsNamed();
    void theServersOwnWordsAreTold_data();
    void theServersOwnWordsAreTold();

private:
    /// A folder whose data is made, for tests that are not about making it. Its server does not run when a test begins.
    Sandbox m_sandbox;
};

void PrivateServerTest::initTestCase()
{
    QCOMPARE(PrivateServer::start(m_sandbox.folder()).error, QString());
    cleanup();
}

void PrivateServerTest::cleanup()
{
    QCOMPARE(PrivateServer::stop(m_sandbox.folder()).error, QString());
}

void PrivateServerTest::aServerRunsInAnyFolder_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("plain") << u"server"_s;
    QTest::newRow("spaces and letters beyond ASCII, below folders that are missing") << u"my data/äöü ß/日本"_s;
    QTest::newRow("what a shell or a URL would read") << u"it's \"$HOME\" * 100%2F+1 a:b"_s;
    QTest::newRow("longer than a socket's address") << QString(120, u'x');
    QTest::newRow("a semicolon, which no server URL can hold") << u"a;b"_s;
}

void PrivateServerTest::aServerRunsInAnyFolder()
{
    QFETCH(QString, name);
    Sandbox sandbox(name);
    const auto started = PrivateServer::start(sandbox.folder());
    QCOMPARE(started.error, QString());
    QVERIFY(started.started);
    QCOMPARE(PrivateServer::url(sandbox.folder()), std::optional(started.url));

    // The URL survives being printed and read, and leads to the lock tables.
    ServerUrl read;
    QString error;
    QVERIFY2(ServerUrl::parse(started.url.toString(), &read, &error), qPrintable(error));
    QCOMPARE(read, started.url);
    SessionTarget target;
    target.url = read;
    const auto installed = installSchema(target);
    QVERIFY2(!installed, qPrintable(installed ? installed->toString() : QString()));

    const auto stopped = PrivateServer::stop(sandbox.folder());
    QCOMPARE(stopped.error, QString());
    QVERIFY(stopped.wasRunning);
    QVERIFY(!PrivateServer::url(sandbox.folder()));
    QVERIFY2(!QFileInfo::exists(started.url.socket), "the socket is left behind");
}

void PrivateServerTest::theConsoleSeesAllThatItsFamilyTells()
{
    SessionTarget target;
    target.url = PrivateServer::start(m_sandbox.folder()).url;
    target.url.schema.clear();
    LockError error;
    const auto session = Session::open(target, &error);
    QVERIFY2(session, qPrintable(error.toString()));
    Capabilities capabilities;
    QVERIFY(!probe(*session, &capabilities));
    for (int i = 0; i < WaitSourceCount; ++i) {
        const SourceStatus status = capabilities.status(WaitSource(i));
        QVERIFY2(status.remedy.isEmpty(), qPrintable(status.remedy)); // nothing could be added
        // Row locks that nobody waits for MariaDB lists nowhere, nor the mode that a metadata lock has come to.
        const bool isPoor = WaitSource(i) == WaitSource::RowWaits || WaitSource(i) == WaitSource::Metadata;
        if (!isPoor || capabilities.family == Family::MySql)
            QVERIFY2(status.state == SourceStatus::State::Complete, qPrintable(status.reason));
    }
}

void PrivateServerTest::nothingButItsSocketLeadsToIt()
{
    const auto started = PrivateServer::start(m_sandbox.folder());
    QCOMPARE(started.error, QString());
    QCOMPARE(ask(started.url, "SELECT @@skip_networking").toInt(), 1);
    struct stat info = {};
    QCOMPARE(::stat(QFile::encodeName(m_sandbox.folder()).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t(0700));

    // The same where the socket stands elsewhere.
    Sandbox deep(QString(120, u'y'));
    const auto other = PrivateServer::start(deep.folder());
    QCOMPARE(other.error, QString());
    const QString socketFolder = QFileInfo(other.url.socket).path();
    QVERIFY(socketFolder != deep.folder());
    QCOMPARE(::stat(QFile::encodeName(socketFolder).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t(0700));
    QCOMPARE(PrivateServer::stop(deep.folder()).error, QString());
    QVERIFY2(!QFileInfo::exists(socketFolder), "the socket's folder is left behind");
}

void PrivateServerTest::noCommitIsLostInACrash()
{
    const auto started = PrivateServer::start(m_sandbox.folder());
    QCOMPARE(started.error, QString());
    QCOMPARE(ask(started.url, "SELECT @@innodb_flush_log_at_trx_commit").toInt(), 1);
    QCOMPARE(ask(started.url, "SELECT @@log_bin").toInt(), 0);
}

void PrivateServerTest::aSecondStartJoins()
{
    const auto first = PrivateServer::start(m_sandbox.folder());
    const pid_t pid = m_sandbox.serverPid();
    const auto second = PrivateServer::start(m_sandbox.folder());
    QCOMPARE(second.error, QString());
    QVERIFY(first.started);
    QVERIFY(!second.started);
    QCOMPARE(second.url, first.url);
    QCOMPARE(m_sandbox.serverPid(), pid);
}

void PrivateServerTest::sixteenStartsAtOnceMakeOneServer()
{
    Sandbox sandbox;
    std::array<PrivateServer::StartResult, 16> results;
    {
        std::vector<std::jthread> threads;
        threads.reserve(results.size());
        for (auto &result : results)
            threads.emplace_back([&sandbox, &result] { result = PrivateServer::start(sandbox.folder()); });
    }
    int starts = 0;
    for (const auto &result : results) {
        QCOMPARE(result.error, QString());
        QCOMPARE(result.url, results.front().url);
        starts += result.started ? 1 : 0;
    }
    QCOMPARE(starts, 1);
}

void PrivateServerTest::itOutlivesWhoeverStartedIt()
{
    QProcess starter;
    starter.start(kLockctl, {u"sandbox"_s, u"start"_s, u"--dir"_s, m_sandbox.folder()});
    QVERIFY(starter.waitForFinished(120'000));
    QCOMPARE(starter.exitCode(), 0);
    const auto joined = PrivateServer::start(m_sandbox.folder());
    QCOMPARE(joined.error, QString());
    QVERIFY(!joined.started);
    QCOMPARE(QString::fromUtf8(starter.readAllStandardOutput()), joined.url.toString() + u'\n');
}

void PrivateServerTest::itHoldsNoStreamOfItsStarter()
{
    // Each `cat` ends when the last process that could write to it has closed its end.
    QProcess shell;
    shell.start(u"/bin/sh"_s,
                {u"-c"_s, u"{ \"$0\" sandbox start --dir \"$1\" 5>&1 2>&1 | cat; } 4>&1 | cat"_s, kLockctl,
                 m_sandbox.folder()});
    QVERIFY2(shell.waitForFinished(120'000), "the server holds a stream");
    QVERIFY(PrivateServer::url(m_sandbox.folder()));
}

void PrivateServerTest::aKilledServerIsRecovered()
{
    const auto first = PrivateServer::start(m_sandbox.folder());
    QCOMPARE(first.error, QString());
    SessionTarget target;
    target.url = first.url;
    QVERIFY(!installSchema(target));
    ask(first.url, "INSERT INTO lockscope.lock_meta (name, value) VALUES ('survivor', 42)");
    const pid_t pid = m_sandbox.serverPid();
    QCOMPARE(::kill(pid, SIGKILL), 0);

    const auto second = PrivateServer::start(m_sandbox.folder());
    QCOMPARE(second.error, QString());
    QVERIFY(second.started);
    QVERIFY(m_sandbox.serverPid() != pid);
    QCOMPARE(ask(second.url, "SELECT value FROM lockscope.lock_meta WHERE name = 'survivor'").toInt(), 42);
}

void PrivateServerTest::aStarterThatIsKilledLeavesNothingHalfDone_data()
{
    QTest::addColumn<QString>("sign");
    QTest::newRow("before anything") << u"control.lock"_s;
    QTest::newRow("while the data is made") << u"data.new/ibdata1"_s;
    QTest::newRow("when the data is made") << u"data"_s;
    QTest::newRow("while the server starts") << u"server.json"_s;
}

void PrivateServerTest::aStarterThatIsKilledLeavesNothingHalfDone()
{
    QFETCH(QString, sign);
    Sandbox sandbox;
    QProcess starter;
    starter.start(kLockctl, {u"sandbox"_s, u"start"_s, u"--dir"_s, sandbox.folder()});
    QVERIFY(starter.waitForStarted());
    const QDeadlineTimer deadline(60s);
    while (!QFileInfo::exists(sandbox.file(sign)) && !deadline.hasExpired())
        ::usleep(500);
    QVERIFY(QFileInfo::exists(sandbox.file(sign)));
    starter.kill();
    QVERIFY(starter.waitForFinished());

    const auto started = PrivateServer::start(sandbox.folder());
    QCOMPARE(started.error, QString());
    QVERIFY(!QFileInfo::exists(sandbox.file(u"data.new"_s)));
    QVERIFY(QFileInfo::exists(sandbox.file(u"data/ibdata1"_s)));
    SessionTarget target;
    target.url = started.url;
    QVERIFY(!installSchema(target));
}

void PrivateServerTest::aServerWhoseSocketWasClearedAwayIsReplaced()
{
    Sandbox sandbox(QString(120, u'z'));
    const auto first = PrivateServer::start(sandbox.folder());
    QCOMPARE(first.error, QString());
    QVERIFY(QFile::remove(first.url.socket)); // as cleaners of temporary folders do
    QVERIFY(!PrivateServer::url(sandbox.folder()));
    const auto second = PrivateServer::start(sandbox.folder());
    QCOMPARE(second.error, QString());
    QVERIFY(second.started);
    QCOMPARE(probeSocket(second.url.socket, 10s).state, SocketProbe::State::Answering);
}

void PrivateServerTest::aFrozenServerIsStopped()
{
    QCOMPARE(PrivateServer::start(m_sandbox.folder()).error, QString());
    freezeProcess(m_sandbox.serverPid());
    QVERIFY(!PrivateServer::url(m_sandbox.folder()));
    const auto stopped = PrivateServer::stop(m_sandbox.folder());
    QCOMPARE(stopped.error, QString());
    QVERIFY(stopped.wasRunning);
}

void PrivateServerTest::stoppingWhatDoesNotRunIsNoError()
{
    Sandbox sandbox;
    const auto never = PrivateServer::stop(sandbox.folder());
    QCOMPARE(never.error, QString());
    QVERIFY(!never.wasRunning);
    QVERIFY2(!QFileInfo::exists(sandbox.folder()), "looking for a server made its folder");
}

void PrivateServerTest::onlyTheServerItselfIsSignalled()
{
    {
        const QString path = m_sandbox.folder();
        const Bystander stranger([path] {
            auto *lock = new FileLock(ownLock(path)); // held until the process ends
            lock->take(0ms);
            lock->recordOwnPid();
        });
        PrivateServer::Options options;
        options.timeout = 1s;
        const auto stopped = PrivateServer::stop(m_sandbox.folder(), options);
        QVERIFY2(stopped.error.contains(QString::number(stranger.pid())), qPrintable(stopped.error));
        QVERIFY(stranger.isAlive());
        const auto started = PrivateServer::start(m_sandbox.folder(), options);
        QVERIFY2(started.error.contains(QString::number(stranger.pid())), qPrintable(started.error));
        QVERIFY(stranger.isAlive());
    }
    QCOMPARE(PrivateServer::start(m_sandbox.folder()).error, QString());
}

/// What was written into its record by whoever could.
void PrivateServerTest::onlyItsOwnSocketIsRemoved()
{
    QTemporaryDir elsewhere;
    QFile thesis(elsewhere.filePath(u"thesis"_s));
    QVERIFY(thesis.open(QIODevice::WriteOnly));
    QVERIFY(QDir(elsewhere.path()).mkdir(u"empty"_s));
    for (const QString &named : {thesis.fileName(), elsewhere.filePath(u"empty/s"_s)}) {
        QFile record(m_sandbox.file(u"server.json"_s));
        QVERIFY(record.open(QIODevice::ReadWrite));
        const QByteArray before = record.readAll();
        QJsonObject object = QJsonDocument::fromJson(before).object();
        object[u"socket"_s] = named;
        QVERIFY(record.resize(0) && record.seek(0));
        record.write(QJsonDocument(object).toJson());
        record.close();
        const auto stopped = PrivateServer::stop(m_sandbox.folder());
        const auto started = PrivateServer::start(m_sandbox.folder());
        QCOMPARE(stopped.error, QString());
        QCOMPARE(started.error, QString());
        cleanup();
    }
    QVERIFY(thesis.exists());
    QVERIFY(QDir(elsewhere.filePath(u"empty"_s)).exists());
}

void PrivateServerTest::aFolderThatIsNotThereIsNotTheWorkingDirectory()
{
    QCOMPARE(PrivateServer::start(m_sandbox.folder()).error, QString());
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_sandbox.folder()));
    const auto stopped = PrivateServer::stop(u"missing"_s);
    QVERIFY(QDir::setCurrent(before));
    QCOMPARE(stopped.error, QString());
    QVERIFY(!stopped.wasRunning);
    QVERIFY(PrivateServer::url(m_sandbox.folder()));
}

void PrivateServerTest::anotherUsersFolderIsLeftAlone_data()
{
    QTest::addColumn<QString>("theirs"); // what belongs to somebody else
    QTest::newRow("the folder") << u"."_s;
    QTest::newRow("the file that marks it") << u"control.lock"_s;
    QTest::newRow("the file that names the server's process") << u"server.lock"_s;
}

void PrivateServerTest::anotherUsersFolderIsLeftAlone()
{
    QFETCH(QString, theirs);
    if (::geteuid() != 0)
        QSKIP("only root can give a file away");
    const QByteArray path = QFile::encodeName(m_sandbox.file(theirs));
    QCOMPARE(::chown(path.constData(), Nobody, Nobody), 0);
    const auto url = PrivateServer::url(m_sandbox.folder());
    const auto stopped = PrivateServer::stop(m_sandbox.folder());
    const auto started = PrivateServer::start(m_sandbox.folder());
    QCOMPARE(::chown(path.constData(), 0, 0), 0);
    QVERIFY(!url);
    QVERIFY(!stopped.error.isEmpty());
    QVERIFY(!stopped.wasRunning);
    QVERIFY2(!started.error.isEmpty() && !started.started, "it was taken for our own");
}

void PrivateServerTest::anotherUsersServerIsForeign()
{
    if (::geteuid() != 0)
        QSKIP("only root can become another user");
    QTemporaryDir temporary;
    QCOMPARE(::chmod(QFile::encodeName(temporary.path()).constData(), 0777), 0);
    const QByteArray path = QFile::encodeName(temporary.filePath(u"s"_s));
    const Bystander stranger([path] {
        [[maybe_unused]] const int become = ::setresuid(Nobody, Nobody, Nobody);
        const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.constData(), std::size_t(path.size()));
        ::bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof address);
        ::chmod(path.constData(), 0777);
        ::listen(listener, 1);
    });
    QCOMPARE(probeSocket(QFile::decodeName(path), 1s).state, SocketProbe::State::Foreign);
}

void PrivateServerTest::anUnusableFolderIsNamed_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("reason");
    QTest::newRow("is a file") << u"file"_s << u"cannot be made"_s;
    QTest::newRow("below a file") << u"file/folder"_s << u"cannot be made"_s;
    QTest::newRow("not writable, also for root") << u"/proc/lockscope"_s << u"cannot be made"_s;
    QTest::newRow("holds other files") << u"full"_s << u"holds other files"_s;
    QTest::newRow("shared by all") << u"shared"_s << u"shared by all users"_s;
}

void PrivateServerTest::anUnusableFolderIsNamed()
{
    QFETCH(QString, name);
    QFETCH(QString, reason);
    QTemporaryDir temporary;
    QVERIFY(QFile(temporary.filePath(u"file"_s)).open(QIODevice::WriteOnly));
    QVERIFY(QDir(temporary.path()).mkdir(u"full"_s) && QDir(temporary.path()).mkdir(u"shared"_s));
    QVERIFY(QFile(temporary.filePath(u"full/thesis.odt"_s)).open(QIODevice::WriteOnly));
    QCOMPARE(::chmod(QFile::encodeName(temporary.filePath(u"shared"_s)).constData(), 01777), 0);

    const QString path = name.startsWith(u'/') ? name : temporary.filePath(name);
    const auto started = PrivateServer::start(path);
    QVERIFY2(started.error.contains(reason), qPrintable(started.error));
    QVERIFY2(started.error.contains(path), qPrintable(started.error));
    struct stat info = {};
    QCOMPARE(::stat(QFile::encodeName(temporary.filePath(u"full"_s)).constData(), &info), 0);
    QVERIFY2((info.st_mode & 0077) != 0, "somebody's folder was closed to others");
}

void PrivateServerTest::aFolderInUseNamesItsUser()
{
    const QByteArray data = QFile::encodeName(m_sandbox.file(u"data/ibdata1"_s));
    const Bystander other([data] { // as a server that somebody started by hand
        const int fd = ::open(data.constData(), O_RDWR);
        struct flock range = {};
        range.l_type = F_WRLCK;
        ::fcntl(fd, F_SETLK, &range);
    });
    const auto started = PrivateServer::start(m_sandbox.folder());
    QVERIFY2(started.error.contains(u"in use by process %1"_s.arg(other.pid())), qPrintable(started.error));
}

void PrivateServerTest::dataOfTheOtherFamilyIsNotTouched()
{
    QFile record(m_sandbox.file(u"server.json"_s));
    QVERIFY(record.open(QIODevice::ReadOnly));
    const QByteArray before = record.readAll();
    QJsonObject object = QJsonDocument::fromJson(before).object();
    record.close();
    const bool isMariaDb = object.value(u"family"_s).toString() == u"MariaDB"_s;
    object[u"family"_s] = isMariaDb ? u"MySQL"_s : u"MariaDB"_s;
    QVERIFY(record.open(QIODevice::WriteOnly));
    record.write(QJsonDocument(object).toJson());
    record.close();
    const auto started = PrivateServer::start(m_sandbox.folder());
    QVERIFY2(started.error.contains(u"was made by"_s), qPrintable(started.error));
    QVERIFY(!PrivateServer::url(m_sandbox.folder()));
    QVERIFY(record.open(QIODevice::WriteOnly));
    record.write(before);
}

void PrivateServerTest::aMissingServerProgramIsNamed_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("reason");
    QTest::newRow("not there") << u"/nonexistent/mariadbd"_s << u"does not exist"_s;
    QTest::newRow("a folder") << u"/tmp"_s << u"cannot be run"_s;
    QTest::newRow("something else") << u"/bin/true"_s << u"is not a MariaDB or MySQL server"_s;
}

void PrivateServerTest::aMissingServerProgramIsNamed()
{
    QFETCH(QString, program);
    QFETCH(QString, reason);
    PrivateServer::Options options;
    options.program = program;
    const auto started = PrivateServer::start(m_sandbox.folder(), options);
    QVERIFY2(started.error.contains(reason) && started.error.contains(program), qPrintable(started.error));
    // Nothing half-done: the next start has a server and works.
    QCOMPARE(PrivateServer::start(m_sandbox.folder()).error, QString());
}

void PrivateServerTest::theServersOwnWordsAreTold_data()
{
    QTest::addColumn<bool>("isDamaged");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("words");
    QTest::newRow("damaged data") << true << QStringList() << u"ibdata1"_s;
    QTest::newRow("option not known") << false << QStringList{u"--no-such-option"_s} << u"no-such-option"_s;
}

void PrivateServerTest::theServersOwnWordsAreTold()
{
    QFETCH(bool, isDamaged);
    QFETCH(QStringList, options);
    QFETCH(QString, words);
    Sandbox own;
    const Sandbox &sandbox = isDamaged ? own : m_sandbox;
    if (isDamaged) {
        QCOMPARE(PrivateServer::start(sandbox.folder()).error, QString());
        QCOMPARE(PrivateServer::stop(sandbox.folder()).error, QString());
        QFile data(sandbox.file(u"data/ibdata1"_s));
        QVERIFY(data.open(QIODevice::WriteOnly));
        data.write("nothing");
    }
    PrivateServer::Options start;
    start.serverOptions = options;
    const auto started = PrivateServer::start(sandbox.folder(), start);
    QVERIFY2(started.error.contains(words), qPrintable(started.error));
    QVERIFY2(started.error.contains(sandbox.file(u"server.log"_s)), qPrintable(started.error));
    QVERIFY(!PrivateServer::url(sandbox.folder()));
}

QTEST_GUILESS_MAIN(PrivateServerTest)
#include "tst_privateserver.moc"
