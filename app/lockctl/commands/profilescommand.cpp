// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "globals.h"
#include "locktables/applicationzones.h"
#include "locktables/profilelibrary.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

struct ProfileArguments
{
    std::vector<std::string> files;
    std::string profile;
    std::string zone;
};

/// "my.toml:14: [lock] has no "keys""
QString faultLine(const ProfileFile &file)
{
    const ProfileFault &fault = *file.fault();
    return fault.line > 0 ? u"%1:%2: %3"_s.arg(printable(file.path)).arg(fault.line).arg(printable(fault.reason))
                          : u"%1: %2"_s.arg(printable(file.path), printable(fault.reason));
}

QString releaseText(const ProfileRelease &release)
{
    switch (release.way) {
    case ProfileRelease::Way::Update:
        return u"update"_s;
    case ProfileRelease::Way::Delete:
        return u"delete"_s;
    case ProfileRelease::Way::None:
        break;
    }
    return u"not here"_s;
}

QString zoneOf(const ApplicationZones &zones, const QString &profile)
{
    return zones.contains(profile) ? QString::fromUtf8(zones.value(profile).id()) : QString();
}

QJsonObject toJson(const TableProfile &profile, const ApplicationZones &zones)
{
    return {{u"profile"_s, profile.id},
            {u"title"_s, profile.title},
            {u"own"_s, profile.isOwn},
            {u"tables"_s, QJsonArray::fromStringList(profile.names)},
            {u"clock"_s, profile.clock == TableClock::Database ? u"database"_s : u"application"_s},
            {u"zone"_s, textOrNull(zoneOf(zones, profile.id))},
            {u"release"_s, releaseText(profile.release)},
            {u"source"_s, textOrNull(profile.source)}};
}

int list(const Globals &globals)
{
    QList<ProfileFile> faulty;
    const QList<TableProfile> profiles = allProfiles(ownProfileFolder(), &faulty);
    const ApplicationZones zones = applicationZones();
    QJsonArray document;
    QList<QStringList> rows;
    for (const TableProfile &profile : profiles) {
        document.append(toJson(profile, zones));
        const QString zone = zoneOf(zones, profile.id);
        rows.append({profile.id, printable(profile.title), printable(profile.names.join(u", "_s)),
                     releaseText(profile.release), zone.isEmpty() ? u"-"_s : zone,
                     profile.isOwn ? u"yours"_s : u"Lockscope"_s});
    }
    if (globals.json)
        printJson(document);
    else
        print(table({u"PROFILE"_s, u"PROGRAM"_s, u"TABLES"_s, u"RELEASE"_s, u"ZONE"_s, u"FROM"_s}, rows));
    for (const ProfileFile &file : std::as_const(faulty))
        printError(faultLine(file));
    return faulty.isEmpty() ? Done : Failed;
}

int check(const Globals &globals, const ProfileArguments &arguments)
{
    QJsonArray faults;
    for (const std::string &path : arguments.files) {
        const ProfileFile file = readProfileFile(QString::fromStdString(path));
        const ProfileFault *fault = file.fault();
        if (!fault) {
            if (!globals.json)
                printLine(u"%1: a profile without faults"_s.arg(printable(file.path)));
            continue;
        }
        faults.append(QJsonObject{{u"name"_s, file.path},
                                  {u"line"_s, fault->line > 0 ? QJsonValue(fault->line) : QJsonValue()},
                                  {u"reason"_s, fault->reason}});
        if (!globals.json)
            printError(faultLine(file));
    }
    if (globals.json)
        printJson(faults);
    return faults.isEmpty() ? Done : Failed;
}

int zone(const Globals &globals, const ProfileArguments &arguments)
{
    const QString id = QString::fromStdString(arguments.profile);
    const QString name = QString::fromStdString(arguments.zone);
    const QList<TableProfile> profiles = allProfiles();
    const bool isKnown = std::any_of(profiles.cbegin(), profiles.cend(),
                                     [&id](const TableProfile &profile) { return profile.id == id; });
    if (!isKnown) {
        printError(u"there is no profile %1: `lockctl profiles list` shows them."_s.arg(printable(id)));
        return Usage;
    }
    if (name != u"none"_s && !applicationZone(name).isValid()) {
        printError(u"%1 is no time zone: it is one like Europe/Berlin, UTC or +02:00, or none."_s.arg(printable(name)));
        return Usage;
    }
    if (!setApplicationZone(id, name == u"none"_s ? QString() : name)) {
        printError(u"the settings cannot be written."_s);
        return Failed;
    }
    const bool isNone = name == u"none"_s;
    if (globals.json)
        printJson(QJsonObject{{u"profile"_s, id}, {u"zone"_s, isNone ? QJsonValue() : QJsonValue(name)}});
    else
        printLine(isNone ? u"%1: no time zone"_s.arg(printable(id))
                         : u"%1: times are of %2"_s.arg(printable(id), printable(name)));
    return Done;
}

} // namespace

void addProfiles(CLI::App &app, Globals &globals)
{
    auto *command =
        addCommand(app, "profiles", "What Lockscope knows of other programs' lock tables, which `list --all` shows",
                   "lockctl profiles check my-application.toml");
    command->require_subcommand(0, 1);
    auto arguments = std::make_shared<ProfileArguments>();
    addCommand(*command, "list", "All, yours first, and what is wrong with one of yours", "lockctl profiles list")
        ->callback([&globals] { globals.action = [&globals] { return list(globals); }; });
    auto *checking = addCommand(*command, "check", "Tell what is wrong with a file, with its line",
                                "lockctl profiles check my-application.toml");
    checking->add_option("FILE", arguments->files, "Profiles as resources/profiles/README.md describes them")
        ->required()
        ->type_name("");
    checking->callback(
        [&globals, arguments] { globals.action = [&globals, arguments] { return check(globals, *arguments); }; });
    auto *zoning = addCommand(*command, "zone",
                              "Tell in which time zone a program's connections are, where its times cannot be read "
                              "without",
                              "lockctl profiles zone shedlock Europe/Berlin");
    zoning->add_option("PROFILE", arguments->profile, "As `list` names it")->required()->type_name("");
    zoning->add_option("ZONE", arguments->zone, "Europe/Berlin, UTC, +02:00, or none to forget it")
        ->required()
        ->type_name("");
    zoning->callback(
        [&globals, arguments] { globals.action = [&globals, arguments] { return zone(globals, *arguments); }; });
}

} // namespace lockscope::ctl
