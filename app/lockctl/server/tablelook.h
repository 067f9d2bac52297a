// SPDX-License-Identifier: MIT
#pragma once

#include "locktables/tablereader.h"

namespace CLI {
class App;
}

namespace lockscope::ctl {

/// `--schema` and `--name`.
struct TableLookArguments
{
    std::string schema;
    std::vector<std::string> names;

    TableReadOptions options() const;
};
void addTableLook(CLI::App &command, TableLookArguments &arguments);

/// Other programs' lock tables, by all profiles. What is wrong with one of the user's goes to standard error, and does
/// not keep the others from being used.
std::optional<LockError> readTableLocks(Session &session, const TableReadOptions &options, TableLocks *found);
/// The same where a person named the schema, or none: one of which this account sees no table is an error.
std::optional<LockError> readAskedTables(Session &session, const TableReadOptions &options, TableLocks *found);
/// What was left out, to standard error.
void warnAboutTables(const TableLocks &found);

} // namespace lockscope::ctl
