// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>

#include <optional>

namespace lockscope::detail {

/// A value that Redis answered with.
struct RedisValue
{
    enum class Type { Nil, Integer, Bytes, Error, Array };

    Type type = Type::Nil;
    qint64 integer = 0;
    QByteArray bytes = {}; ///< of Bytes and Error
    QList<RedisValue> items = {};

    /// Of an integer, or of text that is one.
    qint64 number() const { return type == Type::Bytes ? bytes.toLongLong() : integer; }
};

/// The answer to one command, or why there is none.
struct RedisReply
{
    RedisValue value = {};
    std::optional<LockError> error = {};
};

} // namespace lockscope::detail
