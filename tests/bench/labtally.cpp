// SPDX-License-Identifier: MIT
// What it costs to count the lab's events: lockscope_labtally_bench [events] [workers]. Without a lock, so that each
// hold meets those of all other workers. Needs no server.
#include "lab/labtally.h"

#include <QtCore/QElapsedTimer>

#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace lockscope;
using Kind = LabEvent::Kind;

namespace {

/// Two events each, in the order of time; a hold lasts until its worker's next one, all but half a step.
QList<LabEvent> holds(int first, int count, int workers)
{
    QList<LabEvent> events;
    for (int i = first; i < first + count; ++i) {
        const qint64 at = 10 * qint64(i);
        events.append({at + 1, Kind::Got, i % workers, 0, 0, 0});
        events.append({at + 6, Kind::Finished, (i + 1) % workers, 0, 0, 0});
    }
    return events;
}

} // namespace

int main(int argc, char **argv)
{
    constexpr int batch = 10'000;
    const int count = argc > 1 ? std::atoi(argv[1]) : 10'000'000;
    const int workers = argc > 2 ? std::atoi(argv[2]) : 24;
    LabTally tally(workers);
    qint64 counting = 0; // ns
    for (int first = 0; 2 * first < count; first += batch) {
        const QList<LabEvent> events = holds(first, batch, workers);
        QElapsedTimer timer;
        timer.start();
        tally.add(events);
        counting += timer.nsecsElapsed();
    }
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    std::printf("%d events of %d workers: %.2f s, %.0f events per second, %llu violations, at most %ld MB\n", count,
                workers, double(counting) / 1e9, double(count) * 1e9 / double(counting),
                static_cast<unsigned long long>(tally.counts().violations), used.ru_maxrss / 1024);
    return 0;
}
