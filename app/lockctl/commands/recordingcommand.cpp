// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "globals.h"
#include "server/recordedmoment.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/recordingtext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

struct ReportArguments
{
    std::string file;
    std::string from; ///< empty: the beginning
    std::string to;   ///< empty: the end
};

CLI::App *addReading(CLI::App &group, const std::string &name, const std::string &purpose, ReportArguments &arguments)
{
    auto *command = addCommand(group, name, purpose, "lockctl recording " + name + " night.lockscope");
    command->add_option("FILE", arguments.file, "What `record` has written")->required()->type_name("");
    return command;
}

int info(const Globals &globals, const ReportArguments &arguments)
{
    int exitCode = Done;
    const auto recording = openRecording(arguments.file, &exitCode);
    if (!recording)
        return exitCode;
    if (globals.json)
        printJson(infoToJson(*recording));
    else
        print(infoLines(*recording).join(u'\n') + u'\n');
    return Done;
}

int report(const Globals &globals, const ReportArguments &arguments)
{
    int exitCode = Done;
    const auto recording = openRecording(arguments.file, &exitCode);
    if (!recording)
        return exitCode;
    QString error;
    const RecordingInfo &info = recording->info();
    const auto from = arguments.from.empty() ? info.from : momentOf(arguments.from, info, &error);
    const auto to = arguments.to.empty() ? info.to : momentOf(arguments.to, info, &error);
    if (error.isEmpty() && *from > *to)
        error = u"--from is later than --to."_s;
    if (!error.isEmpty()) {
        printError(error);
        return Usage;
    }
    if (globals.json)
        printJson(reportToJson(*recording, *from, *to));
    else
        print(reportText(*recording, *from, *to));
    return Done;
}

} // namespace

void addRecording(CLI::App &app, Globals &globals)
{
    auto *group = addCommand(app, "recording", "What a recording has; needs no server",
                             "lockctl recording report night.lockscope --from 03:00 --to 03:30");
    group->require_subcommand(0, 1);
    auto arguments = std::make_shared<ReportArguments>();
    addReading(*group, "info", "Of which server and time it is, when nothing was seen, and what happened", *arguments)
        ->callback(
            [&globals, arguments] { globals.action = [&globals, arguments] { return info(globals, *arguments); }; });
    auto *command = addReading(
        *group, "report", "A stretch as Markdown: its incidents with who blocked whom, and what was done", *arguments);
    command->add_option("--from", arguments->from, "Its beginning: 03:12, 03:12:30Z, 2026-11-26T03:12:30")
        ->type_name("TIME");
    command->add_option("--to", arguments->to, "Its end")->type_name("TIME");
    command->callback(
        [&globals, arguments] { globals.action = [&globals, arguments] { return report(globals, *arguments); }; });
}

} // namespace lockscope::ctl
