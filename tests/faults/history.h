// SPDX-License-Identifier: MIT
#pragma once

#include "event.h"

#include <QtCore/QStringList>

#include <limits>
#include <map>
#include <vector>

namespace lockscope::faults {

inline constexpr qint64 Never = std::numeric_limits<qint64>::max();

/// What came of a call.
enum class Answer { Open, Yes, No, Unknown };

/// One request and all that belongs to it. Times in microseconds; Never: it did not happen.
struct Request
{
    int process = 0;
    qint64 number = 0;
    int resource = 0;
    qint64 askedAt = 0;
    qint64 wait = 0;
    Answer grant = Answer::Open;
    qint64 answeredAt = Never;
    quint64 token = 0;
    qint64 believedUntil = 0; ///< by its own deadline, when it last looked
    qint64 queuedAt = Never;  ///< seen in the queue by somebody else
    qint64 writeAt = Never;
    Answer write = Answer::Open;
    qint64 releaseAt = Never;
    Answer release = Answer::Open;
    qint64 releasedAt = Never;
    qint64 goneAt = Never; ///< its process was killed

    bool isWaiting(qint64 at) const { return wait > 0 && askedAt <= at && at < std::min(answeredAt, goneAt); }
    /// "3.17": process and number.
    QString name() const;
};

/// What somebody saw of a resource on the server, at a moment between the two.
struct Look
{
    qint64 beganAt = 0;
    qint64 endedAt = 0;
    Kind state = Kind::Free; ///< Free, Expired or Held
    int process = 0;         ///< whose it is
    qint64 request = 0;
    quint64 token = 0;
};

/// An accepted write as the server keeps it.
struct Stored
{
    int process = 0;
    qint64 request = 0;
    quint64 token = 0;
    qint64 sum = 0;
};

struct Resource
{
    std::vector<std::size_t> requests; ///< by the time of asking
    std::vector<Look> looks;           ///< by time
    std::vector<Stored> journal;       ///< in the order in which they were accepted
};

/// What was done to processes and to the server, and for how long.
class Disturbances
{
public:
    struct One
    {
        int process = 0; ///< 0: the server
        Kind what = Kind::Began;
        qint64 from = 0;
        qint64 to = Never;
    };

    void begin(int process, Kind what, qint64 at);
    /// Ends every open one of the process that is one of `what`.
    void end(int process, const std::vector<Kind> &what, qint64 at);
    void add(const One &one);

    /// The first that met the process or the server between the two times, or had ended no longer than `recovery`
    /// before; null: none did.
    const One *met(int process, qint64 from, qint64 to, qint64 recovery) const;
    /// All of them that were going on between the two, by time.
    std::vector<One> between(qint64 from, qint64 to) const;
    std::size_t count() const;

private:
    std::map<int, std::vector<One>> m_byProcess;
};

/// A time in which the machine stood still: whatever the engine promises, it takes longer by so much.
struct Standstill
{
    qint64 from = 0;
    qint64 to = 0;
};

/// The lines of a run, put together.
struct History
{
    std::vector<Request> requests; ///< by the time of asking
    std::map<int, Resource> resources;
    Disturbances disturbances;
    std::vector<Standstill> standstills; ///< by time; no two at once
    qint64 beganAt = 0;
    qint64 stoppedAt = Never; ///< all were told to end, or the last line: what takes longer is not looked at
    QStringList defects;      ///< what no run should bring, whatever the engine does: a process that died by itself

    const Request *find(int process, qint64 number) const;
    /// How much of the time between the two the machine stood still.
    qint64 stoodStill(qint64 from, qint64 to) const;

private:
    friend class HistoryReader;
    std::map<std::pair<int, qint64>, std::size_t> m_places;
};

/// `events` by time.
History historyOf(const std::vector<Event> &events);

/// "frozen", "server crashed": what a disturbance is called.
QString wordFor(Kind what);

} // namespace lockscope::faults
