// SPDX-License-Identifier: MIT
#include "history.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

QString Request::name() const
{
    return u"%1.%2"_s.arg(process).arg(number);
}

void Disturbances::begin(int process, Kind what, qint64 at)
{
    add({process, what, at, Never});
}

void Disturbances::end(int process, const std::vector<Kind> &what, qint64 at)
{
    for (One &one : m_byProcess[process]) {
        if (one.to == Never && std::find(what.begin(), what.end(), one.what) != what.end())
            one.to = at;
    }
}

void Disturbances::add(const One &one)
{
    m_byProcess[one.process].push_back(one);
}

const Disturbances::One *Disturbances::met(int process, qint64 from, qint64 to, qint64 recovery) const
{
    for (const int whose : {process, 0}) {
        const auto found = m_byProcess.find(whose);
        if (found == m_byProcess.end())
            continue;
        for (const One &one : found->second) {
            const qint64 over = one.to == Never ? Never : one.to + recovery;
            if (one.from <= to && over >= from)
                return &one;
        }
    }
    return nullptr;
}

std::vector<Disturbances::One> Disturbances::between(qint64 from, qint64 to) const
{
    std::vector<One> found;
    for (const auto &[process, all] : m_byProcess) {
        std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                     [=](const One &one) { return one.what != Kind::Began && one.from <= to && one.to >= from; });
    }
    std::sort(found.begin(), found.end(), [](const One &a, const One &b) { return a.from < b.from; });
    return found;
}

std::size_t Disturbances::count() const
{
    return between(0, Never).size();
}

const Request *History::find(int process, qint64 number) const
{
    const auto place = m_places.find({process, number});
    return place == m_places.end() ? nullptr : &requests[place->second];
}

qint64 History::stoodStill(qint64 from, qint64 to) const
{
    qint64 sum = 0;
    for (const Standstill &still : standstills)
        sum += std::max<qint64>(0, std::min(to, still.to) - std::max(from, still.from));
    return sum;
}

QString wordFor(Kind what)
{
    switch (what) {
    case Kind::Killed:
        return u"killed"_s;
    case Kind::Frozen:
        return u"frozen"_s;
    case Kind::Cut:
        return u"cut off"_s;
    case Kind::Stalled:
        return u"stalled"_s;
    case Kind::Reset:
        return u"its connections closed"_s;
    case Kind::Session:
        return u"a connection killed"_s;
    case Kind::Restart:
        return u"restarted"_s;
    case Kind::Crash:
        return u"crashed"_s;
    case Kind::Died:
        return u"died"_s;
    default:
        return u"began"_s;
    }
}

/// Puts the lines of a run together, one after the other.
class HistoryReader
{
public:
    History read(const std::vector<Event> &events);

private:
    void readLine(const Event &event);
    bool disturb(const Event &event);
    bool look(const Event &event);
    void ask(const Event &event);
    void tell(const Event &event);
    static void tellWork(const Event &event, Request &request);
    void end(int process, qint64 at);
    void report(const Event &event, const QString &what);

    History m_history;
    qint64 m_lastAt = 0; ///< of what happened; the store is read afterwards
};

History HistoryReader::read(const std::vector<Event> &events)
{
    if (!events.empty())
        m_history.beganAt = events.front().at;
    for (const Event &event : events)
        readLine(event);
    if (m_history.stoppedAt == Never)
        m_history.stoppedAt = m_lastAt;
    return std::move(m_history);
}

void HistoryReader::report(const Event &event, const QString &what)
{
    m_history.defects += u"%1: %2"_s.arg(what, QString::fromUtf8(event.toLine().trimmed()));
}

void HistoryReader::readLine(const Event &event)
{
    if (event.kind != Kind::Stored)
        m_lastAt = event.at;
    if (event.kind == Kind::Stop)
        m_history.stoppedAt = event.at;
    else if (event.kind == Kind::Ask)
        ask(event);
    else if (!disturb(event) && !look(event))
        tell(event);
}

/// False: the event is no disturbance.
bool HistoryReader::disturb(const Event &event)
{
    Disturbances &all = m_history.disturbances;
    switch (event.kind) {
    case Kind::Began: // it has to connect first
    case Kind::Reset:
    case Kind::Session:
        all.add({event.process, event.kind, event.at, event.at});
        return true;
    case Kind::Died:
        report(event, u"a process ended by itself"_s);
        [[fallthrough]];
    case Kind::Killed:
        all.begin(event.process, event.kind, event.at);
        end(event.process, event.at);
        return true;
    case Kind::Frozen:
    case Kind::Cut:
    case Kind::Stalled:
        all.begin(event.process, event.kind, event.at);
        return true;
    case Kind::Restart:
    case Kind::Crash:
        all.begin(0, event.kind, event.at);
        return true;
    case Kind::Thawed:
        all.end(event.process, {Kind::Frozen}, event.at);
        return true;
    case Kind::Healed:
        all.end(event.process, {Kind::Cut, Kind::Stalled}, event.at);
        return true;
    case Kind::Up:
        all.end(0, {Kind::Restart, Kind::Crash}, event.at);
        return true;
    default:
        return event.kind == Kind::Ended;
    }
}

/// False: the event is nothing that was seen on the server.
bool HistoryReader::look(const Event &event)
{
    Resource &resource = m_history.resources[event.resource];
    switch (event.kind) {
    case Kind::Free:
    case Kind::Expired:
    case Kind::Held:
        resource.looks.push_back({event.value, event.at, event.kind, event.process, event.request, event.token});
        return true;
    case Kind::Stood:
        m_history.standstills.push_back({event.value, event.at});
        return true;
    case Kind::Stored:
        resource.journal.push_back({event.process, event.request, event.token, event.value});
        return true;
    default:
        return false;
    }
}

void HistoryReader::ask(const Event &event)
{
    const std::size_t place = m_history.requests.size();
    if (!m_history.m_places.try_emplace({event.process, event.request}, place).second)
        return report(event, u"a request with the number of another"_s);
    Request request;
    request.process = event.process;
    request.number = event.request;
    request.resource = event.resource;
    request.askedAt = event.at;
    request.wait = event.value;
    m_history.requests.push_back(request);
    m_history.resources[event.resource].requests.push_back(place);
}

void HistoryReader::tell(const Event &event)
{
    const auto place = m_history.m_places.find({event.process, event.request});
    if (place == m_history.m_places.end())
        return report(event, u"an answer without a question"_s);
    Request &request = m_history.requests[place->second];
    switch (event.kind) {
    case Kind::Got:
        request.grant = Answer::Yes;
        request.token = event.token;
        request.believedUntil = event.value;
        request.answeredAt = event.at;
        break;
    case Kind::Missed:
    case Kind::Doubt:
        request.grant = event.kind == Kind::Doubt ? Answer::Unknown : Answer::No;
        request.answeredAt = event.at;
        break;
    case Kind::Holds:
        request.believedUntil = std::max(request.believedUntil, event.value);
        break;
    case Kind::Queued:
        request.queuedAt = std::min(request.queuedAt, event.at);
        break;
    default:
        tellWork(event, request);
    }
}

void HistoryReader::tellWork(const Event &event, Request &request)
{
    switch (event.kind) {
    case Kind::Write:
        request.writeAt = event.at;
        break;
    case Kind::Wrote:
        request.write = Answer::Yes;
        break;
    case Kind::Refused:
        request.write = Answer::No;
        break;
    case Kind::Maybe:
        request.write = Answer::Unknown;
        break;
    case Kind::Release:
        request.releaseAt = event.at;
        break;
    default: // Released, Gone, Unsure
        request.release = event.kind == Kind::Released ? Answer::Yes
            : event.kind == Kind::Gone                 ? Answer::No
                                                       : Answer::Unknown;
        request.releasedAt = event.at;
    }
}

void HistoryReader::end(int process, qint64 at)
{
    for (Request &request : m_history.requests) {
        if (request.process == process)
            request.goneAt = std::min(request.goneAt, at);
    }
}

History historyOf(const std::vector<Event> &events)
{
    return HistoryReader().read(events);
}

} // namespace lockscope::faults
