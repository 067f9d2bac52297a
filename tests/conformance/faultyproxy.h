#pragma once

#include <QtCore/QString>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace lockscope::test {

/// A network that can fail: listens on a Unix socket and forwards to another.
/// Thread: the one that made it; the forwarding has one of its own.
class FaultyProxy
{
public:
    enum class State {
        Open,    ///< forwards
        Stalled, ///< keeps every connection and forwards nothing; new ones connect and get no answer
        Reset,   ///< closes every connection once, then forwards
        Cut      ///< closes every connection and refuses new ones
    };

    FaultyProxy(const QString &listenPath, const QString &targetPath);
    ~FaultyProxy();
    FaultyProxy(const FaultyProxy &) = delete;
    FaultyProxy &operator=(const FaultyProxy &) = delete;

    /// Returns when it is so. Stalled or cut before, `Open` goes on with the connections that are left.
    void setState(State state);

private:
    struct Pair
    {
        int client = -1;
        int server = -1;
    };

    void run();
    void listen();
    void stopListening();
    void apply(State state);
    void serve();
    void accept();
    void closeAll();
    static bool forward(int from, int to);
    void wakeUp() const;

    const QByteArray m_listenPath;
    const QByteArray m_targetPath;
    int m_wake = -1;    // eventfd: the state has changed
    std::mutex m_mutex; // protects the four below
    std::condition_variable m_applied;
    State m_wanted = State::Open;
    State m_now = State::Open;
    bool m_ends = false;
    // Of the forwarding thread.
    int m_listener = -1;
    std::vector<Pair> m_pairs;
    std::thread m_thread; // last: it uses the rest
};

} // namespace lockscope::test
