// SPDX-License-Identifier: MIT
#pragma once

#include "actor.h"
#include "enginetest.h"

#include "actions/sessionkill.h"
#include "waits/waitgraph.h"
#include "waits/waitsreader.h"

#include <functional>

namespace lockscope::test {

/// InnoDB tells nothing new to who asks more often, in milliseconds.
constexpr int kInnoDbKeeps = 120;

const SourceStatus &statusOf(const ServerWaits &waits, WaitSource source);
/// The edge from one session to the other, if any.
std::optional<WaitEdge> edgeOf(const ServerWaits &waits, const Actor &waiter, const Actor &blocker);
/// Why somebody waits whose blocker is not told, if it is so.
std::optional<LostWaiter> lostOf(const ServerWaits &waits, const Actor &waiter);
/// Sessions that wait by the word of InnoDB and stand in the picture as if they did not.
QList<quint64> waitersDrawnAsRoots(const ServerWaits &waits);

/// A session that was ended is listed for a moment.
bool isAccepted(const KillReport &report);

/// A test that looks at a server's own locks, one that is set up by default or one that tells most, and ends those that
/// hold them. The table shop.stock has the rows 1 to 9.
class WaitsTest : public EngineTest
{
    Q_OBJECT

protected Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

protected:
    /// Each test begins with one that tells most, unless init() is a class's own.
    void useServer(bool tellsMost);
    void use(TestServer &server);
    ServerWaits look(const WaitOptions &options = {});
    /// Looks until `condition` holds.
    ServerWaits lookUntil(const std::function<bool(const ServerWaits &)> &condition, const WaitOptions &options = {});
    /// Looks until the one waits for the other.
    ServerWaits lookUntilBlocked(const Actor &waiter, const Actor &blocker);
    KillOrder orderFor(const ServerWaits &waits, const Actor &actor, KillKind kind = KillKind::Connection) const;
    KillReport act(const KillOrder &order);
    bool isAlive(const Actor &actor);
    /// Waits until its statement is in SLEEP(): who comes then comes second.
    bool seenAsleep(const Actor &actor) { return seenIn(actor, "User sleep"); }
    /// Waits until the server's list of sessions tells this state of it.
    bool seenIn(const Actor &actor, const char *state);
    SessionTarget userWith(const QByteArray &name, const QList<QByteArray> &grants);
    /// Looks as somebody else from now on.
    void lookAs(const SessionTarget &target);

    TestServer *m_used = nullptr;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<WaitsReader> m_reader;
    std::unique_ptr<TestServer> m_telling; ///< MariaDB with what it leaves out by default; made on first use
};

} // namespace lockscope::test
