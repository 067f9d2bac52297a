// SPDX-License-Identifier: MIT
#include "replybound.h"

#include "clientlibrary.h"

#include <sys/socket.h>

#include <limits>
#include <utility>

namespace lockscope {

namespace {

thread_local ReplyBound *t_bound = nullptr;

constexpr int kReading = 0;

} // namespace

/// What is used of the client library. Qt's driver has loaded it when there is an answer; nothing else here knows it.
struct ReplyBound::Library
{
    using OnBytes = void(int mode, void *connection, const unsigned char *bytes, std::size_t count);
    using Register = int(char isAdded, OnBytes *callback);
    using Socket = int(void *connection);

    Library()
        : socketOf(reinterpret_cast<Socket *>(clientFunction("mysql_get_socket")))
    {
        auto *const add = reinterpret_cast<Register *>(clientFunction("ma_pvio_register_callback"));
        if (add && socketOf)
            add(1, &ReplyBound::onRead);
    }

    Socket *socketOf;
};

ReplyBound::Library &ReplyBound::library()
{
    static Library library;
    return library;
}

ReplyBound::ReplyBound(qint64 bytes, std::optional<std::chrono::milliseconds> time)
    : m_left(bytes)
    , m_outer(std::exchange(t_bound, this))
    , m_rowsToKeep(m_outer ? m_outer->m_rowsToKeep : std::numeric_limits<qint64>::max())
{
    library();
    if (time)
        m_end = Clock::now() + *time;
}

ReplyBound::~ReplyBound()
{
    t_bound = m_outer;
}

void ReplyBound::cut()
{
    m_isExceeded = true;
    if (m_connection && library().socketOf)
        ::shutdown(library().socketOf(m_connection), SHUT_RDWR);
}

bool ReplyBound::keepsRow()
{
    if (m_rowsToKeep > 0) {
        --m_rowsToKeep;
        return true;
    }
    for (ReplyBound *bound = this; bound; bound = bound->m_outer)
        ++bound->m_rowsLeftOut;
    return false;
}

void ReplyBound::onRead(int mode, void *connection, const unsigned char *, std::size_t count)
{
    if (mode != kReading)
        return;
    for (ReplyBound *bound = t_bound; bound; bound = bound->m_outer)
        bound->add(connection, qint64(count));
}

void ReplyBound::add(void *connection, qint64 bytes)
{
    m_connection = connection;
    m_left -= bytes;
    if (m_left < 0 || (m_end && Clock::now() > *m_end))
        cut();
}

} // namespace lockscope
