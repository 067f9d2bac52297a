// SPDX-License-Identifier: MIT
#include "runwaits.h"

#include "session/runnames.h"

namespace lockscope {

namespace {

/// Of one run.
struct Member
{
    QString schema; ///< the run's
    QString user;
    bool isOfLesson = false;

    bool operator==(const Member &) const = default;
};

std::optional<Member> memberOf(const ServerSession &session)
{
    if (const QString run = runOfLessonUser(session.user); !run.isEmpty())
        return session.schema == lessonSchemaName(run) ? std::optional(Member{session.schema, session.user, true})
                                                       : std::nullopt;
    if (!runOfLabSchema(session.schema).isEmpty())
        return Member{session.schema, session.user, false};
    return std::nullopt;
}

class RunWaits
{
public:
    explicit RunWaits(const ServerWaits &waits)
        : m_waits(waits)
    {
        for (const ServerSession &session : waits.sessions) {
            if (const auto member = memberOf(session))
                m_members.insert(session.id, *member);
        }
    }

    QSet<quint64> find();

private:
    bool isWithinRun(const WaitEdge &edge) const;
    bool isOf(const Member &run, quint64 blocker) const;

    const ServerWaits &m_waits;
    QHash<quint64, Member> m_members;
};

/// What stands for a prepared transaction has no account: that the lock lies in the run's schema tells, which nobody
/// else uses.
bool RunWaits::isOf(const Member &run, quint64 blocker) const
{
    const PreparedTransaction *prepared = m_waits.preparedTransaction(blocker);
    if (!prepared)
        return m_members.value(blocker) == run;
    return prepared->session == 0 || m_members.value(prepared->session) == run;
}

bool RunWaits::isWithinRun(const WaitEdge &edge) const
{
    const auto waiter = m_members.constFind(edge.waiter);
    if (waiter == m_members.cend() || !isOf(*waiter, edge.blocker))
        return false;
    const bool isByName = edge.object.kind == ServerLockKind::User && !isPreparedNumber(edge.blocker);
    return isByName || edge.object.schema == waiter->schema;
}

QSet<quint64> RunWaits::find()
{
    if (m_members.isEmpty())
        return {};
    QHash<quint64, QList<quint64>> neighbours;
    QList<quint64> strange;
    for (const WaitEdge &edge : m_waits.edges) {
        neighbours[edge.waiter] += edge.blocker;
        neighbours[edge.blocker] += edge.waiter;
        if (!isWithinRun(edge))
            strange << edge.waiter << edge.blocker;
    }
    for (const LostWaiter &lost : m_waits.lost)
        strange += lost.session;
    QSet<quint64> told;
    while (!strange.isEmpty()) {
        const quint64 session = strange.takeLast();
        if (told.contains(session))
            continue;
        told.insert(session);
        strange += neighbours.value(session);
    }
    QSet<quint64> found(neighbours.keyBegin(), neighbours.keyEnd());
    for (auto member = m_members.cbegin(); member != m_members.cend(); ++member) {
        if (member->isOfLesson)
            found.insert(member.key());
    }
    return found.subtract(told);
}

} // namespace

QSet<quint64> sessionsOfRuns(const ServerWaits &waits)
{
    return RunWaits(waits).find();
}

} // namespace lockscope
