// SPDX-License-Identifier: MIT
#pragma once

#include "history.h"

namespace lockscope::faults {

enum class Way { Unique, Pessimistic, Optimistic };

/// What a run promised. Times in microseconds.
struct Promises
{
    Way way = Way::Unique;
    qint64 ttl = 2'000'000;
    /// A resource that nobody has any right to stays free no longer than this while somebody who lives waits for it.
    qint64 grace = 3'000'000;
    /// For so long after something was done to a process (or to the server: to all) it counts as not yet back.
    qint64 recovery = 2'000'000;
    /// A call of a process that nothing was done to returns so long after its time at the latest.
    qint64 patience = 5'000'000;
};

/// One broken promise.
struct Finding
{
    QString rule; ///< "exclusion", "token order", "lost write", …
    QString text;
};

/// When a resource was free, or given to somebody who had not been told, while somebody waited.
struct Gap
{
    int resource = 0;
    qint64 from = 0;
    qint64 to = 0;
    QString state; ///< what the server said of the resource
    QString waiters;
    qint64 still = 0; ///< of it, the time in which the machine stood still

    qint64 length() const { return to - from - still; }
};

/// What was looked at, so that nobody takes an empty history for a good one.
struct Figures
{
    std::size_t requests = 0;
    std::size_t grants = 0;
    std::size_t writes = 0;   ///< that were acknowledged
    std::size_t refusals = 0; ///< of writes, among them those by the fence
    std::size_t doubts = 0;   ///< answers that say that nobody knows
    std::size_t looks = 0;
    std::size_t queued = 0; ///< requests that were seen in the queue
    std::size_t disturbances = 0;
    qint64 stoodStill = 0; ///< µs of the whole run
    std::vector<Gap> gaps; ///< the longest, longest first
};

struct Verdict
{
    std::vector<Finding> findings;
    Figures figures;

    std::size_t countOf(const QString &rule) const;
};

/// Looks at the whole history. Asks nobody and keeps no time of its own: the same history has the same verdict.
Verdict check(const History &history, const Promises &promises);

// The rules; each adds what it finds.

/// Tokens are given once, and a grant that was told before another one was asked for has the smaller one.
void checkTokens(const History &history, std::vector<Finding> *findings);
/// Nobody is granted what another one still holds by its own deadline. Of unique mode: elsewhere there is none.
void checkExclusion(const History &history, std::vector<Finding> *findings);
/// Accepted writes: in the order of tokens, each over the one before it, none without a call, none that was refused or
/// acknowledged otherwise, none lost.
void checkWrites(const History &history, std::vector<Finding> *findings);
/// See Promises::grace. `*gaps`: the longest ones.
void checkGaps(const History &history, const Promises &promises, std::vector<Finding> *findings,
               std::vector<Gap> *gaps);
/// Who asked after another one stood in the queue is not granted before that one.
void checkOrder(const History &history, const Promises &promises, std::vector<Finding> *findings);
/// See Promises::patience.
void checkAnswers(const History &history, const Promises &promises, std::vector<Finding> *findings);

/// "+12.345 s" after the history's beginning.
QString moment(const History &history, qint64 at);
/// "1.234 s".
QString span(qint64 length);

} // namespace lockscope::faults
