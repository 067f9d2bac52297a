// SPDX-License-Identifier: MIT
#include "etcdclient.h"

#include "etcderror.h"
#include "stores/plainpassword.h"

#include <QtCore/QJsonDocument>

#include <algorithm>
#include <utility>

namespace lockscope::detail {

namespace {

constexpr qsizetype kMaxAnswer = qsizetype(64) * 1024 * 1024;
constexpr std::size_t kMaxIdle = 16;
/// How often a call asks each member, where none answers.
constexpr int kRounds = 2;
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

/// Of a socket that cannot be reached libcurl names a host and a port, which are not there.
QString failureText(const EtcdConfig &config, CURLcode code, const EtcdTransfer &transfer)
{
    const bool isNoSocket = code == CURLE_COULDNT_CONNECT && !config.server.sockets.isEmpty();
    const QString text = isNoSocket ? transfer.systemErrorText() : QString();
    return text.isEmpty() ? transfer.errorText() : text;
}

/// Why there is no answer.
LockError transferError(const EtcdConfig &config, CURLcode code, const EtcdTransfer &transfer,
                        const QByteArray &operation)
{
    const QString text = failureText(config, code, transfer);
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

/// Of a server on this machine, unless plain text was agreed to.
std::optional<LockError> refusePassword(const EtcdConfig &config)
{
    const EtcdUrl &url = config.server;
    const QString store = QStringLiteral("etcd");
    if (config.password.isEmpty() || url.usesTls() || url.tls == EtcdUrl::Tls::Off)
        return std::nullopt;
    for (const QString &socket : url.sockets) {
        QString trusted = socket;
        if (auto refused = refuseSocket(&trusted, store))
            return refused;
        if (trusted != socket) // libcurl would follow its links again
            return placeError(
                QStringLiteral("The path of etcd's socket, %1, has links, which may lead elsewhere a moment "
                               "later: nothing was sent. Write it without: %2.")
                    .arg(socket, trusted));
    }
    if (!url.sockets.isEmpty())
        return std::nullopt;
    return refusePlainPassword(url.hosts, store,
                               QStringLiteral("Use its Unix socket, name the authority that signed its certificate "
                                              "(ssl-ca), or run it as root, as a system account or as this user."));
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
    , m_wholeTime(m_config.connectTimeout + m_config.answerTimeout)
    , m_patience(m_wholeTime / std::max(m_members, 1))
{
}

EtcdClient::~EtcdClient() = default;

/// Those that run late ones are run on before others.
std::unique_ptr<EtcdAttempts> EtcdClient::takeAttempts()
{
    const std::lock_guard lock(m_mutex);
    if (m_idle.empty())
        return std::make_unique<EtcdAttempts>();
    auto found = std::find_if(m_idle.begin(), m_idle.end(), [](const auto &idle) { return idle->hasLate(); });
    if (found == m_idle.end())
        found = std::prev(m_idle.end());
    auto attempts = std::move(*found);
    m_idle.erase(found);
    return attempts;
}

void EtcdClient::giveBack(std::unique_ptr<EtcdAttempts> attempts)
{
    const std::lock_guard lock(m_mutex);
    if (m_idle.size() < kMaxIdle)
        m_idle.push_back(std::move(attempts));
}

std::unique_ptr<EtcdAttempt> EtcdClient::newAttempt(int member, const Request &request, const QByteArray &token) const
{
    auto attempt = std::make_unique<EtcdAttempt>();
    attempt->member = member;
    attempt->sentAt = LeaseClock::now();
    const auto take = [text = &attempt->answer](const QByteArray &part) {
        *text += part;
        return text->size() <= kMaxAnswer;
    };
    attempt->transfer.prepare(m_config, member, request.path, request.body, token, request.kind, take);
    return attempt;
}

EtcdReply EtcdClient::replyOf(const EtcdAttempt &attempt, const Request &request) const
{
    const QByteArray operation = "etcd/" + request.path;
    const EtcdTransfer &transfer = attempt.transfer;
    const bool mayBeDone = request.kind == EtcdTransfer::Kind::Change && transfer.isSent();
    const auto without = [&](LockError error) { // an answer of etcd's own
        if (mayBeDone && error.kind == LockError::Kind::Unavailable)
            error.kind = LockError::Kind::ConnectionLost;
        return EtcdReply{{}, error};
    };
    if (*attempt.code != CURLE_OK)
        return without(transferError(m_config, *attempt.code, transfer, operation));
    const long status = transfer.status();
    QJsonObject answer = QJsonDocument::fromJson(attempt.answer).object();
    if (const auto told = status != kOk ? toldError(answer, operation) : std::nullopt)
        return {{}, *told};
    if (status != kOk)
        return without(statusError(m_config, status, attempt.answer, operation));
    // A stream's messages are wrapped.
    const QJsonObject wrong = answer[QStringLiteral("error")].toObject();
    if (const auto told = toldError(wrong, operation))
        return {{}, *told};
    if (answer.contains(QStringLiteral("result")))
        answer = answer[QStringLiteral("result")].toObject();
    if (!answer.contains(QStringLiteral("header")))
        return without(notEtcd(m_config));
    return {answer, {}, attempt.sentAt};
}

/// When another member is asked although the ones that were asked may still answer. A leader that fell silent keeps
/// others waiting for it, too, until there is a new one: so each is asked once more.
EtcdAttempts::Clock::time_point EtcdClient::nextStart(const Request &request, int asked,
                                                      EtcdAttempts::Clock::time_point began,
                                                      EtcdAttempts::Clock::time_point latest) const
{
    const auto never = EtcdAttempts::Clock::time_point::max();
    if (request.kind == EtcdTransfer::Kind::Change || m_members == 1 || asked >= kRounds * m_members)
        return never;
    const auto next = began + m_patience.load();
    return next < latest ? next : never;
}

/// One that an earlier call still waits for over the same connections is not asked first.
int EtcdClient::firstFor(const EtcdAttempts &attempts) const
{
    const int member = m_member;
    for (int i = 0; i < m_members; ++i) {
        if (!attempts.isLate((member + i) % m_members))
            return (member + i) % m_members;
    }
    return member;
}

/// Whoever has said nothing for so long that all members had their turn, while another one answered, is silent; who
/// was asked for a shorter time may only be slow.
void EtcdClient::judgeLate(const EtcdAttempts &attempts)
{
    const auto turns = m_patience.load() * std::max(m_members - 1, 2);
    for (const int member : attempts.membersSilentSince(LeaseClock::now() - turns))
        avoid(member);
}

EtcdReply EtcdClient::callAny(const Request &request, const QByteArray &token)
{
    auto attempts = takeAttempts();
    EtcdReply reply = callOver(*attempts, request, token);
    attempts->leave();
    judgeLate(*attempts);
    giveBack(std::move(attempts));
    return reply;
}

/// What may have been carried out is not sent to another one, unless that does no harm.
EtcdReply EtcdClient::callOver(EtcdAttempts &attempts, const Request &request, const QByteArray &token)
{
    using Clock = EtcdAttempts::Clock;
    const int first = firstFor(attempts);
    const auto latest = Clock::now() + m_wholeTime;
    int asked = 0;
    Clock::time_point began;
    const auto askNext = [&] {
        began = Clock::now();
        attempts.begin(newAttempt((first + asked) % m_members, request, token));
        ++asked;
    };
    askNext();
    EtcdReply reply;
    while (attempts.areRunning()) {
        const auto ended = attempts.next(nextStart(request, asked, began, latest));
        if (!ended) {
            askNext();
            continue;
        }
        if (ended->isLate) {
            if (*ended->code != CURLE_OK)
                avoid(ended->member);
            continue;
        }
        reply = replyOf(*ended, request);
        if (!reply.error || !isEtcdAway(*reply.error))
            return reply;
        avoid(ended->member);
        if (request.kind == EtcdTransfer::Kind::Change && isEtcdLost(*reply.error))
            return reply;
        if (asked < m_members)
            askNext();
    }
    return reply;
}

void EtcdClient::hurry(std::chrono::milliseconds ttl)
{
    if (m_members == 1)
        return;
    const auto patience = ttl / 3 / (m_members - 1);
    auto known = m_patience.load();
    while (patience < known && !m_patience.compare_exchange_weak(known, patience)) { }
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
    if (auto refused = refusePassword(m_config))
        return refused;
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
    auto refused = signIn(&way->token);
    way->member = m_member; // which that may have changed
    return refused;
}

void EtcdClient::avoid(int member)
{
    if (m_member.compare_exchange_strong(member, (member + 1) % m_members) && m_onMoved)
        m_onMoved();
}

void EtcdClient::forgetSignIn()
{
    const std::lock_guard lock(m_mutex);
    m_token.clear();
}

} // namespace lockscope::detail
