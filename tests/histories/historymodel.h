// SPDX-License-Identifier: MIT
#pragma once

#include "move.h"

#include <QtCore/QStringList>

#include <memory>
#include <optional>

namespace lockscope::test {

/// What the model takes for granted where it can be read in two ways.
struct Rules
{
    /// One that was passed over while it was frozen or cut off comes back to its place. False: to that or to the end of
    /// the queue, and no history depends on which.
    bool passedOverKeepTheirPlace = false;
    /// Wrong, to prove that a wrong order is found.
    bool newestFirst = false;
};

/// Knows what must come of each move, without any server.
class HistoryModel
{
public:
    static std::unique_ptr<HistoryModel> of(const QString &mode, const Rules &rules = {});

    virtual ~HistoryModel() = default;

    /// Makes the move: the lines of the scenario, answers included. Nothing: it cannot be made here, or what comes of
    /// it is not certain; then it was not made.
    virtual std::optional<QStringList> apply(const Move &move) = 0;
    /// The lines that end what would outlast every process.
    virtual QStringList end() { return {}; }
};

} // namespace lockscope::test
