// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/etcdstore.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>

#include <functional>
#include <memory>

#include <curl/curl.h>

namespace lockscope::detail {

/// One request to a member's JSON gateway: a handle of libcurl's for one of its multi handles. Thread: one at a time.
class EtcdTransfer
{
public:
    enum class Kind {
        Question, ///< over within the configuration's times; may be sent again where a connection breaks
        Change,   ///< the same, but it is sent once
        Stream    ///< without an end
    };
    /// Takes a part of the answer; false breaks off.
    using Take = std::function<bool(QByteArray part)>;

    /// Of those that a URL names, sockets or hosts.
    static int memberCount(const EtcdUrl &server);

    EtcdTransfer();
    ~EtcdTransfer();
    EtcdTransfer(const EtcdTransfer &) = delete;
    EtcdTransfer &operator=(const EtcdTransfer &) = delete;

    /// Sets all for "/v3/<path>", once. `token` of a user's session, or empty.
    void prepare(const EtcdConfig &config, int member, const QByteArray &path, const QJsonObject &body,
                 const QByteArray &token, Kind kind, Take take);
    CURL *handle() const { return m_handle.get(); }
    long status() const;
    /// False: the server cannot have got it.
    bool isSent() const { return m_isSent; }
    /// What libcurl says of its failure, and what the system said of the connection that did not come (or empty).
    QString errorText() const;
    QString systemErrorText() const;

private:
    void setPlace(const EtcdConfig &config, int member, const QByteArray &path);
    void setTls(const EtcdUrl &server);
    void setBody(const QJsonObject &body, Kind kind);
    void setTimes(const EtcdConfig &config, Kind kind);
    static size_t giveBody(char *data, size_t size, size_t count, void *self);
    static int rewindBody(void *self, curl_off_t offset, int origin);
    static size_t takePart(char *data, size_t size, size_t count, void *self);

    const std::unique_ptr<CURL, void (*)(CURL *)> m_handle;
    std::unique_ptr<curl_slist, void (*)(curl_slist *)> m_headers;
    QByteArray m_body;
    qsizetype m_given = 0; ///< of it, to libcurl
    bool m_isSent = false;
    Take m_take;
    char m_errorText[CURL_ERROR_SIZE] = {};
};

} // namespace lockscope::detail
