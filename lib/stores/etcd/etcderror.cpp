// SPDX-License-Identifier: MIT
#include "etcderror.h"

#include <algorithm>
#include <array>

namespace lockscope::detail {

namespace {

using Kind = LockError::Kind;

/// Of gRPC.
enum Code { Cancelled = 1, DeadlineExceeded = 4, NotFound = 5, Unimplemented = 12, Away = 14 };

constexpr auto kLeaseGone = QLatin1String("requested lease not found");

struct Known
{
    QLatin1String text; ///< etcd's, or a part of it
    Kind kind;
    const char *message;
};

/// The first one counts.
constexpr std::array kKnown{
    Known{
        QLatin1String("database space exceeded"), Kind::DiskFull,
        "etcd's space is used up, and it refuses writes until its alarm is taken back: compact and defragment it, then "
        "`etcdctl alarm disarm`."},
    Known{QLatin1String("user name is empty"), Kind::AccessDenied,
          "This etcd wants a user and a password: name the user in its URL."},
    Known{QLatin1String("authentication failed"), Kind::AccessDenied, "etcd refuses this user or password."},
    Known{QLatin1String("invalid auth token"), Kind::AccessDenied, "etcd does not know this user's session any more."},
    Known{QLatin1String("authentication is not enabled"), Kind::AccessDenied,
          "This etcd knows no users: leave the user out of its URL."},
    Known{QLatin1String("permission denied"), Kind::NoPermission,
          "The etcd user may not read and write these keys. Its role needs readwrite on all that begins with the URL's "
          "path."},
    Known{QLatin1String("no leader"), Kind::Unavailable,
          "This member of etcd has no leader: most of its cluster is away, or cannot be reached from there."},
    Known{QLatin1String("not leader"), Kind::Unavailable, "etcd is changing its leader. Try again."},
    Known{QLatin1String("raft proposal dropped"), Kind::Unavailable, "etcd is changing its leader. Try again."},
    Known{QLatin1String("too many requests"), Kind::Unavailable,
          "etcd has too much to do and refuses requests. Try again later."},
    Known{QLatin1String("has been compacted"), Kind::Contention,
          "etcd threw away what was being read (a compaction). Try again."},
    Known{QLatin1String("request is too large"), Kind::ServerFault,
          "etcd takes no request of this size (--max-request-bytes)."},
    Known{QLatin1String("not capable"), Kind::Unavailable,
          "This member of etcd is not ready yet, or has a version of its own."},
    Known{QLatin1String("rpc not supported for learner"), Kind::Unavailable,
          "This member of etcd is a learner, which takes no requests. Name others in the URL."},
};

/// It may have been carried out, or still be.
bool isUndecided(int code, const QString &text)
{
    return code == Cancelled || code == DeadlineExceeded || text.contains(QLatin1String("context deadline exceeded"))
        || code == Away;
}

} // namespace

LockError etcdError(int code, const QString &text, const QByteArray &operation)
{
    LockError error;
    error.code = code;
    error.serverText = text;
    error.statement = QString::fromLatin1(operation);
    const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                    [&](const Known &candidate) { return text.contains(candidate.text); });
    if (known != kKnown.end()) {
        error.kind = known->kind;
        error.message = QString::fromLatin1(known->message);
    } else if (isUndecided(code, text)) {
        error.kind = Kind::ConnectionLost;
        error.message = QStringLiteral("etcd did not decide in time: its leader is changing, or too slow.");
    } else if (code == Unimplemented) {
        error.kind = Kind::UnsafeServer;
        error.message = QStringLiteral("This etcd is too old for locks: it must be 3.4 or newer.");
    } else if (text.contains(kLeaseGone)) {
        error.kind = Kind::LockLost;
        error.message = QStringLiteral("The lease has ended in etcd.");
    } else {
        error.kind = Kind::ServerFault;
        error.message = QStringLiteral("etcd answered with an error that is not expected.");
    }
    return error;
}

LockError etcdUnavailable(const QString &message, const QString &systemText)
{
    LockError error;
    error.kind = Kind::Unavailable;
    error.message = message;
    error.serverText = systemText;
    error.connectionGone = true;
    return error;
}

LockError etcdLost(const QString &message, const QByteArray &operation, const QString &systemText)
{
    LockError error;
    error.kind = Kind::ConnectionLost;
    error.message = message;
    error.serverText = systemText;
    error.statement = QString::fromLatin1(operation);
    error.connectionGone = true;
    return error;
}

bool isEtcdAway(const LockError &error)
{
    return error.kind == Kind::Unavailable || error.kind == Kind::ConnectionLost;
}

bool isEtcdLost(const LockError &error)
{
    return error.kind == Kind::ConnectionLost;
}

bool isLeaseGone(const LockError &error)
{
    return error.code == NotFound && error.serverText.contains(kLeaseGone);
}

bool isSignInOver(const LockError &error)
{
    return error.serverText.contains(QLatin1String("invalid auth token"))
        || error.serverText.contains(QLatin1String("revision of auth store is old"));
}

} // namespace lockscope::detail
