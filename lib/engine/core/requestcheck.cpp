// SPDX-License-Identifier: MIT
#include "requestcheck_p.h"

#include "session/validation_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

bool isTtl(Duration ttl)
{
    return ttl == Forever || (ttl >= MinTtl && ttl <= MaxTtl);
}

/// Longer ones would leave the range of clocks.
bool isSpan(Duration span)
{
    return span == Forever || span <= MaxTtl;
}

} // namespace

std::optional<LockError> validate(const LockRequest &request, qsizetype prefixBytes)
{
    if (request.mode != Mode::Unique && request.mode != Mode::Pessimistic)
        return badRequest(QStringLiteral("The mode must be unique or pessimistic; OptimisticStore is the third."));
    // A stripe's name stands for this one in the store.
    if (auto wrong = validateResource(request.resource, request.stripes > 0 ? 0 : prefixBytes))
        return wrong;
    if (!isTtl(request.ttl))
        return badRequest(QStringLiteral("The TTL must be between 10 ms and 366 days, or forever."));
    if (request.wait < Duration::zero() || !isSpan(request.wait))
        return badRequest(QStringLiteral("The wait must be between 0 and 366 days, or forever."));
    if (request.note.size() > MaxNoteBytes) {
        return badRequest(QStringLiteral("The note has %1 bytes; at most %2 are allowed.")
                              .arg(request.note.size())
                              .arg(MaxNoteBytes));
    }
    if (request.holdAtLeast < Duration::zero() || request.holdAtLeast > std::min(request.ttl, MaxTtl))
        return badRequest(QStringLiteral("The minimum hold time must be between 0 and the TTL."));
    if (request.stripes < 0 || (request.stripes > 0 && request.mode != Mode::Pessimistic))
        return badRequest(QStringLiteral("Stripes must be positive, and need the pessimistic mode."));
    if (request.mode == Mode::Pessimistic && request.ttl < std::chrono::seconds(1))
        return badRequest(QStringLiteral("The TTL of a pessimistic lock must be at least 1 s."));
    if (request.mode == Mode::Pessimistic && request.holdAtLeast > Duration::zero())
        return badRequest(
            QStringLiteral("A minimum hold time needs the unique mode: a transaction ends when it ends."));
    if (request.maxHold <= Duration::zero() || !isSpan(request.maxHold))
        return badRequest(QStringLiteral("The maximum hold time must be positive and at most 366 days, or forever."));
    return std::nullopt;
}

} // namespace lockscope::detail
