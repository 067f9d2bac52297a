// SPDX-License-Identifier: MIT
// One packet and its answer, below a session.
#pragma once

#include "session.h"

class QSqlError;

namespace lockscope {

/// Sends `sql` as one packet and reads every result, within the bounds of this thread (ReplyBound). `time`: for the
/// answer to be whole.
Reply runPacket(QSqlQuery &query, const QByteArray &sql, const QByteArray &name,
                std::optional<std::chrono::milliseconds> time = std::nullopt);

LockError toLockError(const QSqlError &error, const QByteArray &statement);

} // namespace lockscope
