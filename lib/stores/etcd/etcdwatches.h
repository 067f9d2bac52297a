// SPDX-License-Identifier: MIT
#pragma once

#include "etcdclient.h"

#include <thread>

namespace lockscope::detail {

/// Streams in which etcd tells what becomes of keys; a thread of its own runs them all. Thread: any.
class EtcdWatches
{
    struct Stream;

public:
    /// Begins when it is made; ends with the object. It is over, too, when the client asks another member: this one was
    /// silent, and what it does not tell would be waited for in vain.
    class Watch
    {
    public:
        explicit Watch(std::shared_ptr<Stream> stream, EtcdWatches &watches);
        ~Watch();
        Watch(const Watch &) = delete;
        Watch &operator=(const Watch &) = delete;

        /// The server watches: what happens from now on is told.
        bool isOpen() const;
        /// Nothing is told any more.
        bool isOver() const;
        /// Something happened since the last time that this was asked.
        bool takeNews();
        bool hasNews() const;

    private:
        const std::shared_ptr<Stream> m_stream;
        EtcdWatches &m_watches;
    };

    explicit EtcdWatches(EtcdClient &client);
    ~EtcdWatches();
    EtcdWatches(const EtcdWatches &) = delete;
    EtcdWatches &operator=(const EtcdWatches &) = delete;

    /// `create`: etcd's create_request. `onChanged` is called in the thread of this object, which it must not keep, and
    /// not after the watch's end.
    std::unique_ptr<Watch> open(const QJsonObject &create, std::function<void()> onChanged);
    /// Ends all; those that are still there are over.
    void stop();

private:
    void work();
    void carryOut();
    void begin(const std::shared_ptr<Stream> &stream);
    void close(const std::shared_ptr<Stream> &stream);
    void leaveMembers();
    void readMessages();

    EtcdClient &m_client;
    const std::unique_ptr<CURLM, CURLMcode (*)(CURLM *)> m_multi;
    std::thread m_thread;
    std::mutex m_mutex; // protects what follows
    bool m_isEnding = false;
    std::vector<std::shared_ptr<Stream>> m_new;
    std::vector<std::shared_ptr<Stream>> m_ended;
    std::vector<std::shared_ptr<Stream>> m_running; ///< of the thread alone
};

} // namespace lockscope::detail
