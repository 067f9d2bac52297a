// SPDX-License-Identifier: MIT
#pragma once

namespace lockscope::detail {

/// One file of sql/, without its comment lines. Generated at build time by resources/cmake/EmbedSql.cmake.
struct EmbeddedSql
{
    const char *name; ///< "engine/acquire"
    int family;       ///< 0 any, 1 MariaDB, 2 MySQL
    const char *text;
};

/// Every statement, sorted by name; `kEmbeddedSqlCount` of them.
extern const EmbeddedSql kEmbeddedSql[];
extern const int kEmbeddedSqlCount;

} // namespace lockscope::detail
