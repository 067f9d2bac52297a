// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"
#include "sources/locksource.h"

#include <memory>

class QSettings;

namespace lockscope {

// Stores beside MySQL and MariaDB, by the scheme of their address, as this program was built: of one that it was built
// without every address is wrong, and of the functions below only the first three may be called. Pure but for
// isProductionStore(); any thread.

enum class StoreKind { Redis, ZooKeeper, Etcd };

bool isStore(const QString &url);
/// Of an address that isStore().
StoreKind storeKind(const QString &url);
/// What is wrong with the address, in a sentence; empty: nothing.
QString wrongStore(const QString &url);
/// The same address, always spelt the same way.
QString storeUrl(const QString &url);
/// Its hosts, each with the port unless that is the usual one, or the path of its socket.
QString storeName(const QString &url);
/// As whom it is spoken to; empty: as anybody.
QString storeUser(const QString &url);
/// "Redis", "ZooKeeper", "etcd".
QString storeTitle(const QString &url);
/// What the entry of its password is called in the keyring, as Keyring::nameOf(): two parts of one store share a
/// password, as two schemas of one server do.
QString storeKeyringName(const QString &url);
/// Whether both lead to one store, as far as their texts tell, by whatever user and to whatever part of it.
bool isSameStore(const QString &a, const QString &b);
/// As isProductionServer(): one server of a cluster that the entry names, too, is enough.
bool isProductionStore(const QSettings &settings, const QString &url);
/// The same of the settings of this user's window.
bool isProductionStore(const QString &url);

std::shared_ptr<LockStore> makeStore(const QString &url, const QString &password);
std::unique_ptr<LockSource> makeSource(const QString &url, const QString &password);

} // namespace lockscope
