// What the window costs while the lab runs 64 workers: lockscope_labwindow_bench [seconds]. Prints the CPU time of the
// window's thread per turn of its loop, and how its memory grows. Starts a private server of its own.
#include "appearance.h"
#include "lab/labform.h"
#include "lab/labrunmodel.h"
#include "labpage.h"
#include "mainwindow.h"
#include "serverlink.h"

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

/// From waking up to going to sleep again.
class Turns : public QObject
{
public:
    explicit Turns(QObject *parent)
        : QObject(parent)
    {
        auto *dispatcher = QAbstractEventDispatcher::instance();
        connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] {
            m_cpu = milliseconds(CLOCK_THREAD_CPUTIME_ID);
            m_wall = milliseconds(CLOCK_MONOTONIC);
        });
        connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            if (m_wall == 0)
                return;
            cpu.push_back(float(milliseconds(CLOCK_THREAD_CPUTIME_ID) - m_cpu));
            wall.push_back(float(milliseconds(CLOCK_MONOTONIC) - m_wall));
        });
    }

    std::vector<float> cpu;
    std::vector<float> wall;

private:
    double m_cpu = 0;
    double m_wall = 0;
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
    QApplication app(argc, argv);
    applyAppearance({Theme::Light, QStringLiteral("en"), false});
    const std::chrono::seconds length(std::max(60, argc > 1 ? atoi(argv[1]) : 60));
    const QTemporaryDir folder;
    ServerLink link;
    MainWindow window(&link);
    window.setRemembersState(false);
    window.showPage(2);
    window.show();
    LabPage *page = window.labPage();
    QObject::connect(&link, &ServerLink::statusChanged, page, [page, length] {
        if (page->runs()->rowCount() > 0 || page->runner()->isRunning())
            return;
        page->form()->setPlan(planFor(length));
        page->start();
    });
    Turns turns(&app);
    double before = 0;
    QTimer::singleShot(kWarmUp, page, [&turns, &before] {
        turns.cpu.clear();
        turns.wall.clear();
        before = megabytesInUse();
    });
    QObject::connect(page->runner(), &LabRunner::finished, &app, &QCoreApplication::quit);
    link.open(ServerProfile::privateServer(folder.path()), {});
    QApplication::exec();
    link.stopOwnServer();
    if (page->runs()->rowCount() == 0 || turns.cpu.empty()) {
        std::fprintf(stderr, "no run\n");
        return 1;
    }
    const double seconds = std::chrono::duration<double>(length - kWarmUp).count();
    std::printf("%d workers, %.1f pairs per second, %zu turns of the loop in %.0f s\n", kWorkers,
                page->runs()->reports().last().throughput(), turns.cpu.size(), seconds);
    print("CPU per turn", turns.cpu);
    print("wall per turn", turns.wall);
    std::printf("memory %.1f MB after %lld s, %.1f MB at the end\n", before, static_cast<long long>(kWarmUp.count()),
                megabytesInUse());
    return 0;
}
