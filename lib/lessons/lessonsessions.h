// SPDX-License-Identifier: MIT
// The sessions of one run by their names, and those that a lost network left on the server.
#pragma once

#include "lessonsession.h"

#include <map>
#include <memory>
#include <vector>

namespace lockscope {

/// Thread: its maker's.
class LessonSessions
{
public:
    using Clock = LessonSession::Clock;
    using Answer = std::pair<QString, LessonSession::Answered>;

    /// Null: there is none of this name.
    LessonSession *find(const QString &name) const;
    /// Opens it where there is none, or where it has heard that its connection broke, as a program does then. Null and
    /// `*error` set when that fails.
    LessonSession *open(const QString &name, const SessionTarget &target, const QByteArray &opening,
                        std::optional<LockError> *error);
    /// Its client closes the connection; no statement may be under way.
    void close(const QString &name);
    void closeAll() { m_sessions.clear(); }
    /// The client loses the connection, which the server keeps.
    void cutOff(const QString &name);

    const std::map<QString, std::unique_ptr<LessonSession>> &all() const { return m_sessions; }
    /// Those that clients have lost.
    QList<quint64> lostConnections() const;
    /// Of a connection, also a lost one; "prepared" for a transaction that outlives its session; "session 7" for a
    /// stranger's.
    QString nameOf(quint64 connection) const;
    /// With the number of A's connection in the place of {A}.
    QByteArray withConnections(const QString &sql) const;

    bool isAnybodyAsked() const;
    /// Those that have come, in their order.
    QList<Answer> takeAnswers();
    /// Returns at once when one is there, or nobody is asked.
    QList<Answer> waitForAnswers(Clock::time_point until);

private:
    LessonBell m_bell;
    std::map<QString, std::unique_ptr<LessonSession>> m_sessions;
    std::vector<std::pair<QString, std::unique_ptr<LessonSession>>> m_cutOff;
};

} // namespace lockscope
