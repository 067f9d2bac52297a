// SPDX-License-Identifier: MIT
#pragma once

#include "etcdlink.h"

namespace lockscope::detail {

/// One request's way to its lease. Lives on the stack of EtcdStore::acquire.
///
/// Whose key is the first of its queue holds the lock until the key is gone. So a lease counts from before what
/// confirmed that the key is there: its creation, or for those who waited a proof, for this process may have been
/// frozen since it was told.
///
/// Functions that return an optional answer: nothing = not decided yet, go on. One that finds the key gone clears it.
class EtcdRequest
{
public:
    EtcdRequest(EtcdLink &link, const LockStore::Ask &ask, StoreWait &wait);

    LockStore::Grant run();

private:
    using Grant = LockStore::Grant;
    using Answer = std::optional<Grant>;
    using Clock = StoreWait::Clock;

    Answer attempt();
    Answer takeLease();
    Answer join();
    EtcdReply sendJoin();
    Answer joined(const QJsonObject &txn);
    Answer lookBelow();
    Answer settle(const LockError &error);
    Answer waitInQueue();
    Answer look();
    Answer previous(qint64 revision, std::optional<EtcdKey> *before);
    Answer waitFor(const EtcdKey &before);
    Answer sleep(Clock::time_point until, const std::function<bool()> &isNew);
    Answer keepPlace();
    Answer changeTtl(std::chrono::seconds ttl) { return moved(m_link.move(m_key, quint64(m_token), ttl, &m_keeping)); }
    Answer moved(const EtcdMove &move);
    Answer takeTurn();
    Answer proveTurn();
    Answer granted(LeaseClock::time_point deadline);
    Answer afterError(const LockError &error);
    void answered();
    Grant giveUp(Outcome outcome, std::optional<LockError> error = {});
    Outcome whyOver() const;
    /// A try makes a key only where there is none.
    bool isCautious() const { return m_wait.isTry() && !m_joinsBehind; }
    bool isOver() const { return m_hasTried && !m_wait.isTry() && m_wait.isOver(); }
    void planSign();
    void pause();

    EtcdLink &m_link;
    const LockStore::Ask &m_ask;
    StoreWait &m_wait;
    const std::chrono::seconds m_ttl;
    const QByteArray m_prefix; ///< of the queue's keys
    EtcdKeeping m_keeping;
    QByteArray m_key; ///< empty: there is none
    qint64 m_token = 0;
    LeaseClock::time_point m_nextSign; ///< of life, while it waits
    EtcdTerm m_seenIn;          ///< the server's when its key was there, by the last look before it; empty: it was not
    bool m_joinsBehind = false; ///< a try: what lies in the queue's range is of resources below this one
    bool m_hasTried = false;    ///< a server has answered once
    std::optional<Clock::time_point> m_awaySince;
};

} // namespace lockscope::detail
