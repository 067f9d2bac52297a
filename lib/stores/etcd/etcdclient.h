// SPDX-License-Identifier: MIT
#pragma once

#include "etcdtransfer.h"

#include <QtCore/QJsonArray>

#include <atomic>
#include <mutex>
#include <vector>

namespace lockscope::detail {

/// The answer to one call. Numbers of 64 bits are text in it, and what is 0, false or empty is missing.
struct EtcdReply
{
    QJsonObject body;
    std::optional<LockError> error = {};
};

/// Calls one etcd, or whichever member of a cluster answers. Signs in, and again when that has run out. Thread: any.
class EtcdClient
{
public:
    explicit EtcdClient(EtcdConfig config);
    ~EtcdClient();
    EtcdClient(const EtcdClient &) = delete;
    EtcdClient &operator=(const EtcdClient &) = delete;

    /// "kv/range". Within the configuration's times; another member is tried where nothing can have been carried out.
    /// Where a connection breaks it may be sent twice.
    EtcdReply call(const QByteArray &path, const QJsonObject &body);
    /// The same with "kv/txn" that writes: it is sent once.
    EtcdReply change(const QJsonObject &transaction);

    /// What a stream is opened with.
    struct Way
    {
        int member = 0;
        QByteArray token;
    };
    std::optional<LockError> way(Way *way);
    /// A stream's member is away.
    void avoid(int member);
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

    EtcdReply callMember(int member, const Request &request, const QByteArray &token);
    EtcdReply callAny(const Request &request, const QByteArray &token);
    EtcdReply callSignedIn(const Request &request);
    std::optional<LockError> signIn(QByteArray *token);
    std::unique_ptr<EtcdTransfer> takeTransfer();
    void giveBack(std::unique_ptr<EtcdTransfer> transfer);

    const EtcdConfig m_config;
    const int m_members;
    std::atomic<int> m_member = 0; ///< that answered last
    std::mutex m_signingIn;        ///< held while a token is asked for
    std::mutex m_mutex;            ///< protects what follows
    QByteArray m_token;
    std::vector<std::unique_ptr<EtcdTransfer>> m_idle; ///< with their connections
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
