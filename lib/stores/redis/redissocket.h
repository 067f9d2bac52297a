// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/redisstore.h"

#include <QtNetwork/QTcpSocket>

#include <memory>

namespace lockscope::detail {

/// A connected socket, over TLS if the URL says so, or null and why. It belongs to no thread: one at a time may use it,
/// with the functions that block.
std::unique_ptr<QTcpSocket> openRedisSocket(const RedisUrl &url, std::chrono::milliseconds timeout, LockError *error);

} // namespace lockscope::detail
