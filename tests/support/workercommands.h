// SPDX-License-Identifier: MIT
#pragma once

#include "locknews.h"

#include <functional>
#include <sstream>

namespace lockscope::test {

/// Answers a command that both kinds of worker do not know; nothing = nor does this one. `words` are behind its name.
using MoreCommands = std::function<std::optional<std::string>(const std::string &command, std::istringstream &words,
                                                              LockHandle &handle)>;

/// What a process with a lock engine of its own does, driven line by line: says "ready", and answers each line of stdin
/// by one on stdout until there are no more.
///   acquire NAME TTL_MS WAIT_MS   an outcome of locknews.h
///   release                       the same
///   held                          yes | no
///   lost                          waits until the lease is lost: a reason of locknews.h
/// `news` outlives the engine, whose threads tell it.
void runWorker(LockEngine &engine, LossNews &news, const MoreCommands &more = {});

} // namespace lockscope::test
