#pragma once

#include "lockrequest.h"
#include "server/link.h"

#include <optional>

namespace lockscope {
struct EngineConfig;
}

namespace lockscope::detail {

/// Batches of 500 rows: 100,000 rows a round; the next round goes on.
inline constexpr int MostCleaningBatches = 200;

/// Removes batches of idle rows, dead tickets, and records that are older than `config` keeps them.
std::optional<LockError> cleanUp(Link &link, const EngineConfig &config);
/// … of optimistic mode: rows that nobody committed for that long.
std::optional<LockError> cleanUpVersions(Link &link, Duration idleRowsKept);
/// … of pessimistic mode: rows that were made that long ago and that nobody holds.
std::optional<LockError> cleanUpRows(Link &link, Duration kept);

/// Nothing for an error that does not matter to a cleaner: a user without the privilege does not use that mode or keeps
/// its records, and another cleaner at the same rows does the work for both.
inline std::optional<LockError> unlessNoMatter(const LockError &error)
{
    const bool isNoMatter = error.kind == LockError::Kind::NoPermission || error.kind == LockError::Kind::Contention;
    return isNoMatter ? std::nullopt : std::optional(error);
}

} // namespace lockscope::detail
