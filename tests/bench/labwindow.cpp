// SPDX-License-Identifier: MIT
// What the window costs while the lab runs 64 workers: lockscope_labwindow_bench [seconds]. Prints the CPU time of the
// window's thread per turn of its loop, and how its memory grows. Starts a private server of its own.
#include "loopturns.h"

#include "ui/pages/lab/labform.h"
#include "ui/pages/lab/labpage.h"
#include "ui/pages/lab/labrunmodel.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/window/mainwindow.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtCore/QTimer>

#include <algorithm>
#include <cstdio>
#include <malloc.h>

using namespace lockscope;
using namespace lockscope::bench;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

constexpr int kWorkers = 64;
/// Before this the window, the server and the lanes fill.
constexpr auto kWarmUp = 40s;

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
    LoopTurns app(argc, argv);
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
    printTurns("CPU per turn", app.cpu);
    printTurns("wall per turn", app.wall);
    std::printf("memory %.1f MB after %lld s, %.1f MB at the end\n", before, static_cast<long long>(kWarmUp.count()),
                megabytesInUse());
    return 0;
}
