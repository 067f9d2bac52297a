// SPDX-License-Identifier: MIT
#include "waitscommand.h"

#include "locks/leasereader.h"
#include "server.h"
#include "terminal/output.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>

namespace lockscope::ctl {

namespace {

struct NamedSource
{
    std::string_view name;
    WaitSource source;
};

/// Where JSON has a kind of that name it is the same word.
constexpr std::array<NamedSource, WaitSourceCount> kSources = {{{"sessions", WaitSource::Sessions},
                                                                {"transactions", WaitSource::Transactions},
                                                                {"row", WaitSource::RowWaits},
                                                                {"metadata", WaitSource::Metadata},
                                                                {"user", WaitSource::UserLocks},
                                                                {"statements", WaitSource::Statements},
                                                                {"programs", WaitSource::Attributes}}};

std::string sourceNames()
{
    std::string names;
    for (const NamedSource &known : kSources)
        names.append(names.empty() ? "" : ", ").append(known.name);
    return names;
}

} // namespace

void addWithout(CLI::App &command, WaitOptions &options)
{
    const auto add = [&options](const std::string &name) {
        const auto *found = std::find_if(kSources.begin(), kSources.end(),
                                         [&](const NamedSource &known) { return known.name == name; });
        if (found == kSources.end())
            throw CLI::ValidationError("--without", "\"" + name + "\" is none of " + sourceNames());
        options.off.insert(found->source);
    };
    command
        .add_option_function<std::vector<std::string>>(
            "--without",
            [add](const std::vector<std::string> &names) { std::for_each(names.begin(), names.end(), add); },
            "Leave out what costs this server too much; may be repeated: " + sourceNames())
        ->type_name("SOURCE")
        ->allow_extra_args(false);
}

std::optional<LockError> WaitsPoll::connect(const SessionTarget &target)
{
    m_target = forWatching(target);
    m_server.emplace(std::make_unique<ReconnectingSession>(forReading(m_target)), PollPace(m_interval, MinInterval),
                     [this](Session &session) -> std::optional<LockError> {
                         m_ownName = session.info().ownName;
                         m_reader.emplace(session);
                         return std::nullopt;
                     });
    return again();
}

std::optional<LockError> WaitsPoll::open(SessionTarget *target)
{
    return withPassword(target, [this](const SessionTarget &to) { return connect(to); });
}

std::optional<LockError> WaitsPoll::again()
{
    return m_server->poll([this](Session & /*session*/) { return m_reader->read(&m_waits, m_options); });
}

std::optional<LockError> WaitsPoll::againWithNewLists()
{
    std::this_thread::sleep_for(WaitsReader::UntilListsAreNew);
    return again();
}

bool pollServer(const Globals &globals, WaitsPoll *poll, int *exitCode)
{
    return reachServer(globals, exitCode, [poll](const SessionTarget &to) { return poll->connect(to); }).has_value();
}

QString serverText(const SessionTarget &target)
{
    return printable(target.url.toString());
}

} // namespace lockscope::ctl
