// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"

#include <memory>

namespace lockscope::faults {

/// `SET key value NX PX ttl`, asked again and again, and given back by a script that compares: a lock without a queue
/// and without a token, so no store can refuse what its holder writes late. Thread: as LockStore says.
std::shared_ptr<LockStore> makePlainRedis(const QString &url);

} // namespace lockscope::faults
