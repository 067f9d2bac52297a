#include "shrink.h"

namespace lockscope::test {

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
        if (piece == 1 && !isShorter)
            return history;
        piece = qMax<qsizetype>(1, piece / 2);
    }
}

} // namespace lockscope::test
