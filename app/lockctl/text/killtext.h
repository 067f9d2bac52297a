// SPDX-License-Identifier: MIT
#pragma once

#include "actions/killaftermath.h"
#include "actions/sessionkill.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// What a person must know before a session is ended, as lines for a terminal. The exact statement comes first: it is
/// long, and the question stands below what follows from the answer.
QStringList killPreviewLines(const KillPreview &preview, const ServerWaits &waits, KillKind kind, int columns);
/// Who goes on and who stays blocked.
QStringList forecastLines(const WaitForecast &forecast, const ServerWaits &waits);
/// "2 went on, 20 wait, now blocked by 18 and 15"
QString aftermathText(const KillAftermath &aftermath);
QJsonObject aftermathToJson(const KillAftermath &aftermath);
/// The same for a program.
QJsonObject killPreviewToJson(const KillPreview &preview, const ServerWaits &waits, quint64 session);

/// "ended", "rollingBack", "gone", "changed", "refused", "failed", "unknown": sent, and the answer was lost
QString outcomeName(const KillReport &report);
QJsonObject killReportToJson(const KillReport &report, quint64 session);

} // namespace lockscope::ctl
