// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope::detail {

/// From an error of the gateway's: gRPC's code, and etcd's text. `operation` ran: "etcd/kv/txn".
LockError etcdError(int code, const QString &text, const QByteArray &operation);
/// Nothing was carried out.
LockError etcdUnavailable(const QString &message, const QString &systemText = {});
/// What was sent last may have been carried out.
LockError etcdLost(const QString &message, const QByteArray &operation, const QString &systemText = {});

/// Whether it may be there again soon; nothing is wrong with what was asked.
bool isEtcdAway(const LockError &error);
/// Whether what was sent may have been carried out.
bool isEtcdLost(const LockError &error);
/// The etcd lease that was named has ended.
bool isLeaseGone(const LockError &error);
/// The token of the user's session is not valid any more; another one is to be had.
bool isSignInOver(const LockError &error);

} // namespace lockscope::detail
