// SPDX-License-Identifier: MIT
#include "deadlockdetector_p.h"

#include "session/validation_p.h"

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

/// The newest request of a cycle gives up at once, if it sees it.
constexpr auto kOthersTurn = 50ms;
constexpr auto kReadingsAgain = 5s;
constexpr int kTries = 3;

} // namespace

DeadlockDetector::DeadlockDetector(EngineCore &core, const LockRequest &request, const QByteArray &owner,
                                   std::shared_ptr<WaitControl> control)
    : m_core(core)
    , m_ownerKey(request.ownerKey)
    , m_params(Params()
                   .bytes("owner", owner)
                   .bytes("mode", nameOf(measuredMode(request.mode)))
                   .bytes("resource", request.resource))
    , m_control(std::move(control))
{
}

bool DeadlockDetector::isWaitOver() const
{
    return m_control->isOver() || m_control->isCancelled();
}

bool DeadlockDetector::concerns() const
{
    return m_core.holdsAnything(m_ownerKey);
}

std::optional<Refusal> DeadlockDetector::enter()
{
    std::optional<LockError> error;
    Sight sight = Sight::None;
    const auto tryOnce = [&](ReconnectingSession &link) {
        const std::lock_guard lock(m_mutex);
        error = look(link, &sight);
    };
    const auto ask = [&] {
        do
            m_core.mysql().runQuick(tryOnce);
        while (error && !error->connectionGone && isTransient(*error) && !isWaitOver());
    };
    if (concerns()) {
        ask();
        if (sight == Sight::Others) {
            m_control->sleepUntil(WaitControl::Clock::now() + kOthersTurn, [] { return false; });
            ask();
        }
    }
    // A server that cannot be reached is the wait's own matter, and so is a budget that is over.
    if (error && !error->connectionGone && !isTransient(*error))
        return Refusal{Outcome::Failed, std::move(error)};
    if (sight != Sight::None)
        return Refusal{Outcome::Deadlock};
    checkLater();
    return std::nullopt;
}

/// Call with m_mutex held.
std::optional<LockError> DeadlockDetector::look(ReconnectingSession &link, Sight *sight)
{
    *sight = Sight::None;
    LockError error;
    if (m_place.isEmpty()) {
        m_place = m_core.mysql().keeper.take(&error);
        if (m_place.isEmpty())
            return error;
    }
    Reply reply;
    for (int i = 0; i < kTries; ++i) {
        reply = m_edge == 0 ? link.run(link.render("engine/wait_for", Params(m_params).lockName("place", m_place))
                                           + "; " + link.render("engine/cycle", Params().variable("edge", "@edge")),
                                       "engine/cycle")
                            : link.run("engine/cycle", Params().number("edge", m_edge));
        if (m_edge == 0 && !reply.sets.empty())
            m_edge = reply.set(0).insertId;
        if (reply || (!reply.error->connectionGone && !isTransient(*reply.error)) || isWaitOver())
            break;
    }
    if (const auto &rows = reply.set(-1).rows; reply && !rows.isEmpty())
        *sight = rows.first().value(0).toULongLong() == m_edge ? Sight::Ours : Sight::Others;
    return reply.error;
}

void DeadlockDetector::checkLater()
{
    const std::lock_guard lock(m_mutex);
    if (m_isOver)
        return;
    m_next = m_core.timer.postAt(
        ConnectionThread::Clock::now() + kReadingsAgain, [weak = weak_from_this()](ReconnectingSession &) {
            const auto self = weak.lock();
            if (self && self->concerns())
                self->m_core.mysql().service.post([self](ReconnectingSession &link) { self->readAgain(link); });
            else if (self)
                self->checkLater();
        });
}

void DeadlockDetector::readAgain(ReconnectingSession &link)
{
    Sight sight = Sight::None;
    {
        const std::lock_guard lock(m_mutex);
        if (m_isOver)
            return;
        look(link, &sight);
        const bool wasThere = std::exchange(m_sawOthers, sight == Sight::Others);
        m_foundOne = sight == Sight::Ours || (sight == Sight::Others && wasThere);
    }
    if (m_foundOne)
        m_control->cancel();
    else
        checkLater();
}

void DeadlockDetector::leave()
{
    quint64 edge = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_isOver = true;
        m_core.timer.cancel(m_next);
        edge = std::exchange(m_edge, 0);
    }
    const auto remove = [edge](ReconnectingSession &link) {
        for (int i = 0; i < kTries && !link.run("engine/wait_over", Params().number("edge", edge)); ++i) { }
    };
    if (edge != 0)
        m_core.mysql().runQuick(remove);
    if (!m_place.isEmpty())
        m_core.mysql().keeper.drop(m_place); // never used again: a row that could not be removed is dead with it
}

} // namespace lockscope::detail
