// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"
#include "sources/locksource.h"

#include <functional>
#include <memory>

// Stores beside MySQL and MariaDB, by the scheme of their address, as this lockctl was built: of one that it was built
// without every address is wrong, and nothing else here is called.
namespace lockscope::ctl {

bool isStore(const QString &url);
/// What is wrong with the address, in a sentence; empty: nothing.
QString wrongStore(const QString &url);
/// Its hosts, each with the port unless that is the usual one, or the path of its socket.
QString storeName(const QString &url);

std::shared_ptr<LockStore> makeStore(const QString &url, const QString &password);
std::unique_ptr<LockSource> makeSource(const QString &url, const QString &password);

/// As withPassword(); the desktop's keyring has none for stores.
std::optional<LockError> withStorePassword(
    const QString &url, const QString &password,
    const std::function<std::optional<LockError>(const QString &password)> &connect);

} // namespace lockscope::ctl
