// SPDX-License-Identifier: MIT
#pragma once

#include "waits/serverwaits.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// Who blocks: "12" of a session, "transaction 421" of a prepared transaction. The same for JSON: a number, or the
/// text.
QString holderText(quint64 number);
QJsonValue holderToJson(quint64 number);

/// "prepared as XA 'x1'", "prepared as XA, one of 'x1', 'x2'", "without a session".
QString preparedText(const PreparedTransaction &prepared);
/// "XA COMMIT 'x1' or XA ROLLBACK 'x1' ends it, once session 12 has ended", or what to look at where its name is not
/// told.
QString preparedEndText(const PreparedTransaction &prepared);
/// That it outlives the session that has prepared it, or may have; empty where the session has none.
QString preparedWarning(const ServerWaits &waits, quint64 session);
/// What prepared transactions there are, for a session of which it is not told what it waits for.
QString preparedHint(const ServerWaits &waits);

QJsonValue preparedToJson(const PreparedTransaction *prepared);

} // namespace lockscope::ctl
