// SPDX-License-Identifier: MIT
#include "replybound.h"

#include <dlfcn.h>
#include <sys/socket.h>

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
    {
        void *const handle = ::dlopen("libmariadb.so.3", RTLD_LAZY | RTLD_NOLOAD);
        if (!handle)
            return;
        auto *const add = reinterpret_cast<Register *>(::dlsym(handle, "ma_pvio_register_callback"));
        socketOf = reinterpret_cast<Socket *>(::dlsym(handle, "mysql_get_socket"));
        if (add && socketOf)
            add(1, &ReplyBound::onRead);
    }

    Socket *socketOf = nullptr;
};

ReplyBound::Library &ReplyBound::library()
{
    static Library library;
    return library;
}

ReplyBound::ReplyBound(qint64 bytes, std::optional<std::chrono::milliseconds> time)
    : m_left(bytes)
    , m_outer(std::exchange(t_bound, this))
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

void ReplyBound::onRead(int mode, void *connection, const unsigned char *, std::size_t count)
{
    ReplyBound *const bound = t_bound;
    if (mode != kReading || !bound)
        return;
    bound->m_connection = connection;
    bound->m_left -= qint64(count);
    if (bound->m_left < 0 || (bound->m_end && Clock::now() > *bound->m_end))
        bound->cut();
}

} // namespace lockscope
