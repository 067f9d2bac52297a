// SPDX-License-Identifier: MIT
#pragma once

#include "history.h"

#include <functional>

namespace lockscope::test {

/// Leaves out moves for as long as what is left still fails: the shortest history that is found so, where no single
/// move can be left out any more, and none that waited could have come first. `fails` may say no to end it.
History shrunk(History history, const std::function<bool(const History &)> &fails);

} // namespace lockscope::test
