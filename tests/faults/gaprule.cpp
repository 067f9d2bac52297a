// SPDX-License-Identifier: MIT
#include "checker.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

constexpr std::size_t kToldGaps = 10;

/// Walks through what was seen of one resource, and through its requests beside it.
class GapWalk
{
public:
    GapWalk(const History &history, const Promises &promises, int number, const Resource &resource)
        : m_history(history)
        , m_promises(promises)
        , m_number(number)
        , m_resource(resource)
    {
        for (const std::size_t place : resource.requests) {
            const Request &request = history.requests[place];
            if (request.grant == Answer::Yes)
                m_grants.push_back(request.answeredAt);
        }
        std::sort(m_grants.begin(), m_grants.end());
    }

    std::vector<Gap> walk()
    {
        for (const Look &look : m_resource.looks) {
            if (look.endedAt > m_history.stoppedAt)
                break;
            see(look);
        }
        if (m_isOpen)
            close(m_gap.to);
        return std::move(m_gaps);
    }

private:
    void see(const Look &look)
    {
        follow(look.beganAt);
        // A grant in between shows that the resource was at work there.
        const auto grant = std::upper_bound(m_grants.begin(), m_grants.end(), m_lastReading);
        const bool wasGranted = grant != m_grants.end() && *grant <= look.beganAt;
        const qint64 end = wasGranted ? *grant : look.beganAt;
        // Nobody could look while the server was away.
        if (const auto *away = m_history.disturbances.met(0, m_lastReading, look.beganAt, 0); away && m_isOpen)
            close(std::min(away->from, end));
        const QString waiters = livingWaiters(look);
        const bool isIdle = !waiters.isEmpty() && !isRightlyHeld(look);
        if (m_isOpen && (wasGranted || !isIdle))
            close(end);
        if (isIdle && !m_isOpen)
            open(look);
        if (isIdle) {
            m_gap.state = stateText(look);
            m_gap.waiters = waiters;
            m_gap.to = look.beganAt;
        }
        m_lastReading = look.endedAt;
    }

    void open(const Look &look)
    {
        m_isOpen = true;
        m_gap = {m_number, look.endedAt, look.endedAt, {}, {}};
    }

    void close(qint64 at)
    {
        m_isOpen = false;
        m_gap.to = std::max(m_gap.from, at);
        m_gap.still = m_history.stoodStill(m_gap.from, m_gap.to);
        m_gaps.push_back(m_gap);
    }

    /// Requests that were made until then, without those that are over.
    void follow(qint64 at)
    {
        for (; m_next < m_resource.requests.size(); ++m_next) {
            const Request &request = m_history.requests[m_resource.requests[m_next]];
            if (request.askedAt > at)
                break;
            m_waiting.push_back(&request);
        }
        std::erase_if(m_waiting, [at](const Request *request) { return !request->isWaiting(at); });
    }

    /// Those to whom nothing was done, as a list of names.
    QString livingWaiters(const Look &look) const
    {
        QStringList names;
        for (const Request *request : m_waiting) {
            if (request->isWaiting(look.endedAt)
                && !m_history.disturbances.met(request->process, look.beganAt, look.endedAt, m_promises.recovery))
                names += request->name();
        }
        return names.join(u", "_s);
    }

    /// Whether nobody else can have it at this moment, by what was promised.
    bool isRightlyHeld(const Look &look)
    {
        if (look.state != Kind::Held) {
            m_holder = {};
            return false;
        }
        if (m_holder != std::pair(look.process, look.request)) {
            m_holder = {look.process, look.request};
            m_heldSince = look.beganAt;
        }
        if (const auto *met = m_history.disturbances.met(look.process, look.beganAt, look.endedAt, m_promises.recovery))
            return isExcused(*met, look);
        const Request *request = m_history.find(look.process, look.request);
        if (!request)
            return false;
        // What nobody knows of ends with its TTL.
        if ((request->grant == Answer::Unknown && request->answeredAt <= look.endedAt)
            || (request->release == Answer::Unknown && request->releasedAt <= look.endedAt))
            return true;
        return request->grant == Answer::Yes && request->answeredAt <= look.endedAt
            && request->releaseAt > look.beganAt;
    }

    /// A lease says by itself when its time is up. A row lock ends when its session has been idle for so long, counted
    /// in whole seconds.
    bool isExcused(const Disturbances::One &met, const Look &look) const
    {
        constexpr qint64 second = 1'000'000;
        if (m_promises.way == Way::Unique)
            return true;
        return look.beganAt < std::max(met.from, m_heldSince) + m_promises.ttl + m_promises.recovery + second;
    }

    QString stateText(const Look &look) const
    {
        if (look.state == Kind::Free)
            return u"free"_s;
        const QString whose = u"%1.%2 with token %3"_s.arg(look.process).arg(look.request).arg(look.token);
        if (look.state == Kind::Expired)
            return u"past the end of %1"_s.arg(whose);
        const Request *request = m_history.find(look.process, look.request);
        const bool isReleasing = request && request->releaseAt <= look.beganAt;
        return isReleasing ? u"being released by %1"_s.arg(whose) : u"given to %1, which was not told"_s.arg(whose);
    }

    const History &m_history;
    const Promises &m_promises;
    const int m_number;
    const Resource &m_resource;
    std::vector<qint64> m_grants; ///< when they were told
    std::vector<const Request *> m_waiting;
    std::size_t m_next = 0;
    std::pair<int, qint64> m_holder;
    qint64 m_heldSince = 0;
    qint64 m_lastReading = 0;
    bool m_isOpen = false;
    Gap m_gap;
    std::vector<Gap> m_gaps;
};

QString beside(const History &history, const Gap &gap)
{
    QStringList words;
    for (const auto &one : history.disturbances.between(gap.from, gap.to)) {
        const QString whom = one.process == 0 ? u"the server"_s : u"process %1"_s.arg(one.process);
        if (one.what != Kind::Killed || one.from >= gap.from) // the dead are many
            words += u"%1 %2 %3"_s.arg(whom, wordFor(one.what), moment(history, one.from));
    }
    return words.isEmpty() ? u"nothing was done to anybody meanwhile"_s : u"meanwhile: "_s + words.join(u", "_s);
}

} // namespace

void checkGaps(const History &history, const Promises &promises, std::vector<Finding> *findings, std::vector<Gap> *gaps)
{
    for (const auto &[number, resource] : history.resources) {
        const auto found = GapWalk(history, promises, number, resource).walk();
        gaps->insert(gaps->end(), found.begin(), found.end());
    }
    std::stable_sort(gaps->begin(), gaps->end(), [](const Gap &a, const Gap &b) { return a.length() > b.length(); });
    for (const Gap &gap : *gaps) {
        if (gap.length() <= promises.grace)
            break;
        findings->push_back(
            {u"gap"_s,
             u"resource %1 from %2 for %3: %4, while %5 waited; %6"_s.arg(gap.resource)
                 .arg(moment(history, gap.from), span(gap.length()), gap.state, gap.waiters, beside(history, gap))});
    }
    gaps->resize(std::min(gaps->size(), kToldGaps));
}

} // namespace lockscope::faults
