// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

#include <optional>

namespace lockscope {

/// The number of the process in a file that a server names; none where it is no ordinary file or has no number. A
/// server may name what never ends, or what nobody writes to.
std::optional<qint64> processInFile(const QString &path);

} // namespace lockscope
