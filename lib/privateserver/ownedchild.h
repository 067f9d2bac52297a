// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace lockscope {

/// What a child does before it becomes its program (QProcess::setChildProcessModifier()), so that nobody is left behind
/// however its owner ends: it is killed with the thread that starts it, or ends at once where that was too late. The
/// owner is the process that asks for this.
std::function<void()> endsWithItsOwner();

} // namespace lockscope
