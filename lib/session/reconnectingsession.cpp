// SPDX-License-Identifier: MIT
#include "reconnectingsession.h"

#include <utility>

namespace lockscope {

namespace {

constexpr auto kKillPause = std::chrono::seconds(1);

} // namespace

ReconnectingSession::ReconnectingSession(SessionTarget target, OpenHook onOpen)
    : m_target(std::move(target))
    , m_onOpen(std::move(onOpen))
{
}

ReconnectingSession::~ReconnectingSession() = default;

Session *ReconnectingSession::session(LockError *error)
{
    if (m_session && !m_session->isGone())
        return m_session.get();
    m_session.reset();
    m_session = Session::open(m_target, error);
    if (!m_session) {
        m_failure = *error;
        m_failedAt = Clock::now();
        return nullptr;
    }
    const quint64 previous = std::exchange(m_sessionNumber, m_session->number());
    m_connectionId = m_session->connectionId();
    m_family = m_session->info().family;
    m_account = m_session->info().account;
    m_ownName = m_session->info().ownName;
    if (m_onOpen)
        m_onOpen(*m_session, previous);
    return m_session.get();
}

Reply ReconnectingSession::run(const QByteArray &name, const Params &params)
{
    LockError error;
    if (Session *open = session(&error))
        return open->run(name, params);
    return Reply{{}, error};
}

Reply ReconnectingSession::run(const QByteArray &sql, const QByteArray &name)
{
    LockError error;
    if (Session *open = session(&error))
        return open->run(sql, name);
    return Reply{{}, error};
}

Reply ReconnectingSession::kill(quint64 number)
{
    if (!isOpen() && m_failedAt && Clock::now() - *m_failedAt < kKillPause)
        return Reply{{}, m_failure};
    LockError error;
    if (Session *open = session(&error))
        return open->kill(number);
    return Reply{{}, error};
}

QByteArray ReconnectingSession::render(const QByteArray &name, const Params &params)
{
    LockError error;
    session(&error); // a failure shows again when the packet is run
    return renderSql(sqlText(name, m_family), params);
}

Reply ReconnectingSession::runPrepared(const QByteArray &name, const Params &params)
{
    LockError error;
    if (Session *open = session(&error))
        return open->run(open->execution(name, params), name);
    return Reply{{}, error};
}

QByteArray ReconnectingSession::execution(const QByteArray &name, const Params &params)
{
    LockError error;
    if (Session *open = session(&error)) {
        const QByteArray text = open->execution(name, params);
        if (!open->isGone()) // the next session knows nothing of what this one prepared
            return text;
    }
    return renderSql(sqlText(name, m_family), params);
}

} // namespace lockscope
