// SPDX-License-Identifier: MIT
#pragma once

#include "actions/sessionkill.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// What a person must know before a session is ended, as lines for a terminal. The exact statement comes first: it is
/// long, and the question stands below what follows from the answer.
QStringList killPreviewLines(const KillPreview &preview, const ServerWaits &waits, KillKind kind, int columns);
/// The same for a program.
QJsonObject killPreviewToJson(const KillPreview &preview, const ServerWaits &waits, quint64 session);

/// "ended", "rollingBack", "gone", "changed", "refused", "failed"
QString outcomeName(KillReport::Outcome outcome);
QJsonObject killReportToJson(const KillReport &report, quint64 session);

} // namespace lockscope::ctl
