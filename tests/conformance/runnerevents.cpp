// SPDX-License-Identifier: MIT
// What happens to the sessions of a script, and what is read and written past them.
#include "enginefixture.h"
#include "runner.h"
#include "words.h"

using namespace Qt::StringLiterals;

namespace lockscope::test {

void Runner::forgetProcess(const QString &process)
{
    m_pending.removeIf([&](const QString &ref) { return processOf(ref) == process; });
    m_queued.removeIf([&](const auto &entry) { return processOf(entry.first) == process; });
}

void Runner::endProcess(const Match &match)
{
    for (const QString &process : refsOf(match.captured(2))) {
        SessionClient *session = known(process);
        if (!session)
            return;
        if (match.captured(1) == u"freeze") {
            session->freeze();
        } else if (match.captured(1) == u"thaw") {
            session->thaw();
        } else if (match.captured(1) == u"kill") {
            m_world.kill(process);
            forgetProcess(process);
        } else {
            if (!session->end())
                fail(u"%1 did not end properly"_s.arg(process));
            m_world.forget(process);
            forgetProcess(process);
        }
    }
}

/// All of a process, or those that wait for a lock. A connection may end by itself before its KILL comes.
void Runner::killConnections(const Match &match)
{
    const bool waiting = match.captured(1) != u"connections";
    SessionClient *session = known(match.captured(2));
    if (session && !m_world.endsConnections())
        return session->proxy()->setState(FaultyProxy::State::Reset);
    const QByteArray condition = waiting ? " AND (state = 'User lock' OR info LIKE '%FOR UPDATE%')" : "";
    QStringList ids;
    if (!eventually([&] {
            ids = m_world.connectionIds(match.captured(2), condition);
            return !ids.isEmpty();
        }))
        return fail(u"there is none"_s);
    for (const QString &id : std::as_const(ids))
        m_world.endConnection(id);
    awaitEnd(match.captured(2), ids);
}

/// Until then the server takes who had them for alive, whether or not he is back.
void Runner::awaitEnd(const QString &process, const QStringList &connections)
{
    const auto isThere = [&](const QString &id) { return connections.contains(id); };
    if (!eventually([&] {
            const QStringList ids = m_world.connectionIds(process);
            return std::none_of(ids.begin(), ids.end(), isThere);
        }))
        fail(u"the connections of %1 do not end"_s.arg(process));
}

void Runner::isGone(const Match &match)
{
    for (const QString &process : refsOf(match.captured(1))) {
        if (!eventually([&] { return m_world.isGone(process); }))
            fail(u"the server still knows %1"_s.arg(process));
    }
}

void Runner::changeServer(const Match &match)
{
    const QString what = match.captured(1);
    m_isServerThere = what != u"stop" && what != u"freeze";
    m_world.changeServer(what);
}

void Runner::changeNetwork(const Match &match)
{
    const QString what = match.captured(1);
    SessionClient *session = known(match.captured(2));
    if (!session)
        return;
    using State = FaultyProxy::State;
    static const QHash<QString, State> states{
        {u"cut"_s, State::Cut}, {u"stall"_s, State::Stalled}, {u"reset"_s, State::Reset}, {u"heal"_s, State::Open}};
    QStringList ids;
    if (states[what] == State::Reset && m_isServerThere)
        ids = m_world.connectionIds(match.captured(2));
    session->proxy()->setState(states[what]);
    if (!ids.isEmpty())
        awaitEnd(match.captured(2), ids);
}

/// What a store does that remembers the largest token it has seen.
void Runner::guardedWrite(const Match &match)
{
    const QByteArray token = QByteArray::number(numberNamed(u"token of "_s + match.captured(1)));
    const bool accepted = m_world.number("UPDATE conformance.stock SET units = units - 1, fence_seen = " + token
                                         + " WHERE id = 1 AND fence_seen <= " + token + "; SELECT ROW_COUNT()")
        == 1;
    compare(u"the write with token "_s + QString::fromLatin1(token), match.captured(2),
            accepted ? u"accepted"_s : u"refused"_s);
}

void Runner::forceRelease(const Match &match)
{
    const quint64 token = numberNamed(match.captured(2));
    compare(u"force release"_s, match.captured(3), m_world.forceRelease(bytesOf(match.captured(1)), token));
}

void Runner::outsider(const Match &match)
{
    const QString got = m_world.sql(match.captured(1).toUtf8());
    if (match.hasCaptured(2) || !got.isEmpty()) // a statement that says nothing is silent unless it fails
        compare(u"the answer"_s, match.captured(2), got);
}

void Runner::until(const Match &match)
{
    QString got;
    if (!eventually([&] {
            got = m_world.sql(match.captured(1).toUtf8());
            return got == match.captured(2);
        }))
        compare(u"the answer"_s, match.captured(2), got);
}

/// A lease ends by the server's clock, a row with the transaction that holds it.
void Runner::leaseHasEnded(const Match &match)
{
    const QByteArray resource = bytesOf(match.captured(1));
    if (!eventually([&] { return m_world.hasEnded(resource); }))
        fail(u"it does not end"_s);
}

void Runner::leaseIsRenewed(const Match &match)
{
    const QByteArray resource = bytesOf(match.captured(1));
    const QString before = m_world.endOf(resource);
    if (before.isEmpty() || !eventually([&] { return m_world.endOf(resource) > before; }))
        fail(u"it is not renewed"_s);
}

/// Ends every session and looks at the tables, also when some were killed.
void Runner::nothingIsLeft(const Match &)
{
    const QString badEnd = m_world.close();
    m_pending.clear();
    if (!badEnd.isEmpty())
        fail(badEnd);
    else if (!eventually([this] { return m_world.leftOver().isEmpty(); }))
        fail(m_world.leftOver());
}

} // namespace lockscope::test
