// SPDX-License-Identifier: MIT
#pragma once

#include "historymodel.h"

#include <limits>

namespace lockscope::test {

/// Moves, and the scenario that they are.
struct History
{
    QString mode;
    QString title;
    Rules rules;
    Moves moves;

    /// As text, to be pasted into tests/conformance/scenarios. A move that cannot be made there is left out.
    QString scenario() const;
    /// Without the moves that cannot be made, and without those that begin behind `line` of the scenario's text.
    History upTo(int line = std::numeric_limits<int>::max()) const;
};

} // namespace lockscope::test
