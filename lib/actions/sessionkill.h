// SPDX-License-Identifier: MIT
#pragma once

#include "killtarget.h"
#include "statementend.h"
#include "waits/capabilities.h"
#include "waits/waitforecast.h"

#include <functional>

namespace lockscope {

/// Who ends what, and why.
struct KillOrder
{
    KillTarget target;
    KillKind kind = KillKind::Connection;
    QString operatorName;
    QString reason; ///< not empty, at most MaxReasonCharacters characters

    bool operator==(const KillOrder &) const = default;
};

/// What is wrong with an order's name or reason: SessionKill::act() refuses it with the same words before any I/O.
std::optional<LockError> checkOrder(const KillOrder &order);

/// Why such a session must not be ended; empty where it may.
QString protectionText(Protection protection);

/// What it comes to, without the check before it: "KILL CONNECTION 34". Pure; any thread.
QByteArray killCommand(const KillOrder &order);
/// Exactly what is sent, to show it before. Pure; any thread.
QByteArray killStatement(const KillOrder &order, const Capabilities &capabilities);

/// What a person must know before.
struct KillPreview
{
    std::optional<ServerSession> session; ///< none: already gone
    QByteArray statement;                 ///< as it would be sent
    QString refusal;                      ///< why it cannot be done; empty: it can
    QString queryRefusal;                 ///< why KILL QUERY would not help; empty: it would
    WaitForecast forecast;                ///< if it alone ends
    QList<ServerLock> locks;              ///< that it gives up
    int deadlocks = 0;                    ///< waiters that are to expect error 1213, or with others 1062
    quint64 rowsToRollBack = 0;
    Microseconds rollback{};                             ///< an estimate
    TransactionEnd transactionEnd = TransactionEnd::Yes; ///< if Perhaps: locks and rows are as if it ended
    bool isFreedIfOwn = false;                           ///< by KILL QUERY, and as StatementEnd::Effect has it
    bool isFreedIfUnheld = false;                        ///< likewise
};

/// Pure, from the last look; any thread. A prepared transaction outlives its session: it is not among what is given up,
/// and who waits for it stays.
KillPreview previewKill(const ServerWaits &waits, const Capabilities &capabilities, quint64 session, KillKind kind);

/// Who goes on once all of them, or their statements, have ended. Pure, from the last look; any thread.
WaitForecast forecastKill(const ServerWaits &waits, const QList<quint64> &sessions, KillKind kind);
/// The end of a statement frees nobody, for its session keeps what the others wait for.
bool keepsAll(const WaitForecast &ofStatement);

/// How it went.
struct KillReport
{
    enum class Outcome {
        Ended,         ///< the session, or its statement, is gone, as was verified
        RollingBack,   ///< accepted; its changes are still being undone, or `error` says why nothing more can be seen
        AlreadyGone,   ///< there was nothing to end any more
        TargetChanged, ///< the number belongs to other work now: nothing was done
        Refused,       ///< protected, or the order is not complete: nothing was done
        Failed         ///< see `error`
    };
    Outcome outcome = Outcome::Failed;
    QByteArray statement; ///< what was sent
    quint64 rowsLeft = 0; ///< still to be undone
    QString recordError;  ///< why it is not on record, though it was done; empty: it is. See RecordedKill
    std::optional<LockError> error;

    /// It was sent and the connection was lost: the server goes on with what it has got.
    bool mayBeDone() const;
};

/// Ends sessions, guarded: the number is believed only together with the account and the transaction, the lock or the
/// statement that it had, checked on the connection that kills and in the same packet. Where KILL is refused, a hosted
/// server's procedure is tried. Thread: that of `session`.
class SessionKill
{
public:
    SessionKill(Session &session, const Capabilities &capabilities);

    KillReport act(const KillOrder &order);
    /// How far the undoing has come; asks once. `report` comes from act(); an error leaves its outcome as it is.
    KillReport follow(const KillOrder &order, KillReport report);

private:
    std::optional<KillReport> protection(quint64 number);
    KillReport send(const KillOrder &order);
    void endSnapshot(const KillOrder &order);
    KillReport whatIsThere(const KillOrder &order, KillReport report);
    std::optional<LockError> checkAfter(const KillOrder &order, std::optional<ServerSession> *left);

    Session &m_session;
    const Capabilities m_capabilities;
    bool m_isOld = false; ///< the last look at the transactions
};

} // namespace lockscope
