// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <QtCore/QByteArray>

namespace lockscope::detail {

/// From an error of the server's; `command` ran: "redis/acquire".
LockError redisError(const QByteArray &text, const QByteArray &command);
/// That of one command which probe.lua tried.
LockError withoutRight(const QByteArray &command, const QByteArray &text);
/// Nothing was sent.
LockError redisUnavailable(const QString &message, const QString &systemText = {});
/// What was sent last may have been carried out.
LockError redisLost(const QString &message, const QByteArray &command, const QString &systemText = {});

/// Whether it may be there again soon; nothing is wrong with what was asked.
bool isRedisAway(const LockError &error);
/// Whether what was sent may have been carried out.
bool isRedisLost(const LockError &error);
/// Whether what was sent was refused because the server has become a replica.
bool isRedisDemoted(const LockError &error);

} // namespace lockscope::detail
