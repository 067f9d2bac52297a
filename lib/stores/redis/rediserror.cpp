// SPDX-License-Identifier: MIT
#include "rediserror.h"

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <array>

namespace lockscope::detail {

namespace {

using Kind = LockError::Kind;

struct Known
{
    const char *prefix;
    Kind kind;
    const char *message;
};

/// By the word that Redis begins with.
constexpr std::array kKnown{
    Known{"NOAUTH", Kind::AccessDenied,
          "Redis wants a password. Give one (lockctl: LOCKSCOPE_PASSWORD or --password-file), and its user in the "
          "address."},
    Known{"WRONGPASS", Kind::AccessDenied, "Redis refuses this user or password."},
    Known{"ERR AUTH <password> called without any password", Kind::AccessDenied,
          "This Redis has no password for its default user. Give none, or the user that it belongs to."},
    Known{"DENIED", Kind::AccessDenied,
          "Redis is in protected mode: it has no password and speaks to its own machine only. Give it a password."},
    Known{"READONLY", Kind::ReadOnlyServer, "This Redis is a replica. Connect to its master."},
    Known{"OOM", Kind::DiskFull, "Redis has no memory left. Raise its maxmemory or remove data that is not needed."},
    Known{"MISCONF", Kind::DiskFull, "Redis cannot save its data and refuses writes. See its log, and free the disk."},
    Known{"LOADING", Kind::Unavailable, "Redis is still loading its data. Try again when it is through."},
    Known{"BUSY", Kind::Unavailable, "Redis is busy with a script of another program. Try again, or end that script."},
    Known{"NOREPLICAS", Kind::Unavailable, "Redis refuses writes until enough of its replicas are in reach again."},
    Known{"MASTERDOWN", Kind::Unavailable, "This Redis is a replica that has lost its master."},
    Known{"MOVED", Kind::UnsafeServer, "This Redis is part of a cluster, which is not supported. Use a single one."},
    Known{"CROSSSLOT", Kind::UnsafeServer,
          "This Redis is part of a cluster, which is not supported. Use a single one."},
    Known{"CLUSTERDOWN", Kind::UnsafeServer,
          "This Redis is part of a cluster, which is not supported. Use a single one."},
    Known{"ERR max number of clients reached", Kind::Unavailable,
          "Redis has as many clients as it takes. Raise its maxclients, or close some."},
    Known{
        "WRONGTYPE", Kind::ServerFault,
        "A key of the lock exists in Redis with another type: another program uses names that begin with lockscope:."},
};

/// Redis 6 puts what a script ran into behind words of its own: "ERR Error running script (call to f_1a2b):
/// @user_script:12: @user_script: 12: -OOM command not allowed …".
QByteArray withoutScript(const QByteArray &text)
{
    static const QRegularExpression wrapping(
        QStringLiteral("^(ERR Error running script \\(call to \\w+\\): )?(@user_script: ?\\d+: )*-?"));
    return QString::fromUtf8(text).remove(wrapping).toUtf8();
}

/// The command that a user may not run: "… run the 'x' command".
QString quotedIn(const QByteArray &text)
{
    const auto begin = text.indexOf('\'');
    const auto end = begin < 0 ? -1 : text.indexOf('\'', begin + 1);
    return end < 0 ? QString() : QString::fromUtf8(text.mid(begin + 1, end - begin - 1));
}

bool isPermission(const QByteArray &text)
{
    return text.startsWith("NOPERM") || text.contains("The user executing the script can't")
        || text.startsWith("ERR ACL failure in script"); // from Redis 8 on
}

QString noPermission(const QString &command)
{
    return QStringLiteral("The Redis user lacks a permission%1. lib/README.md has the ACL that it needs.")
        .arg(command.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(command));
}

} // namespace

LockError redisError(const QByteArray &text, const QByteArray &command)
{
    LockError error;
    error.serverText = QString::fromUtf8(text);
    error.statement = QString::fromLatin1(command);
    const QByteArray inner = withoutScript(text);
    if (isPermission(inner)) {
        error.kind = Kind::NoPermission;
        error.message = noPermission(quotedIn(inner));
        return error;
    }
    const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                    [&](const Known &candidate) { return inner.startsWith(candidate.prefix); });
    error.kind = known != kKnown.end() ? known->kind : Kind::ServerFault;
    error.message = known != kKnown.end() ? QString::fromLatin1(known->message)
                                          : QStringLiteral("Redis answered with an error that is not expected.");
    return error;
}

LockError withoutRight(const QByteArray &command, const QByteArray &text)
{
    LockError error = redisError(text, "redis/probe");
    if (error.kind == Kind::NoPermission)
        error.message = noPermission(QString::fromUtf8(command));
    return error;
}

LockError redisUnavailable(const QString &message, const QString &systemText)
{
    LockError error;
    error.kind = Kind::Unavailable;
    error.message = message;
    error.serverText = systemText;
    error.connectionGone = true;
    return error;
}

LockError redisLost(const QString &message, const QByteArray &command, const QString &systemText)
{
    LockError error = redisUnavailable(message, systemText);
    error.kind = Kind::ConnectionLost;
    error.statement = QString::fromLatin1(command);
    return error;
}

bool isRedisAway(const LockError &error)
{
    return error.kind == Kind::Unavailable || error.kind == Kind::ConnectionLost;
}

bool isRedisLost(const LockError &error)
{
    return error.kind == Kind::ConnectionLost;
}

bool isRedisDemoted(const LockError &error)
{
    return error.kind == Kind::ReadOnlyServer;
}

} // namespace lockscope::detail
