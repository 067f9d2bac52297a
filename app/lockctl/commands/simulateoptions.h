// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labplan.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockscope::ctl {

/// What the command line says of a run. Options that are not given leave the scenario's or file's value.
struct SimulateOptions
{
    std::string scenario;
    std::string planFile;
    std::vector<std::string> modes;
    std::optional<int> workers;
    std::optional<int> resources;
    std::string skew;
    std::string hold;
    std::string think;
    Duration ttl{-1}; ///< negative: not given
    Duration wait{-1};
    std::optional<int> connections;
    Duration duration{-1};
    std::optional<quint64> seed;
    std::string job;
    std::vector<std::string> stores; ///< `compare` takes several
    std::optional<int> servers;
    std::optional<int> stock;
    std::vector<std::string> faults;
    bool isUnfenced = false;
    bool isBarging = false;
    bool usesProcesses = false;
    bool isWorker = false;
    bool isAgreed = false;
    std::string saveTo;
    std::string reportTo;
};

/// Adds the options that `simulate` and `compare` have in common; `options` must outlive the command.
void addRunOptions(CLI::App &command, SimulateOptions &options);
/// What is to be run, one after the other; empty and `*error` set when the words do not make a plan. `isComparison`: as
/// many as are asked for, not one.
QList<LabPlan> plansOf(const SimulateOptions &options, bool isComparison, QString *error);

QString modeNames();

} // namespace lockscope::ctl
