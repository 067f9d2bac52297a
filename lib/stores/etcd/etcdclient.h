// SPDX-License-Identifier: MIT
#pragma once

#include "etcdattempts.h"

#include <QtCore/QJsonArray>

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace lockscope::detail {

/// The answer to one call. Numbers of 64 bits are text in it, and what is 0, false or empty is missing.
struct EtcdReply
{
    QJsonObject body;
    std::optional<LockError> error = {};
    LeaseClock::time_point sentAt = {}; ///< not before what this answers was sent
};

/// Calls one etcd, or whichever member of a cluster answers: the same one as long as it does. One that is merely slower
/// than another one, as after its connections broke, stays that one; only a call that still waits for it goes to others
/// first. Signs in, and again when that has run out. Thread: any.
class EtcdClient
{
public:
    explicit EtcdClient(EtcdConfig config);
    ~EtcdClient();
    EtcdClient(const EtcdClient &) = delete;
    EtcdClient &operator=(const EtcdClient &) = delete;

    /// "kv/range", or anything else that does no harm when it is carried out twice. Each member has the configuration's
    /// times; where one is away or silent, another one is asked as well.
    EtcdReply call(const QByteArray &path, const QJsonObject &body);
    /// The same with "kv/txn" that writes: it is sent once, and to another member only where nothing can have been
    /// carried out.
    EtcdReply change(const QJsonObject &transaction);
    /// A lease with that TTL is kept alive by calls: from now on all members are asked within a third of it.
    void hurry(std::chrono::milliseconds ttl);

    /// What a stream is opened with.
    struct Way
    {
        int member = 0;
        QByteArray token;
    };
    std::optional<LockError> way(Way *way);
    /// The member that is asked now.
    int member() const { return m_member; }
    /// It is away, or silent.
    void avoid(int member);
    /// Told when another one is asked, in any thread; set while nobody calls.
    void setOnMoved(std::function<void()> onMoved) { m_onMoved = std::move(onMoved); }
    /// The token of a stream is not good any more.
    void forgetSignIn();

    const EtcdConfig &config() const { return m_config; }

private:
    struct Request
    {
        QByteArray path;
        QJsonObject body;
        EtcdTransfer::Kind kind = EtcdTransfer::Kind::Question;
    };

    std::unique_ptr<EtcdAttempt> newAttempt(int member, const Request &request, const QByteArray &token) const;
    EtcdReply replyOf(const EtcdAttempt &attempt, const Request &request) const;
    EtcdReply callAny(const Request &request, const QByteArray &token);
    EtcdReply callOver(EtcdAttempts &attempts, const Request &request, const QByteArray &token);
    int firstFor(const EtcdAttempts &attempts) const;
    void judgeLate(const EtcdAttempts &attempts);
    EtcdAttempts::Clock::time_point nextStart(const Request &request, int asked, EtcdAttempts::Clock::time_point began,
                                              EtcdAttempts::Clock::time_point latest) const;
    EtcdReply callSignedIn(const Request &request);
    std::optional<LockError> signIn(QByteArray *token);
    std::unique_ptr<EtcdAttempts> takeAttempts();
    void giveBack(std::unique_ptr<EtcdAttempts> attempts);

    const EtcdConfig m_config;
    const int m_members;
    const std::chrono::milliseconds m_wholeTime;       ///< for one answer, with its connection
    std::atomic<std::chrono::milliseconds> m_patience; ///< after which another member is asked beside a silent one
    std::atomic<int> m_member = 0;                     ///< that is asked first
    std::function<void()> m_onMoved;
    std::mutex m_signingIn; ///< held while a token is asked for
    std::mutex m_mutex;     ///< protects what follows
    QByteArray m_token;
    std::vector<std::unique_ptr<EtcdAttempts>> m_idle; ///< with their connections
};

/// A number of 64 bits; 0 where there is none.
qint64 etcdNumber(const QJsonValue &value);

/// That an answer is of: what it wrote has it.
qint64 revisionOf(const QJsonObject &body);

/// Who answered, and in which term of its leader. Two equal ones with a read or write that most members agreed on in
/// the second: nobody else led between them.
struct EtcdTerm
{
    QString member;
    QString term;

    bool operator==(const EtcdTerm &) const = default;
};
EtcdTerm termOf(const QJsonObject &body);

} // namespace lockscope::detail
