// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "feeds/waitsfeed.h"
#include "ui/server/serverprofile.h"

#include <QtCore/QObject>
#include <QtCore/QSet>

namespace lockscope::ui {

class ServerConnection;

/// One of the sessions that are to be ended.
struct KillPart
{
    enum class State {
        Ready,       ///< as chosen
        Changed,     ///< at other work than when the person looked, or it cannot be told whether it is
        Gone,        ///< ended, as a look for it or the kill says: nothing to do
        Refused,     ///< protected
        Sent,        ///< no answer yet
        RollingBack, ///< its changes are being undone
        Ended,       ///< as was verified
        Failed       ///< see `report`
    };
    State state = State::Ready;
    KillTarget target;
    KillPreview preview; ///< the last one in which it was there
    KillReport report;
    quint64 mostRows = 0; ///< that were to be undone, at most
    bool isSeen = true;   ///< by the last look; one that did not seek it says nothing of its end

    /// Nothing of it is left to be sent.
    bool isOver() const { return isDone() || state == State::Refused; }
    /// As the person wanted it.
    bool isDone() const { return state == State::Gone || state == State::Ended; }
    bool isRunning() const { return state == State::Sent || state == State::RollingBack; }
};

/// What ending all parts means, told once: whoever waits for two of them goes on too.
struct KillSum
{
    WaitForecast forecast;
    QHash<quint64, ServerTime> since; ///< since when those wait that go on, where it is told
    QList<ServerLock> locks;
    int deadlocks = 0;
    quint64 rows = 0; ///< to be undone
    Microseconds rollback{};
};

/// The course of ending sessions: preview with each look, act, follow the undoing, report. The dialog only shows it.
/// It is told of looks and answers and acts by its signal `ordered`.
class KillFlow : public QObject
{
    Q_OBJECT
public:
    enum class Step {
        Ready,   ///< there is something to end
        Changed, ///< something is not as chosen: `retarget` takes it as it is now
        Nothing, ///< all are gone or protected
        Acting,  ///< sent, no answer yet
        Undoing, ///< accepted; changes are being undone
        Done     ///< nothing more comes: see the parts
    };
    Q_ENUM(Step)

    /// `connection` is not owned and must outlive the flow. `sessions` are what the operator chose in `waits`.
    KillFlow(ServerConnection *connection, const QList<quint64> &sessions, const ServerWaitsPtr &waits,
             const Capabilities &capabilities, QObject *parent = nullptr);

    Step step() const;
    const QList<KillPart> &parts() const { return m_parts; }
    bool hasEndedAny() const { return isAnyOf(KillPart::State::Ended); }
    /// Something is sent and not answered to its end, or still to be sent.
    bool isRunning() const { return step() == Step::Acting || step() == Step::Undoing; }
    qsizetype unsent() const { return m_unsent.size(); }
    bool isSingle() const { return m_parts.size() == 1; }
    const ServerWaits &waits() const { return *m_waits; }
    const Capabilities &capabilities() const { return m_capabilities; }
    /// Why there was no look since then; none: there was.
    const std::optional<LockError> &pollError() const { return m_pollError; }
    const KillSum &sum() const { return m_sum; }
    /// What was expected of those who wait when it was sent.
    const WaitForecast &expected() const { return m_expected; }
    /// What `act` comes to, a line for each, and exactly what it sends.
    QByteArray command() const;
    QByteArray statement() const;

    KillKind kind() const { return m_kind; }
    void setKind(KillKind kind);
    /// False: one of them runs none, and KILL QUERY would free nothing.
    bool canEndStatements() const;
    void setReason(const QString &reason);
    /// Several at once want the server's name typed.
    bool wantsName() const { return !isSingle(); }
    QString serverName() const;
    void setTypedName(const QString &name);
    bool canAct() const;

    void act();
    void retarget();

    void onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities);
    void onWaitsFailed(const LockError &error);
    /// False: the order is not one of its own that waits for an answer.
    bool onProgressed(const KillOrder &order, const KillReport &report);
    bool onKilled(const KillOrder &order, const KillReport &report);
    /// The first end of a session, as the record has it; target and reason alone.
    std::optional<AuditEntry> recordedEnd() const;
    /// Why some of what was done is not on record; empty: it is.
    QString recordErrors() const { return m_recordErrors.join(u'\n'); }

Q_SIGNALS:
    void changed();
    /// To be sent; answered through onProgressed and onKilled.
    void ordered(const lockscope::KillOrder &order);

private:
    KillOrder orderOf(const KillPart &part) const;
    KillPart *partOf(const KillOrder &order);
    void look(KillPart *part);
    void sendNext();
    /// Parts or waits are others than before.
    void update();
    KillSum summed() const;
    bool isAnyOf(KillPart::State state) const;

    ServerConnection *m_connection;
    const ServerProfile m_server; ///< that was asked for
    ServerWaitsPtr m_waits;
    Capabilities m_capabilities;
    std::optional<LockError> m_pollError;
    QList<KillPart> m_parts;
    WaitForecast m_expected;
    KillSum m_sum; ///< of these; thousands may wait, and it is asked for many times a second
    KillKind m_kind = KillKind::Connection;
    QString m_reason;
    QString m_typedName;
    QStringList m_recordErrors;
    QSet<quint64> m_unsent; ///< sessions whose turn has not come
    bool m_hasActed = false;
};

} // namespace lockscope::ui
