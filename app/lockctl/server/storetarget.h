// SPDX-License-Identifier: MIT
#pragma once

#include "sources/storeaddress.h"

#include <functional>

namespace lockscope::ctl {

/// As withPassword(); the desktop's keyring has none for stores.
std::optional<LockError> withStorePassword(
    const QString &url, const QString &password,
    const std::function<std::optional<LockError>(const QString &password)> &connect);

} // namespace lockscope::ctl
