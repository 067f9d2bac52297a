// SPDX-License-Identifier: MIT
#include "storettl_p.h"

#include "session/validation_p.h"

namespace lockscope::detail {

namespace {

/// "500 ms", "2 s"
QString spanText(Duration span)
{
    using namespace std::chrono;
    const bool isSeconds = span % seconds(1) == Duration::zero();
    return isSeconds ? QStringLiteral("%1 s").arg(duration_cast<seconds>(span).count())
                     : QStringLiteral("%1 ms").arg(duration_cast<milliseconds>(span).count());
}

} // namespace

std::optional<LockError> validateTtl(Duration ttl, const LockStore::Traits &traits)
{
    if (ttl == Forever) {
        return traits.hasForever
            ? std::nullopt
            : std::optional(badRequest(QStringLiteral("A lease without end is not possible in %1.").arg(traits.name)));
    }
    if (ttl < traits.shortestTtl) {
        return badRequest(
            QStringLiteral("The TTL must be at least %1 in %2.").arg(spanText(traits.shortestTtl), traits.name));
    }
    if (ttl % traits.ttlStep != Duration::zero()) {
        return badRequest(
            QStringLiteral("The TTL must be a multiple of %1 in %2.").arg(spanText(traits.ttlStep), traits.name));
    }
    return std::nullopt;
}

} // namespace lockscope::detail
