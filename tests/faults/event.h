// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <optional>
#include <vector>

namespace lockscope::faults {

/// What happened. A worker tells the invocation of each call before it makes it, and the completion after it returned,
/// so what the call did lies between the two.
enum class Kind {
    // By the process that is named, of the request that is named.
    Began,   ///< the process; only now does it connect
    Ask,     ///< invokes acquire; `value`: its wait budget (µs)
    Got,     ///< granted `token`; `value`: held by its own deadline until then, 0 where there is none
    Missed,  ///< not granted, and nothing is held
    Doubt,   ///< nobody knows whether it was granted
    Holds,   ///< still held; `value` as of Got
    Write,   ///< invokes the guarded write
    Wrote,   ///< it was accepted
    Refused, ///< it was not, and changed nothing
    Maybe,   ///< nobody knows
    Release, ///< invokes release
    Released,
    Gone,   ///< the release found nothing to release
    Unsure, ///< nobody knows whether it is released
    Ended,  ///< the process ended as it was told to
    // By whoever does things to them. Without a process: to the server.
    Killed,
    Frozen,
    Thawed,
    Cut,     ///< its connections were closed, and new ones are refused
    Stalled, ///< its network carries nothing
    Reset,   ///< its connections were closed once
    Healed,  ///< its network is open
    Session, ///< the server ended a connection of it
    Died,    ///< it ended by itself, which none should; `value`: its exit code
    Stop,    ///< all are told to end: nothing after it counts
    Restart, ///< the server goes down
    Crash,   ///< the server was killed
    Up,      ///< it answers again
    // By who looks at the server; `value`: when the look began, and it had ended `at`.
    Free,    ///< nobody has `resource`
    Expired, ///< the request had it, and its time is up
    Held,    ///< the request has it
    Queued,  ///< the request is in the queue; told once
    Stood,   ///< the machine stood still in between: a commit of nobody else's concern was not through
    Stored   ///< the resource's next accepted write, by the request with `token`; `value`: the sum that it wrote
};

/// One line of a history.
struct Event
{
    qint64 at = 0; ///< microseconds of the machine's monotonic clock, which all processes on it share
    Kind kind = Kind::Began;
    int process = 0; ///< no two of a run have the same number; 0 = none
    qint64 request = 0;
    int resource = -1;
    quint64 token = 0;
    qint64 value = 0;

    static qint64 now();
    QByteArray toLine() const;
    /// None for anything else.
    static std::optional<Event> fromLine(const QByteArray &line);
    bool operator==(const Event &) const = default;
};

/// A process's lines. They are there when add() returns, whatever becomes of the process. Thread: any.
class EventFile
{
public:
    /// Fatal when there can be no such file.
    explicit EventFile(const QString &path);
    ~EventFile();
    EventFile(const EventFile &) = delete;
    EventFile &operator=(const EventFile &) = delete;

    void add(const Event &event);

private:
    int m_file = -1;
};

/// Every line of every file of the folder that ends with ".events"; a line that was cut off by the end of its process
/// is left out. False and `*error`: one is no event.
bool readEvents(const QString &folder, std::vector<Event> *events, QString *error);

} // namespace lockscope::faults
