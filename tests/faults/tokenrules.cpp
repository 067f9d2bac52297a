// SPDX-License-Identifier: MIT
#include "checker.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

/// Those with a token, by token.
std::vector<const Request *> grantsOf(const History &history, const Resource &resource)
{
    std::vector<const Request *> grants;
    for (const std::size_t place : resource.requests) {
        const Request &request = history.requests[place];
        if (request.grant == Answer::Yes && request.token > 0)
            grants.push_back(&request);
    }
    std::stable_sort(grants.begin(), grants.end(),
                     [](const Request *a, const Request *b) { return a->token < b->token; });
    return grants;
}

QString described(const History &history, const Request &request)
{
    return u"%1 (token %2, asked %3, told %4)"_s.arg(request.name())
        .arg(request.token)
        .arg(moment(history, request.askedAt), moment(history, request.answeredAt));
}

} // namespace

void checkTokens(const History &history, std::vector<Finding> *findings)
{
    for (const auto &[number, resource] : history.resources) {
        const auto grants = grantsOf(history, resource);
        const Request *earliest = nullptr; // told first, of those with a larger token
        for (auto next = grants.rbegin(); next != grants.rend(); ++next) {
            const Request &grant = **next;
            if (std::next(next) != grants.rend() && (*std::next(next))->token == grant.token) {
                findings->push_back({u"token twice"_s,
                                     u"resource %1: %2 and %3"_s.arg(number).arg(described(history, **std::next(next)),
                                                                                 described(history, grant))});
            }
            if (earliest && earliest->token > grant.token && earliest->answeredAt < grant.askedAt) {
                findings->push_back({u"token order"_s,
                                     u"resource %1: %2 came before %3"_s.arg(number).arg(described(history, *earliest),
                                                                                         described(history, grant))});
            }
            if (!earliest || grant.answeredAt < earliest->answeredAt)
                earliest = &grant;
        }
    }
}

void checkExclusion(const History &history, std::vector<Finding> *findings)
{
    const auto believesUntil = [](const Request &request) {
        return std::min({request.believedUntil, request.releaseAt, request.goneAt});
    };
    for (const auto &[number, resource] : history.resources) {
        const Request *longest = nullptr; // of those with a smaller token
        for (const Request *grant : grantsOf(history, resource)) {
            if (longest && grant->answeredAt < believesUntil(*longest)) {
                findings->push_back(
                    {u"exclusion"_s,
                     u"resource %1: %2 held it until %3, and %4 was told that it holds it"_s.arg(number).arg(
                         described(history, *longest), moment(history, believesUntil(*longest)),
                         described(history, *grant))});
            }
            if (!longest || believesUntil(*grant) > believesUntil(*longest))
                longest = grant;
        }
    }
}

} // namespace lockscope::faults
