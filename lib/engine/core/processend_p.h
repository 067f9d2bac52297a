// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace lockscope::detail {

class EngineCore;

/// Lets the end of the application object, or of the process by exit(), close an engine that is there still: what it
/// needs of Qt and of the database driver goes then, before an engine that is a global object is destroyed. To be
/// called once Qt's driver has been used, or it would come too late. Thread: any.
void closeWithProcess(const std::shared_ptr<EngineCore> &core);

} // namespace lockscope::detail
