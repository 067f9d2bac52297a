// SPDX-License-Identifier: MIT
#pragma once

#include "clocktime.h"

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QMetaEnum>
#include <QtCore/QThread>
#include <QtWidgets/QApplication>

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace lockscope::bench {

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
            keepLongest(cpu.back(), std::exchange(m_parts, {}));
        });
    }
    bool notify(QObject *receiver, QEvent *event) override
    {
        if (QThread::currentThread() != thread() || m_depth > 0) // it is asked for the events of all threads
            return QApplication::notify(receiver, event);
        ++m_depth;
        const double begin = milliseconds(CLOCK_MONOTONIC);
        const double cpuBegin = milliseconds(CLOCK_THREAD_CPUTIME_ID);
        const QByteArray what = partName(receiver, event);
        const bool isDone = QApplication::notify(receiver, event);
        m_wall += milliseconds(CLOCK_MONOTONIC) - begin;
        m_parts[what] += milliseconds(CLOCK_THREAD_CPUTIME_ID) - cpuBegin;
        --m_depth;
        return isDone;
    }
    void startOver()
    {
        cpu.clear();
        wall.clear();
        m_longest.clear();
        m_cpu = milliseconds(CLOCK_THREAD_CPUTIME_ID);
    }

    /// What the longest turns by CPU were made of.
    void printLongest() const
    {
        for (const auto &[turn, parts] : m_longest) {
            std::vector<std::pair<double, QByteArray>> costs;
            for (const auto &[name, cost] : parts)
                costs.emplace_back(cost, name);
            std::sort(costs.rbegin(), costs.rend());
            costs.resize(std::min(costs.size(), std::size_t(4)));
            std::printf("  %.1f ms:", double(turn));
            for (const auto &[cost, name] : costs)
                std::printf("  %s %.1f", name.constData(), cost);
            std::printf("\n");
        }
    }

    std::vector<float> cpu;
    std::vector<float> wall;

private:
    using Parts = std::map<QByteArray, double>;

    /// Whom the event is for, and of what type it is; of a timer or a thread whose it is.
    static QByteArray partName(const QObject *receiver, const QEvent *event)
    {
        QByteArray name = receiver->metaObject()->className();
        if (receiver->parent() && name.startsWith('Q'))
            name += QByteArray(" of ") + receiver->parent()->metaObject()->className();
        return name + ' ' + QMetaEnum::fromType<QEvent::Type>().valueToKey(event->type());
    }

    void keepLongest(float turn, Parts parts)
    {
        constexpr std::size_t most = 3;
        if (m_longest.size() == most && turn <= m_longest.back().first)
            return;
        m_longest.emplace_back(turn, std::move(parts));
        std::sort(m_longest.begin(), m_longest.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
        m_longest.resize(std::min(m_longest.size(), most));
    }

    std::vector<std::pair<float, Parts>> m_longest; ///< the longest first
    Parts m_parts;                                  ///< of this turn
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
