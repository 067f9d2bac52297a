// SPDX-License-Identifier: MIT
#pragma once

#include "session/servertime.h"

#include <QtCore/QString>

namespace lockscope {

/// A length of time as people read it: "450 µs", "2.3 ms", "45 ms", "0.4 s", "26 s", "3 min 10 s", "2 h 5 min",
/// "1 d 4 h", "3 d". Cut, not rounded, so that a countdown never shows more than is left. Negative: as its absolute.
/// The units are symbols of the SI and the same in every language; the decimal mark is a full stop.
QString formatDuration(Microseconds duration);

/// The same with its largest part only, where the past matters little: "26 s", "5 min", "2 h".
QString formatCoarseDuration(Microseconds duration);

} // namespace lockscope
