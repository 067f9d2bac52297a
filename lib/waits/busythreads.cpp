// SPDX-License-Identifier: MIT
#include "busythreads.h"

namespace lockscope {

namespace {

QSet<quint64> numbers(const Reply &reply)
{
    QSet<quint64> found;
    for (const QVariantList &row : reply.set(-1).rows)
        found.insert(row.value(0).toULongLong());
    return found;
}

} // namespace

std::optional<LockError> BusyThreads::look(Session &session, Clock::time_point now)
{
    constexpr int keptFor = 20; // times what it took
    m_areKept = m_foundAt && now - *m_foundAt < keptFor * m_took;
    if (const auto error = m_areKept ? std::nullopt : find(session, now))
        return error;
    const Reply waiting = session.run("waits/metadata_waiting", Params());
    m_waiting = numbers(waiting);
    return waiting.error;
}

std::optional<LockError> BusyThreads::find(Session &session, Clock::time_point now)
{
    const auto begun = Clock::now();
    const Reply found = session.run("waits/metadata_threads", Params());
    if (found.error)
        return found.error;
    m_found = numbers(found);
    m_foundAt = now;
    m_took = Clock::now() - begun;
    return std::nullopt;
}

} // namespace lockscope
