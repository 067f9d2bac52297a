// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

namespace lockscope {

/// Version of the tables that this program knows.
inline constexpr int SchemaVersion = 6;

/// Creates the schema (database) when it is missing and installs or upgrades the lock tables. Idempotent; safe when
/// many processes do it at once: a user-level lock lets one work at a time. Needs CREATE on the schema.
std::optional<LockError> installSchema(const SessionTarget &target);

/// No error when the tables are there in a version this program can use: SchemaMissing (also for an older
/// version, which `lockctl init` upgrades), SchemaTooNew, or NoPermission, also to the whole schema, otherwise.
std::optional<LockError> checkSchema(Session &session);

/// They are not there, or the account may not read them: a server tells who may read nothing of a schema not even
/// whether they are. What else it tells is there all the same.
bool isWithoutLockTables(const LockError &error);

} // namespace lockscope
