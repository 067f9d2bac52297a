// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <functional>

namespace lockscope {

/// A session that is opened on first use and opened again after it broke. Belongs to one thread, as its session does.
class ReconnectingSession
{
public:
    /// Called after each opening with the new session and the number of the one before (0 for the first).
    using OpenHook = std::function<void(Session &session, quint64 previous)>;

    explicit ReconnectingSession(SessionTarget target, OpenHook onOpen = {});
    ~ReconnectingSession();
    ReconnectingSession(const ReconnectingSession &) = delete;
    ReconnectingSession &operator=(const ReconnectingSession &) = delete;

    /// The open session; null and `*error` set when it cannot be opened.
    Session *session(LockError *error);
    /// Runs the named statement, opening the session when needed. An error of kind ConnectionLost means that the
    /// server may have carried the packet out; any other connection error means that nothing was sent.
    Reply run(const QByteArray &name, const Params &params);
    /// The same, prepared where Session::execution() does that.
    Reply runPrepared(const QByteArray &name, const Params &params);
    /// Runs `sql` as one packet.
    Reply run(const QByteArray &sql, const QByteArray &name);
    /// As Session::kill(). For a second after an opening failed it fails as that did: many stand in line when a network
    /// is dead, and each opening takes seconds.
    Reply kill(quint64 number);
    /// Text of a named statement with its values, for building packets. Opens the session: it knows the family.
    QByteArray render(const QByteArray &name, const Params &params);
    /// As Session::execution(). The packet has to be run before this session is used for anything else.
    QByteArray execution(const QByteArray &name, const Params &params);

    /// Closes the session; the next use opens another.
    void drop() { m_session.reset(); }

    bool isOpen() const { return m_session && !m_session->isGone(); }
    /// Id of the current or, when closed, of the last session; 0 before the first.
    quint64 connectionId() const { return m_connectionId; }
    /// As Session::number(), of the same session.
    quint64 sessionNumber() const { return m_sessionNumber; }
    /// Where sessions go, as ServerUrl::toString() says it.
    QString server() const { return m_target.url.toString(); }
    /// The one that sessions begin with.
    const QString &schema() const { return m_target.url.schema; }
    /// Of the current or last session.
    Family family() const { return m_family; }
    /// Of the same session: see ServerInfo.
    const QString &account() const { return m_account; }
    const QString &ownName() const { return m_ownName; }

private:
    using Clock = std::chrono::steady_clock;

    SessionTarget m_target;
    OpenHook m_onOpen;
    std::unique_ptr<Session> m_session;
    quint64 m_connectionId = 0;
    quint64 m_sessionNumber = 0;
    Family m_family = Family::MariaDb;
    QString m_account;
    QString m_ownName;
    std::optional<Clock::time_point> m_failedAt; ///< the last opening that failed
    LockError m_failure;
};

} // namespace lockscope
