// SPDX-License-Identifier: MIT
#include "schema.h"

namespace lockscope {

namespace {

using Kind = LockError::Kind;

LockError tooNew(quint64 version)
{
    LockError error;
    error.kind = Kind::SchemaTooNew;
    error.message = QStringLiteral("The lock tables have version %1, this program knows up to %2. Update Lockscope.")
                        .arg(version)
                        .arg(SchemaVersion);
    return error;
}

LockError tooOld(quint64 version)
{
    LockError error;
    error.kind = Kind::SchemaMissing;
    error.message = QStringLiteral("The lock tables have version %1, this program needs %2. Run `lockctl init` once.")
                        .arg(version)
                        .arg(SchemaVersion);
    return error;
}

/// Makes installers take turns; freed when the session ends. The name is per schema.
std::optional<LockError> waitForTurn(Session &session, const QString &schema)
{
    const QByteArray name = "lockscope:init:" + schema.toUtf8().toHex().left(40);
    const Reply reply = session.run("SELECT GET_LOCK('" + name + "', 30)", "server/install");
    if (reply && reply.value().toInt() != 1) {
        LockError error;
        error.kind = Kind::Contention;
        error.message = QStringLiteral("Another program has been installing the lock tables for 30 s. Try again.");
        return error;
    }
    return reply.error;
}

std::optional<LockError> createTables(Session &session)
{
    const auto names = sqlNames("schema");
    for (const QByteArray &name : names) {
        if (const Reply reply = session.run(name, Params()); !reply)
            return reply.error;
    }
    return session.run("server/schema_mark", Params().number("version", qint64(SchemaVersion))).error;
}

} // namespace

std::optional<LockError> installSchema(const SessionTarget &target)
{
    SessionTarget server = target;
    server.url.schema.clear(); // it may not exist yet
    LockError error;
    const auto session = Session::open(server, &error);
    if (!session)
        return error;
    const QByteArray schema = quotedIdentifier(target.url.schema);
    if (auto refused = waitForTurn(*session, target.url.schema))
        return refused;
    // An existing schema needs no privilege to create it: an administrator may have made it.
    if (!session->run("USE " + schema, "server/install")) {
        const Reply made = session->run(
            "CREATE DATABASE IF NOT EXISTS " + schema + " CHARACTER SET utf8mb4; USE " + schema, "server/install");
        if (!made)
            return made.error;
    }
    const Reply version = session->run("server/schema_version", Params());
    if (version && version.value().toULongLong() > SchemaVersion)
        return tooNew(version.value().toULongLong());
    if (version && version.value().toULongLong() == SchemaVersion)
        return std::nullopt;
    if (version.error && version.error->kind != Kind::SchemaMissing)
        return version.error;
    return createTables(*session);
}

std::optional<LockError> checkSchema(Session &session)
{
    Reply version = session.run("server/schema_version", Params());
    if (version.error && version.error->kind == Kind::SchemaMissing && session.isSchemaRefused())
        version.error->kind = Kind::NoPermission; // it was only told that no schema is chosen
    if (!version)
        return version.error;
    const quint64 found = version.value().toULongLong();
    if (found == 0)
        return lockErrorFor(1146, {}, "server/schema_version");
    if (found > SchemaVersion)
        return tooNew(found);
    if (found < SchemaVersion)
        return tooOld(found);
    return std::nullopt;
}

bool isWithoutLockTables(const LockError &error)
{
    return error.kind == Kind::SchemaMissing
        || (error.kind == Kind::NoPermission && error.statement == QLatin1String("server/schema_version"));
}

} // namespace lockscope
