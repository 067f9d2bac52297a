// SPDX-License-Identifier: MIT
#pragma once

namespace lockscope::detail {

/// One file of scripts/, without its comment lines. Generated at build time by resources/cmake/EmbedSql.cmake.
struct EmbeddedLua
{
    const char *name; ///< "acquire"
    const char *text;
};

/// Every script, sorted by name; `kEmbeddedLuaCount` of them.
extern const EmbeddedLua kEmbeddedLua[];
extern const int kEmbeddedLuaCount;

} // namespace lockscope::detail
