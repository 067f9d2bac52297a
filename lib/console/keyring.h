// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <functional>
#include <optional>

class QObject;

namespace lockscope {

/// Passwords in the desktop's keyring (Secret Service, KWallet), one for each user on each server. Never anywhere else:
/// without a keyring nothing is kept.
///
/// Thread: any with an event loop, but always the same one. Every call returns at once; the keyring may first ask the
/// person to unlock it. `done` runs in that loop unless `context` is gone by then.
class Keyring
{
public:
    struct Answer
    {
        std::optional<QString> password; ///< of `read`; none: the keyring has none for this user and server
        QString error;                   ///< there is no keyring, or it refuses; in its own words. Empty on success
    };
    using Done = std::function<void(const Answer &)>;

    /// user@host:port or user@/socket: what its entry is called beside the service "Lockscope".
    static QString nameOf(const ServerUrl &url);

    static void read(const QString &name, QObject *context, Done done);
    static void store(const QString &name, const QString &password, QObject *context, Done done);
    /// Nothing to forget is success.
    static void forget(const QString &name, QObject *context, Done done);
};

} // namespace lockscope
