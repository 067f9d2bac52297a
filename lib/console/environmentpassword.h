// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

namespace lockscope {

/// LOCKSCOPE_PASSWORD, which nothing that this process starts is given any more. Call it before there are threads.
QString takeEnvironmentPassword();

} // namespace lockscope
