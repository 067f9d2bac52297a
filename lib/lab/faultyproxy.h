// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lockscope {

/// A network that can fail: listens on a Unix socket, or on a TCP port of this machine, and forwards to either. Serves
/// runs and tests.
/// Thread: any; the forwarding has one of its own.
class FaultyProxy
{
public:
    enum class State {
        Open,    ///< forwards
        Slow,    ///< forwards each piece `Delay` late
        Stalled, ///< keeps every connection and forwards nothing; new ones connect and get no answer
        Forgets, ///< as a firewall does: what is connected stays so and hears nothing any more; new ones are forwarded
        Reset,   ///< closes every connection once, then forwards
        Cut      ///< closes every connection and refuses new ones
    };

    /// Of State::Slow, in each direction.
    static constexpr auto Delay = std::chrono::milliseconds(100);

    /// Sees each piece before it is forwarded, and may send; false closes the connection. Thread: the forwarding one.
    using Inspect = std::function<bool(const QByteArray &piece, int from, int to)>;

    /// Targets are paths, or `127.0.0.1:` with a port.
    FaultyProxy(const QString &listenPath, const QString &target, Inspect inspect = {});
    /// On 127.0.0.1, at a port that is free.
    explicit FaultyProxy(const QString &target);
    ~FaultyProxy();
    FaultyProxy(const FaultyProxy &) = delete;
    FaultyProxy &operator=(const FaultyProxy &) = delete;

    /// Is that the address of a port, and not a path?
    static bool isPort(const QString &address);

    /// False when nothing could listen there: the path is too long, or something is there, perhaps since a cut.
    bool isListening() const { return m_isListening; }
    /// 0 on a Unix socket.
    int port() const { return m_port; }
    /// How many connections have been asked for.
    int accepted() const { return m_accepted; }
    /// Returns once it is in that state, and has tried to listen if it did not and should. After Stalled, Slow or Cut,
    /// `Open` goes on with the connections that are left.
    void setState(State state);

    /// All of it; false: the other side has gone.
    static bool send(int to, const QByteArray &bytes);

private:
    using Clock = std::chrono::steady_clock;

    struct Pair
    {
        int client = -1;
        int server = -1;
    };
    /// On its way.
    struct Piece
    {
        Clock::time_point due;
        int to = -1;
        QByteArray bytes;
    };

    void run();
    void listen();
    bool bindTo(int socket);
    void stopListening();
    void apply(State state);
    void serve();
    void accept();
    void close(Pair &pair);
    void closeAll();
    bool forward(int from, int to);
    void deliver();
    int untilNextPiece() const;
    void wakeUp() const;

    const QByteArray m_listenPath; ///< empty: TCP
    const QByteArray m_target;
    const Inspect m_inspect;
    int m_port = 0;
    std::atomic<bool> m_isListening = false;
    std::atomic<int> m_accepted = 0;
    int m_wake = -1;    // eventfd: the state has changed
    std::mutex m_mutex; // protects the six below
    std::condition_variable m_applied;
    State m_wanted = State::Open;
    int m_asked = 0; // how many times for a state
    int m_done = 0;  // up to which of them
    State m_now = State::Open;
    bool m_ends = false;
    // Of the forwarding thread.
    int m_listener = -1;
    std::vector<Pair> m_pairs;
    std::vector<Pair> m_forgotten; // kept open until they are closed
    std::deque<Piece> m_pieces;    // by time: all are equally late
    std::thread m_thread;          // last: it uses the rest
};

} // namespace lockscope
