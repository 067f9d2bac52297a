// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <QtCore/QByteArray>

#include <chrono>

namespace lockscope::detail {

/// From a code of the client library's; `operation` ran: "zookeeper/create".
LockError zooKeeperError(int code, const QByteArray &operation);
/// Nothing was sent.
LockError zooKeeperUnavailable(const QString &message);
LockError zooKeeperOutOfReach();
/// No node that is made in that folder can be told from others by its number.
LockError zooKeeperCounterUsedUp(const QByteArray &folder);

/// No answer came, and what was sent may have been carried out.
bool isAnswerLost(int code);
/// Before it is asked again: the client library tells of a broken connection a little later.
inline constexpr std::chrono::milliseconds kTryAgainAfter{10};
/// The session has ended, and all that it held.
bool isSessionOver(int code);
/// Somebody has made that node already; or it is not there, or what it should lie in.
bool isNodeThere(int code);
bool isNodeMissing(int code);

/// Whether it may be there again soon; nothing is wrong with what was asked.
bool isZooKeeperAway(const LockError &error);

} // namespace lockscope::detail
