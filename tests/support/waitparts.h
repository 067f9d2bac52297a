// SPDX-License-Identifier: MIT
#pragma once

#include "waits/serverwaits.h"

namespace lockscope::test {

constexpr ServerTime kNow{std::chrono::hours(500'000)};

/// Of shop.stock.
inline ServerObject row(const QByteArray &key)
{
    ServerObject object;
    object.schema = QStringLiteral("shop");
    object.name = "stock";
    object.index = QStringLiteral("PRIMARY");
    object.record = key;
    return object;
}

inline WaitEdge edge(quint64 waiter, quint64 blocker, const ServerObject &object,
                     std::chrono::seconds waited = std::chrono::seconds(10))
{
    return {waiter, blocker, object, QStringLiteral("X"), kNow - waited};
}

} // namespace lockscope::test
