// SPDX-License-Identifier: MIT
// What the window costs while the lab runs 64 workers: lockscope_labwindow_bench [seconds]. Prints the CPU time of the
// window's thread per turn of its loop, and how its memory grows. Starts a private server of its own.
#include "ui/pages/lab/labform.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/lab/labrunmodel.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/window/mainwindow.h"

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtCore/QTimer>
#include <QtWidgets/QApplication>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <malloc.h>
#include <vector>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

constexpr int kWorkers = 64;
/// Before this the window, the server and the lanes fill.
constexpr auto kWarmUp = 40s;

double milliseconds(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

double megabytesInUse()
{
    ::malloc_trim(0); // what is free but not given back is not growth
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray all = status.readAll();
    const qsizetype at = all.indexOf("VmRSS:");
    return all.mid(at + 6, all.indexOf("kB", at) - at - 6).trimmed().toDouble() / 1024;
}

/// Counts a turn of the loop from one sleep to the next: a sleeping thread uses no CPU, and the wall clock counts only
/// while an event is delivered.
class Application : public QApplication
{
public:
    using QApplication::QApplication;

    void watch()
    {
        connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            const double now = milliseconds(CLOCK_THREAD_CPUTIME_ID);
            cpu.push_back(float(now - m_cpu));
            wall.push_back(float(std::exchange(m_wall, 0)));
            m_cpu = now;
        });
    }
    bool notify(QObject *receiver, QEvent *event) override
    {
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        ++m_depth;
        const double begin = milliseconds(CLOCK_MONOTONIC);
        const bool isDone = QApplication::notify(receiver, event);
        m_wall += milliseconds(CLOCK_MONOTONIC) - begin;
        --m_depth;
        return isDone;
    }

    std::vector<float> cpu;
    std::vector<float> wall;

private:
    double m_cpu = 0;
    double m_wall = 0;
    int m_depth = 0;
};

void print(const char *name, std::vector<float> costs)
{
    std::sort(costs.begin(), costs.end());
    const auto at = [&costs](double share) { return double(costs[std::size_t(double(costs.size() - 1) * share)]); };
    std::printf("%-18s median %6.2f ms   p95 %6.2f ms   p99 %6.2f ms   longest %6.2f ms\n", name, at(0.5), at(0.95),
                at(0.99), at(1));
}

LabPlan planFor(std::chrono::seconds length)
{
    LabPlan plan;
    plan.workers = kWorkers;
    plan.resources = kWorkers;
    plan.skew = LabSkew::Own;
    plan.hold = {};
    plan.connections = 16;
    plan.job = LabJob::Nothing;
    plan.duration = length;
    return plan;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_NO_GLIB", "1"); // its loop does not tell when it goes to sleep
    Application app(argc, argv);
    applyAppearance({Theme::Light, QStringLiteral("en"), false});
    const std::chrono::seconds length(std::max(60, argc > 1 ? atoi(argv[1]) : 60));
    const QTemporaryDir folder;
    ServerConnection link;
    MainWindow window(&link);
    window.setRemembersState(false);
    window.showPage(4);
    window.show();
    LabPage *page = window.labPage();
    QObject::connect(&link, &ServerConnection::statusChanged, page, [page, length, &link] {
        if (link.status().phase != MonitorStatus::Phase::Live || page->runs()->rowCount() > 0
            || page->runner()->isRunning())
            return;
        page->form()->setPlan(planFor(length));
        page->start();
    });
    app.watch();
    double before = 0;
    QTimer::singleShot(kWarmUp, page, [&app, &before] {
        app.cpu.clear();
        app.wall.clear();
        before = megabytesInUse();
    });
    QObject::connect(page->runner(), &LabRunner::finished, &app, &QCoreApplication::quit);
    link.open(ServerProfile::privateServer(folder.path()), {});
    QApplication::exec();
    link.leavePrivateServer();
    if (page->runs()->rowCount() == 0 || app.cpu.empty()) {
        std::fprintf(stderr, "no run (%d) in %zu turns\n", page->runs()->rowCount(), app.cpu.size());
        return 1;
    }
    const double seconds = std::chrono::duration<double>(length - kWarmUp).count();
    std::printf("%d workers, %.1f pairs per second, %zu turns of the loop in %.0f s\n", kWorkers,
                page->runs()->reports().last().throughput(), app.cpu.size(), seconds);
    double all = 0;
    for (const float cost : app.cpu)
        all += double(cost);
    std::printf("%-18s %.1f %% of a core\n", "window's thread", all / seconds / 10);
    print("CPU per turn", app.cpu);
    print("wall per turn", app.wall);
    std::printf("memory %.1f MB after %lld s, %.1f MB at the end\n", before, static_cast<long long>(kWarmUp.count()),
                megabytesInUse());
    return 0;
}
