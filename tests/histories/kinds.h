// SPDX-License-Identifier: MIT
#pragma once

#include "move.h"

namespace lockscope::test {

/// What the generator knows of a kind of move: who makes it and how often it is tried in each mode.
struct KindOfMove
{
    enum class Who { Owner, Process };

    Move::Kind kind;
    const char *name; ///< for LOCKSCOPE_HISTORY_WITHOUT
    Who who;
    int unique;
    int pessimistic;
    int optimistic;

    int weight(const QString &mode) const;
};

const QList<KindOfMove> &kindsOfMoves();

} // namespace lockscope::test
