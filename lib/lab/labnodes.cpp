// SPDX-License-Identifier: MIT
#include "labnodes.h"

#include "labstores.h"

#include <csignal>

namespace lockscope {

LabNodes::Use &LabNodes::Use::operator+=(const Use &other)
{
    commands += other.commands;
    cpu += other.cpu;
    return *this;
}

std::unique_ptr<LabNodes> LabNodes::start(const LabPlan &plan, LockError *error)
{
    const LabStore store = traitsOf(plan.way).store;
    if (store == LabStore::Database)
        return std::make_unique<LabNodes>();
    if (const LabStoreKit *kit = labStoreKit(store))
        return kit->startNodes(plan, error);
    error->kind = LockError::Kind::BadRequest;
    error->message =
        QStringLiteral("This Lockscope was built without %1, which this mode needs.").arg(labStoreName(store));
    return nullptr;
}

LabNodes::~LabNodes() = default;

/// One that does not run has the number 0, which would be all of ours.
void LabNodes::pauseNext()
{
    const QList<qint64> all = processes();
    if (all.isEmpty())
        return;
    const qint64 process = all[m_nextToPause++ % all.size()];
    if (process > 0)
        ::kill(pid_t(process), SIGSTOP);
}

void LabNodes::resume()
{
    for (const qint64 process : processes()) {
        if (process > 0)
            ::kill(pid_t(process), SIGCONT);
    }
}

} // namespace lockscope
