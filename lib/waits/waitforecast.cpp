// SPDX-License-Identifier: MIT
#include "waitforecast.h"

#include "metadatamodes.h"

#include <algorithm>

namespace lockscope {

namespace {

bool isShared(const QString &mode)
{
    return mode == QLatin1String("S") || mode.startsWith(QLatin1String("S,"));
}

/// Gaps are shared by all that lock them; only an insert waits for one.
bool isGap(const QString &mode)
{
    return mode.contains(QLatin1String("GAP")) && !mode.contains(QLatin1String("REC_NOT_GAP"));
}

/// Two that wait for the same lock, and of which only one can have it. A server tells it of row locks by an edge, but
/// not where a look left edges out because there are too many.
bool excludeEachOther(const ServerObject &object, const QString &one, const QString &other)
{
    switch (object.kind) {
    case ServerLockKind::User:
        return true;
    case ServerLockKind::Metadata:
        return waitsFor(object, one, other, true);
    case ServerLockKind::Record:
    case ServerLockKind::Table:
        break;
    }
    return !(isShared(one) && isShared(other)) && !isGap(one) && !isGap(other);
}

bool isEarlier(const WaitIndex &index, int one, int other)
{
    const auto place = [&index](int session) {
        return std::make_pair(index.since(session).value_or(ServerTime::max()), index.ids[size_t(session)]);
    };
    return place(one) < place(other);
}

/// Follows the waits from sessions that end to those that then have nobody before them.
class Spread
{
public:
    Spread(const WaitIndex &index, const std::vector<int> &ended)
        : m_index(index)
        , m_ended(ended.cbegin(), ended.cend())
    {
    }

    /// Those that have no blocker left once `session` is gone.
    void end(int session, std::vector<int> *found)
    {
        for (const int edge : m_index.waiters[size_t(session)]) {
            const int waiter = m_index.waiterOf(edge);
            auto &left = m_left[waiter];
            if (left == 0)
                left = qsizetype(m_index.blockers[size_t(waiter)].size()) + (m_index.unseen.contains(waiter) ? 1 : 0);
            if (--left == 0 && !m_ended.contains(waiter))
                found->push_back(waiter);
        }
    }

private:
    const WaitIndex &m_index;
    const QSet<int> m_ended;
    QHash<int, qsizetype> m_left; ///< blockers that are still there
};

/// Of those whose blockers have all ended, only the ones that do not exclude each other; these come first.
int letIn(const WaitIndex &index, std::vector<int> *candidates)
{
    std::sort(candidates->begin(), candidates->end(), [&](int a, int b) { return isEarlier(index, a, b); });
    QHash<ServerObject, QStringList> granted;
    std::vector<int> in;
    std::vector<int> out;
    for (const int session : *candidates) {
        const WaitEdge &wait = index.edges[index.blockers[size_t(session)].front()];
        QStringList &modes = granted[wait.object];
        const bool isFree = std::none_of(modes.cbegin(), modes.cend(), [&wait](const QString &mode) {
            return excludeEachOther(wait.object, wait.mode, mode);
        });
        if (isFree && !modes.contains(wait.mode))
            modes.append(wait.mode);
        (isFree ? in : out).push_back(session);
    }
    const int count = int(in.size());
    in.insert(in.end(), out.cbegin(), out.cend());
    *candidates = std::move(in);
    return count;
}

/// Everybody who waits for one of these, directly or over others.
std::vector<int> behind(const WaitIndex &index, const std::vector<int> &ended)
{
    std::vector<int> found;
    std::vector<int> left = ended;
    QSet<int> known(ended.cbegin(), ended.cend());
    while (!left.empty()) {
        const int session = left.back();
        left.pop_back();
        for (const int edge : index.waiters[size_t(session)]) {
            const int waiter = index.waiterOf(edge);
            if (known.contains(waiter))
                continue;
            known.insert(waiter);
            found.push_back(waiter);
            left.push_back(waiter);
        }
    }
    std::sort(found.begin(), found.end(), [&](int a, int b) { return isEarlier(index, a, b); });
    return found;
}

bool isSeen(const SourceStatus &status)
{
    using State = SourceStatus::State;
    if (status.source == WaitSource::Statements || status.source == WaitSource::Attributes)
        return true; // of these nobody waits
    const bool tellsForWhom = status.source == WaitSource::RowWaits || status.source == WaitSource::Metadata;
    const bool areLost = tellsForWhom && status.state == State::Missing; // who waits is told elsewhere
    return !status.isCut && (areLost || status.state == State::Complete || status.state == State::Partial);
}

/// Each that waits is seen, and for whom.
bool isWhole(const ServerWaits &waits)
{
    return waits.lost.isEmpty() && std::all_of(waits.sources.cbegin(), waits.sources.cend(), isSeen);
}

} // namespace

QList<quint64> WaitForecast::blockedByOthers() const
{
    QList<quint64> others = stay;
    others.removeIf([this](quint64 session) { return kept.contains(session); });
    return others;
}

FreedSessions freedBy(const WaitIndex &index, const std::vector<int> &ended)
{
    Spread spread(index, ended);
    FreedSessions freed;
    for (const int session : ended)
        spread.end(session, &freed.sessions);
    freed.atOnce = letIn(index, &freed.sessions);
    for (size_t i = 0; i < freed.sessions.size(); ++i)
        spread.end(freed.sessions[i], &freed.sessions);
    return freed;
}

WaitForecast forecast(const ServerWaits &waits, const QList<quint64> &ended)
{
    const WaitIndex index(waits);
    std::vector<int> sessions;
    for (const quint64 id : ended) {
        if (const auto known = index.at.constFind(id); known != index.at.cend())
            sessions.push_back(*known);
    }
    FreedSessions freed = freedBy(index, sessions);
    const auto firstLater = freed.sessions.begin() + freed.atOnce;
    std::sort(firstLater, freed.sessions.end(), [&](int a, int b) { return isEarlier(index, a, b); });
    WaitForecast result;
    result.isWhole = isWhole(waits);
    for (size_t i = 0; i < freed.sessions.size(); ++i) {
        const int session = freed.sessions[i];
        (int(i) < freed.atOnce ? result.atOnce : result.later).append(index.ids[size_t(session)]);
        if (const auto since = index.since(session))
            result.waited += std::max(Microseconds::zero(), waits.clock.server - *since);
    }
    const QSet<int> goesOn(freed.sessions.cbegin(), freed.sessions.cend());
    for (const int session : behind(index, sessions)) {
        if (!goesOn.contains(session))
            result.stay.append(index.ids[size_t(session)]);
    }
    return result;
}

} // namespace lockscope
