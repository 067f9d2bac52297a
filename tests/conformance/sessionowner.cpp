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

void setMode(LockRequest &request, const QByteArray &mode)
{
    request.mode = mode == "pessimistic" ? Mode::Pessimistic : Mode::Unique;
    request.wantsToken = true; // every scenario may compare them
}

} // namespace

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
    const QByteArray &verb = words[0];
    if (verb == "acquire")
        return acquire(words);
    if (verb == "release")
        return release(words);
    if (verb == "renew")
        return renew(words);
    if (verb == "drop")
        return drop(words);
    if (verb == "rounds")
        return rounds(words);
    if (verb == "connect" || verb == "clean") {
        const auto error = verb == "connect" ? m_process.engine->connectToServer() : m_process.engine->clean();
        return error ? "failed " + kindText(error) : std::string("done");
    }
    if (verb == "close") {
        m_process.engine.reset();
        return "closed";
    }
    Held *held = find(words);
    if (verb == "held")
        return held && held->handle.isHeld() ? "yes" : "no";
    if (!held)
        return "nothing was granted";
    if (verb == "lost")
        return held->news->wait();
    if (verb == "losses")
        return std::to_string(held->news->count());
    const Duration left = held->handle.remaining();
    return left == Forever ? "forever" : left > Duration::zero() ? "some" : "none";
}

LockRequest SessionOwner::requestFrom(const Words &words)
{
    LockRequest request;
    request.resource = words[1];
    setMode(request, m_process.config.mode);
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (words[i] == "manual") {
            request.autoRenew = false;
            continue;
        }
        const QByteArray &option = words[i++];
        const QByteArray &value = words[i];
        if (option == "note")
            request.note = value;
        else if (option == "key")
            request.ownerKey = value;
        else if (option == "ttl")
            request.ttl = durationOf(value);
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

std::string SessionOwner::acquire(const Words &words)
{
    LockRequest request = requestFrom(words);
    const auto news = std::make_shared<LossNews>();
    request.onLost = [news](LossReason reason) { news->tell(reason); };
    AcquireResult result = m_process.engine->acquire(request);
    const std::string text = outcomeText(result);
    {
        const std::lock_guard lock(m_mutex);
        if (!m_ends && m_stop.stop_requested())
            m_stop = {}; // a cancel is for one request, also for one that it came before
    }
    if (result.outcome == Outcome::Granted) {
        const std::lock_guard lock(m_process.mutex);
        m_process.held[m_name].push_back({request.resource, std::move(result.handle), news, false});
    }
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

SessionOwner::Held *SessionOwner::find(const Words &words)
{
    return find(m_name, words.size() > 1 ? words[1] : QByteArray());
}

std::string SessionOwner::release(Words words)
{
    std::string owner = m_name;
    if (words.size() > 2 && words[words.size() - 2] == "of") {
        owner = words.back().toStdString();
        words.resize(words.size() - 2);
    }
    Held *held = find(owner, words.size() > 1 ? words[1] : QByteArray());
    if (!held)
        return "nothing was granted";
    held->released = true;
    return outcomeText(held->handle.release());
}

std::string SessionOwner::renew(const Words &words)
{
    Held *held = find(m_name, words.size() > 2 ? words[2] : QByteArray());
    if (!held)
        return "nothing was granted";
    switch (held->handle.renew(durationOf(words[1]))) {
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

/// rounds N NAME…: takes and frees each name N times, and writes down in `probe` what must not happen meanwhile.
std::string SessionOwner::rounds(const Words &words)
{
    SessionTarget target;
    target.url = m_process.config.direct;
    Link probe(target);
    int granted = 0;
    for (int i = 0; i < words[1].toInt(); ++i) {
        for (std::size_t k = 2; k < words.size(); ++k) {
            const AcquireResult result =
                m_process.engine->acquire(requestFrom({"acquire", words[k], "wait", "forever"}));
            if (result.outcome != Outcome::Granted)
                return outcomeText(result) + " after " + std::to_string(granted) + " grants";
            if (!enter(probe, words[k], result.handle.token()))
                return "the probe cannot be written";
            ++granted;
            leave(probe, words[k], result.handle.token());
        }
    }
    return std::to_string(granted) + " grants";
}

bool SessionOwner::enter(Link &probe, const QByteArray &resource, quint64 token)
{
    const Reply reply = probe.run("UPDATE conformance.probe SET overlaps = overlaps + inside, disorder = disorder + "
                                  "(last_token >= "
                                      + QByteArray::number(token) + "), inside = 1, grants = grants + 1, last_token = "
                                      + QByteArray::number(token) + " WHERE resource = x'" + resource.toHex() + '\'',
                                  "probe");
    return reply && reply.set(0).affected == 1;
}

void SessionOwner::leave(Link &probe, const QByteArray &resource, quint64 token)
{
    probe.run("UPDATE conformance.probe SET inside = 0 WHERE last_token = " + QByteArray::number(token)
                  + " AND resource = x'" + resource.toHex() + '\'',
              "probe");
}

} // namespace lockscope::test
