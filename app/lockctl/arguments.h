// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <CLI/CLI.hpp>

#include <string>

namespace lockscope::ctl {

/// Options as this program's contract spells them, checked while the command line is parsed so that a wrong one is a
/// usage error before anything else happens. Each writes into a variable that must outlive `app`.
CLI::Option *addResource(CLI::App &app, std::string &resource);
CLI::Option *addDuration(CLI::App &app, const std::string &name, Duration &duration, const std::string &help);
CLI::Option *addDurationOrForever(CLI::App &app, const std::string &name, Duration &duration, const std::string &help);
CLI::Option *addReason(CLI::App &app, std::string &reason, const std::string &help);
CLI::Option *addServerName(CLI::App &app, std::string &name);
CLI::Option *addToken(CLI::App &app, quint64 &token);
/// For an option that is a whole number, `least` or more, as people write it. The parser itself takes 010 for 8 and
/// 0x10 for 16.
CLI::Validator decimal(quint64 least = 0);
/// For an option that must not be empty, as one of a variable that is not set is: something else would be taken.
CLI::Validator given();

/// Why it cannot be locked; empty for a valid name.
std::string checkResource(const std::string &resource);
/// QCoreApplication::arguments() would turn every invalid byte into the same character: two names become one.
bool isUtf8(const std::string &text);

/// A command with its example, which takes the global options too.
CLI::App *addCommand(CLI::App &app, const std::string &name, const std::string &purpose, const std::string &example);

} // namespace lockscope::ctl
