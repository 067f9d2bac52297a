// SPDX-License-Identifier: MIT
// Events of the lock tables and acts of this machine's record, as a line each and as JSON. No tables: their widths
// would change from poll to poll while the output is followed.
#pragma once

#include "console/auditlog.h"
#include "locks/snapshot.h"

#include <QtCore/QJsonObject>

namespace lockscope::ctl {

/// Without its time.
QString eventText(const Event &event);
QString toLine(const Event &event);
QJsonObject toJson(const Event &event);
QString toLine(const AuditLine &act);
QJsonObject toJson(const AuditLine &act);

} // namespace lockscope::ctl
