// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope_export.h"
#include "lockstore.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <memory>

namespace lockscope {

/// Where an etcd is: `etcd://user@h1:2379,h2:2379/locks?ssl-ca=%2Fca.pem`, with members of its cluster and what the
/// keys of locks begin with; or `etcd:///locks?socket=%2Fpath`. Carries no password. A plain value.
struct LOCKSCOPE_EXPORT EtcdUrl
{
    /// Auto: any host but this machine is spoken to only over TLS with a verified certificate; so is this machine when
    /// an authority is named. Off: plain text, wherever it goes.
    enum class Tls { Auto, On, Off };

    struct Host
    {
        QString name; ///< or an address; of IPv6 without brackets
        int port = 0;

        bool operator==(const Host &) const = default;
    };

    QList<Host> hosts;   ///< empty with sockets
    QStringList sockets; ///< absolute paths, one a member; empty for TCP
    QString user;        ///< empty: none, and whoever reaches the server may do all
    QString path;        ///< "/locks": the keys of "r" begin with "/locks/r/"; empty: with "r/"
    QString caFile;      ///< PEM file of the authority that signed the servers' certificates; empty: the system's
    QString certFile;    ///< PEM file of a client certificate, and of its key; both or none
    QString keyFile;
    Tls tls = Tls::Auto;

    /// Parses and checks; on failure returns false and one sentence that says what is wrong. Refuses a password in it.
    static bool parse(const QString &text, EtcdUrl *url, QString *error);
    QString toString() const;
    /// True for sockets, or if all hosts are loopback addresses.
    bool isLocal() const;
    bool usesTls() const;

    bool operator==(const EtcdUrl &) const = default;
};

/// What an EtcdStore needs to know. A plain value.
struct EtcdConfig
{
    EtcdUrl server;
    QString password; ///< of the URL's user
    /// For one connection, TLS included, and for one answer. A connection that is late is closed. Where the server has
    /// several members, others are asked beside a silent one before that, all of them within a third of a lease's TTL.
    /// One that is only slower than they are keeps its connections, and is asked first again. A name whose address does
    /// not come counts as a silent one from libcurl 7.87 on; an older libcurl waits for it as long as the system does.
    std::chrono::milliseconds connectTimeout = std::chrono::seconds(3);
    std::chrono::milliseconds answerTimeout = std::chrono::seconds(5);
};

/// Leases on one etcd (3.4 or newer), or a cluster: fair, woken, fenced, with the keys that Go's package `concurrency`
/// and `etcdctl lock` make; see lib/README.md for what they promise. Put one into EngineConfig::store. Thread: as
/// LockStore says.
class LOCKSCOPE_EXPORT EtcdStore : public LockStore
{
public:
    explicit EtcdStore(EtcdConfig config);
    ~EtcdStore() override;

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
