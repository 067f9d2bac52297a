// SPDX-License-Identifier: MIT
#include "userlockthreads.h"

#include "foldedleases.h"

#include <utility>

namespace lockscope {

namespace {

/// Columns of waits/user_lock_threads.
enum ThreadColumn { ThreadCol, IsWantedCol, WaitsForRareCol, HasCol };

/// Each may have to be looked for among all locks: a thousandth or two of a second where there are 100,000.
constexpr qsizetype kThreadsAtOnce = 10;

} // namespace

std::optional<LockError> UserLockThreads::look(Session &session)
{
    const Reply reply = session.run("waits/user_lock_threads", Params());
    if (reply.error)
        return reply.error;
    m_hasRareWaits = false;
    QSet<quint64> wanted;
    QHash<quint64, bool> known;
    QList<quint64> unknown;
    for (const QVariantList &row : reply.set(-1).rows) {
        const quint64 thread = row.value(ThreadCol).toULongLong();
        m_hasRareWaits = m_hasRareWaits || row.value(WaitsForRareCol).toBool();
        if (row.value(IsWantedCol).toBool())
            wanted.insert(thread);
        if (const auto before = m_areEngines.constFind(thread); before != m_areEngines.cend())
            known.insert(thread, *before);
        else if (row.value(HasCol).toBool())
            unknown.append(thread);
    }
    m_areEngines = std::move(known);
    if (auto error = lookUpNames(session, unknown))
        return error;
    for (auto it = m_areEngines.cbegin(); it != m_areEngines.cend(); ++it) {
        if (!it.value())
            wanted.insert(it.key());
    }
    m_ids = wanted.values();
    return std::nullopt;
}

std::optional<LockError> UserLockThreads::lookUpNames(Session &session, const QList<quint64> &threads)
{
    for (qsizetype i = 0; i < threads.size(); i += kThreadsAtOnce) {
        const Reply reply =
            session.run("waits/user_lock_names", Params().numberList("threads", threads.mid(i, kThreadsAtOnce)));
        if (reply.error)
            return reply.error;
        for (const QVariantList &row : reply.set(-1).rows) {
            if (!row.value(1).isNull())
                m_areEngines.insert(row.value(0).toULongLong(), isEngines(row.value(1).toByteArray()));
        }
    }
    return std::nullopt;
}

} // namespace lockscope
