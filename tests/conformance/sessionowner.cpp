// SPDX-License-Identifier: MIT
#include "sessionowner.h"

namespace lockscope::test {

namespace {

using namespace std::chrono_literals;

Duration durationOf(QByteArray text)
{
    if (text == "forever")
        return Forever;
    static const std::vector<std::pair<const char *, Duration>> units{{"us", 1us}, {"ms", 1ms}, {"s", 1s},
                                                                      {"m", 1min}, {"h", 1h},   {"d", 24h}};
    for (const auto &[unit, length] : units) {
        if (text.endsWith(unit)) {
            text.chop(qsizetype(qstrlen(unit)));
            return text.toLongLong() * length;
        }
    }
    return Duration::zero();
}

/// Optimistic mode holds nothing: what is asked for there has no mode, and the engine refuses it.
Mode modeOf(const QByteArray &mode)
{
    constexpr auto kNone = Mode(-1);
    return mode == "unique" ? Mode::Unique : mode == "pessimistic" ? Mode::Pessimistic : kNone;
}

} // namespace

SessionProcessState::News::News(LockRequest &request)
{
    request.onLost = [told = losses](LossReason reason) { told->tell(reason); };
    request.onReleaseRequested = [told = requests](const QString &reason) { told->tell(reason); };
}

SessionOwner::SessionOwner(std::string name, SessionProcessState &process)
    : m_name(std::move(name))
    , m_process(process)
    , m_thread([this] { run(); })
{
}

SessionOwner::~SessionOwner()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
        m_stop.request_stop();
    }
    m_changed.notify_all();
    m_thread.join();
}

void SessionOwner::post(Words words)
{
    const std::lock_guard lock(m_mutex);
    m_queue.push_back(std::move(words));
    m_changed.notify_all();
}

void SessionOwner::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_stop.request_stop();
}

void SessionOwner::run()
{
    for (;;) {
        Words words;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_ends || !m_queue.empty(); });
            if (m_queue.empty())
                return;
            words = std::move(m_queue.front());
            m_queue.pop_front();
        }
        const std::string answer = carryOut(words);
        const std::lock_guard lock(m_process.mutex); // by it the next owner of the script sees what was done
        m_process.say(m_name, answer);
    }
}

std::string SessionOwner::carryOut(const Words &words)
{
    using Handler = std::string (SessionOwner::*)(const Words &words);
    static const std::map<QByteArray, Handler> handlers{{"acquire", &SessionOwner::acquire},
                                                        {"acquire-all", &SessionOwner::acquireAll},
                                                        {"acquire-any", &SessionOwner::acquireAny},
                                                        {"release", &SessionOwner::release},
                                                        {"renew", &SessionOwner::renew},
                                                        {"drop", &SessionOwner::drop},
                                                        {"held", &SessionOwner::tell},
                                                        {"remaining", &SessionOwner::tell},
                                                        {"lost", &SessionOwner::tell},
                                                        {"losses", &SessionOwner::tell},
                                                        {"asked", &SessionOwner::tell},
                                                        {"requests", &SessionOwner::tell},
                                                        {"rounds", &SessionOwner::rounds},
                                                        {"rounds-all", &SessionOwner::rounds},
                                                        {"work", &SessionOwner::work},
                                                        {"ask", &SessionOwner::ask},
                                                        {"read", &SessionOwner::read},
                                                        {"commit", &SessionOwner::commit},
                                                        {"add", &SessionOwner::add},
                                                        {"connect", &SessionOwner::connect},
                                                        {"clean", &SessionOwner::clean},
                                                        {"close", &SessionOwner::closeEngine}};
    return (this->*handlers.at(words[0]))(words);
}

std::string SessionOwner::connect(const Words &)
{
    const auto error = m_process.engine->connectToServer();
    return error ? "failed " + kindText(error) : "done";
}

std::string SessionOwner::clean(const Words &)
{
    const auto error = m_process.engine->clean();
    return error ? "failed " + kindText(error) : "done";
}

std::string SessionOwner::closeEngine(const Words &)
{
    m_process.engine.reset();
    return "closed";
}

LockRequest SessionOwner::requestFrom(const Words &options)
{
    LockRequest request;
    request.mode = modeOf(m_process.config.mode);
    request.wantsToken = true;                    // every scenario may compare them
    if (m_process.config.shortestTtl.count() > 0) // where the dead are in the way for as long
        request.ttl = std::max<Duration>(8s, m_process.config.shortestTtl);
    for (std::size_t i = 0; i < options.size(); ++i) {
        const QByteArray &option = options[i];
        const bool isAlone = option == "manual" || option == "row";
        const QByteArray &value = options[isAlone ? i : ++i];
        if (option == "manual")
            request.autoRenew = false;
        else if (option == "row")
            request.mode = Mode::Pessimistic;
        else if (option == "note")
            request.note = value;
        else if (option == "key")
            request.ownerKey = value;
        else if (option == "stripes")
            request.stripes = value.toInt();
        else if (option == "ttl")
            request.ttl = ttlFrom(value);
        else if (option == "wait")
            request.wait = durationOf(value);
        else if (option == "keep")
            request.holdAtLeast = durationOf(value);
        else if (option == "maxhold")
            request.maxHold = durationOf(value);
    }
    const std::lock_guard lock(m_mutex);
    request.stop = m_stop.get_token();
    return request;
}

/// One that would be refused anywhere stays so.
Duration SessionOwner::ttlFrom(const QByteArray &word) const
{
    const Duration ttl = durationOf(word);
    return ttl < MinTtl ? ttl : std::max<Duration>(ttl, m_process.config.shortestTtl);
}

/// A cancel is for one request, also for one that it came before.
void SessionOwner::forgetCancel()
{
    const std::lock_guard lock(m_mutex);
    if (!m_ends && m_stop.stop_requested())
        m_stop = {};
}

void SessionOwner::keep(const QByteArray &resource, LockHandle &&handle, const News &news)
{
    const std::lock_guard lock(m_process.mutex);
    m_process.held[m_name].push_back({resource, std::move(handle), news, false});
}

std::string SessionOwner::acquire(const Words &words)
{
    LockRequest request = requestFrom({words.begin() + 2, words.end()});
    request.resource = words[1];
    const News news(request);
    AcquireResult result = m_process.engine->acquire(request);
    const std::string text = outcomeText(result);
    forgetCancel();
    if (result.outcome == Outcome::Granted)
        keep(request.resource, std::move(result.handle), news);
    return text;
}

/// The newest grant (of `resource`, unless empty) that is not given back; if all are, the newest one.
SessionOwner::Held *SessionOwner::find(const std::string &owner, const QByteArray &resource)
{
    const std::lock_guard lock(m_process.mutex);
    Held *found = nullptr;
    for (Held &held : m_process.held[owner]) {
        if ((resource.isEmpty() || held.resource == resource) && (!found || !held.released || found->released))
            found = &held;
    }
    return found;
}

/// What the word `at` names, if there is one.
SessionOwner::Held *SessionOwner::find(const Words &words, std::size_t at)
{
    return find(m_name, words.size() > at ? words[at] : QByteArray());
}

/// release [NAME] [of OWNER]
std::string SessionOwner::release(const Words &words)
{
    const bool isOthers = words.size() > 2 && words[words.size() - 2] == "of";
    const bool isNamed = words.size() > (isOthers ? 3U : 1U);
    Held *held = find(isOthers ? words.back().toStdString() : m_name, isNamed ? words[1] : QByteArray());
    if (!held)
        return "nothing was granted";
    held->released = true;
    return outcomeText(held->handle.release());
}

std::string SessionOwner::renew(const Words &words)
{
    Held *held = find(words, 2);
    if (!held)
        return "nothing was granted";
    switch (held->handle.renew(ttlFrom(words[1]))) {
    case RenewOutcome::Renewed:
        return "renewed";
    case RenewOutcome::NotHeld:
        return "not held";
    default:
        return "failed " + kindText(held->handle.lastError());
    }
}

/// Destroys the handle without a release.
std::string SessionOwner::drop(const Words &words)
{
    Held *held = find(words);
    if (!held)
        return "nothing was granted";
    held->released = true;
    held->handle = {};
    return "dropped";
}

/// What is known of a grant without doing anything, or comes by itself.
std::string SessionOwner::tell(const Words &words)
{
    const QByteArray &what = words[0];
    Held *held = find(words);
    if (what == "held")
        return held && held->handle.isHeld() ? "yes" : "no";
    if (!held)
        return "nothing was granted";
    if (what == "lost")
        return held->news.losses->wait();
    if (what == "losses")
        return std::to_string(held->news.losses->count());
    if (what == "asked")
        return held->news.requests->next();
    if (what == "requests")
        return std::to_string(held->news.requests->count());
    const Duration left = held->handle.remaining();
    return left == Forever ? "forever" : left > Duration::zero() ? "some" : "none";
}

} // namespace lockscope::test
