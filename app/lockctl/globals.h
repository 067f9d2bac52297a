// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockscope::ctl {

/// Options that every command knows, and what the command line chose.
struct Globals
{
    std::string url;          ///< --url; empty: LOCKSCOPE_URL, else --defaults-file, else the private server
    std::string passwordFile; ///< --password-file
    std::string defaultsFile; ///< --defaults-file; used when no URL names a server
    bool json = false;        ///< --json
    /// Words after the first `--`, untouched by any option parser: the command that `run` runs.
    std::vector<std::string> commandWords;

    /// What the chosen command does; returns the exit code. Runs only once the whole command line was found valid.
    std::function<int()> action;
};

/// Each adds one command to `app` and, when it is chosen, sets `globals.action`. `globals` must outlive `app`.
void addSandbox(CLI::App &app, Globals &globals);
void addAsk(CLI::App &app, Globals &globals);
void addInit(CLI::App &app, Globals &globals);
void addRun(CLI::App &app, Globals &globals);
void addLesson(CLI::App &app, Globals &globals);
void addList(CLI::App &app, Globals &globals);
void addWaiters(CLI::App &app, Globals &globals);
void addEvents(CLI::App &app, Globals &globals);
void addAudit(CLI::App &app, Globals &globals);
void addBlockers(CLI::App &app, Globals &globals);
void addDeadlocks(CLI::App &app, Globals &globals);
void addRecord(CLI::App &app, Globals &globals);
void addRecording(CLI::App &app, Globals &globals);
void addTop(CLI::App &app, Globals &globals);
void addKill(CLI::App &app, Globals &globals);
void addXa(CLI::App &app, Globals &globals);
void addProfiles(CLI::App &app, Globals &globals);
void addCheck(CLI::App &app, Globals &globals);
void addRelease(CLI::App &app, Globals &globals);
void addSimulate(CLI::App &app, Globals &globals);
void addCompare(CLI::App &app, Globals &globals);

} // namespace lockscope::ctl
