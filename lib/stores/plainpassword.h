// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "session/trustedsocket.h"

#include <QtCore/QList>
#include <QtCore/QStringList>

// What each store asks before a password goes to this machine in plain text. Inline: each is a library of its own.
namespace lockscope::detail {

/// As of a server that is away, for it may have ended and come back when its place was asked for again.
inline LockError placeError(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::Unavailable;
    error.message = message;
    error.connectionGone = true;
    return error;
}

inline LockError strangerError(const QString &store, const QString &place, const QString &remedy)
{
    return placeError(
        QStringLiteral("The password of the %1 user would go in plain text to the program that listens at %2 of this "
                       "machine, and that may be anybody's: nothing was sent. %3 If whoever listens there may have the "
                       "password, add tls=off to the URL.")
            .arg(store, place, remedy));
}

inline LockError emptyPlaceError(const QString &store, const QStringList &places)
{
    return placeError(QStringLiteral("%1 cannot be reached at %2: nobody is seen to listen there. Is it running? If it "
                                     "is, but cannot be seen from here, as in some containers, add tls=off to the URL.")
                          .arg(store, places.join(QStringLiteral(", "))));
}

/// Why it may not go to these hosts of this machine, or nothing: whoever listens there could read it. `store` is how it
/// is called, `remedy` a sentence of what to do; `Host` has `name` and `port`. I/O; ask just before connecting.
template<typename Host>
std::optional<LockError> refusePlainPassword(const QList<Host> &hosts, const QString &store, const QString &remedy)
{
    QStringList places;
    bool isSomebodyThere = false;
    for (const Host &host : hosts) {
        const LoopbackListener listener = listenerAt(host.name, host.port);
        places.append(QStringLiteral("%1:%2").arg(host.name).arg(host.port));
        isSomebodyThere = isSomebodyThere || listener != LoopbackListener::None;
        if (listener == LoopbackListener::Anybody)
            return strangerError(store, places.constLast(), remedy);
    }
    return isSomebodyThere ? std::nullopt : std::optional(emptyPlaceError(store, places));
}

/// The same of a Unix socket, whose path becomes the one without links: that one nobody else can exchange.
inline std::optional<LockError> refuseSocket(QString *path, const QString &store)
{
    const QString trusted = trustedSocket(*path, ::geteuid());
    if (!trusted.isEmpty()) {
        *path = trusted;
        return std::nullopt;
    }
    if (!QFileInfo::exists(*path))
        return emptyPlaceError(store, {*path});
    return strangerError(store, *path,
                         QStringLiteral("Let the socket and all folders above it be root's, a system account's or this "
                                        "user's, writable by nobody else."));
}

} // namespace lockscope::detail
