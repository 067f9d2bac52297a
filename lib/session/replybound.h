// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <chrono>
#include <optional>

namespace lockscope {

/// Bounds what a server may send to this thread while this is there, in bytes and in time: the client library keeps an
/// answer whole before it gives it away, so one without an end would take all memory, and one that comes byte by byte
/// would take for ever. What goes beyond has its connection cut. Works with MariaDB's client library, which tells what
/// it reads; with another one nothing is bounded.
class ReplyBound
{
public:
    /// `time`: none: no bound.
    ReplyBound(qint64 bytes, std::optional<std::chrono::milliseconds> time);
    ~ReplyBound();
    ReplyBound(const ReplyBound &) = delete;
    ReplyBound &operator=(const ReplyBound &) = delete;

    /// Cuts the connection that was last read from, as if it had sent too much.
    void cut();
    bool isExceeded() const { return m_isExceeded; }

private:
    struct Library;

    static void onRead(int mode, void *connection, const unsigned char *bytes, std::size_t count);
    static Library &library();

    using Clock = std::chrono::steady_clock;

    void *m_connection = nullptr; ///< of the client library
    qint64 m_left;
    std::optional<Clock::time_point> m_end;
    bool m_isExceeded = false;
    ReplyBound *m_outer; ///< of this thread
};

} // namespace lockscope
