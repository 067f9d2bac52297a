// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "session/listeningaccounts.h"

#include <QtCore/QList>

// What each store asks before a password goes to this machine in plain text. Inline: each is a library of its own.
namespace lockscope::detail {

/// Why it may not go to these hosts of this machine, or nothing: whoever listens there could read it. `store` is how it
/// is called, `remedy` a sentence of what to do; `Host` has `name` and `port`. I/O; ask just before connecting.
template<typename Host>
std::optional<LockError> refusePlainPassword(const QList<Host> &hosts, const QString &store, const QString &remedy)
{
    LockError error;
    QStringList places;
    bool isSomebodyThere = false;
    for (const Host &host : hosts) {
        const LoopbackListener listener = listenerAt(host.name, host.port);
        places.append(QStringLiteral("%1:%2").arg(host.name).arg(host.port));
        isSomebodyThere = isSomebodyThere || listener != LoopbackListener::None;
        if (listener != LoopbackListener::Anybody)
            continue;
        error.kind = LockError::Kind::BadRequest;
        error.message =
            QStringLiteral("The password of the %1 user would go in plain text to the program that listens at %2 of "
                           "this machine, and that may be anybody's: nothing was sent. %3 If whoever listens there may "
                           "have the password, add tls=off to the URL.")
                .arg(store, places.constLast(), remedy);
        return error;
    }
    if (isSomebodyThere)
        return std::nullopt;
    error.kind = LockError::Kind::Unavailable;
    error.message = QStringLiteral("%1 cannot be reached at %2: nobody is seen to listen there. Is it running?")
                        .arg(store, places.join(QStringLiteral(", ")));
    error.connectionGone = true;
    return error;
}

} // namespace lockscope::detail
