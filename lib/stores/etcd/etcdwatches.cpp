// SPDX-License-Identifier: MIT
#include "etcdwatches.h"

#include "etcderror.h"

#include <QtCore/QJsonDocument>

#include <algorithm>
#include <utility>

namespace lockscope::detail {

namespace {

/// Nothing is looked at so often: whoever wants something wakes the thread.
constexpr int kIdleMilliseconds = 60'000;
/// A message is longer only if somebody wants to do harm.
constexpr qsizetype kMaxMessage = qsizetype(4) * 1024 * 1024;

} // namespace

struct EtcdWatches::Stream
{
    bool take(const QByteArray &part);
    void takeMessage(const QByteArray &text);
    void tell();

    QJsonObject create;
    EtcdClient::Way way;
    EtcdTransfer transfer;
    QByteArray buffer; ///< of a message that is not complete
    std::atomic<bool> isOpen = false;
    std::atomic<bool> isOver = false;
    std::atomic<bool> hasNews = false;
    std::atomic<bool> isSignInOver = false;
    bool isGiven = false; ///< to the thread, once
    std::mutex mutex;     // held while it is told
    std::function<void()> onChanged;
};

/// Messages end with a line.
bool EtcdWatches::Stream::take(const QByteArray &part)
{
    buffer += part;
    for (qsizetype end = 0; (end = buffer.indexOf('\n')) >= 0;) {
        takeMessage(buffer.left(end));
        buffer.remove(0, end + 1);
    }
    return !isOver && buffer.size() <= kMaxMessage;
}

void EtcdWatches::Stream::takeMessage(const QByteArray &text)
{
    if (text.trimmed().isEmpty())
        return;
    const QJsonObject message = QJsonDocument::fromJson(text).object();
    const QJsonObject result = message[QStringLiteral("result")].toObject();
    const bool isCancelled = result.isEmpty() || result[QStringLiteral("canceled")].toBool();
    if (isCancelled) {
        const QString why = result[QStringLiteral("cancel_reason")].toString() + QString::fromUtf8(text);
        // So it says of a session that is over, too.
        isSignInOver =
            why.contains(QLatin1String("permission denied")) || detail::isSignInOver(etcdError(0, why, "etcd/watch"));
        isOver = true;
    } else {
        isOpen = isOpen || result[QStringLiteral("created")].toBool();
        hasNews = hasNews || !result[QStringLiteral("events")].toArray().isEmpty();
    }
    tell();
}

void EtcdWatches::Stream::tell()
{
    const std::lock_guard lock(mutex);
    if (onChanged)
        onChanged();
}

EtcdWatches::Watch::Watch(std::shared_ptr<Stream> stream, EtcdWatches &watches)
    : m_stream(std::move(stream))
    , m_watches(watches)
{
}

EtcdWatches::Watch::~Watch()
{
    {
        const std::lock_guard lock(m_stream->mutex);
        m_stream->onChanged = nullptr;
    }
    if (!m_stream->isGiven)
        return; // there may be no thread that would let go of it
    const std::lock_guard lock(m_watches.m_mutex);
    m_watches.m_ended.push_back(m_stream);
    curl_multi_wakeup(m_watches.m_multi.get());
}

bool EtcdWatches::Watch::isOpen() const
{
    return m_stream->isOpen;
}

bool EtcdWatches::Watch::isOver() const
{
    return m_stream->isOver;
}

bool EtcdWatches::Watch::hasNews() const
{
    return m_stream->hasNews;
}

bool EtcdWatches::Watch::takeNews()
{
    return m_stream->hasNews.exchange(false);
}

EtcdWatches::EtcdWatches(EtcdClient &client)
    : m_client(client)
    , m_multi(curl_multi_init(), curl_multi_cleanup)
{
    m_client.setOnMoved([multi = m_multi.get()] { curl_multi_wakeup(multi); });
}

EtcdWatches::~EtcdWatches()
{
    stop();
    m_client.setOnMoved({});
}

std::unique_ptr<EtcdWatches::Watch> EtcdWatches::open(const QJsonObject &create, std::function<void()> onChanged)
{
    auto stream = std::make_shared<Stream>();
    stream->create = create;
    stream->onChanged = std::move(onChanged);
    stream->isOver = m_client.way(&stream->way).has_value();
    const std::lock_guard lock(m_mutex);
    if (m_isEnding || stream->isOver) {
        stream->isOver = true;
        return std::make_unique<Watch>(stream, *this);
    }
    if (!m_thread.joinable())
        m_thread = std::thread([this] { work(); });
    stream->isGiven = true;
    m_new.push_back(stream);
    curl_multi_wakeup(m_multi.get());
    return std::make_unique<Watch>(stream, *this);
}

void EtcdWatches::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        curl_multi_wakeup(m_multi.get());
    }
    if (m_thread.joinable())
        m_thread.join();
}

void EtcdWatches::work()
{
    for (;;) {
        carryOut();
        {
            const std::lock_guard lock(m_mutex);
            if (m_isEnding)
                break;
        }
        leaveMembers();
        int running = 0;
        curl_multi_perform(m_multi.get(), &running);
        readMessages();
        curl_multi_poll(m_multi.get(), nullptr, 0, kIdleMilliseconds, nullptr);
    }
    while (!m_running.empty()) {
        const auto stream = m_running.back();
        close(stream);
        stream->tell();
    }
}

void EtcdWatches::carryOut()
{
    std::vector<std::shared_ptr<Stream>> fresh;
    std::vector<std::shared_ptr<Stream>> ended;
    {
        const std::lock_guard lock(m_mutex);
        fresh.swap(m_new);
        ended.swap(m_ended);
    }
    for (const auto &stream : fresh)
        begin(stream);
    for (const auto &stream : ended)
        close(stream);
}

void EtcdWatches::begin(const std::shared_ptr<Stream> &stream)
{
    Stream *const self = stream.get();
    stream->transfer.prepare(m_client.config(), stream->way.member, "watch",
                             {{QStringLiteral("create_request"), stream->create}}, stream->way.token,
                             EtcdTransfer::Kind::Stream, [self](const QByteArray &part) { return self->take(part); });
    m_running.push_back(stream);
    curl_multi_add_handle(m_multi.get(), stream->transfer.handle());
}

/// Also one that is closed already.
void EtcdWatches::close(const std::shared_ptr<Stream> &stream)
{
    const auto found = std::find(m_running.begin(), m_running.end(), stream);
    if (found == m_running.end())
        return;
    curl_multi_remove_handle(m_multi.get(), stream->transfer.handle());
    stream->isOver = true;
    m_running.erase(found);
}

/// Also one that was to begin when another member came to be asked.
void EtcdWatches::leaveMembers()
{
    const auto isLeft = [this](const auto &stream) { return stream->way.member != m_client.member(); };
    for (;;) {
        const auto found = std::find_if(m_running.begin(), m_running.end(), isLeft);
        if (found == m_running.end())
            return;
        const auto stream = *found;
        close(stream);
        stream->tell();
    }
}

/// Streams that have ended by themselves.
void EtcdWatches::readMessages()
{
    int left = 0;
    while (const CURLMsg *const message = curl_multi_info_read(m_multi.get(), &left)) {
        const auto found = std::find_if(m_running.begin(), m_running.end(), [message](const auto &stream) {
            return stream->transfer.handle() == message->easy_handle;
        });
        if (found == m_running.end())
            continue;
        const auto stream = *found;
        if (message->data.result != CURLE_OK && !stream->isOver)
            m_client.avoid(stream->way.member);
        if (stream->isSignInOver)
            m_client.forgetSignIn();
        close(stream);
        stream->tell();
    }
}

} // namespace lockscope::detail
