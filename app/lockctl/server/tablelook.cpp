// SPDX-License-Identifier: MIT
#include "tablelook.h"

#include "locktables/profilelibrary.h"
#include "terminal/output.h"

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

TableReadOptions TableLookArguments::options() const
{
    TableReadOptions options;
    options.schema = QString::fromStdString(schema);
    for (const std::string &name : names)
        options.candidates.append(QByteArray::fromStdString(name));
    return options;
}

void addTableLook(CLI::App &command, TableLookArguments &arguments)
{
    command
        .add_option("--schema", arguments.schema,
                    "Look for lock tables of other programs in this schema alone; needed on a server with more than "
                    "10,000 tables")
        ->type_name("S");
    command
        .add_option("--name", arguments.names,
                    "Where such a table stores a hash of a lock's name, show this name for its hash; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
}

std::optional<LockError> readTableLocks(Session &session, const TableReadOptions &options, TableLocks *found)
{
    QList<ProfileFile> faulty;
    TableReader reader(allProfiles(ownProfileFolder(), &faulty), applicationZones());
    for (const ProfileFile &file : faulty)
        printError(
            u"%1:%2: %3"_s.arg(printable(file.path)).arg(file.fault()->line).arg(printable(file.fault()->reason)));
    return reader.read(session, options, found);
}

std::optional<LockError> readAskedTables(Session &session, const TableReadOptions &options, TableLocks *found)
{
    if (!options.schema.isEmpty()) {
        if (auto error = checkSchemaSeen(session, options.schema))
            return error;
    }
    return readTableLocks(session, options, found);
}

void warnAboutTables(const TableLocks &found)
{
    for (const QString &note : found.notes)
        printError(printable(note));
    if (found.isScanCut || found.serverTables > 0)
        printError(u"`--schema S` looks into the schema S alone, and into all of it."_s);
}

} // namespace lockscope::ctl
