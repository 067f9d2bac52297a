// SPDX-License-Identifier: MIT
#include "lessonsession.h"

#include "lessonstatement.h"
#include "session/clientlibrary.h"
#include "session/singlestatements.h"

#include <QtSql/QSqlDatabase>

#include <sys/socket.h>

namespace lockscope {

namespace {

constexpr std::chrono::seconds kEndsWithin{2};

} // namespace

LessonSession::LessonSession(const SessionTarget &target, const QByteArray &opening, LessonBell &bell,
                             std::optional<LockError> *error)
    : m_bell(bell)
{
    m_thread = std::thread([this, target, opening, error] { work(target, opening, error); });
    std::unique_lock lock(m_bell.mutex);
    m_bell.rung.wait(lock, [this] { return m_isOpened; });
}

LessonSession::~LessonSession()
{
    close();
}

void LessonSession::close()
{
    {
        std::unique_lock lock(m_bell.mutex);
        m_mustEnd = true;
        m_bell.rung.notify_all();
        if (!m_bell.rung.wait_for(lock, kEndsWithin, [this] { return m_hasEnded; }) && m_socket >= 0)
            ::shutdown(m_socket, SHUT_RDWR);
    }
    if (m_thread.joinable())
        m_thread.join();
}

void LessonSession::send(const QByteArray &sql)
{
    {
        const std::scoped_lock lock(m_bell.mutex);
        m_statement = sql;
    }
    m_isAsked = true;
    m_bell.rung.notify_all();
}

std::optional<LessonSession::Answered> LessonSession::takeAnswer()
{
    if (m_answered) {
        m_isAsked = false;
        m_isGone = m_answered->isGone;
    }
    return std::exchange(m_answered, {});
}

std::optional<QByteArray> LessonSession::nextStatement()
{
    std::unique_lock lock(m_bell.mutex);
    m_bell.rung.wait(lock, [this] { return m_mustEnd || m_statement; });
    return m_mustEnd ? std::nullopt : std::exchange(m_statement, {});
}

void LessonSession::work(const SessionTarget &target, const QByteArray &opening, std::optional<LockError> *error)
{
    LockError failed;
    const auto session = Session::open(target, &failed);
    if (!session)
        *error = failed;
    else
        *error = session->run(opening, "lesson/open").error;
    {
        const std::scoped_lock lock(m_bell.mutex);
        m_isOpened = true;
        m_connection = session ? session->connectionId() : 0;
        m_socket = session ? clientSocket(session->database()) : -1;
    }
    m_bell.rung.notify_all();
    std::optional<SingleStatements> single; // the opening is several
    if (session)
        single.emplace(session->database());
    while (const auto sql = nextStatement()) {
        const LessonReply reply = runStatement(*session, *sql);
        Answered answered{answerOf(*sql, reply), Clock::now(), reply.isGone};
        {
            const std::scoped_lock lock(m_bell.mutex);
            m_answered = std::move(answered);
        }
        m_bell.rung.notify_all();
    }
    {
        const std::scoped_lock lock(m_bell.mutex);
        m_hasEnded = true;
        m_socket = -1;
    }
    m_bell.rung.notify_all();
}

} // namespace lockscope
