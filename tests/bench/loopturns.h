// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QThread>
#include <QtWidgets/QApplication>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

namespace lockscope::bench {

inline double milliseconds(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// An application that measures the turns of its loop, one from each sleep to the next: a sleeping thread uses no CPU,
/// and the wall clock counts only while an event is delivered. Needs QT_NO_GLIB: glib's loop does not tell when it goes
/// to sleep.
class LoopTurns : public QApplication
{
public:
    using QApplication::QApplication;

    void watch()
    {
        startOver();
        connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            const double now = milliseconds(CLOCK_THREAD_CPUTIME_ID);
            cpu.push_back(float(now - m_cpu));
            wall.push_back(float(std::exchange(m_wall, 0)));
            m_cpu = now;
        });
    }
    bool notify(QObject *receiver, QEvent *event) override
    {
        if (QThread::currentThread() != thread() || m_depth > 0) // it is asked for the events of all threads
            return QApplication::notify(receiver, event);
        ++m_depth;
        const double begin = milliseconds(CLOCK_MONOTONIC);
        const bool isDone = QApplication::notify(receiver, event);
        m_wall += milliseconds(CLOCK_MONOTONIC) - begin;
        --m_depth;
        return isDone;
    }
    void startOver()
    {
        cpu.clear();
        wall.clear();
        m_cpu = milliseconds(CLOCK_THREAD_CPUTIME_ID);
    }

    std::vector<float> cpu;
    std::vector<float> wall;

private:
    double m_cpu = 0;
    double m_wall = 0;
    int m_depth = 0;
};

inline void printTurns(const char *name, std::vector<float> costs)
{
    std::sort(costs.begin(), costs.end());
    const auto at = [&costs](double share) { return double(costs[std::size_t(double(costs.size() - 1) * share)]); };
    std::printf("%-18s median %6.2f ms   p95 %6.2f ms   p99 %6.2f ms   longest %6.2f ms\n", name, at(0.5), at(0.95),
                at(0.99), at(1));
}

} // namespace lockscope::bench
