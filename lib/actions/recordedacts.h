// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

namespace lockscope {

struct KillTarget;
struct ReleaseOrder;

/// How the record of this machine names what was acted on: AuditEntry::target.
QString recordedTarget(const ReleaseOrder &order);
QString recordedTarget(const KillTarget &target);

} // namespace lockscope
