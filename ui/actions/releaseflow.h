// SPDX-License-Identifier: MIT
#pragma once

#include "actions/forcerelease.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace lockscope::ui {

class ServerConnection;

/// The course of one force release: look, keep looking, act, report. The dialog only shows it. While it is open the
/// target is read again every second, so that what the operator reads stays true.
class ReleaseFlow : public QObject
{
    Q_OBJECT
public:
    enum class Step {
        Looking,  ///< first answer not there yet
        Ready,    ///< the target is as chosen
        Gone,     ///< it is free: nothing to do
        Changed,  ///< somebody else holds it: nothing was done; `retarget` starts over with them
        Acting,   ///< sent, no answer yet
        Released, ///< done
        Failed    ///< see `error`; may be tried again
    };
    Q_ENUM(Step)

    /// `connection` is not owned and must outlive the flow. `lock` is what the operator chose, by its token.
    ReleaseFlow(ServerConnection *connection, const LockRow &lock, QObject *parent = nullptr);

    void start();
    Step step() const { return m_step; }
    /// As last read; the chosen lease as long as it is there.
    const LockRow &target() const { return m_target; }
    const ReleasePreview &preview() const { return m_preview; }
    const ReleaseReport &report() const { return m_report; }
    const std::optional<LockError> &error() const { return m_error; }

    void setReason(const QString &reason);
    /// A reason is there and the target is as chosen.
    bool canAct() const;
    /// Exactly what `act` sends.
    QByteArray statement() const;

    /// It is sent and not answered.
    bool awaits(const ReleaseOrder &order) const;
    /// Sends it once; anything else than Released does not repeat by itself.
    void act();
    /// Takes the lease that is there now as the target.
    void retarget();

Q_SIGNALS:
    void changed();

private:
    ReleaseOrder order() const;
    void look();
    void onPreview(const LockKey &key, const ReleasePreview &preview, const std::optional<LockError> &error);
    void onReleased(const ReleaseOrder &order, const ReleaseReport &report);
    void setStep(Step step);

    ServerConnection *m_connection;
    LockRow m_target;
    ReleasePreview m_preview;
    ReleaseReport m_report;
    std::optional<LockError> m_error;
    QString m_reason;
    QTimer m_pollAgain;
    bool m_isPolling = false; ///< asked and not answered; a slow server gets no second question
    Step m_step = Step::Looking;
};

} // namespace lockscope::ui
