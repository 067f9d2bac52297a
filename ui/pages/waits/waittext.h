// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/statemark.h"
#include "waitoutline.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What the waits page says. Names and statements are anybody's bytes: they come out of here made visible, as those of
/// CommonText do.
class WaitText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::WaitText)
public:
    /// "3 locked, 1 changed".
    static QString rows(const ServerSession &session);
    /// "shop.stock PRIMARY (5), X", … and whether there are more.
    static QStringList rowLocks(const RowLocks &rows);
    /// "34 · billing@a7".
    static QString session(const ServerWaits &waits, quint64 id);
    /// "3, 5 and 7 more".
    static QString numbers(const QList<quint64> &sessions);
    static QString account(const ServerSession &session);
    static QString program(const ServerSession &session);
    /// "shop.stock PRIMARY (5)", or "prisma_migrate (Prisma Migrate)" where it is known who takes such names; `schemas`
    /// are those that names may be made of.
    static QString object(const ServerObject &object, const QStringList &schemas = {});
    /// "shop.stock PRIMARY (5), X".
    static QString objectAndMode(const ServerObject &object, const QString &mode, const QStringList &schemas = {});
    /// "Row lock", …
    static QString lockKind(ServerLockKind kind);
    /// "a metadata lock that the server does not name".
    static QString lostWait(const LostWaiter &waiter);
    /// The same, or that it was not looked for.
    static QString lostWait(const ServerWaits &waits, const LostWaiter &waiter);
    /// "Ring of 3 sessions".
    static QString ring(int sessions);
    /// "+150 more".
    static QString more(int hidden);
    /// "×10 app@10.0.0.5": equal waiters, see equalWaiters().
    static QString equal(const WaitPicture &picture, const QList<quint64> &sessions);
    /// What it waits for, or "holds" what others want.
    static QString lock(const WaitPicture &picture, const WaitNode &node);
    /// "Idle in transaction", "Rolling back", …
    static QString state(const WaitPicture &picture, quint64 session);
    /// Holds what others want, and does nothing: the one to look at.
    static bool isIdleBlocker(const WaitPicture &picture, quint64 session);
    static Mark mark(const WaitPicture &picture, const WaitNode &node);
    /// How long a session has waited, or its transaction has been open.
    static std::optional<Microseconds> since(const WaitPicture &picture, quint64 session, ServerTime now);
    /// That with what it is the age of: "waits 20 s", "transaction 5 min".
    /// In a box of the graph, of who does not wait.
    static QString stateAndAge(const WaitPicture &picture, quint64 session, ServerTime now);
    static QString age(const WaitPicture &picture, quint64 session, ServerTime now);
    /// In one line, that which took the lock where it is known; or why there is none.
    static QString statement(const ServerSession &session);
    /// A line for each, with a word where it took the lock that others wait for.
    static QStringList history(const QList<PastStatement> &history);
    /// "Runs now", "Ran last", …
    static QString statementTitle(const Statement &statement);
    /// In full, in its own lines.
    static QString statementText(const Statement &statement);
    /// Why it must not be ended; empty: it may be.
    static QString whyProtected(Protection protection);
    /// "Transactions", "Row locks", …
    static QString source(WaitSource source);
    static QString sourceState(const SourceStatus &status);
};

} // namespace lockscope::ui
