// SPDX-License-Identifier: MIT
#pragma once

#include "move.h"

namespace lockscope::test {

/// What differs between stores beside MySQL, and from unique mode on that, in the eyes of a model. A plain value.
struct StoreRules
{
    bool isStore = false;
    /// Who waits counts as dead as soon as its connections have ended; else it lives, and holds what it holds, until
    /// its TTL is over.
    bool livesByConnection = true;
    bool hasMinimumHold = true;
    /// A lease's own TTL decides when it ends, and a renewal may shorten it; else its process has one for all.
    bool hasTtlOfItsOwn = true;

    /// Of one of knownStores(), or a mode.
    static StoreRules of(const QString &modeOrStore);
    bool allows(Move::Kind kind) const;
};

} // namespace lockscope::test
