// SPDX-License-Identifier: MIT
#include "zookeeperrequest.h"

#include "zookeepererror.h"
#include "zookeepernames.h"

#include <zookeeper/zookeeper.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

/// A waiter is told; it looks all the same, for an operator may have removed its own node.
constexpr auto kLooksEvery = 30s;
/// A server that is away for longer is not waited for, once the session may have ended as well.
constexpr auto kAwayFor = 60s;
constexpr auto kPause = 100ms;
/// To begin a request where others interfere.
constexpr int kTries = 3;

/// "/a/b" → "/a", "/a/b"
QByteArrayList nodesTo(const QByteArray &path)
{
    QByteArrayList nodes;
    for (qsizetype at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1))
        nodes.append(path.left(at));
    nodes.append(path);
    return nodes;
}

} // namespace

QByteArray folderOf(const ZooKeeperUrl &server, const QByteArray &resource)
{
    return server.chroot.toUtf8() + '/' + partOf(resource);
}

ZooKeeperRequest::ZooKeeperRequest(ZooKeeperLink &link, const LockStore::Ask &ask, StoreWait &wait)
    : m_link(link)
    , m_ask(ask)
    , m_wait(wait)
    , m_folder(folderOf(link.config().server, ask.resource))
{
}

LockStore::Grant ZooKeeperRequest::run()
{
    for (int tries = 1;; ++tries) {
        if (auto answer = attempt())
            return *answer;
        // Nothing of it is left: its session has ended, or somebody has removed its node.
        if (isOver())
            return giveUp(whyOver());
        if (m_wait.isTry() && tries == kTries)
            return {Outcome::Busy, {}, {}, {}};
    }
}

/// One node's life.
ZooKeeperRequest::Answer ZooKeeperRequest::attempt()
{
    m_prefix = newNodePrefix();
    m_node.clear();
    m_provedAt = {};
    LockError error;
    m_session = m_link.session(&error);
    if (!m_session)
        return m_hasTried ? afterError(error) : Grant{Outcome::Failed, {}, {}, error};
    if (m_wait.isTry()) {
        if (auto answer = lookFirst())
            return answer;
    }
    return join();
}

/// A try leaves no trace where somebody holds the lock. That a connection broke some time ago, while this process was
/// frozen perhaps, is noticed only now: then it is asked once more.
ZooKeeperRequest::Answer ZooKeeperRequest::lookFirst()
{
    const auto until = Clock::now() + m_link.config().connectTimeout;
    for (;;) {
        ZooKeeperFlight flight(*m_session);
        flight.sync(m_folder);
        flight.children(m_folder);
        const bool isAnswered = flight.wait(); // the client says of a broken connection too that time is over
        const int code = flight[1].code;
        if (code == ZOK || code == ZNONODE) {
            m_hasTried = true;
            return queueOf(flight[1].names).isEmpty() ? std::nullopt : Answer(Grant{Outcome::Busy, {}, {}, {}});
        }
        if (m_session->isOver() || isSessionOver(code))
            return std::nullopt; // which joining finds as well
        if (!isAnswered || !isAnswerLost(code) || Clock::now() >= until)
            return Grant{Outcome::Failed, {}, {}, zooKeeperError(code, "zookeeper/children")};
        std::this_thread::sleep_for(kTryAgainAfter);
        if (!m_session->waitConnected(m_link.config().connectTimeout) && !m_session->isOver())
            return Grant{Outcome::Failed, {}, {}, zooKeeperOutOfReach()};
    }
}

ZooKeeperRequest::Answer ZooKeeperRequest::join()
{
    for (int i = 0; i < kTries; ++i) {
        const auto sentAt = LeaseClock::now();
        ZooKeeperFlight flight(*m_session);
        flight.create(m_folder + '/' + m_prefix, noteData(m_ask.owner, m_ask.note),
                      ZooKeeperFlight::Node::EphemeralSequential);
        flight.children(m_folder);
        flight.wait();
        const int code = flight[0].code;
        if (isAnswerLost(code))
            return settle(zooKeeperError(code, "zookeeper/create"));
        m_hasTried = true;
        m_awaySince.reset();
        if (code == ZOK)
            return joined(flight[0], flight[1], sentAt);
        if (code != ZNONODE)
            return afterCode(code, "zookeeper/create");
        if (auto failed = makeFolder())
            return failed;
    }
    pause(); // somebody removes the folder again and again
    return std::nullopt;
}

ZooKeeperRequest::Answer ZooKeeperRequest::joined(const ZooKeeperReply &node, const ZooKeeperReply &children,
                                                  LeaseClock::time_point sentAt)
{
    if (auto refused = take(node.text.mid(m_folder.size() + 1)))
        return refused;
    m_token = node.token;
    m_provedAt = sentAt;
    QByteArrayList names = children.names;
    if (children.code == ZOK && isFirst(names)) {
        if (auto answer = granted(sentAt))
            return answer;
    } else if (children.code == ZOK && m_wait.isTry()) {
        return giveUp(Outcome::Busy);
    }
    if (auto answer = children.code == ZOK && !isFirst(names) ? std::nullopt : look(&names))
        return answer;
    return waitInQueue(std::move(names));
}

/// Whether the node was made nobody knows, until the same session is told what is in the folder: who asks later is not
/// answered earlier, also after a change of the server.
ZooKeeperRequest::Answer ZooKeeperRequest::settle(const LockError &error)
{
    const auto until = Clock::now() + m_link.config().connectTimeout; // the connection may have broken just now
    do {
        if (m_session->isOver()) {
            m_awaySince.reset(); // a server has said so
            return std::nullopt; // and the node went with it
        }
        if (!m_session->waitConnected(kPause))
            continue;
        ZooKeeperFlight flight(*m_session);
        flight.sync(m_folder);
        flight.children(m_folder);
        flight.wait();
        if (flight[1].code == ZNONODE || (flight[0].code == ZOK && flight[1].code == ZOK)) {
            m_awaySince.reset();
            return settled(flight[1].names);
        }
        std::this_thread::sleep_for(kPause);
    } while ((mayWaitForServer() && !m_wait.isOver()) || Clock::now() < until);
    m_link.abandon(m_session, m_folder + '/' + m_prefix);
    return Grant{Outcome::Unknown, {}, {}, error};
}

/// All that is in the folder is known.
ZooKeeperRequest::Answer ZooKeeperRequest::settled(const QByteArrayList &children)
{
    const auto mine = std::find_if(children.begin(), children.end(),
                                   [this](const QByteArray &name) { return name.startsWith(m_prefix); });
    if (mine == children.end())
        return std::nullopt;
    auto refused = take(*mine);
    return refused ? refused : waitInQueue(children);
}

/// This request's node. A number that others may have as well, or that is less than earlier ones, makes no turn.
ZooKeeperRequest::Answer ZooKeeperRequest::take(const QByteArray &node)
{
    m_node = node;
    if (hasOrder(node))
        return std::nullopt;
    return giveUp(Outcome::Failed, zooKeeperCounterUsedUp(m_folder));
}

ZooKeeperRequest::Answer ZooKeeperRequest::waitInQueue(QByteArrayList children)
{
    while (!m_node.isEmpty()) {
        const auto previous = before(children, m_node);
        if (previous && !previous->isEmpty()) {
            if (m_wait.isTry())
                return giveUp(Outcome::Busy);
            if (auto answer = waitFor(*previous))
                return answer;
        } else if (!previous) {
            pause(); // what was read is older than the node
        }
        if (isOver())
            return giveUp(whyOver());
        if (auto answer = look(&children))
            return answer;
    }
    return std::nullopt;
}

/// Until the node before this one is gone, or a look is worth it.
ZooKeeperRequest::Answer ZooKeeperRequest::waitFor(const QByteArray &node)
{
    const QByteArray path = m_folder + '/' + node;
    ZooKeeperSession::Watch watch(*m_session, path, m_wait);
    ZooKeeperFlight flight(*m_session);
    flight.get(path, true); // unlike exists, it leaves no watch where there is none
    flight.wait();
    const int code = flight[0].code;
    if (code == ZOK)
        watch.wait(Clock::now() + kLooksEvery);
    else if (code != ZNONODE && !isSessionOver(code))
        return afterError(zooKeeperError(code, "zookeeper/get"));
    return std::nullopt;
}

/// Whether it is this request's turn. Afterwards `*children` is newer, or m_node is empty.
ZooKeeperRequest::Answer ZooKeeperRequest::look(QByteArrayList *children)
{
    const QByteArray path = m_folder + '/' + m_node;
    const auto sentAt = LeaseClock::now();
    const bool isProved = sentAt - m_provedAt <= m_link.belief() / 100;
    ZooKeeperFlight flight(*m_session);
    flight.children(m_folder);
    if (!isProved)
        flight.check(path);
    flight.get(path, true);
    flight.wait();
    for (std::size_t i = 0; i < flight.size(); ++i) {
        const int code = flight[i].code;
        if (code == ZNONODE || isSessionOver(code)) {
            m_awaySince.reset();
            m_node.clear();
            return std::nullopt;
        }
        if (code != ZOK)
            return afterError(zooKeeperError(code, "zookeeper/look"));
    }
    m_hasTried = true;
    m_awaySince.reset();
    m_token = flight[flight.size() - 1].token;
    if (!isProved)
        m_provedAt = sentAt;
    *children = flight[0].names;
    return isFirst(*children) ? granted(m_provedAt) : std::nullopt;
}

/// Nothing: it was told too late.
ZooKeeperRequest::Answer ZooKeeperRequest::granted(LeaseClock::time_point sentAt)
{
    const LockStore::Lease lease{m_ask.resource, quint64(m_token), m_folder + '/' + m_node};
    const auto deadline = sentAt + std::min(m_ask.ttl, m_link.belief());
    if (!m_link.hold(m_session, lease, deadline))
        return std::nullopt;
    return Grant{Outcome::Granted, lease, deadline, {}};
}

/// The server removes it some time after its last node, but not what it is in.
ZooKeeperRequest::Answer ZooKeeperRequest::makeFolder()
{
    const QByteArrayList nodes = nodesTo(m_folder);
    ZooKeeperFlight flight(*m_session);
    for (const QByteArray &node : nodes)
        flight.create(node, {},
                      node == m_folder ? ZooKeeperFlight::Node::Container : ZooKeeperFlight::Node::Persistent);
    flight.wait();
    const int made = flight[std::size_t(nodes.size()) - 1].code;
    if (made == ZOK || made == ZNODEEXISTS || isAnswerLost(made) || isSessionOver(made))
        return std::nullopt; // if it is not there, the next try finds out
    for (std::size_t i = 0; i < std::size_t(nodes.size()); ++i) {
        const int code = flight[i].code;
        if (code != ZOK && code != ZNODEEXISTS)
            return afterCode(code, "zookeeper/folder");
    }
    return std::nullopt;
}

ZooKeeperRequest::Answer ZooKeeperRequest::afterCode(int code, const char *operation)
{
    if (isSessionOver(code)) {
        m_node.clear();
        return std::nullopt;
    }
    return afterError(zooKeeperError(code, operation));
}

ZooKeeperRequest::Answer ZooKeeperRequest::afterError(const LockError &error)
{
    if (!isZooKeeperAway(error) || !mayWaitForServer())
        return giveUp(Outcome::Failed, error);
    pause();
    return std::nullopt;
}

/// Removes the node. An error that is not told by an outcome goes with it.
LockStore::Grant ZooKeeperRequest::giveUp(Outcome outcome, std::optional<LockError> error)
{
    const auto result = [&](Outcome ended) {
        return Grant{ended, {}, {}, ended == Outcome::Failed || ended == Outcome::Unknown ? error : std::nullopt};
    };
    if (m_node.isEmpty())
        return result(outcome);
    const auto until = Clock::now() + m_link.config().connectTimeout; // the connection may have broken just now
    do {
        if (!m_session->waitConnected(kPause))
            continue;
        ZooKeeperFlight flight(*m_session);
        flight.remove(m_folder + '/' + m_node, -1);
        flight.wait();
        const int code = flight[0].code;
        if (code == ZOK || code == ZNONODE || isSessionOver(code))
            return result(outcome);
        error = zooKeeperError(code, "zookeeper/remove");
        if (!isAnswerLost(code))
            break;
        std::this_thread::sleep_for(kTryAgainAfter);
    } while (!m_session->isOver() && Clock::now() < until);
    if (m_session->isOver())
        return result(outcome);
    m_link.abandon(m_session, m_folder + '/' + m_node);
    return result(Outcome::Unknown);
}

/// After a failure. Whoever waits goes on waiting while the server is away, as its place may be there again with the
/// server.
bool ZooKeeperRequest::mayWaitForServer()
{
    if (!m_awaySince)
        m_awaySince = Clock::now();
    return !m_wait.isTry() && Clock::now() - *m_awaySince <= awayFor();
}

/// As long as a session may live, its place in the queue may be there.
StoreWait::Clock::duration ZooKeeperRequest::awayFor() const
{
    if (!m_session)
        return kAwayFor;
    return std::max<Clock::duration>(kAwayFor, m_link.config().sessionTimeout);
}

bool ZooKeeperRequest::isFirst(const QByteArrayList &children) const
{
    const auto previous = before(children, m_node);
    return previous && previous->isEmpty();
}

Outcome ZooKeeperRequest::whyOver() const
{
    if (m_wait.isCancelled())
        return Outcome::Cancelled;
    return m_wait.isTry() ? Outcome::Busy : Outcome::TimedOut;
}

void ZooKeeperRequest::pause()
{
    if (m_wait.isTry())
        std::this_thread::sleep_for(kPause);
    else
        m_wait.sleepUntil(Clock::now() + kPause, [] { return false; });
}

} // namespace lockscope::detail
