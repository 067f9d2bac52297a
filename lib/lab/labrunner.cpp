// SPDX-License-Identifier: MIT
#include "labrunner.h"

namespace lockscope {

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
        for (const LabPlan &plan : plans) {
            if (stop.stop_requested())
                break;
            Q_EMIT begun(plan);
            const LabResult result =
                runLab(plan, place, stop, [this](const LabProgress &progress) { Q_EMIT progressed(progress); });
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
