// SPDX-License-Identifier: MIT
// Preloaded into a node: its wall clock is the machine's, moved by as many microseconds as a file says. The monotonic
// clock stays as it is. Other programs for this look for the functions that they replace while the node's allocator is
// not ready yet, and hang; this one asks the kernel.
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

constexpr std::int64_t kMicroseconds = 1'000'000;

/// Of the file, which is mapped: what is written there counts at once. Null: nothing moves.
const volatile std::int64_t *offset = nullptr;

[[gnu::constructor]] void mapOffset()
{
    const char *name = std::getenv("LOCKSCOPE_CLOCK_OFFSET");
    const int file = name ? ::open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *mapped = ::mmap(nullptr, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (mapped != MAP_FAILED)
        offset = static_cast<const volatile std::int64_t *>(mapped);
}

/// Rounded down to microseconds.
std::int64_t movedWallClock()
{
    timespec now = {};
    ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return std::int64_t(now.tv_sec) * kMicroseconds + now.tv_nsec / 1000 + (offset ? *offset : 0);
}

} // namespace

// The names are the ends of those in the C library's headers, which no program may use.
extern "C" [[gnu::visibility("default")]] int clock_gettime(clockid_t id, timespec *tp) noexcept
{
    if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)
        return int(::syscall(SYS_clock_gettime, id, tp));
    const std::int64_t now = movedWallClock();
    tp->tv_sec = time_t(now / kMicroseconds);
    tp->tv_nsec = long(now % kMicroseconds) * 1000;
    return 0;
}

extern "C" [[gnu::visibility("default")]] int gettimeofday(timeval *__restrict tv, void *__restrict) noexcept
{
    const std::int64_t now = movedWallClock();
    tv->tv_sec = time_t(now / kMicroseconds);
    tv->tv_usec = suseconds_t(now % kMicroseconds);
    return 0;
}

extern "C" [[gnu::visibility("default")]] time_t time(time_t *timer) noexcept
{
    const auto now = time_t(movedWallClock() / kMicroseconds);
    if (timer)
        *timer = now;
    return now;
}
