// SPDX-License-Identifier: MIT
#pragma once

#include "waitoutline.h"

#include <QtCore/QByteArray>

namespace lockscope::ui {

/// Every session of a look, each after the one that it waits for, as CSV (RFC 4180, UTF-8) for programs: English
/// headers, names as they are.
QByteArray waitsToCsv(const WaitPicture &picture);

} // namespace lockscope::ui
