// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/etcdstore.h"
#include "privateserver/processfolder.h"
#include "storeprograms.h"

#include <QtCore/QProcess>
#include <QtCore/QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// An etcd of one's own, or a cluster: children of this process that listen on Unix sockets in a folder which only this
/// user may enter, and are gone with the object, or with the process however that ends. Each takes some 120 MB of disk.
/// Thread: the one that made it, which must live as long (the kernel ends the servers with it). Calls block.
class EtcdNode
{
public:
    /// What start() would not find.
    static std::optional<MissingServer> missing();

    /// Starts nothing yet. `options`: more words for the servers' command lines.
    explicit EtcdNode(int members = 1, const QStringList &options = {});
    ~EtcdNode();
    EtcdNode(const EtcdNode &) = delete;
    EtcdNode &operator=(const EtcdNode &) = delete;

    /// Starts those that do not run on the data that is there, and returns when they answer. An error: they do not;
    /// where the program is missing, the message has the command that gets it.
    std::optional<LockError> start();
    /// SIGTERM, and SIGKILL; both return when the process is gone.
    void stop(int member = 0);
    void kill9(int member = 0);

    /// Of all members.
    EtcdUrl url() const;
    EtcdUrl url(int member) const;
    /// 0 while it does not run.
    qint64 pid(int member = 0) const;
    QString folder() const { return m_folder.path(); }
    /// Which of them leads now; -1: none says so.
    int leader() const;

    /// Calls that it has answered since it started; 0 when it does not say.
    qint64 calls(int member = 0) const;

private:
    QStringList words(int member) const;
    std::optional<LockError> untilTheyAnswer();
    LockError whyItEnded(int member) const;

    ProcessFolder m_folder;
    const ProcessFolder m_data{ProcessFolder::Place::Disk};
    const QStringList m_options;
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

} // namespace lockscope
