// SPDX-License-Identifier: MIT
#include "polledsession.h"

#include <utility>

namespace lockscope {

PolledSession::PolledSession(std::unique_ptr<ReconnectingSession> link, PollPace pace, Step onOpened)
    : m_link(std::move(link))
    , m_pace(pace)
    , m_onOpened(std::move(onOpened))
{
}

std::optional<LockError> PolledSession::poll(const Step &read)
{
    const auto started = PollPace::Clock::now();
    auto error = ask(read);
    if (!error)
        m_pace.succeeded(started);
    return error;
}

std::optional<LockError> PolledSession::ask(const Step &read)
{
    const bool isNew = !m_link->isOpen();
    LockError refused;
    Session *const session = m_link->session(&refused);
    auto error = session ? std::nullopt : std::optional(refused);
    if (session && isNew && m_onOpened)
        error = m_onOpened(*session);
    const bool isReady = !error;
    if (isReady)
        error = read(*session);
    if (!error)
        return std::nullopt;
    if (!isReady || error->connectionGone || error->kind == LockError::Kind::SchemaMissing
        || error->kind == LockError::Kind::SchemaTooNew)
        m_link->drop();
    m_pace.failed(*error);
    return error;
}

} // namespace lockscope
