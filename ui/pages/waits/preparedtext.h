// SPDX-License-Identifier: MIT
#pragma once

#include "waits/serverwaits.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What is said of transactions that outlive their sessions.
class PreparedText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::PreparedText)
public:
    /// "12" of a session, "transaction 421" of what a prepared one is in a list of these.
    static QString holder(quint64 number);
    /// "XA 'x1'", "XA, one of 'x1', 'x2'", "no session".
    static QString name(const PreparedTransaction &prepared);
    /// "Prepared (XA)", …
    static QString state(const PreparedTransaction &prepared);
    /// "XA COMMIT 'x1' or XA ROLLBACK 'x1' ends it.", and when.
    static QString ends(const PreparedTransaction &prepared);
    /// That it outlives its session; empty where the session, as far as is known, has prepared none.
    static QString warning(const ServerWaits &waits, quint64 session);
    /// What else may hold up a session for which the server names nothing.
    static QString hint(const ServerWaits &waits);
};

} // namespace lockscope::ui
