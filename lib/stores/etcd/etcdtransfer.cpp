// SPDX-License-Identifier: MIT
#include "etcdtransfer.h"

#include "stores/storenote.h"

#include <QtCore/QFile>

#include <algorithm>
#include <mutex>
#include <utility>

namespace lockscope::detail {

namespace {

/// libcurl's own beginning, once; it has no end here, as others in the process may use it.
CURL *newHandle()
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    CURL *const handle = curl_easy_init();
    if (!handle)
        qFatal("libcurl has no memory.");
    return handle;
}

QByteArray urlOf(const EtcdUrl &server, int member, const QByteArray &path)
{
    const QByteArray scheme = server.usesTls() ? "https://" : "http://";
    if (!server.sockets.isEmpty())
        return scheme + "localhost/v3/" + path;
    const EtcdUrl::Host &host = server.hosts[member];
    const QByteArray name = host.name.contains(u':') ? '[' + host.name.toLatin1() + ']' : host.name.toUtf8();
    return scheme + name + ':' + QByteArray::number(host.port) + "/v3/" + path;
}

} // namespace

int EtcdTransfer::memberCount(const EtcdUrl &server)
{
    return int(server.sockets.isEmpty() ? server.hosts.size() : server.sockets.size());
}

EtcdTransfer::EtcdTransfer()
    : m_handle(newHandle(), curl_easy_cleanup)
    , m_headers(nullptr, curl_slist_free_all)
{
}

EtcdTransfer::~EtcdTransfer() = default;

void EtcdTransfer::prepare(const EtcdConfig &config, int member, const QByteArray &path, const QJsonObject &body,
                           const QByteArray &token, Kind kind, Take take)
{
    CURL *const handle = m_handle.get();
    m_take = std::move(take);
    curl_slist *headers = curl_slist_append(nullptr, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Expect:");
    // A member without a leader says so at once.
    headers = curl_slist_append(headers, "Grpc-Metadata-hasleader: true");
    if (!token.isEmpty())
        headers = curl_slist_append(headers, ("Authorization: " + token).constData());
    m_headers.reset(headers);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &EtcdTransfer::takePart);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, m_errorText);
    setBody(body, kind);
    setPlace(config, member, path);
    setTls(config.server);
    setTimes(config, kind);
}

/// libcurl sends by itself once more what it sent over a connection that it had from before and that broke without an
/// answer, although it may have been carried out; but not what it cannot take from its beginning.
void EtcdTransfer::setBody(const QJsonObject &body, Kind kind)
{
    CURL *const handle = m_handle.get();
    m_body = compactJson(body);
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, long(m_body.size()));
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, &EtcdTransfer::giveBody);
    curl_easy_setopt(handle, CURLOPT_READDATA, this);
    if (kind == Kind::Change)
        return;
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, &EtcdTransfer::rewindBody);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, this);
}

/// Nothing but this place: no proxy of the environment's, no redirection.
void EtcdTransfer::setPlace(const EtcdConfig &config, int member, const QByteArray &path)
{
    CURL *const handle = m_handle.get();
    curl_easy_setopt(handle, CURLOPT_URL, urlOf(config.server, member, path).constData());
    if (!config.server.sockets.isEmpty()) {
        curl_easy_setopt(handle, CURLOPT_UNIX_SOCKET_PATH,
                         QFile::encodeName(config.server.sockets[member]).constData());
    }
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, config.server.usesTls() ? "https" : "http");
}

void EtcdTransfer::setTls(const EtcdUrl &server)
{
    CURL *const handle = m_handle.get();
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    const auto setFile = [handle](CURLoption option, const QString &path) {
        if (!path.isEmpty())
            curl_easy_setopt(handle, option, QFile::encodeName(path).constData());
    };
    setFile(CURLOPT_CAINFO, server.caFile);
    setFile(CURLOPT_SSLCERT, server.certFile);
    setFile(CURLOPT_SSLKEY, server.keyFile);
    if (!server.caFile.isEmpty())
        curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr); // this authority, and no other
}

/// Also for what asks for a name's address: nobody waits for the thread in which the system does that, which ends by
/// itself. Before 7.87 libcurl knows no such thing.
void EtcdTransfer::setTimes(const EtcdConfig &config, Kind kind)
{
    CURL *const handle = m_handle.get();
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, long(config.connectTimeout.count()));
    if (kind == Kind::Stream)
        curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
    else
        curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, long((config.connectTimeout + config.answerTimeout).count()));
}

long EtcdTransfer::status() const
{
    long status = 0;
    curl_easy_getinfo(m_handle.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
}

QString EtcdTransfer::errorText() const
{
    return QString::fromLocal8Bit(m_errorText);
}

QString EtcdTransfer::systemErrorText() const
{
    long number = 0;
    curl_easy_getinfo(m_handle.get(), CURLINFO_OS_ERRNO, &number);
    return number != 0 ? qt_error_string(int(number)) : QString();
}

size_t EtcdTransfer::giveBody(char *data, size_t size, size_t count, void *self)
{
    auto *const transfer = static_cast<EtcdTransfer *>(self);
    const QByteArray part = transfer->m_body.mid(transfer->m_given, qsizetype(size) * qsizetype(count));
    std::copy(part.begin(), part.end(), data);
    transfer->m_given += part.size();
    transfer->m_isSent = true; // libcurl takes it once there is a connection
    return size_t(part.size());
}

int EtcdTransfer::rewindBody(void *self, curl_off_t offset, int /*origin*/)
{
    static_cast<EtcdTransfer *>(self)->m_given = qsizetype(offset);
    return CURL_SEEKFUNC_OK;
}

size_t EtcdTransfer::takePart(char *data, size_t size, size_t count, void *self)
{
    const auto *const transfer = static_cast<EtcdTransfer *>(self);
    return transfer->m_take(QByteArray(data, qsizetype(size * count))) ? size * count : 0;
}

} // namespace lockscope::detail
