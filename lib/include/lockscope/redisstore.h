// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope_export.h"
#include "lockstore.h"

#include <QtCore/QString>

#include <chrono>
#include <memory>

namespace lockscope {

/// Where a Redis server is: `redis://user@host:6379/0?socket=%2Fpath&ssl-ca=%2Fca.pem&tls=off`. Carries no password.
/// A plain value.
struct LOCKSCOPE_EXPORT RedisUrl
{
    /// Auto: any host but this machine is spoken to only over TLS with a verified certificate; so is this machine when
    /// an authority is named. Off: plain text, wherever it goes.
    enum class Tls { Auto, On, Off };

    QString user;   ///< of an ACL; empty: the default user
    QString host;   ///< empty with a socket
    int port = 0;   ///< 0 with a socket
    QString socket; ///< absolute path; empty for TCP
    int database = 0;
    QString caFile; ///< PEM file of the authority that signed the server's certificate; empty: the system's
    Tls tls = Tls::Auto;

    /// Parses and checks; on failure returns false and one sentence that says what is wrong. Refuses a password in it.
    static bool parse(const QString &text, RedisUrl *url, QString *error);
    QString toString() const;
    /// True for a socket or a loopback address.
    bool isLocal() const;
    bool usesTls() const;

    bool operator==(const RedisUrl &) const = default;
};

/// What a RedisStore needs to know. A plain value.
struct RedisConfig
{
    RedisUrl server;
    QString password;
    /// For one connection, TLS and sign-in included, and for one answer. A connection that is late is closed.
    std::chrono::milliseconds connectTimeout = std::chrono::seconds(3);
    std::chrono::milliseconds answerTimeout = std::chrono::seconds(5);
    /// Upper bound of the connections for commands, at least 1. One more hears what the server has to tell; a request
    /// that waits has none.
    int maxConnections = 8;
    /// Logs what a crash or a failover of this server may take (category lockscope.redis), when it is connected.
    bool namesRisks = true;
};

/// Leases on one Redis (6 or newer; no cluster): fair, woken, fenced; see lib/README.md for what they promise. Put one
/// into EngineConfig::store. Thread: as LockStore says.
class LOCKSCOPE_EXPORT RedisStore : public LockStore
{
public:
    explicit RedisStore(RedisConfig config);
    ~RedisStore() override;

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
