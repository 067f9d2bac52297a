// SPDX-License-Identifier: MIT
#include "etcdclient.h"

#include "etcderror.h"

#include <QtCore/QJsonDocument>

#include <utility>

namespace lockscope::detail {

namespace {

constexpr qsizetype kMaxAnswer = qsizetype(64) * 1024 * 1024;
constexpr std::size_t kMaxIdle = 16;
constexpr long kOk = 200;
constexpr long kNoSuchPath = 404;

LockError notEtcd(const EtcdConfig &config, const QString &systemText = {})
{
    return etcdUnavailable(QStringLiteral("What answers at %1 is no etcd.").arg(config.server.toString()), systemText);
}

bool isTlsWrong(CURLcode code)
{
    return code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CERTPROBLEM
        || code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_ISSUER_ERROR || code == CURLE_SSL_CIPHER;
}

/// Why there is no answer.
LockError transferError(const EtcdConfig &config, CURLcode code, const EtcdTransfer &transfer,
                        const QByteArray &operation)
{
    const QString text = transfer.errorText();
    if (isTlsWrong(code))
        return etcdUnavailable(QStringLiteral("No trusted connection to etcd could be made: check ssl-ca, the name of "
                                              "the host in its certificate, and whether it speaks TLS."),
                               text);
    if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY)
        return notEtcd(config, text);
    if (!transfer.isSent())
        return etcdUnavailable(QStringLiteral("etcd cannot be reached at %1.").arg(config.server.toString()), text);
    if (code == CURLE_OPERATION_TIMEDOUT)
        return etcdLost(QStringLiteral("etcd did not answer in time."), operation, text);
    const bool mayWantTls = !config.server.usesTls() && config.server.sockets.isEmpty();
    return etcdLost(mayWantTls
                        ? QStringLiteral("The connection to etcd broke before its answer came. If it always does, "
                                         "what answers there is no etcd, or it speaks TLS: then use tls=on or ssl-ca "
                                         "in its URL.")
                        : QStringLiteral("The connection to etcd broke before its answer came."),
                    operation, text);
}

/// What the gateway says: in answers as `code` and `message`, in streams of some versions as `grpc_code`. Older ones
/// repeat the message as `error`.
std::optional<LockError> toldError(const QJsonObject &wrong, const QByteArray &operation)
{
    const QString grpc = QStringLiteral("grpc_code");
    const QJsonValue code = wrong[wrong.contains(grpc) ? grpc : QStringLiteral("code")];
    if (!code.isDouble())
        return std::nullopt;
    return etcdError(code.toInt(), wrong[QStringLiteral("message")].toString(), operation);
}

LockError statusError(const EtcdConfig &config, long status, const QByteArray &text, const QByteArray &operation)
{
    if (status == kNoSuchPath && text.trimmed() == "Not Found")
        return etcdError(12, QStringLiteral("no such path"), operation); // as gRPC says it
    return notEtcd(config, QStringLiteral("HTTP status %1").arg(status));
}

} // namespace

qint64 etcdNumber(const QJsonValue &value)
{
    return value.toString().toLongLong();
}

qint64 revisionOf(const QJsonObject &body)
{
    return etcdNumber(body[QStringLiteral("header")].toObject()[QStringLiteral("revision")]);
}

EtcdTerm termOf(const QJsonObject &body)
{
    const QJsonObject header = body[QStringLiteral("header")].toObject();
    return {header[QStringLiteral("member_id")].toString(), header[QStringLiteral("raft_term")].toString()};
}

EtcdClient::EtcdClient(EtcdConfig config)
    : m_config(std::move(config))
    , m_members(EtcdTransfer::memberCount(m_config.server))
{
}

EtcdClient::~EtcdClient() = default;

std::unique_ptr<EtcdTransfer> EtcdClient::takeTransfer()
{
    const std::lock_guard lock(m_mutex);
    if (m_idle.empty())
        return std::make_unique<EtcdTransfer>();
    auto transfer = std::move(m_idle.back());
    m_idle.pop_back();
    return transfer;
}

void EtcdClient::giveBack(std::unique_ptr<EtcdTransfer> transfer)
{
    const std::lock_guard lock(m_mutex);
    if (m_idle.size() < kMaxIdle)
        m_idle.push_back(std::move(transfer));
}

EtcdReply EtcdClient::callMember(int member, const Request &request, const QByteArray &token)
{
    const QByteArray operation = "etcd/" + request.path;
    QByteArray text;
    auto transfer = takeTransfer();
    const auto take = [&text](const QByteArray &part) {
        text += part;
        return text.size() <= kMaxAnswer;
    };
    transfer->prepare(m_config, member, request.path, request.body, token, request.kind, take);
    const CURLcode code = transfer->run();
    const bool mayBeDone = request.kind == EtcdTransfer::Kind::Change && transfer->isSent();
    const auto without = [&](LockError error) { // an answer of etcd's own
        if (mayBeDone && error.kind == LockError::Kind::Unavailable)
            error.kind = LockError::Kind::ConnectionLost;
        return EtcdReply{{}, error};
    };
    if (code != CURLE_OK)
        return without(transferError(m_config, code, *transfer, operation)); // and its connection is not used again
    const long status = transfer->status();
    giveBack(std::move(transfer));
    QJsonObject answer = QJsonDocument::fromJson(text).object();
    if (const auto told = status != kOk ? toldError(answer, operation) : std::nullopt)
        return {{}, *told};
    if (status != kOk)
        return without(statusError(m_config, status, text, operation));
    // A stream's messages are wrapped.
    const QJsonObject wrong = answer[QStringLiteral("error")].toObject();
    if (const auto told = toldError(wrong, operation))
        return {{}, *told};
    if (answer.contains(QStringLiteral("result")))
        answer = answer[QStringLiteral("result")].toObject();
    if (!answer.contains(QStringLiteral("header")))
        return without(notEtcd(m_config));
    return {answer, {}};
}

/// What may have been carried out is not sent to another one.
EtcdReply EtcdClient::callAny(const Request &request, const QByteArray &token)
{
    EtcdReply reply;
    for (int i = 0; i < m_members; ++i) {
        const int member = m_member;
        reply = callMember(member, request, token);
        if (!reply.error || !isEtcdAway(*reply.error))
            return reply;
        avoid(member);
        if (isEtcdLost(*reply.error))
            return reply;
    }
    return reply;
}

EtcdReply EtcdClient::call(const QByteArray &path, const QJsonObject &body)
{
    return callSignedIn({path, body});
}

EtcdReply EtcdClient::change(const QJsonObject &transaction)
{
    return callSignedIn({"kv/txn", transaction, EtcdTransfer::Kind::Change});
}

EtcdReply EtcdClient::callSignedIn(const Request &request)
{
    for (bool isAgain = false;; isAgain = true) {
        QByteArray token;
        if (auto refused = signIn(&token))
            return {{}, refused};
        EtcdReply reply = callAny(request, token);
        if (isAgain || token.isEmpty() || !reply.error || !isSignInOver(*reply.error))
            return reply;
        forgetSignIn();
    }
}

std::optional<LockError> EtcdClient::signIn(QByteArray *token)
{
    if (m_config.server.user.isEmpty())
        return std::nullopt;
    const std::lock_guard signing(m_signingIn);
    {
        const std::lock_guard lock(m_mutex);
        *token = m_token;
    }
    if (!token->isEmpty())
        return std::nullopt;
    const QJsonObject who{{QStringLiteral("name"), m_config.server.user},
                          {QStringLiteral("password"), m_config.password}};
    const EtcdReply reply = callAny({"auth/authenticate", who}, {});
    if (reply.error)
        return reply.error;
    *token = reply.body[QStringLiteral("token")].toString().toLatin1();
    const std::lock_guard lock(m_mutex);
    m_token = *token;
    return std::nullopt;
}

std::optional<LockError> EtcdClient::way(Way *way)
{
    way->member = m_member;
    return signIn(&way->token);
}

void EtcdClient::avoid(int member)
{
    m_member.compare_exchange_strong(member, (member + 1) % m_members);
}

void EtcdClient::forgetSignIn()
{
    const std::lock_guard lock(m_mutex);
    m_token.clear();
}

} // namespace lockscope::detail
