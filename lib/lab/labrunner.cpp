// SPDX-License-Identifier: MIT
#include "labrunner.h"

namespace lockscope {

bool LabMailbox::put(LabProgress progress)
{
    const std::lock_guard lock(m_mutex);
    const bool isFirst = !m_waiting;
    if (!isFirst) {
        progress.missing += m_waiting->missing;
        progress.events = std::exchange(m_waiting->events, {}) + progress.events;
    }
    if (const qsizetype tooMany = progress.events.size() - MostEvents; tooMany > 0) {
        progress.events.remove(0, tooMany);
        progress.missing += tooMany;
    }
    m_waiting = std::move(progress);
    return isFirst;
}

LabProgress LabMailbox::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_waiting, std::nullopt).value_or(LabProgress());
}

LabRunner::LabRunner(QObject *parent)
    : QObject(parent)
{
}

LabRunner::~LabRunner()
{
    stop();
    if (m_thread)
        m_thread->wait();
}

void LabRunner::start(const QList<LabPlan> &plans, LabPlace place)
{
    if (m_thread)
        return;
    m_stop = {};
    m_commands = std::make_shared<LabCommands>();
    place.commands = m_commands;
    m_thread = QThread::create([this, plans, place, stop = m_stop.get_token()] {
        if (const auto missing = missingServers(plans)) { // not after some of them have taken their time
            LabResult result;
            result.report.plan = plans.first();
            result.error = missing;
            Q_EMIT begun(plans.first());
            Q_EMIT ended(result);
            return;
        }
        for (const LabPlan &plan : plans) {
            if (stop.stop_requested())
                break;
            Q_EMIT begun(plan);
            const auto news = std::make_shared<LabMailbox>(); // one for each: nothing of a run is told in the next
            const LabResult result = runLab(plan, place, stop, [this, news](const LabProgress &progress) {
                if (news->put(progress))
                    QMetaObject::invokeMethod(
                        this, [this, news] { Q_EMIT progressed(news->take()); }, Qt::QueuedConnection);
            });
            Q_EMIT ended(result);
            if (result.error)
                break;
        }
    });
    m_thread->setParent(this);
    m_thread->setObjectName(QStringLiteral("lockscope-lab"));
    connect(m_thread, &QThread::finished, this, [this] {
        m_thread->deleteLater();
        m_thread = nullptr;
        Q_EMIT finished();
    });
    m_thread->start();
}

void LabRunner::stop()
{
    m_stop.request_stop();
}

void LabRunner::inject(const LabFault &fault)
{
    if (m_commands)
        m_commands->add(fault);
}

} // namespace lockscope
