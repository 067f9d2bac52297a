// SPDX-License-Identifier: MIT
#pragma once

#include "locks/thresholds.h"

class QSettings;

namespace lockscope::ui {

/// What is to be told, and how. A plain value.
struct AlarmSettings
{
    AlarmLimits limits;
    bool notifies = true; ///< by the desktop, beside the window

    bool operator==(const AlarmSettings &) const = default;
};

/// Anything damaged or out of range has its default.
AlarmSettings loadAlarmSettings(const QSettings &settings);
void saveAlarmSettings(QSettings &settings, const AlarmSettings &alarms);

} // namespace lockscope::ui
