// SPDX-License-Identifier: MIT
// Reads a profile's file, and refuses a faulty one with line and reason. resources/profiles/README.md has the format.
#pragma once

#include "tableprofile.h"

#include <variant>

namespace lockscope {

struct ProfileFault
{
    int line = 0; ///< counted from 1; 0: of the whole file
    QString reason;

    bool operator==(const ProfileFault &) const = default;
};

/// Larger ones are refused.
constexpr qsizetype kMaxProfileBytes = qsizetype(64) * 1024;

/// `id` is the file's name without its ending. Pure; any thread.
std::variant<TableProfile, ProfileFault> readProfile(const QByteArray &file, const QString &id);

} // namespace lockscope
