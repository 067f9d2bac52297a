// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/optimistic.h"
#include "session/reconnectingsession.h"

namespace lockscope::detail {

/// What a commit must know of an application's table.
struct TableShape
{
    enum class Key { Integer, Text, Bytes };
    Key key = Key::Bytes;
};

/// What is wrong with the description, before any I/O.
std::optional<LockError> validateNames(const VersionedTable &table);
/// What is wrong with the name of a schema, table or column; `what` begins the sentence.
std::optional<LockError> validateName(const QString &name, const QString &what);

/// Asks the server for the table's columns and keys. Nothing and `*error` set when versions are not safe in it.
std::optional<TableShape> readTable(ReconnectingSession &link, const VersionedTable &table, LockError *error);

/// A server's error about an application's table, with a sentence that says what to do there. `table` is quoted;
/// `description` is where its names come from, for example "VersionedTable".
LockError explained(LockError error, const QByteArray &table, const char *description);
LockError explained(LockError error, const VersionedTable &table);

} // namespace lockscope::detail
