// SPDX-License-Identifier: MIT
#include "storerules.h"

using namespace Qt::StringLiterals;

namespace lockscope::test {

StoreRules StoreRules::of(const QString &modeOrStore)
{
    if (modeOrStore == u"redis")
        return {.isStore = true};
    if (modeOrStore == u"etcd")
        return {.isStore = true, .livesByConnection = false, .hasMinimumHold = false};
    if (modeOrStore == u"zookeeper")
        return {.isStore = true, .livesByConnection = false, .hasMinimumHold = false, .hasTtlOfItsOwn = false};
    return {};
}

bool StoreRules::allows(Move::Kind kind) const
{
    using Kind = Move::Kind;
    switch (kind) {
    case Kind::KillWait: // what waits there has no connection of its own
        return !isStore;
    case Kind::Expire:
    case Kind::FreezePastEnd:
    case Kind::CutPastEnd:
    case Kind::StallPastEnd:
    case Kind::KillAtEnd:
        return hasTtlOfItsOwn;
    default:
        return true;
    }
}

} // namespace lockscope::test
