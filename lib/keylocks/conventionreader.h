// SPDX-License-Identifier: MIT
// Reads a convention's file, and refuses a faulty one with line and reason. resources/conventions/README.md has the
// format.
#pragma once

#include "keyconvention.h"
#include "locktables/profilereader.h"

namespace lockscope {

/// `id` is the file's name without its ending. Pure; any thread.
std::variant<KeyConvention, ProfileFault> readConvention(const QByteArray &file, const QString &id);

} // namespace lockscope
