// SPDX-License-Identifier: MIT
#include "lockstate.h"

#include <algorithm>

namespace lockscope::test {

Process &LockState::process(const QString &name)
{
    return m_processes[name];
}

/// Its process starts with it.
Thread &LockState::thread(const QString &ref)
{
    process(processOf(ref));
    return m_threads[ref];
}

bool LockState::isReachable(const QString &ref) const
{
    return m_processes.value(processOf(ref)).isReachable();
}

bool LockState::isWaiting(const QString &ref) const
{
    const auto found = m_threads.find(ref);
    return found != m_threads.end() && found->second.wait;
}

bool LockState::isAble(const QString &ref) const
{
    return isReachable(ref) && !isWaiting(ref);
}

QStringList LockState::threadsOf(const QString &process) const
{
    QStringList refs;
    for (const auto &[ref, thread] : m_threads) {
        if (processOf(ref) == process)
            refs += ref;
    }
    return refs;
}

QStringList LockState::waitsOf(const QString &process) const
{
    QStringList refs = threadsOf(process);
    refs.removeIf([this](const QString &ref) { return !isWaiting(ref); });
    std::sort(refs.begin(), refs.end(), [this](const QString &a, const QString &b) {
        return m_threads.at(a).wait->earliest < m_threads.at(b).wait->earliest;
    });
    return refs;
}

void LockState::forget(const QString &process)
{
    for (const QString &ref : threadsOf(process))
        m_threads.erase(ref);
    m_processes.remove(process);
    for (Grant &grant : m_grants) {
        if (processOf(grant.ref) == process)
            grant.owner.clear();
    }
}

int LockState::addGrant(Grant grant)
{
    m_grants.push_back(std::move(grant));
    return int(m_grants.size()) - 1;
}

int LockState::believedGrant(const QString &owner, const QString &resource) const
{
    for (int i = int(m_grants.size()) - 1; i >= 0; --i) {
        const Grant &grant = m_grants[size_t(i)];
        if (grant.owner == owner && grant.resource == resource && grant.belief != Grant::Belief::Lost)
            return i;
    }
    return -1;
}

bool LockState::isHolder(int grant) const
{
    const Resource resource = m_resources.value(m_grants[size_t(grant)].resource);
    return resource.status == Resource::Status::Held && resource.grant == grant;
}

QString LockState::oldToken(const QString &resource) const
{
    for (int i = int(m_grants.size()) - 1; i >= 0; --i) {
        const Grant &grant = m_grants[size_t(i)];
        if (grant.resource == resource && !grant.token.isEmpty() && i != m_resources.value(resource).grant)
            return grant.token;
    }
    return {};
}

QList<int> LockState::heldBy(const QString &process) const
{
    QList<int> held;
    for (int i = 0; i < int(m_grants.size()); ++i) {
        const Grant &grant = m_grants[size_t(i)];
        if (!grant.owner.isEmpty() && processOf(grant.ref) == process && isHolder(i))
            held += i;
    }
    return held;
}

Handle *LockState::find(const QString &ref, const QString &resource)
{
    Handle *found = nullptr;
    const auto thread = m_threads.find(ref);
    if (thread == m_threads.end())
        return nullptr;
    for (Handle &handle : thread->second.handles) {
        const bool isOfIt = m_grants[size_t(handle.grant)].resource == resource;
        if (isOfIt && (!found || !handle.isReleased || found->isReleased))
            found = &handle;
    }
    return found;
}

int LockState::liveHandles(int grant) const
{
    qsizetype count = 0;
    for (const auto &[ref, thread] : m_threads)
        count += std::count_if(thread.handles.begin(), thread.handles.end(),
                               [grant](const Handle &handle) { return handle.grant == grant && !handle.isReleased; });
    return int(count);
}

QStringList LockState::queue(const QString &resource) const
{
    QStringList refs;
    for (const auto &[ref, thread] : m_threads) {
        if (thread.wait && thread.wait->resource == resource && thread.wait->grant < 0)
            refs += ref;
    }
    std::sort(refs.begin(), refs.end(), [this](const QString &a, const QString &b) {
        return m_threads.at(a).wait->earliest < m_threads.at(b).wait->earliest;
    });
    return refs;
}

QStringList LockState::candidates(const QString &resource) const
{
    QStringList refs = queue(resource);
    refs.removeIf([this](const QString &ref) { return m_processes.value(processOf(ref)).isAway; });
    return refs;
}

QStringList LockState::awake(const QString &resource) const
{
    QStringList refs = candidates(resource);
    refs.removeIf([this](const QString &ref) { return !isReachable(ref); });
    return refs;
}

bool LockState::isOwnerWaiting(const QString &owner) const
{
    return std::any_of(m_threads.begin(), m_threads.end(),
                       [&](const auto &entry) { return entry.second.wait && entry.second.wait->owner == owner; });
}

/// From the holder to what it waits for, and to the holder of that.
LockState::Cycle LockState::cycle(const QString &owner, const QString &resource) const
{
    QString next = resource;
    for (std::size_t i = 0; i <= m_threads.size(); ++i) {
        const Resource at = m_resources.value(next);
        if (at.status != Resource::Status::Held)
            return Cycle::No;
        const QString holder = m_grants[size_t(at.grant)].owner;
        if (holder == owner)
            return i == 0 ? Cycle::No : Cycle::Yes; // what it holds itself it enters again
        const auto waiting = std::find_if(m_threads.begin(), m_threads.end(), [&](const auto &entry) {
            return entry.second.wait && entry.second.wait->owner == holder;
        });
        if (holder.isEmpty() || waiting == m_threads.end())
            return Cycle::No;
        const Wait &wait = *waiting->second.wait;
        if (wait.isUnsettled || m_processes.value(processOf(waiting->first)).isAway)
            return Cycle::Unknown;
        next = wait.resource;
    }
    return Cycle::No; // a cycle of others cannot be: its last one was told
}

bool LockState::hasBadNetwork() const
{
    return std::any_of(m_processes.begin(), m_processes.end(),
                       [](const Process &process) { return process.network != Process::Network::Open; });
}

} // namespace lockscope::test
