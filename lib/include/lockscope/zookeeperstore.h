// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope_export.h"
#include "lockstore.h"

#include <QtCore/QList>
#include <QtCore/QString>

#include <chrono>
#include <memory>

namespace lockscope {

/// Where a ZooKeeper is: `zookeeper://user@h1:2181,h2:2181/locks?tls=off`, with all servers of its ensemble and the
/// node below which locks are. Carries no password. A plain value.
struct LOCKSCOPE_EXPORT ZooKeeperUrl
{
    struct Host
    {
        QString name; ///< or an address; of IPv6 without brackets
        int port = 0;

        bool operator==(const Host &) const = default;
    };

    QList<Host> hosts;
    QString user;   ///< of the scheme "digest"; empty: none, and whoever reaches the server may do all
    QString chroot; ///< "/locks"; empty: the root
    /// The client speaks plain text only. A host that is not this machine wants that said.
    bool isPlainTextAgreed = false;

    /// Parses and checks; on failure returns false and one sentence that says what is wrong and what to do. Refuses a
    /// password in it, and a host that is not this machine without tls=off.
    static bool parse(const QString &text, ZooKeeperUrl *url, QString *error);
    QString toString() const;
    /// True if all hosts are loopback addresses.
    bool isLocal() const;

    bool operator==(const ZooKeeperUrl &) const = default;
};

/// What a ZooKeeperStore needs to know. A plain value.
struct ZooKeeperConfig
{
    ZooKeeperUrl server;
    /// Of the URL's user, who must have one; to ZooKeeper the same with another one is another user. Who listens at a
    /// port of this machine is looked at before the first connection; the client library makes further ones by itself.
    QString password;
    /// After so long without a sign of life the server gives a process's leases away: the shortest TTL. A holder
    /// believes in its lease for half of it after each renewal. The server has bounds for it, 2 to 20 of its ticks
    /// (4–40 s) unless it is told others.
    std::chrono::milliseconds sessionTimeout = std::chrono::seconds(10);
    /// For one connection, and for one answer.
    std::chrono::milliseconds connectTimeout = std::chrono::seconds(3);
    std::chrono::milliseconds answerTimeout = std::chrono::seconds(5);
};

/// Leases on one ZooKeeper (3.5 or newer), or an ensemble: fair, woken, fenced, with the nodes that Apache Curator's
/// InterProcessMutex makes; see lib/README.md for what they promise. Put one into EngineConfig::store. All leases of a
/// store are of one session. Thread: as LockStore says.
class LOCKSCOPE_EXPORT ZooKeeperStore : public LockStore
{
public:
    explicit ZooKeeperStore(ZooKeeperConfig config);
    ~ZooKeeperStore() override;

    Traits traits() const override;
    std::optional<LockError> validate() const override;
    std::optional<LockError> connect(const Owner &owner, const Listener &listener) override;
    void close() override;
    Grant acquire(const Ask &ask, StoreWait &wait) override;
    Renewal renew(const Lease &lease, Duration ttl) override;
    Release release(const Lease &lease, Duration keptFor) override;
    RequestResult requestRelease(const QByteArray &resource, const QString &reason) override;
    HeldLeases heldLeases(const QByteArray &prefix, const std::stop_token &stop) override;
    ForcedRelease forceRelease(const QByteArray &resource, quint64 token, const QString &operatorName,
                               const QString &reason) override;

private:
    class Private;
    const std::unique_ptr<Private> m_private;
};

} // namespace lockscope
