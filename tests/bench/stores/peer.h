// SPDX-License-Identifier: MIT
#pragma once

#include "statistics.h"

#include <QtCore/QProcess>
#include <QtCore/QStringList>

#include <chrono>
#include <memory>

namespace lockscope::bench {

/// A lock of somebody else's, and how the program is started that measures it. peers/README.md tells what it answers.
struct PeerKind
{
    QString name;
    QStringList program;              ///< and its first arguments; the server's address follows
    std::chrono::milliseconds asks{}; ///< how often it asks while it waits; zero: it is woken
    bool waits = true;                ///< false: it only tries
    QString lacks;                    ///< what it does not promise
};

PeerKind redisPyPeer();
PeerKind redlockPeer();
PeerKind redisSemaphorePeer();
PeerKind kazooPeer();
PeerKind curatorPeer();
PeerKind etcd3Peer();
PeerKind pythonEtcd3Peer();

/// Such a program, which runs. What goes wrong after its start ends the benchmark. Thread: the one that made it.
class Peer
{
public:
    Peer(PeerKind kind, const QString &address);
    ~Peer();
    Peer(const Peer &) = delete;
    Peer &operator=(const Peer &) = delete;

    const PeerKind &kind() const { return m_kind; }
    /// Name and version; of one that is not there why, and the command that gets it.
    QString title() const { return m_title; }
    bool isThere() const { return m_isThere; }

    /// Microseconds of a pair.
    double pair(int count);
    /// Microseconds from the release to the return of the one that waited, in the median of some.
    double handOver();
    struct Contest
    {
        Values grants; ///< of each
        double longestGapUs = 0;
    };
    Contest contend(int contenders, std::chrono::seconds length);

private:
    /// Numbers. Ends the program where none come.
    Values ask(const QByteArray &question);
    /// Empty: it has ended.
    QByteArray line();

    const PeerKind m_kind;
    QProcess m_process;
    QString m_title;
    bool m_isThere = false;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

Peers startedPeers(const std::vector<PeerKind> &kinds, const QString &address);

} // namespace lockscope::bench
