// SPDX-License-Identifier: MIT
#pragma once

#include "historymodel.h"
#include "lockstate.h"
#include "storerules.h"

namespace lockscope::test {

/// What the two modes that hold something promise: one holder, turns in the order of arrival (pessimistic: in any
/// order), leases that outlive connections and servers (pessimistic: rows that end with them), and ends that are told.
///
/// Every lease has a TTL that no history outlives, so it ends only where a move makes it end. A function returns false
/// where what comes of it is not certain.
class LockModel : public HistoryModel
{
public:
    LockModel(const QString &modeOrStore, const Rules &rules)
        : m_isPessimistic(modeOrStore == u"pessimistic")
        , m_store(StoreRules::of(modeOrStore))
        , m_rules(rules)
    {
    }

    std::optional<QStringList> apply(const Move &move) override;
    QStringList end() override;

private:
    using Status = Resource::Status;
    using Belief = Grant::Belief;
    using Network = Process::Network;

    bool make(const Move &move);
    bool engineCall(const Move &move);

    // Requests: lockrequests.cpp
    QString optionsOf(const Move &move) const;
    bool request(const Move &move);
    bool requestTaken(const Move &move, const QString &owner);
    void reenter(const Move &move, int grant);
    void sayGranted(const Move &move, const QString &wait);
    bool queueFor(const Move &move, const QString &owner);
    bool cancel(const Move &move);
    bool releaseBy(const QString &ref, const QString &command, Handle *handle);
    bool release(const Move &move);
    bool releaseOfOther(const Move &move);
    bool drop(const Move &move);
    bool renew(const Move &move);
    bool held(const Move &move);
    bool acquireOverNetwork(const Move &move);
    bool releaseOverNetwork(const Move &move);
    bool releaseOverServer(const Move &move);
    bool releaseBetween(const Move &move, Handle *handle, const QStringList &before, const QStringList &after);
    bool crowd(const Move &move);

    // Turns: lockturns.cpp
    void granted(const QString &ref, Grant grant);
    void rememberToken(int number);
    bool grantWaiting(const QString &ref);
    void answerWaiting(const QString &ref);
    bool letGo(int number, QString *answer, bool *isFree);
    bool mayFreeLate(int number);
    bool isCertain(const QString &name) const;
    bool passOn(const QString &name);
    bool claimAtEnd(const QString &name);
    bool claimLate(const QString &name);
    bool drain(const QString &name, const QStringList &refs);
    QString certainlyFirst(const QStringList &refs);
    void passOver(const QString &resource, const QString &next);
    bool endByTtl(int number);
    void settle(const QStringList &refs);
    void settleQueues();
    bool comeBack(const QString &name);

    // Faults: lockfaults.cpp
    bool expire(const Move &move);
    bool losePastEnd(const Move &move);
    bool freeze(const Move &move);
    bool thaw(const Move &move);
    bool breakNetwork(const Move &move);
    bool heal(const Move &move);
    bool reset(const Move &move);
    bool kill(const Move &move);
    bool end(const Move &move);
    bool killConnections(const Move &move);
    void settleRows(const QString &process);
    bool killWait(const Move &move);
    bool forceRelease(const Move &move);
    bool forceReleaseOld(const Move &move);
    bool restart(const Move &move);
    bool loseSessions(const QStringList &names);
    bool loseRows(const QList<int> &grants);
    void notifyLoss(int number);

    void say(const QString &line) { m_lines += line; }
    bool mayTakeLong() const;

    const bool m_isPessimistic;
    const StoreRules m_store;
    const Rules m_rules;
    LockState m_state;
    QStringList m_lines; ///< of the move that is made
};

} // namespace lockscope::test
