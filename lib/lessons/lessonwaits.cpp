// SPDX-License-Identifier: MIT
#include "lessonwaits.h"

namespace lockscope {

namespace {

QString kindOf(ServerLockKind kind)
{
    switch (kind) {
    case ServerLockKind::Record:
        return QStringLiteral("row");
    case ServerLockKind::Table:
        return QStringLiteral("table");
    case ServerLockKind::Metadata:
        return QStringLiteral("metadata");
    case ServerLockKind::User:
        return QStringLiteral("user lock");
    }
    return {};
}

LessonAnswer blockedOn(const ServerWaits &waits, quint64 connection, const LessonSessions &sessions)
{
    LessonAnswer answer{LessonAnswer::Kind::Blocked};
    for (const WaitEdge &edge : waits.edges) {
        if (edge.waiter != connection)
            continue;
        if (const QString blocker = sessions.nameOf(edge.blocker); !answer.blockers.contains(blocker))
            answer.blockers += blocker;
        answer.on = kindOf(edge.object.kind);
    }
    answer.blockers.sort();
    return answer;
}

} // namespace

LessonWaits lessonWaits(const ServerWaits &seen, const LessonSessions &sessions)
{
    LessonWaits waits;
    for (const auto &[name, session] : sessions.all()) {
        if (!session->isAsked())
            continue;
        const LessonAnswer answer = blockedOn(seen, session->connection(), sessions);
        if (!answer.blockers.isEmpty())
            waits.insert(name, answer);
    }
    return waits;
}

} // namespace lockscope
