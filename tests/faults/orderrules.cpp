// SPDX-License-Identifier: MIT
#include "checker.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

constexpr qint64 kTooLong = 500'000; // µs: half of the second of grace that a first waiter has

/// The moment at which `waiting` was passed over by `other`, which asked later; Never: it was not.
qint64 overtakenAt(const Request &waiting, const Request &other)
{
    if (other.grant != Answer::Yes || other.askedAt <= waiting.queuedAt)
        return Never;
    if (waiting.grant == Answer::Yes)
        return other.token < waiting.token ? other.answeredAt : Never;
    // One that gives up leaves the queue at the end of its budget and is told later.
    const qint64 left = std::min({waiting.answeredAt, waiting.goneAt, waiting.askedAt + waiting.wait});
    return waiting.grant != Answer::Unknown && other.answeredAt < left ? other.answeredAt : Never;
}

void checkQueue(const History &history, const Promises &promises, int number, const Resource &resource,
                std::vector<Finding> *findings)
{
    for (const std::size_t place : resource.requests) {
        const Request &waiting = history.requests[place];
        if (waiting.queuedAt == Never)
            continue;
        const qint64 end = std::min({waiting.answeredAt, waiting.goneAt, history.stoppedAt});
        const auto later =
            std::upper_bound(resource.requests.begin(), resource.requests.end(), waiting.queuedAt,
                             [&history](qint64 at, std::size_t other) { return at < history.requests[other].askedAt; });
        for (auto next = later; next != resource.requests.end(); ++next) {
            const Request &other = history.requests[*next];
            if (other.askedAt >= end)
                break;
            const qint64 at = overtakenAt(waiting, other);
            if (at >= history.stoppedAt
                || history.disturbances.met(waiting.process, waiting.askedAt, at, promises.recovery)
                || history.stoodStill(at - promises.recovery, at) > kTooLong)
                continue;
            findings->push_back(
                {u"order"_s,
                 u"resource %1: %2 was in the queue %3, %4 asked %5 and was granted first, %6"_s.arg(number).arg(
                     waiting.name(), moment(history, waiting.queuedAt), other.name(), moment(history, other.askedAt),
                     moment(history, at))});
        }
    }
}

/// `what` ended at `at`, and should have by `due`.
void checkDue(const History &history, const Promises &promises, const Request &request, const QString &what,
              qint64 from, qint64 due, qint64 at, std::vector<Finding> *findings)
{
    const qint64 end = std::min({at, request.goneAt, history.stoppedAt});
    const qint64 latest = due + promises.patience + history.stoodStill(due, end);
    if (latest >= end || history.disturbances.met(request.process, from, latest, promises.recovery))
        return;
    findings->push_back({u"late answer"_s,
                         u"resource %1: %2 of %3, invoked %4, should have returned %5 and %6"_s.arg(request.resource)
                             .arg(what, request.name(), moment(history, from), moment(history, due),
                                  at == Never ? u"never did"_s : u"did %1"_s.arg(moment(history, at)))});
}

} // namespace

void checkOrder(const History &history, const Promises &promises, std::vector<Finding> *findings)
{
    for (const auto &[number, resource] : history.resources)
        checkQueue(history, promises, number, resource, findings);
}

void checkAnswers(const History &history, const Promises &promises, std::vector<Finding> *findings)
{
    for (const Request &request : history.requests) {
        checkDue(history, promises, request, u"the acquire"_s, request.askedAt, request.askedAt + request.wait,
                 request.answeredAt, findings);
        if (request.releaseAt != Never) {
            checkDue(history, promises, request, u"the release"_s, request.releaseAt, request.releaseAt,
                     request.releasedAt, findings);
        }
    }
}

} // namespace lockscope::faults
