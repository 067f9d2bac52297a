// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/redisstore.h"
#include "privateserver/processfolder.h"
#include "storeprograms.h"

#include <QtCore/QProcess>
#include <QtCore/QStringList>

#include <memory>
#include <optional>

namespace lockscope {

/// A Redis of one's own: a child of this process that listens on a Unix socket in a folder which only this user may
/// enter, and is gone with the object, or with the process however that ends. Thread: the one that made it, which must
/// live as long (the kernel ends the server with it). Calls block.
class RedisNode
{
public:
    /// What it keeps of its writes.
    enum class Keeping {
        Memory,      ///< nothing: a restart forgets all
        EverySecond, ///< a log, written to the disk each second: a crash of the machine forgets the last one
        Durable      ///< a log, on the disk before each answer
    };

    /// What start() would not find.
    static std::optional<MissingServer> missing();

    /// Starts nothing yet. `options`: more words for the server's command line.
    explicit RedisNode(Keeping keeping = Keeping::Memory, const QStringList &options = {});
    ~RedisNode();
    RedisNode(const RedisNode &) = delete;
    RedisNode &operator=(const RedisNode &) = delete;

    /// Before start(): its wall clock may be moved, and each look at it costs a system call from then on.
    void giveOwnClock() { m_hasOwnClock = true; }
    /// Moves its wall clock, which has been given to it, by so much more, while it runs. False: it stays as it is.
    bool moveClock(Duration by);

    /// Before start(): whoever connects needs it, also the one whose replica it is (which has the same). Not on the
    /// command line, which others can read.
    void setPassword(const QString &password) { m_password = password; }
    /// How to reach it.
    RedisConfig config() const;

    /// Starts on the data that is there and returns when it answers. An error: it does not run; where the program is
    /// missing, the message has the command that gets it.
    std::optional<LockError> start();
    /// Clean shutdown, and SIGKILL; both return when the process is gone.
    void stop();
    void kill9();

    RedisUrl url() const;
    /// 0 while it does not run.
    qint64 pid() const { return m_process.processId(); }
    QString folder() const { return m_folder.path(); }
    /// A section of what it says of itself ("commandstats"); empty when it does not answer.
    QByteArray info(const QByteArray &section) const;

private:
    QProcessEnvironment environment(const QString &program) const;
    bool writeClock() const;
    bool writeConfig() const;
    std::optional<LockError> untilItAnswers();
    LockError whyItEnded();

    ProcessFolder m_folder;
    const std::unique_ptr<ProcessFolder> m_data; ///< of its log; null: it has none
    const QStringList m_options;
    QString m_password;
    bool m_hasOwnClock = false;
    Duration m_clockOffset = Duration::zero();
    QProcess m_process;
};

} // namespace lockscope
