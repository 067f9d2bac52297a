// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/zookeeperstore.h"
#include "privateserver/processfolder.h"
#include "storeprograms.h"

#include <QtCore/QProcess>

#include <optional>

namespace lockscope {

/// A ZooKeeper of one's own: a child of this process that listens on a port of this machine, with its data in a folder
/// which only this user may enter, and is gone with the object, or with the process however that ends. Other users of
/// the machine can reach the port. Thread: the one that made it, which must live as long (the kernel ends the server
/// with it). Calls block.
class ZooKeeperNode
{
public:
    /// When its log of writes is on the disk. Killing the server takes nothing either way.
    enum class Keeping {
        Memory, ///< some time later: a crash of the machine forgets writes
        Durable ///< before each answer
    };

    /// What start() would not find.
    static std::optional<MissingServer> missing();

    /// Starts nothing yet.
    explicit ZooKeeperNode(Keeping keeping = Keeping::Memory);
    ~ZooKeeperNode();
    ZooKeeperNode(const ZooKeeperNode &) = delete;
    ZooKeeperNode &operator=(const ZooKeeperNode &) = delete;

    /// Starts on the data that is there, on the port that it had, and returns when it gives sessions. An error: it does
    /// not run; where a program is missing, the message has the command that gets it.
    std::optional<LockError> start();
    /// SIGTERM, and SIGKILL; both return when the process is gone.
    void stop();
    void kill9();

    /// Of an ensemble, before it is launched: which of its members this one is (from 1), and all of them as a
    /// configuration has them ("server.1=127.0.0.1:…"). It takes a new port.
    void join(int member, const QByteArray &members);
    /// The first half of start(): the process runs. A member of an ensemble waits for the others.
    std::optional<LockError> launch();
    /// The second half.
    std::optional<LockError> untilItAnswers();
    /// Of an error of start() or untilItAnswers(): somebody else was quicker to take a port.
    static bool isPortTaken(const LockError &error);
    /// A port of the loopback address that nobody has at this moment; 0: none.
    static int freePort();

    ZooKeeperUrl url() const;
    /// 0 while it does not run.
    qint64 pid() const { return m_process.processId(); }
    QString folder() const { return m_folder.path(); }
    /// What it says to a four-letter word ("mntr"); empty when it does not answer within two seconds.
    QByteArray ask(const QByteArray &word) const;

    /// The bounds of its sessions.
    static constexpr std::chrono::milliseconds ShortestSession{1000};
    static constexpr std::chrono::milliseconds LongestSession{240'000};

private:
    QString logFile() const { return m_folder.filePath(QStringLiteral("log")); }
    QString lastWords() const;
    std::optional<LockError> writeConfiguration();
    bool writeMember();

    const ProcessFolder m_folder{ProcessFolder::Place::Disk};
    const Keeping m_keeping;
    int m_port = 0;
    int m_member = 0;
    QByteArray m_members; ///< empty: it is alone
    QProcess m_process;
};

} // namespace lockscope
