// SPDX-License-Identifier: MIT
#pragma once

#include "sources/storeaddress.h"
#include "terminal/password.h"

namespace lockscope::ctl {

/// As withPassword().
std::optional<LockError> withStorePassword(const QString &url, const QString &password, const ConnectWith &connect);

} // namespace lockscope::ctl
