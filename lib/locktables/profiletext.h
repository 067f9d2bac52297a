// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <string_view>

namespace lockscope {

/// Counted from 1; 0: there is none.
int lineThatIsNotUtf8(const QByteArray &file);

/// A file as toml++ may read it. Its version 3.3.0 reaches what it has told the compiler cannot be reached for many
/// letters beyond ASCII ("é", "、"), so it gets each as one of the last plane, which is for private use.
QByteArray tomlSource(const QByteArray &file);
/// What it read, as it stands in the file.
QString textOf(std::string_view text);

} // namespace lockscope
