// SPDX-License-Identifier: MIT
#pragma once

#include "waits/capabilities.h"
#include "waits/waitgraph.h"

#include <QtCore/QStringList>

namespace lockscope::ctl {

/// "row", "table", "metadata" or "user", as in JSON.
QString kindText(ServerLockKind kind);
/// The same, or "lease".
QString kindText(const ServerObject &object);
/// "row shop.stock PRIMARY (5)", "GET_LOCK 6939591962871035475 (Rails migrations of app)", "lease orders/42".
QString objectText(const ServerObject &object, const QStringList &schemas);
/// "app@10.0.0.5 (billing)", or with the client's process "app@10.0.0.5 (billing, pid 4711)"; "gone" for nobody, or
/// "not looked up" where that is why.
QString accountText(const ServerWaits &waits, quint64 id, bool hasPid = false);
/// Of several connections of one program: "app@10.0.0.5 (billing)".
QString groupText(const ServerSession &session);
/// The sessions were looked up, so whoever is not among them has ended since.
bool areSessionsSeen(const ServerWaits &waits);
/// "idle 2 min in a transaction of 5 min", "at its statement 3 s", "rolling back, 12 rows left".
QString doingText(const ServerSession &session, ServerTime now);
/// "runs: UPDATE …", "ran: …", or why that is not known, in one line of at most `columns`.
QString statementText(const Statement &statement, int columns);
/// "took the lock by: UPDATE …", as above.
QString culpritText(const PastStatement &statement, int columns);
/// Whose session it is, when it must not be ended; empty: an ordinary client's.
QString protectionWord(Protection protection);
/// "11 waiters", "1 waiter".
QString counted(qint64 number, const QString &one, const QString &many);
/// "metadata locks"
QString sourceText(WaitSource source);

/// What has to be seen before anybody can say that nobody waits: why sessions, transactions or waits for rows are not
/// seen; null where they are, or were switched off by the person.
const SourceStatus *essentialUnseen(const ServerWaits &waits);
/// To standard error: what is not seen, why, and what would show it; and where these are not all the locks of the data.
void warnAboutUnseen(const ServerWaits &waits, const Capabilities &capabilities);

} // namespace lockscope::ctl
