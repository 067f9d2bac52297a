// SPDX-License-Identifier: MIT
#include "shrink.h"

#include <optional>

namespace lockscope::test {

namespace {

/// One that waited may as well have the lock from the beginning: all that came before goes. As late as can be.
std::optional<History> begunLater(const History &history, const std::function<bool(const History &)> &fails)
{
    for (qsizetype first = history.moves.size() - 1; first > 0; --first) {
        if (history.moves[first].kind != Move::Kind::Queue)
            continue;
        History rest = history;
        rest.moves.remove(0, first);
        rest.moves.first().kind = Move::Kind::Try;
        if (fails(rest))
            return rest;
    }
    return std::nullopt;
}

} // namespace

/// Halves first, then quarters and so on; from the end, for what comes last depends on what comes first. The model
/// leaves out what cannot be made any more, and derives all answers anew.
History shrunk(History history, const std::function<bool(const History &)> &fails)
{
    for (qsizetype piece = qMax<qsizetype>(1, history.moves.size() / 2);;) {
        bool isShorter = false;
        for (qsizetype end = history.moves.size(); end > 0; end -= piece) {
            History rest = history;
            const qsizetype begin = qMax<qsizetype>(0, end - piece);
            rest.moves.remove(begin, end - begin);
            if (rest.scenario() != history.scenario() && !fails(rest))
                continue;
            history = rest;
            isShorter = true;
        }
        if (piece == 1 && !isShorter) {
            const auto later = begunLater(history, fails);
            if (!later)
                return history;
            history = *later;
        }
        piece = qMax<qsizetype>(1, piece / 2);
    }
}

} // namespace lockscope::test
