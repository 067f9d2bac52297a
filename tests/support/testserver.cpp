// SPDX-License-Identifier: MIT
#include "testserver.h"

#include "freeze.h"
#include "privateserver/socketprobe.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QSaveFile>
#include <QtCore/QStandardPaths>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::test {

namespace {

constexpr auto kStartTimeout = 120s; // a sanitizer build beside other tests on two cores

std::unique_ptr<TestServer> &sharedServer()
{
    // Ended by stopSharedServer() and not by exit(), which the child of a fork() calls as well.
    static auto *const server = new std::unique_ptr<TestServer>;
    return *server;
}

void stopSharedServer()
{
    sharedServer().reset();
}

/// Starts `words` with output into `logPath`. The child ends with this thread, however this ends: no test leaves
/// a server behind.
pid_t startProcess(const QStringList &words, const QString &logPath)
{
    std::vector<QByteArray> texts;
    texts.reserve(static_cast<std::size_t>(words.size()));
    for (const QString &word : words)
        texts.push_back(QFile::encodeName(word));
    std::vector<char *> argv;
    for (QByteArray &text : texts)
        argv.push_back(text.data());
    argv.push_back(nullptr);
    const QByteArray log = QFile::encodeName(logPath);
    const pid_t parent = ::getpid();

    const pid_t pid = ::fork();
    if (pid != 0)
        return pid;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(127);
    ::setsid(); // Ctrl+C in the terminal is for the test, which then stops the server
    const int input = ::open("/dev/null", O_RDONLY);
    const int output = ::open(log.constData(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
}

int waitForExit(pid_t pid)
{
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) { }
    return status;
}

QString program(const QString &name)
{
    QString path = QStandardPaths::findExecutable(name);
    if (path.isEmpty()) // /usr/sbin is not in everybody's PATH
        path = QStandardPaths::findExecutable(name, {u"/usr/sbin"_s, u"/usr/local/sbin"_s, u"/usr/libexec"_s});
    return path;
}

bool copyFolder(const QString &from, const QString &to)
{
    std::error_code error;
    std::filesystem::copy(from.toStdString(), to.toStdString(), std::filesystem::copy_options::recursive, error);
    return !error;
}

/// Debian's libfaketime.
QByteArray clockLibrary()
{
    const QDir libraries(u"/usr/lib"_s);
    for (const QString &folder : libraries.entryList({u"*-linux-gnu*"_s}, QDir::Dirs)) {
        QFile file(libraries.filePath(folder + u"/faketime/libfaketimeMT.so.1"_s));
        if (file.open(QIODevice::ReadOnly))
            return file.readAll();
    }
    qFatal("A server's clock cannot be moved here: install libfaketime");
}

/// Small, quick to start, and as durable as a server that holds locks has to be.
QStringList commonOptions()
{
    return {u"--skip-networking"_s,   u"--innodb-buffer-pool-size=32M"_s, u"--innodb-flush-log-at-trx-commit=1"_s,
            u"--skip-name-resolve"_s, u"--max-connections=600"_s,         u"--secure-file-priv="_s};
}

QStringList asRoot()
{
    return ::geteuid() == 0 ? QStringList{u"--user=root"_s} : QStringList{};
}

/// What programs under test write down, such as the record of kills, goes here and not to the person's own folders.
void useOwnDataFolder()
{
    static QTemporaryDir folder;
    static const bool isSet = qputenv("XDG_DATA_HOME", QFile::encodeName(folder.path()));
    Q_UNUSED(isSet)
}

} // namespace

TestServer &TestServer::instance()
{
    if (!sharedServer()) {
        sharedServer() = std::make_unique<TestServer>();
        qAddPostRoutine(stopSharedServer);
    }
    return *sharedServer();
}

TestServer::TestServer(QStringList serverOptions)
    : m_options(std::move(serverOptions))
{
    useOwnDataFolder();
    if (!m_temporary.isValid())
        qFatal("No temporary folder: %ls", qUtf16Printable(m_temporary.errorString()));
    m_root = qEnvironmentVariable("LOCKSCOPE_TEST_MYSQL");
    m_family = m_root.isEmpty() ? Family::MariaDb : Family::MySql;
    m_folder = m_temporary.path();
    m_serverPath = m_folder;
    if (!m_root.isEmpty()) {
        m_inside = std::make_unique<QTemporaryDir>(m_root + u"/var/lib/lockscope-test-XXXXXX"_s);
        if (!m_inside->isValid())
            qFatal("No temporary folder for MySQL: %ls", qUtf16Printable(m_inside->errorString()));
        m_folder = m_inside->path();
        m_serverPath = m_folder.mid(m_root.size());
        // A short way in: the real path may be longer than a socket address holds.
        QFile::link(m_folder + u"/s"_s, m_temporary.filePath(u"s"_s));
    }
    if (!QDir(m_folder).mkpath(u"tmp"_s))
        qFatal("Cannot make %ls/tmp", qUtf16Printable(m_folder));
    install();
    start();
}

TestServer::~TestServer()
{
    stop();
}

ServerUrl TestServer::url() const
{
    ServerUrl url;
    url.user = u"root"_s;
    url.socket = m_temporary.filePath(u"s"_s);
    url.schema = u"lockscope"_s;
    return url;
}

QString TestServer::put(const QString &name, const QByteArray &content) const
{
    QFile file(m_folder + u'/' + name);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) < 0)
        qFatal("Cannot write %ls", qUtf16Printable(file.fileName()));
    return m_serverPath + u'/' + name;
}

void TestServer::install()
{
    const QString data = m_folder + u"/d"_s;
    const QString kept = keptData();
    if (QFileInfo::exists(kept)) {
        if (!copyFolder(kept, data))
            qFatal("%ls cannot be copied; remove it to have it made anew", qUtf16Printable(kept));
        return;
    }
    makeData();
    // Under another name until it is whole. Of several that do this at once one succeeds.
    const QString copy = u"%1.%2"_s.arg(kept).arg(::getpid());
    const bool isCopied = QDir().mkpath(QFileInfo(kept).path()) && copyFolder(data, copy);
    QFile::remove(copy + u"/auto.cnf"_s); // a MySQL's own number, of which each makes one
    if (!isCopied || !QDir().rename(copy, kept))
        QDir(copy).removeRecursively();
}

/// Where data as this server makes them at first are kept: to make them takes seconds of a processor, and there are
/// hundreds of tests. Another version keeps others.
QString TestServer::keptData() const
{
    const bool isMySql = !m_root.isEmpty();
    const QFileInfo server(isMySql ? m_root + u"/usr/sbin/mysqld"_s : program(u"mariadbd"_s));
    const QString cache = isMySql
        ? m_root + u"/var/lib"_s
        : QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/lockscope"_s;
    return u"%1/test-data-%2-%3"_s.arg(cache).arg(server.lastModified().toSecsSinceEpoch()).arg(server.size());
}

void TestServer::makeData()
{
    const QString initFile = put(u"init.sql"_s, "CREATE DATABASE lockscope CHARACTER SET utf8mb4;\n");
    QStringList words = environment();
    if (m_root.isEmpty()) {
        const QString installer = program(u"mariadb-install-db"_s);
        if (installer.isEmpty())
            qFatal("mariadb-install-db is missing: install mariadb-server-core, or set LOCKSCOPE_TEST_MYSQL");
        words += {installer,
                  u"--no-defaults"_s,
                  u"--auth-root-authentication-method=normal"_s,
                  u"--skip-test-db"_s,
                  u"--innodb-log-file-size=16M"_s,
                  u"--extra-file="_s + initFile};
    } else {
        words += {u"chroot"_s,
                  m_root,
                  u"mysqld"_s,
                  u"--no-defaults"_s,
                  u"--initialize-insecure"_s,
                  u"--innodb-redo-log-capacity=16M"_s,
                  u"--init-file="_s + initFile};
    }
    words << asRoot() << u"--datadir=%1/d"_s.arg(m_serverPath);
    const pid_t pid = startProcess(words, m_folder + u"/log"_s);
    if (pid < 0 || waitForExit(pid) != 0)
        qFatal("The test server's data folder cannot be made: %ls", qUtf16Printable(log()));
}

/// A starting MariaDB removes every temporary table that it finds in its temporary folder, also those of others.
QStringList TestServer::environment() const
{
    return QStringList{u"env"_s, u"TMPDIR=%1/tmp"_s.arg(m_serverPath)} + m_clockVariables;
}

QStringList TestServer::command() const
{
    QStringList words = environment();
    if (m_root.isEmpty())
        words << program(u"mariadbd"_s) << u"--no-defaults"_s << u"--innodb-log-file-size=16M"_s;
    else
        words << u"chroot"_s << m_root << u"mysqld"_s << u"--no-defaults"_s << u"--mysqlx=OFF"_s
              << u"--innodb-redo-log-capacity=16M"_s;
    words << asRoot() << commonOptions() << u"--datadir=%1/d"_s.arg(m_serverPath)
          << u"--socket=%1/s"_s.arg(m_serverPath) << u"--pid-file=%1/pid"_s.arg(m_serverPath);
    return words << m_options;
}

void TestServer::start()
{
    if (isRunning())
        return;
    QFile::remove(m_folder + u"/s"_s);
    m_pid = startProcess(command(), m_folder + u"/log"_s);
    if (m_pid < 0)
        qFatal("The test server cannot be started: fork failed");
    waitUntilAnswering();
}

void TestServer::waitUntilAnswering()
{
    const QDeadlineTimer deadline(kStartTimeout);
    while (probeSocket(url().socket, 1s).state != SocketProbe::State::Answering) {
        int status = 0;
        if (::waitpid(static_cast<pid_t>(m_pid), &status, WNOHANG) != 0)
            qFatal("The test server ended while starting: %ls", qUtf16Printable(log()));
        if (deadline.hasExpired())
            qFatal("The test server does not answer: %ls", qUtf16Printable(log()));
        ::usleep(10'000);
    }
}

void TestServer::waitUntilGone()
{
    waitForExit(static_cast<pid_t>(m_pid));
    m_pid = 0;
}

void TestServer::stop()
{
    if (!isRunning())
        return;
    ::kill(static_cast<pid_t>(m_pid), SIGTERM);
    thaw();
    waitUntilGone();
}

void TestServer::restart()
{
    stop();
    start();
}

void TestServer::kill9()
{
    if (!isRunning())
        return;
    ::kill(static_cast<pid_t>(m_pid), SIGKILL);
    waitUntilGone();
}

void TestServer::freeze()
{
    freezeProcess(m_pid);
}

void TestServer::thaw()
{
    thawProcess(m_pid);
}

void TestServer::setOptions(QStringList serverOptions)
{
    m_options = std::move(serverOptions);
}

void TestServer::setClock(std::chrono::seconds ahead)
{
    QSaveFile clock(m_folder + u"/clock"_s); // the server reads it at any moment
    clock.open(QIODevice::WriteOnly);
    clock.write(ahead.count() < 0 ? "" : "+");
    clock.write(QByteArray::number(qint64(ahead.count())));
    if (!clock.commit())
        qFatal("Cannot write %ls", qUtf16Printable(clock.fileName()));
    if (!m_clockVariables.isEmpty())
        return;
    // A copy, because MySQL sees no other folder.
    m_clockVariables = {u"LD_PRELOAD="_s + put(u"clock.so"_s, clockLibrary()), u"FAKETIME_NO_CACHE=1"_s,
                        u"FAKETIME_DONT_FAKE_MONOTONIC=1"_s, u"FAKETIME_TIMESTAMP_FILE=%1/clock"_s.arg(m_serverPath)};
    restart();
}

QString TestServer::log() const
{
    QFile file(m_folder + u"/log"_s);
    file.open(QIODevice::ReadOnly);
    return QString::fromUtf8(file.readAll());
}

} // namespace lockscope::test
