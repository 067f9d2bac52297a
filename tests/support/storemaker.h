// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"

#include <QtCore/QString>

#include <chrono>
#include <memory>

namespace lockscope::test {

/// The store at an address that is right, for one engine. On ZooKeeper `shortestTtl` is the time of its session.
std::shared_ptr<LockStore> makeTestStore(const QString &url, std::chrono::milliseconds shortestTtl);

} // namespace lockscope::test
