// SPDX-License-Identifier: MIT
#include "session.h"

#include <QtCore/QStringList>

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

using Kind = LockError::Kind;

/// What an error number means to a user of locks. Numbers: MariaDB and MySQL error references; 2xxx are the client's.
struct Known
{
    int code;
    Kind kind;
    bool connectionGone;
    bool transactionGone;
    const char *message;
};

constexpr auto kLost = "The connection to the server broke while it worked. Check that the server runs and try again.";
constexpr auto kNotThere = "The server cannot be reached. Check that it runs and that host, port or socket are right.";
constexpr auto kFull = "The server cannot write because its disk is full. Free space on the server and try again.";
constexpr auto kTables = "The lock tables are not installed in this schema. Run `lockctl init` once.";
constexpr auto kDenied =
    "The server refuses this user or password. Check both, and from which hosts the user may connect.";
constexpr auto kGrant = "The user lacks a privilege. Grant what sql/grants names for its role.";
constexpr auto kTimeLimit = "The statement ran into its time limit. Try again, or give it more time.";
constexpr auto kUntrusted = "The server's certificate is not signed by a trusted authority. Name the authority's "
                            "certificate as CA file, if this is the right server.";
constexpr auto kOtherName =
    "The server's certificate is for another name. Connect by a name that it lists, or give the "
    "server one for this name.";
constexpr auto kReadOnly = "The server is read-only. Connect to the primary server.";

constexpr Known kKnown[] = {
    {2002, Kind::Unavailable, true, true, kNotThere},
    {2003, Kind::Unavailable, true, true, kNotThere},
    {2005, Kind::Unavailable, true, true, "The server's host name is not known. Check its spelling."},
    {2006, Kind::ConnectionLost, true, true, kLost},
    {2013, Kind::ConnectionLost, true, true, kLost},
    {2014, Kind::ConnectionLost, true, true, kLost},
    {SecureFailure, Kind::Unavailable, true, true,
     "The secure connection failed. Check the server's certificate, its name and the CA file."},
    {2027, Kind::ConnectionLost, true, true, kLost},
    {2055, Kind::ConnectionLost, true, true, kLost},
    {5012, Kind::ConnectionLost, true, true, kLost},
    {1053, Kind::ConnectionLost, true, true, "The server is shutting down. Try again when it is back."},
    {1927, Kind::ConnectionLost, true, true, "The connection was killed on the server. Try again."},
    {4031, Kind::ConnectionLost, true, true,
     "The server closed the connection because it was idle for too long. Try again."},
    {1040, Kind::Unavailable, true, true,
     "The server has no free connection. Raise max_connections or use fewer clients."},
    {1203, Kind::Unavailable, true, true, "This user has too many connections. Raise max_user_connections."},
    {1129, Kind::Unavailable, true, true, "The server blocks this host after too many errors. Run FLUSH HOSTS there."},
    {1130, Kind::AccessDenied, true, true,
     "The server does not accept connections from this host. Create the user for it."},
    {1045, Kind::AccessDenied, true, true, kDenied},
    {1698, Kind::AccessDenied, true, true, kDenied},
    {1524, Kind::AccessDenied, true, true,
     "The server's way of signing in is not known here. Choose another one for the user."},
    {WayRefused, Kind::AccessDenied, true, true,
     "The server asked for the password as it is, or for a way of signing in that is not safe; nothing was sent. Give "
     "the user another way, such as caching_sha2_password or ed25519."},
    {1044, Kind::NoPermission, false, false, kGrant},
    {1142, Kind::NoPermission, false, false, kGrant},
    {1143, Kind::NoPermission, false, false, kGrant},
    {1227, Kind::NoPermission, false, false, kGrant},
    {1370, Kind::NoPermission, false, false, kGrant},
    {1095, Kind::NoPermission, false, false,
     "This user may not end another user's connection. Grant it CONNECTION ADMIN, and on MySQL also SYSTEM_USER where "
     "that user has it, or connect as that user."},
    {1049, Kind::SchemaMissing, false, false, "The schema does not exist on this server. Run `lockctl init` once."},
    {1046, Kind::SchemaMissing, false, false,
     "The server has no such schema, or this user may not use it. Run `lockctl init` once to have lock tables."},
    {1146, Kind::SchemaMissing, false, false, kTables},
    {1054, Kind::SchemaMissing, false, false, "The lock tables are of another version. Run `lockctl init`."},
    {1290, Kind::ReadOnlyServer, false, false, kReadOnly},
    {1792, Kind::ReadOnlyServer, false, false, kReadOnly},
    {1836, Kind::ReadOnlyServer, false, false, kReadOnly},
    {1665, Kind::UnsafeServer, false, false,
     "binlog_format=STATEMENT cannot log lock statements. Set binlog_format to ROW or MIXED."},
    {1021, Kind::DiskFull, false, false, kFull},
    {1114, Kind::DiskFull, false, false, kFull},
    {1026, Kind::DiskFull, false, false, kFull},
    {3, Kind::DiskFull, false, false, kFull},
    {1205, Kind::Contention, false, false, "Another transaction holds the row for too long. Try again."},
    {1213, Kind::Contention, false, true,
     "The server ended a deadlock by rolling this transaction back. Try it again."},
    {1467, Kind::Contention, false, true, "The server could not number a new row. Try again."},
    {1615, Kind::Contention, false, true, "The table is being altered again and again. Try again."},
    {1020, Kind::Contention, false, true, "The row changed meanwhile. Try again."},
    {3058, Kind::Contention, false, false, "Sessions wait for each other's user-level locks. Try again."},
    {3572, Kind::Contention, false, false, "The row is locked. Try again."},
    {3854, Kind::ServerFault, false, false,
     "This MySQL cannot show its sessions while one of them runs a statement with a character of four bytes, such as "
     "an emoji. It can again once that statement ends."},
    {1317, Kind::Interrupted, false, false, "The statement was interrupted. Try again."},
    {1969, Kind::Interrupted, false, false, kTimeLimit},
    {3024, Kind::Interrupted, false, false, kTimeLimit},
};

/// What exactly is wrong with a secure connection: only the words of libmariadb and OpenSSL tell.
constexpr struct
{
    const char *words;
    const char *message;
} kSecureFaults[] = {
    {"SSL is required",
     "The server does not offer TLS, so nothing was sent. Switch TLS on at the server (ssl_cert and "
     "ssl_key), or use its socket."},
    {"Validation of SSL server certificate failed", kOtherName},
    {"Hostname verification failed", kOtherName},
    {"has expired", "The server's certificate has expired. Renew it on the server."},
    {"not yet valid", "The server's certificate is not valid yet. Check the clocks of both machines."},
    {"self-signed certificate", kUntrusted},
    {"issuer certificate", kUntrusted},
    {"certificate signature failure", "The server's certificate was not signed by the authority in the CA file."},
};

const char *messageOf(const Known &known, const QString &serverText)
{
    if (known.code != SecureFailure)
        return known.message;
    const auto *fault = std::find_if(std::begin(kSecureFaults), std::end(kSecureFaults), [&](const auto &f) {
        return serverText.contains(QLatin1String(f.words), Qt::CaseInsensitive);
    });
    return fault == std::end(kSecureFaults) ? known.message : fault->message;
}

} // namespace

LockError lockErrorFor(int code, const QString &serverText, const QByteArray &statement)
{
    LockError error;
    error.code = code;
    error.serverText = serverText;
    error.statement = QString::fromUtf8(statement);
    const auto *known =
        std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known &k) { return k.code == code; });
    if (known == std::end(kKnown)) {
        error.kind = Kind::ServerFault;
        error.message = QStringLiteral("The server reported an error that Lockscope does not know. "
                                       "Its own words say more.");
        return error;
    }
    error.kind = known->kind;
    error.connectionGone = known->connectionGone;
    error.transactionGone = known->transactionGone;
    error.message = QString::fromUtf8(messageOf(*known, serverText));
    return error;
}

QString LockError::toString() const
{
    QString text = message;
    if (!serverText.isEmpty())
        text += QStringLiteral(" (%1%2)").arg(code ? QStringLiteral("%1: ").arg(code) : QString(), serverText);
    return text;
}

} // namespace lockscope
