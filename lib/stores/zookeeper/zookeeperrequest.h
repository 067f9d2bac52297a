// SPDX-License-Identifier: MIT
#pragma once

#include "zookeeperlink.h"

namespace lockscope::detail {

/// One request's way to its lease. Lives on the stack of ZooKeeperStore::acquire.
///
/// Whose node is the first of its folder holds the lock, and goes on doing so until the node is removed. So a lease
/// counts from before what confirmed that the node is there: its creation, or for those who waited a transaction that
/// checks it, for this process may have been frozen since it was told. Who waited so briefly that the check would
/// prolong the lease by no more than a hundredth does without.
///
/// Functions that return an optional answer: nothing = not decided yet, go on.
class ZooKeeperRequest
{
public:
    ZooKeeperRequest(ZooKeeperLink &link, const LockStore::Ask &ask, StoreWait &wait);

    LockStore::Grant run();

private:
    using Grant = LockStore::Grant;
    using Answer = std::optional<Grant>;
    using Clock = StoreWait::Clock;

    Answer attempt();
    Answer lookFirst();
    Answer join();
    Answer joined(const ZooKeeperReply &node, const ZooKeeperReply &children, LeaseClock::time_point sentAt);
    Answer settle(const LockError &error);
    Answer settled(const QByteArrayList &children);
    Answer take(const QByteArray &node);
    Answer waitInQueue(QByteArrayList children);
    Answer waitFor(const QByteArray &node);
    Answer look(QByteArrayList *children);
    Answer granted(LeaseClock::time_point sentAt);
    Answer makeFolder();
    Answer afterError(const LockError &error);
    Answer afterCode(int code, const char *operation);
    Grant giveUp(Outcome outcome, std::optional<LockError> error = {});
    Outcome whyOver() const;
    bool isOver() const { return m_hasTried && !m_wait.isTry() && m_wait.isOver(); }
    bool mayWaitForServer();
    Clock::duration awayFor() const;
    bool isFirst(const QByteArrayList &children) const;
    void pause();

    ZooKeeperLink &m_link;
    const LockStore::Ask &m_ask;
    StoreWait &m_wait;
    const QByteArray m_folder;
    ZooKeeperLink::Session m_session;
    QByteArray m_prefix; ///< of the node's name
    QByteArray m_node;   ///< its name; empty: there is none, as far as we know
    qint64 m_token = 0;
    LeaseClock::time_point m_provedAt;            ///< before what confirmed last that the node is there was sent
    bool m_hasTried = false;                      ///< a server has answered once
    std::optional<Clock::time_point> m_awaySince; ///< the first failure since a server has answered
};

/// The path of a resource's folder.
QByteArray folderOf(const ZooKeeperUrl &server, const QByteArray &resource);

} // namespace lockscope::detail
