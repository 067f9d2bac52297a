// SPDX-License-Identifier: MIT
// What `lockctl list` takes when there is very much to list.
//   lockscope_listing_bench [leases]
// Fills a private server (LOCKSCOPE_TEST_MYSQL: a MySQL) with that many held leases (100,000) and a twentieth as many
// waiters, and has lockctl list them as a table and as JSON.
#include "leasecrowd.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTemporaryFile>

#include <algorithm>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace lockscope;
using namespace lockscope::bench;

namespace {

/// How it went, and what the process took by itself.
struct Listing
{
    int status = -1;
    double memory = 0; ///< MB, at most
    double cpu = 0;    ///< ms
    double wall = 0;   ///< ms
};

/// In MB; 0 where it has ended.
double peakOf(pid_t pid)
{
    QFile program(QStringLiteral("/proc/%1/comm").arg(pid));
    QFile status(QStringLiteral("/proc/%1/status").arg(pid));
    if (!program.open(QIODevice::ReadOnly) || program.readAll() != "lockctl\n" || !status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray all = status.readAll();
    const qsizetype at = all.indexOf("VmHWM:") + 6;
    return at < 6 ? 0 : all.mid(at, all.indexOf("kB", at) - at).trimmed().toDouble() / 1024;
}

Listing run(std::vector<QByteArray> words, int output)
{
    std::vector<char *> arguments;
    for (QByteArray &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    pid_t pid = 0;
    QElapsedTimer time;
    time.start();
    if (::posix_spawn(&pid, arguments.front(), &files, nullptr, arguments.data(), environ) != 0)
        give(QStringLiteral("lockctl does not start."));
    ::posix_spawn_file_actions_destroy(&files);
    Listing listing;
    rusage usage = {}; // its memory counts this process's too, from before it became lockctl
    while (::wait4(pid, &listing.status, WNOHANG, &usage) == 0) {
        listing.memory = std::max(listing.memory, peakOf(pid));
        ::usleep(2000);
    }
    const auto milliseconds = [](const timeval &one) { return double(one.tv_sec) * 1e3 + double(one.tv_usec) / 1e3; };
    listing.cpu = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    listing.wall = double(time.elapsed());
    return listing;
}

/// Each lease has one `mark` in what is printed.
void measure(const std::vector<QByteArray> &words, const QByteArray &mark, int leases)
{
    QTemporaryFile output;
    if (!output.open())
        give(output.errorString());
    const Listing listing = run(words, output.handle());
    output.seek(0); // it has written where this one reads
    const qsizetype printed = output.readAll().count(mark);
    std::printf("%-6s %6lld leases   memory at most %5.1f MB   CPU %5.0f ms   wall %5.0f ms\n",
                words.back().constData(), qlonglong(printed), listing.memory, listing.cpu, listing.wall);
    if (listing.status != 0 || printed != leases)
        give(QStringLiteral("That is not all of them."));
}

} // namespace

int main(int argc, char **argv)
{
    const int leases = argc > 1 ? atoi(argv[1]) : 100'000;
    test::TestServer server(
        {QStringLiteral("--innodb-buffer-pool-size=256M"), QStringLiteral("--max-connections=1000")});
    const LeaseCrowd crowd(server, leases, leases / 20);
    const QByteArray url = server.url().toString().toUtf8();
    std::printf("%s, %d leases\n", qPrintable(open(server)->info().version), leases);
    measure({LOCKSCOPE_LOCKCTL, "--url", url, "list"}, "orders/", leases);
    measure({LOCKSCOPE_LOCKCTL, "--url", url, "list", "--json"}, "\"resource\":", leases);
    return 0;
}
