// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <QtCore/QByteArray>
#include <QtCore/QHash>
#include <QtCore/QStringList>

#include <optional>

namespace lockscope::detail {

/// What INFO says.
class RedisInfo
{
public:
    static RedisInfo from(const QByteArray &text);

    QByteArray value(const char *key) const { return m_values.value(key); }

private:
    QHash<QByteArray, QByteArray> m_values;
};

/// Why locks would not be safe on this server, with what to do.
std::optional<LockError> validateServer(const RedisInfo &info);
/// What a crash or a failover may take, a sentence each. `appendfsync` is empty when it could not be read.
QStringList risksOf(const RedisInfo &info, const QByteArray &appendfsync);

} // namespace lockscope::detail
