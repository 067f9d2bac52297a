// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace lockscope {

struct ServerWaits;

/// Which program takes user-level locks (GET_LOCK) of this name: "Flyway of shop", "Prisma Migrate"; empty: not known.
/// Some programs put a checksum of the schema into the name; it is tried for each of `schemas`, by their exact names.
/// MySQL folds names of locks to lower case, MariaDB does not; both are recognised. Pure; any thread.
QString userLockProgram(const QByteArray &name, const QStringList &schemas);

/// Every schema that is named in what a look saw, to be tried with userLockProgram(). Sorted.
QStringList schemasOf(const ServerWaits &waits);

} // namespace lockscope
