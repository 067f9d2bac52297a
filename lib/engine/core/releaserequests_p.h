#pragma once

#include "enginecore_p.h"

namespace lockscope::detail {

/// Writes a request for whoever holds `resource` (as it is stored).
RequestResult askForRelease(Link &link, Mode mode, const QByteArray &resource, const QString &reason);

/// Tells this engine's holders what they were asked. Runs in the service lane, every few seconds while anything is
/// held.
void takeReleaseRequests(EngineCore &core, Link &link);

} // namespace lockscope::detail
