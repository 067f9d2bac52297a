// SPDX-License-Identifier: MIT
#pragma once

#include "recording/incidents.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// What a recording is of, and when nothing was seen.
QStringList infoLines(Recording &recording);
QJsonObject infoToJson(Recording &recording);

/// "11 sessions waited, the longest for 2 min, for row shop.stock PRIMARY (5); session 6 root@a7 blocked them"
QString incidentText(const Incident &incident);
/// What a person sends to others about a stretch, in Markdown: incidents with who blocked whom when it was worst, what
/// was done, and what was not seen.
QString reportText(Recording &recording, ServerTime from, ServerTime to);
QJsonObject reportToJson(Recording &recording, ServerTime from, ServerTime to);

} // namespace lockscope::ctl
