// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <chrono>
#include <optional>

namespace lockscope {

/// Bounds what a server may send to this thread while this is there, in bytes and in time: the client library keeps an
/// answer whole before it gives it away, so one without an end would take all memory, and one that comes byte by byte
/// would take for ever. What goes beyond has its connection cut. Works with MariaDB's client library, which tells what
/// it reads; with another one nothing is bounded. One within another bounds what it sees for itself.
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

    /// Of each answer from now on so many rows are kept, all its results together; the others are counted.
    void keepRows(qint64 rows) { m_rowsToKeep = rows; }
    qint64 rowsLeftOut() const { return m_rowsLeftOut; }
    /// For who reads an answer: whether its next row is kept.
    bool keepsRow();

private:
    struct Library;

    static void onRead(int mode, void *connection, const unsigned char *bytes, std::size_t count);
    void add(void *connection, qint64 bytes);
    static Library &library();

    using Clock = std::chrono::steady_clock;

    void *m_connection = nullptr; ///< of the client library
    qint64 m_left;
    std::optional<Clock::time_point> m_end;
    bool m_isExceeded = false;
    ReplyBound *m_outer; ///< of this thread
    qint64 m_rowsToKeep;
    qint64 m_rowsLeftOut = 0;
};

} // namespace lockscope
