// SPDX-License-Identifier: MIT
#include "releaseflow.h"

#include "console/auditfile.h"
#include "ui/server/serverconnection.h"

namespace lockscope::ui {

using namespace std::chrono_literals;

ReleaseFlow::ReleaseFlow(ServerConnection *connection, const LockRow &lock, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_target(lock)
    , m_pollAgain(this)
{
    m_pollAgain.setInterval(1s);
    connect(&m_pollAgain, &QTimer::timeout, this, &ReleaseFlow::look);
    connection->follow(&Monitor::previewReady, this, &ReleaseFlow::onPreview);
    connect(connection, &ServerConnection::released, this, &ReleaseFlow::onReleased);
}

void ReleaseFlow::start()
{
    look();
    m_pollAgain.start();
}

void ReleaseFlow::look()
{
    if (m_isPolling)
        return;
    m_isPolling = true;
    m_connection->call(&Monitor::preview, m_target.key);
}

void ReleaseFlow::setReason(const QString &reason)
{
    m_reason = reason;
    Q_EMIT changed();
}

bool ReleaseFlow::canAct() const
{
    const bool isThere = m_step == Step::Ready || m_step == Step::Failed;
    return isThere && !m_reason.trimmed().isEmpty() && m_reason.size() <= MaxReasonCharacters
        && m_connection->isOperatorOf(m_target.key);
}

ReleaseOrder ReleaseFlow::order() const
{
    return {m_target.key, m_target.token, AuditFile::operatorName(), m_reason.trimmed()};
}

QByteArray ReleaseFlow::statement() const
{
    return m_connection->releaseStatement(order());
}

void ReleaseFlow::act()
{
    if (!canAct())
        return;
    m_pollAgain.stop();
    m_error.reset();
    setStep(Step::Acting);
    m_connection->release(order());
}

void ReleaseFlow::retarget()
{
    if (m_step != Step::Changed || !m_preview.lock)
        return;
    m_target = *m_preview.lock;
    m_error.reset();
    setStep(Step::Ready);
    start();
}

void ReleaseFlow::onPreview(const LockKey &key, const ReleasePreview &preview, const std::optional<LockError> &error)
{
    if (key == m_target.key)
        m_isPolling = false;
    if (key != m_target.key || m_step == Step::Acting || m_step == Step::Released)
        return;
    const bool keepsError = m_step == Step::Failed; // why the release failed stays to be read
    if (!keepsError)
        m_error = error;
    if (error) {
        Q_EMIT changed(); // the last answer stays, with the error beside it
        return;
    }
    m_preview = preview;
    if (!preview.lock) {
        setStep(Step::Gone);
    } else if (preview.lock->token != m_target.token) {
        setStep(Step::Changed);
    } else {
        m_target = *preview.lock;
        setStep(keepsError ? Step::Failed : Step::Ready);
    }
}

bool ReleaseFlow::awaits(const ReleaseOrder &order) const
{
    return m_step == Step::Acting && order.key == m_target.key && order.token == m_target.token;
}

void ReleaseFlow::onReleased(const ReleaseOrder &order, const ReleaseReport &report)
{
    if (!awaits(order))
        return;
    m_report = report;
    m_preview.lock = report.lockNow;
    m_error = report.error;
    switch (report.outcome) {
    case ReleaseReport::Outcome::Released:
        setStep(Step::Released);
        break;
    case ReleaseReport::Outcome::TargetChanged:
        setStep(report.lockNow ? Step::Changed : Step::Gone);
        break;
    case ReleaseReport::Outcome::Failed:
        setStep(Step::Failed);
        m_pollAgain.start();
        break;
    }
}

void ReleaseFlow::setStep(Step step)
{
    m_step = step;
    Q_EMIT changed();
}

} // namespace lockscope::ui
