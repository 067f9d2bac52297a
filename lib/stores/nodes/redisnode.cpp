// SPDX-License-Identifier: MIT
#include "redisnode.h"

#include "privateserver/ownedchild.h"
#include "storeprograms.h"
#include "stores/redis/redisconnection.h"
#include "stores/redis/rediserror.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kStartWithin = 20s;

/// In the node's folder, where it works: a preload that moves its clock, and by how much.
constexpr auto kClockPreload = "./clockshift.so"_L1;
constexpr auto kClockOffset = "clock"_L1;
constexpr auto kConfig = "redis.conf"_L1;

QStringList wordsFor(RedisNode::Keeping keeping)
{
    if (keeping == RedisNode::Keeping::Memory)
        return {u"--appendonly"_s, u"no"_s};
    const QString when = keeping == RedisNode::Keeping::Durable ? u"always"_s : u"everysec"_s;
    return {u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, when};
}

/// Debian's redis-tools holds the server under another name, which decides what it is. Empty: there is none.
QString serverProgram(const ProcessFolder &folder)
{
    const QString server = storeProgram(u"redis-server"_s);
    const QString same = server.isEmpty() ? storeProgram(u"redis-check-rdb"_s) : QString();
    if (same.isEmpty())
        return server;
    const QString link = folder.filePath(u"redis-server"_s);
    QFile::link(same, link);
    return link;
}

} // namespace

RedisNode::RedisNode(Keeping keeping, const QStringList &options)
    : m_data(keeping == Keeping::Memory ? nullptr : std::make_unique<ProcessFolder>(ProcessFolder::Place::Disk))
    , m_options(wordsFor(keeping) + options)
{
    m_process.setWorkingDirectory(m_folder.path());
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardOutputFile(m_folder.filePath(u"log"_s)); // nobody empties a pipe
    m_process.setChildProcessModifier(endsWithItsOwner());
}

RedisNode::~RedisNode()
{
    kill9();
}

RedisUrl RedisNode::url() const
{
    RedisUrl url;
    url.socket = m_folder.filePath(u"s"_s);
    return url;
}

RedisConfig RedisNode::config() const
{
    RedisConfig config;
    config.server = url();
    config.password = m_password;
    return config;
}

std::optional<MissingServer> RedisNode::missing()
{
    if (!storeProgram(u"redis-server"_s).isEmpty() || !storeProgram(u"redis-check-rdb"_s).isEmpty())
        return std::nullopt;
    return MissingServer{u"a Redis server"_s, u"redis-tools"_s, u"redis-tools libjemalloc2 liblzf1"_s, {}};
}

std::optional<LockError> RedisNode::start()
{
    if (!m_folder.isValid())
        return detail::redisUnavailable(
            u"A private Redis needs a folder for its socket that nobody else may enter, and "
            "there is none, neither below XDG_RUNTIME_DIR nor in /tmp."_s);
    if (m_data && !m_data->isValid())
        return detail::redisUnavailable(
            u"A private Redis needs a folder for its log, and none can be made in the user's cache."_s);
    const QString program = serverProgram(m_folder);
    if (const auto none = missing())
        return detail::redisUnavailable(notInstalled({*none}));
    QStringList words{kConfig,  u"--port"_s, u"0"_s,   u"--unixsocket"_s, url().socket, u"--unixsocketperm"_s,
                      u"700"_s, u"--save"_s, QString()};
    if (m_data)
        words += {u"--dir"_s, m_data->path()};
    if (!writeConfig() || (m_hasOwnClock && !writeClock()))
        return detail::redisUnavailable(u"The folder of a private Redis, %1, cannot be written to."_s.arg(folder()));
    m_process.setProcessEnvironment(environment(program));
    m_process.start(program, words + m_options);
    if (!m_process.waitForStarted())
        return detail::redisUnavailable(u"%1 cannot be run."_s.arg(program), m_process.errorString());
    auto error = untilItAnswers();
    if (error)
        kill9();
    return error;
}

QByteArray RedisNode::info(const QByteArray &section) const
{
    LockError ignored;
    const auto connection = detail::RedisConnection::openAny(config(), "lockscope:info", &ignored);
    return connection ? connection->run({"INFO", section}, "redis/info").value.bytes : QByteArray();
}

/// Nothing of ours may change what a node does.
QProcessEnvironment RedisNode::environment(const QString &program) const
{
    const QProcessEnvironment ours = QProcessEnvironment::systemEnvironment();
    QProcessEnvironment clean;
    for (const QString &name : {u"PATH"_s, u"LD_LIBRARY_PATH"_s}) {
        if (ours.contains(name))
            clean.insert(name, ours.value(name));
    }
    if (const QString libraries = librariesOf(program); !libraries.isEmpty())
        clean.insert(u"LD_LIBRARY_PATH"_s, libraries);
    clean.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    if (m_hasOwnClock) {
        clean.insert(u"LD_PRELOAD"_s, kClockPreload);
        clean.insert(u"LOCKSCOPE_CLOCK_OFFSET"_s, kClockOffset);
    }
    return clean;
}

/// What is not for the command line.
bool RedisNode::writeConfig() const
{
    QFile file(m_folder.filePath(kConfig));
    const QByteArray password = m_password.toUtf8();
    const QByteArray text =
        password.isEmpty() ? QByteArray() : "requirepass " + password + "\nmasterauth " + password + '\n';
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

/// Also after a restart its clock is where it was moved to.
bool RedisNode::writeClock() const
{
    const QString preload = m_folder.filePath(kClockPreload);
    QFile offset(m_folder.filePath(kClockOffset));
    const qint64 microseconds = m_clockOffset.count();
    const auto bytes = QByteArray::fromRawData(reinterpret_cast<const char *>(&microseconds), sizeof microseconds);
    return (QFile::exists(preload) || QFile::copy(u":/nodes/clockshift.so"_s, preload))
        && offset.open(QIODevice::ReadWrite | QIODevice::Unbuffered) && offset.write(bytes) == bytes.size();
}

bool RedisNode::moveClock(Duration by)
{
    QFile maps(u"/proc/%1/maps"_s.arg(pid())); // a folder from which nothing may be run would leave it out
    if (!m_hasOwnClock || !maps.open(QIODevice::ReadOnly) || !maps.readAll().contains("clockshift.so"))
        return false;
    m_clockOffset += by;
    return writeClock();
}

/// One that refuses us, for its settings or a password, answers.
std::optional<LockError> RedisNode::untilItAnswers()
{
    const QDeadlineTimer deadline(kStartWithin);
    LockError error;
    while (!deadline.hasExpired()) {
        if (m_process.state() == QProcess::NotRunning || m_process.waitForFinished(1))
            return whyItEnded();
        const auto connection = detail::RedisConnection::openAny(config(), "lockscope:start", &error);
        const bool answers = connection ? connection->info().value("loading") != "1" : !detail::isRedisAway(error);
        if (answers)
            return std::nullopt;
    }
    return error;
}

LockError RedisNode::whyItEnded()
{
    QFile log(m_folder.filePath(u"log"_s));
    if (!log.open(QIODevice::ReadOnly))
        return detail::redisUnavailable(u"The private Redis ended as soon as it was started."_s);
    const QByteArrayList lines = log.readAll().trimmed().split('\n');
    return detail::redisUnavailable(u"The private Redis ended as soon as it was started."_s,
                                    QString::fromUtf8(lines.last()));
}

void RedisNode::stop()
{
    m_process.terminate();
    m_process.waitForFinished();
}

void RedisNode::kill9()
{
    m_process.kill();
    m_process.waitForFinished();
}

} // namespace lockscope
