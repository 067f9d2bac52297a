// SPDX-License-Identifier: MIT
#include "place.h"
#include "stores/etcd/etcdnames.h"
#include "stores/nodes/etcdnode.h"

#include <curl/curl.h>

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

qint64 number(const QJsonValue &value)
{
    return value.toString().toLongLong();
}

/// libcurl to the gateway of one member.
class Client
{
public:
    explicit Client(const EtcdUrl &server)
        : m_socket(QFile::encodeName(server.sockets.first()))
        , m_handle(curl_easy_init(), curl_easy_cleanup)
        , m_headers(curl_slist_append(curl_slist_append(nullptr, "Content-Type: application/json"), "Expect:"),
                    curl_slist_free_all)
    {
    }

    QJsonObject call(const QByteArray &path, const QJsonObject &body)
    {
        QByteArray text;
        take(path, body, [&text](const QByteArray &part) {
            text += part;
            return true;
        });
        const QJsonObject answer = QJsonDocument::fromJson(text).object();
        if (answer.contains("error"_L1))
            qFatal("etcd: %s", text.constData());
        return answer;
    }
    /// Of a stream, until `isEnough` says so of all that came.
    void listen(const QByteArray &path, const QJsonObject &body,
                const std::function<bool(const QByteArray &)> &isEnough)
    {
        QByteArray text;
        take(path, body, [&](const QByteArray &part) {
            text += part;
            return !isEnough(text);
        });
    }

private:
    using Take = std::function<bool(const QByteArray &)>;

    void take(const QByteArray &path, const QJsonObject &body, const Take &take)
    {
        CURL *const handle = m_handle.get();
        const QByteArray url = "http://localhost/v3/" + path;
        const QByteArray text = QJsonDocument(body).toJson(QJsonDocument::Compact);
        const auto onPart = +[](char *data, size_t size, size_t count, void *to) -> size_t {
            return (*static_cast<const Take *>(to))(QByteArray(data, qsizetype(size * count))) ? size * count : 0;
        };
        curl_easy_setopt(handle, CURLOPT_URL, url.constData());
        curl_easy_setopt(handle, CURLOPT_UNIX_SOCKET_PATH, m_socket.constData());
        curl_easy_setopt(handle, CURLOPT_HTTPHEADER, m_headers.get());
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, long(text.size()));
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, text.constData());
        curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, onPart);
        curl_easy_setopt(handle, CURLOPT_WRITEDATA, &take);
        const CURLcode code = curl_easy_perform(handle);
        if (code != CURLE_OK && code != CURLE_WRITE_ERROR)
            qFatal("etcd: %s", curl_easy_strerror(code));
    }

    const QByteArray m_socket;
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> m_handle;
    const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> m_headers;
};

/// The names of Go's package concurrency: a key that goes with a lease, and a watch on the key before.
class EtcdBareLock : public BareLock
{
public:
    EtcdBareLock(const EtcdUrl &server, const QByteArray &resource)
        : m_prefix(detail::queuePrefix(server, resource))
        , m_client(server)
        , m_watch(server)
        , m_lease(number(m_client.call("lease/grant", {{u"TTL"_s, u"3600"_s}})["ID"_L1]))
        , m_key(detail::requestKey(server, resource, m_lease))
    {
    }

    void take() override
    {
        QJsonObject first = detail::rangeOf(m_prefix, detail::endOfPrefix(m_prefix));
        first[u"sort_order"_s] = u"ASCEND"_s;
        first[u"sort_target"_s] = u"CREATE"_s;
        first[u"limit"_s] = u"1"_s;
        first[u"keys_only"_s] = true;
        const QJsonObject joined = m_client.call(
            "kv/txn",
            {{u"compare"_s, QJsonArray{detail::compareCreated(m_key, 0)}},
             {u"success"_s, QJsonArray{detail::putOp(m_key, OwnerText, m_lease), detail::readOp(first)}}});
        if (!joined["succeeded"_L1].toBool())
            qFatal("The bare lock's key was there.");
        m_token = number(joined["header"_L1].toObject()["revision"_L1]);
        if (detail::keysRead(joined, 1).value(0).created == m_token)
            return;
        for (detail::EtcdKey before = previous(); !before.key.isEmpty(); before = previous())
            waitFor(before);
    }
    void give() override
    {
        const QJsonObject done = m_client.call("kv/txn",
                                               {{u"compare"_s, QJsonArray{detail::compareCreated(m_key, m_token)}},
                                                {u"success"_s, QJsonArray{detail::deleteOp(m_key)}}});
        if (!done["succeeded"_L1].toBool())
            qFatal("The bare lock could not release its key.");
    }

private:
    /// The nearest one before.
    detail::EtcdKey previous()
    {
        QJsonObject range = detail::rangeOf(m_prefix, detail::endOfPrefix(m_prefix));
        range[u"sort_order"_s] = u"DESCEND"_s;
        range[u"sort_target"_s] = u"CREATE"_s;
        range[u"limit"_s] = u"1"_s;
        range[u"max_create_revision"_s] = QString::number(m_token - 1);
        range[u"keys_only"_s] = true;
        return detail::keysIn(m_client.call("kv/range", range)).value(0);
    }
    /// Watches it, and looks again once the watch is there.
    void waitFor(const detail::EtcdKey &key)
    {
        QJsonObject create = detail::rangeOf(key.key);
        create[u"filters"_s] = QJsonArray{u"NOPUT"_s};
        bool isOpen = false;
        m_watch.listen("watch", {{u"create_request"_s, create}}, [&](const QByteArray &text) {
            if (!isOpen && text.contains("\"created\":true")) {
                isOpen = true;
                QJsonObject range = detail::rangeOf(key.key);
                range[u"keys_only"_s] = true;
                const auto now = detail::keysIn(m_client.call("kv/range", range)).value(0);
                if (now.created != key.created)
                    return true;
            }
            return text.contains("DELETE");
        });
    }

    const QByteArray m_prefix;
    Client m_client;
    Client m_watch;
    const qint64 m_lease;
    const QByteArray m_key;
    qint64 m_token = 0;
};

class EtcdPlace : public Place
{
public:
    EtcdPlace()
    {
        if (const auto error = m_node.start())
            qFatal("%ls", qUtf16Printable(error->toString()));
        m_control = std::make_unique<Client>(m_node.url());
    }

    QString name() const override { return u"etcd"_s; }
    EngineConfig engineConfig() override
    {
        EtcdConfig config;
        config.server = m_node.url();
        EngineConfig engine;
        engine.store = std::make_shared<EtcdStore>(config);
        return engine;
    }
    std::unique_ptr<BareLock> bareLock(const QByteArray &resource) override
    {
        return std::make_unique<EtcdBareLock>(m_node.url(), resource);
    }
    int requests(const QByteArray &resource) override
    {
        const QByteArray prefix = detail::queuePrefix(m_node.url(), resource);
        QJsonObject range = detail::rangeOf(prefix, detail::endOfPrefix(prefix));
        range[u"count_only"_s] = true;
        return int(number(m_control->call("kv/range", range)["count"_L1]));
    }

    Peers peers() override { return startedPeers({etcd3Peer(), pythonEtcd3Peer()}, m_node.url().sockets.first()); }

private:
    EtcdNode m_node;
    std::unique_ptr<Client> m_control;
};

} // namespace

std::unique_ptr<Place> etcdPlace()
{
    return std::make_unique<EtcdPlace>();
}

} // namespace lockscope::bench
