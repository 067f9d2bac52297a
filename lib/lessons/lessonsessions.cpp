// SPDX-License-Identifier: MIT
#include "lessonsessions.h"

#include "waits/serverwaits.h"

#include <algorithm>

namespace lockscope {

LessonSession *LessonSessions::find(const QString &name) const
{
    const auto found = m_sessions.find(name);
    return found == m_sessions.end() ? nullptr : found->second.get();
}

LessonSession *LessonSessions::open(const QString &name, const SessionTarget &target, const QByteArray &opening,
                                    std::optional<LockError> *error)
{
    auto &session = m_sessions[name];
    if (session && session->isGone())
        session.reset();
    if (!session)
        session = std::make_unique<LessonSession>(target, opening, m_bell, error);
    if (!*error)
        return session.get();
    m_sessions.erase(name);
    return nullptr;
}

void LessonSessions::close(const QString &name)
{
    m_sessions.erase(name);
}

void LessonSessions::cutOff(const QString &name)
{
    if (const auto found = m_sessions.find(name); found != m_sessions.end()) {
        m_cutOff.emplace_back(name, std::move(found->second));
        m_sessions.erase(found);
    }
}

QList<quint64> LessonSessions::lostConnections() const
{
    QList<quint64> connections;
    for (const auto &[name, session] : m_cutOff)
        connections += session->connection();
    return connections;
}

QString LessonSessions::nameOf(quint64 connection) const
{
    if (connection == 0 || isPreparedNumber(connection))
        return QStringLiteral("prepared");
    for (const auto &[name, session] : m_cutOff) {
        if (session->connection() == connection)
            return name;
    }
    for (const auto &[name, session] : m_sessions) {
        if (session->connection() == connection)
            return name;
    }
    return QStringLiteral("session %1").arg(connection);
}

QByteArray LessonSessions::withConnections(const QString &sql) const
{
    QString text = sql;
    for (const auto &[name, session] : m_sessions)
        text.replace(u'{' + name + u'}', QString::number(session->connection()));
    return text.toUtf8();
}

bool LessonSessions::isAnybodyAsked() const
{
    return std::ranges::any_of(m_sessions, [](const auto &each) { return each.second->isAsked(); });
}

QList<LessonSessions::Answer> LessonSessions::takeAnswers()
{
    const std::scoped_lock lock(m_bell.mutex);
    // In the order in which they came. Sorted as they are, their swapping looks to GCC 14 like a use of what is not
    // set.
    std::multimap<Clock::time_point, Answer> byTime;
    for (const auto &[name, session] : m_sessions) {
        if (auto answered = session->takeAnswer())
            byTime.emplace(answered->at, Answer{name, *answered});
    }
    QList<Answer> answers;
    for (const auto &[at, answer] : byTime)
        answers.append(answer);
    return answers;
}

QList<LessonSessions::Answer> LessonSessions::waitForAnswers(Clock::time_point until)
{
    QList<Answer> answers = takeAnswers();
    while (answers.isEmpty() && isAnybodyAsked() && Clock::now() < until) {
        std::unique_lock lock(m_bell.mutex);
        m_bell.rung.wait_until(lock, until, [this] {
            return std::ranges::any_of(m_sessions, [](const auto &each) { return each.second->hasAnswer(); });
        });
        lock.unlock();
        answers = takeAnswers();
    }
    return answers;
}

} // namespace lockscope
