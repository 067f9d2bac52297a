// SPDX-License-Identifier: MIT
#include "redisrequest.h"

#include "rediserror.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

/// A waiter looks at least this often, and after the end of the lease: the first one right then, each other one later,
/// should those before it be dead.
constexpr auto kLooksEvery = 3000ms;
constexpr auto kAfterEnd = 2ms;
constexpr auto kBetweenWaiters = 50ms;
/// A server that is away for longer is not waited for.
constexpr auto kAwayFor = 60s;
constexpr auto kPause = 100ms;
/// To find out what became of a request whose answer was lost, or to end one, in an answer's time after its end.
constexpr int kTries = 3;

} // namespace

RedisRequest::RedisRequest(const RedisScripts &scripts, RedisMail &mail, Asker asker, const LockStore::Ask &ask,
                           StoreWait &wait)
    : m_scripts(scripts)
    , m_mail(mail)
    , m_asker(std::move(asker))
    , m_ask(ask)
    , m_wait(wait)
{
}

LockStore::Grant RedisRequest::run()
{
    for (int lostTries = 0;;) {
        if (auto answer = attempt())
            return *answer;
        // Nothing of it is left: the server has forgotten it, or it was too slow to take what it was granted.
        if (isOver())
            return giveUp(whyOver());
        if (m_wait.isTry() && ++lostTries == kTries)
            return {Outcome::Busy, {}, {}, {}};
    }
}

/// One request as the server sees it.
RedisRequest::Answer RedisRequest::attempt()
{
    m_id = m_asker.session + '/' + QByteArray::number(++m_asker.counter);
    m_isIn = false;
    if (m_wait.isTry())
        return take();
    RedisMail::Letter letter(m_mail, m_id, m_wait, [this](quint64 token) { sendRenewal(token); });
    auto answer = take();
    return answer || !m_isIn ? answer : waitInQueue(letter);
}

RedisRequest::Answer RedisRequest::take()
{
    const auto sentAt = LeaseClock::now();
    m_lost = {};
    const RedisAnswer answer = m_scripts.run(
        "acquire", m_ask.resource,
        {m_id, m_asker.session, ttlText(m_ask.ttl), m_ask.owner, m_ask.note, m_wait.isTry() ? "0" : "1"}, &m_lost);
    if (answer.isLost())
        return settle(*answer.error);
    if (answer.isAway() && !m_hasTried)
        return Grant{Outcome::Failed, {}, {}, answer.error};
    if (!answer)
        return afterError(*answer.error);
    return taken(answer, sentAt);
}

RedisRequest::Answer RedisRequest::taken(const RedisAnswer &answer, LeaseClock::time_point sentAt)
{
    m_hasTried = true;
    m_awaySince.reset();
    if (answer.code == 1)
        return granted(quint64(answer.number(0)), sentAt);
    if (m_wait.isTry())
        return Grant{Outcome::Busy, {}, {}, {}};
    m_isIn = true;
    m_left = answer.number(0);
    m_place = answer.number(1);
    return std::nullopt;
}

/// The answer to the first packet was lost with its connection. Only once the server has ended that connection is it
/// sure that nothing is carried out later.
RedisRequest::Answer RedisRequest::settle(const LockError &error)
{
    m_isIn = true; // perhaps
    const auto until = Clock::now() + kAwayFor;
    const auto over = overSince();
    const auto goesOn = [&] { return !m_wait.isTry() && !m_wait.isOver() && Clock::now() < until; };
    for (int i = 0; isTriedAgain(i, over) || goesOn(); ++i) {
        if (!m_scripts.endConnection(m_lost)) {
            const RedisAnswer answer = m_scripts.run("look", m_ask.resource, {m_id});
            if (answer)
                return looked(answer);
        }
        std::this_thread::sleep_for(kPause);
    }
    return Grant{Outcome::Unknown, {}, {}, error};
}

RedisRequest::Answer RedisRequest::waitInQueue(RedisMail::Letter &letter)
{
    while (m_isIn) {
        letter.wait(lookAt());
        if (m_wait.isOver())
            return giveUp(whyOver());
        const quint64 token = letter.take();
        if (auto answer = token != 0 ? confirmSent(token) : look())
            return answer;
    }
    return std::nullopt;
}

RedisRequest::Answer RedisRequest::look()
{
    const RedisAnswer answer = m_scripts.runTwice("look", m_ask.resource, {m_id}, [this] { return m_wait.isOver(); });
    return answer ? looked(answer) : afterError(*answer.error);
}

RedisRequest::Answer RedisRequest::looked(const RedisAnswer &answer)
{
    m_hasTried = true;
    m_awaySince.reset();
    if (answer.code == 1)
        return confirm(quint64(answer.number(0)));
    m_isIn = answer.code == 0;
    m_left = answer.number(0);
    m_place = answer.number(1);
    return std::nullopt;
}

/// In the mail's thread.
void RedisRequest::sendRenewal(quint64 token)
{
    Renewal renewal;
    renewal.token = token;
    renewal.sentAt = LeaseClock::now();
    renewal.sent = m_scripts.send("renew", m_ask.resource, renewalWords(token, m_ask.ttl, ++m_asker.counter));
    const std::lock_guard lock(m_mutex);
    m_renewal = std::move(renewal);
}

/// By the renewal that was sent, or another one if its answer does not tell.
RedisRequest::Answer RedisRequest::confirmSent(quint64 token)
{
    Renewal renewal;
    {
        const std::lock_guard lock(m_mutex);
        renewal = std::exchange(m_renewal, {});
    }
    if (!renewal.sent || renewal.token != token)
        return confirm(token);
    const RedisAnswer answer = RedisScripts::answerTo(*renewal.sent, "renew");
    return answer ? renewed(answer, token, renewal.sentAt) : confirm(token);
}

/// Nothing: it came too late, and it is somebody else's turn.
RedisRequest::Answer RedisRequest::renewed(const RedisAnswer &answer, quint64 token, LeaseClock::time_point sentAt)
{
    if (answer.code == 1)
        return granted(token, sentAt);
    m_isIn = false;
    return std::nullopt;
}

RedisRequest::Answer RedisRequest::confirm(quint64 token)
{
    for (;;) {
        const auto sentAt = LeaseClock::now();
        const RedisAnswer answer =
            m_scripts.runTwice("renew", m_ask.resource, renewalWords(token, m_ask.ttl, ++m_asker.counter),
                               [this] { return m_wait.isOver(); });
        if (answer)
            return renewed(answer, token, sentAt);
        if (auto ended = afterError(*answer.error))
            return ended;
        if (m_wait.isOver())
            return giveUp(whyOver(), answer.error);
    }
}

/// Whoever waits goes on waiting while the server is away, as its lease may be there again with the server.
RedisRequest::Answer RedisRequest::afterError(const LockError &error)
{
    if (!isRedisAway(error))
        return giveUp(Outcome::Failed, error);
    if (!m_awaySince)
        m_awaySince = Clock::now();
    if (Clock::now() - *m_awaySince > kAwayFor)
        return giveUp(Outcome::Failed, error);
    pause();
    return std::nullopt;
}

/// Ends the request on the server too. An error that is not told by an outcome goes with it.
LockStore::Grant RedisRequest::giveUp(Outcome outcome, std::optional<LockError> error)
{
    const auto result = [&](Outcome ended) {
        return Grant{ended, {}, {}, ended == Outcome::Failed || ended == Outcome::Unknown ? error : std::nullopt};
    };
    if (!m_isIn)
        return result(outcome);
    const auto over = overSince();
    for (int i = 0; isTriedAgain(i, over); ++i) {
        const RedisAnswer answer =
            m_scripts.runTwice("leave", m_ask.resource, {m_id, "0"}, [&] { return isTooLate(over); });
        if (answer)
            return result(outcome);
        error = answer.error;
        if (!answer.isAway())
            break;
        std::this_thread::sleep_for(kPause);
    }
    return result(Outcome::Unknown);
}

LockStore::Grant RedisRequest::granted(quint64 token, LeaseClock::time_point sentAt) const
{
    const auto deadline = m_ask.ttl == Forever ? LeaseClock::time_point::max() : sentAt + m_ask.ttl;
    return {Outcome::Granted, {m_ask.resource, token, {}}, deadline, {}};
}

/// Since when it should have ended, or now.
RedisRequest::Clock::time_point RedisRequest::overSince() const
{
    return std::min(m_wait.end(), Clock::now());
}

/// Nobody waits longer than for one more answer.
bool RedisRequest::isTooLate(Clock::time_point over) const
{
    return Clock::now() >= over + m_scripts.answerTimeout();
}

bool RedisRequest::isTriedAgain(int tries, Clock::time_point over) const
{
    return tries == 0 || (tries < kTries && !isTooLate(over));
}

Outcome RedisRequest::whyOver() const
{
    if (m_wait.isCancelled())
        return Outcome::Cancelled;
    return m_wait.isTry() ? Outcome::Busy : Outcome::TimedOut;
}

RedisRequest::Clock::time_point RedisRequest::lookAt() const
{
    if (m_left == -1)
        return Clock::now() + kLooksEvery; // a lease without end
    const auto atEnd = std::chrono::milliseconds(std::max<qint64>(0, m_left)) + kAfterEnd + m_place * kBetweenWaiters;
    return Clock::now() + std::min<Clock::duration>(kLooksEvery, atEnd);
}

void RedisRequest::pause()
{
    if (m_wait.isTry())
        std::this_thread::sleep_for(kPause);
    else
        m_wait.sleepUntil(Clock::now() + kPause, [] { return false; });
}

} // namespace lockscope::detail
