// SPDX-License-Identifier: MIT
// What the window costs when there is very much to show.
//   lockscope_scale_bench sessions [number]
//       2,000 sessions that wait for each other in groups of 50: looks at them, and the page of waits
//   lockscope_scale_bench [leases] [seconds]
// Fills a private server (LOCKSCOPE_TEST_MYSQL: a MySQL) with that many held leases (100,000) and a twentieth as many
// waiters. Then, each second, a hundredth is renewed, a two hundredth ends and as many begin, while the window shows
// them: the first third of the time by name, then sorted by their end, in the last third filtered too. At the end all
// of them are copied, saved and looked through.
#include "actor.h"
#include "cpuwaits.h"
#include "leasecrowd.h"
#include "loopturns.h"
#include "statistics.h"

#include "ui/pages/locks/lockspage.h"
#include "ui/pages/locks/locktablemodel.h"
#include "ui/pages/waits/waitoutline.h"
#include "ui/server/serverconnection.h"
#include "ui/style/appearance.h"
#include "ui/widgets/livetableview.h"
#include "ui/window/commandpalette.h"
#include "ui/window/mainwindow.h"

#include <QtCore/QFile>
#include <QtCore/QThread>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>

#include <algorithm>
#include <iterator>
#include <map>

using namespace lockscope;
using namespace lockscope::bench;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

double megabytes(const QByteArray &name)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray all = status.readAll();
    const qsizetype at = all.indexOf(name) + name.size();
    return all.mid(at, all.indexOf("kB", at) - at).trimmed().toDouble() / 1024;
}

/// VmHWM counts from here on.
void forgetPeak()
{
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly))
        file.write("5");
}

/// Has the server note each statement of sessions that are opened from here on.
void startLog(Session &session)
{
    must(session, "SET GLOBAL log_output = 'TABLE'");
    must(session, "TRUNCATE mysql.slow_log");
    must(session, "SET GLOBAL long_query_time = 0");
    must(session, "SET GLOBAL min_examined_row_limit = 0");
    must(session, "SET GLOBAL slow_query_log = 1");
}

/// What a statement took the server, in milliseconds, and what of that its thread did.
struct Cost
{
    double wall = 0;
    CpuWaits::Times times;

    /// Without what it waited for a processor.
    double own() const { return std::max(0.0, wall - times.ready); }
};

constexpr double kLong = 50;
constexpr std::size_t kMostLong = 5;

void printCosts(const QByteArray &text, std::vector<Cost> costs)
{
    Values walls;
    Values own;
    for (const Cost &cost : costs) {
        walls.push_back(cost.wall);
        own.push_back(cost.own());
    }
    if (quantile(walls, 1) < 2)
        return;
    std::printf("  %6zu  median %7.2f ms   p95 %7.2f ms   longest %7.2f ms, of its own %7.2f ms   %s\n", walls.size(),
                quantile(walls, 0.5), quantile(walls, 0.95), quantile(walls, 1), quantile(own, 1), text.constData());
    std::sort(costs.begin(), costs.end(), [](const Cost &a, const Cost &b) { return a.wall > b.wall; });
    costs.resize(std::min(costs.size(), kMostLong));
    for (const Cost &cost : costs) {
        if (cost.wall > kLong)
            std::printf("          %.1f ms: ran for %.1f, waited for a processor for %.1f\n", cost.wall,
                        cost.times.running, cost.times.ready);
    }
}

/// Statements of the console by their beginning: how often, and how long each took the server.
void printQueries(Session &session, const CpuWaits &waits)
{
    must(session, "SET GLOBAL slow_query_log = 0");
    const Reply reply = must(session,
                             "SELECT LEFT(CONVERT(sql_text USING utf8mb4), 56), "
                             "FLOOR(TIME_TO_SEC(query_time)) * 1000 + MICROSECOND(query_time) / 1000, "
                             "UNIX_TIMESTAMP(start_time) * 1000, thread_id FROM mysql.slow_log "
                             "WHERE CONVERT(sql_text USING utf8mb4) LIKE '%lock\\_%' OR query_time > 0.01");
    std::map<QByteArray, std::vector<Cost>> costs;
    for (const QVariantList &row : reply.set(-1).rows) {
        const double took = row.value(1).toDouble();
        const double logged = row.value(2).toDouble(); // MySQL's log calls the end its start
        const double end = session.info().family == Family::MySql ? logged : logged + took;
        const CpuWaits::Times times = waits.between(row.value(3).toULongLong(), end - took, end);
        costs[row.value(0).toByteArray().simplified()].push_back({took, times});
    }
    for (const auto &[text, some] : costs)
        printCosts(text, some);
    std::printf("nothing ran here for %.1f ms at most\n", waits.longestGap());
}

/// What the list told, beside the turns of the loop.
struct Seen
{
    double begun = 0;
    double firstRows = 0;
    double allRows = 0;
    int updates = 0; ///< of which each brought something newer
    Values gaps;
    double last = 0;
    ServerTime clock{};

    void onList(const LockListUpdatePtr &update, int rows, int all)
    {
        const double now = milliseconds(CLOCK_MONOTONIC);
        if (firstRows == 0 && rows > 0)
            firstRows = now - begun;
        if (allRows == 0 && rows >= all)
            allRows = now - begun;
        if (update->clock.server == clock)
            return;
        clock = update->clock.server;
        ++updates;
        if (last > 0)
            gaps.push_back(now - last);
        last = now;
    }
};

void show(MainWindow *window, int part)
{
    LocksPage *page = window->locksPage();
    QHeaderView *header = page->view()->horizontalHeader();
    if (part == 1)
        header->setSortIndicator(LockTableModel::TtlColumn, Qt::AscendingOrder);
    if (part == 2)
        page->findChild<QLineEdit *>()->setText(QStringLiteral("billing-1"));
}

/// What takes along all rows.
void takeAll(MainWindow *window, int part)
{
    LocksPage *page = window->locksPage();
    if (part == 0)
        page->findChild<QLineEdit *>()->clear();
    if (part == 1)
        page->view()->selectAll();
    if (part == 2)
        page->copyActions().value(1)->menu()->actions().value(1)->trigger(); // as CSV
    if (part == 3)
        page->view()->clearSelection();
    const auto actions = window->findChildren<QAction *>();
    const auto find = std::find_if(actions.cbegin(), actions.cend(),
                                   [](QAction *one) { return one->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_K); });
    if (part == 4 && find != actions.cend())
        (*find)->trigger();
    if (auto *palette = window->findChild<CommandPalette *>(); part == 5 && palette)
        palette->findChild<QLineEdit *>()->setText(QStringLiteral("orders 77"));
    else if (part == 6 && palette)
        palette->close();
}

/// Turns of the loop while that is done, one after another.
void measureTaking(LoopTurns *app, MainWindow *window)
{
    constexpr const char *kParts[] = {"all are shown", "selected", "copied",     "not selected",
                                      "Find opens",    "finds",    "Find closes"};
    for (int part = 0; part < int(std::size(kParts)); ++part) {
        app->startOver();
        QTimer::singleShot(0, window, [window, part] { takeAll(window, part); });
        QTimer::singleShot(2s, app, &QCoreApplication::quit);
        QApplication::exec();
        printTurns(kParts[part], app->cpu);
        app->printLongest();
        printTurns("  wall", app->wall);
    }
}

/// Each of a group waits for a row that its first holds.
class WaitingCrowd
{
public:
    WaitingCrowd(test::TestServer &server, int sessions)
        : m_server(server)
    {
        test::resetTables(server);
        const auto setup = open(server);
        must(*setup, "CREATE DATABASE shop");
        must(*setup, "CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT) ENGINE=InnoDB");
        for (int i = 0; i < sessions; ++i) {
            const QByteArray row = QByteArray::number(i / kGroup);
            m_sessions.push_back(std::make_unique<test::Actor>(server));
            if (i % kGroup == 0) {
                must(*setup, "INSERT INTO shop.stock VALUES (" + row + ", 0)");
                m_sessions.back()->run("BEGIN");
                m_sessions.back()->run("UPDATE shop.stock SET n = n + 1 WHERE id = " + row);
            } else {
                m_sessions.back()->start("UPDATE shop.stock SET n = n + 1 WHERE id = " + row);
            }
        }
    }
    ~WaitingCrowd() { m_server.kill9(); } // else each has to be ended by itself
    WaitingCrowd(const WaitingCrowd &) = delete;
    WaitingCrowd &operator=(const WaitingCrowd &) = delete;

private:
    static constexpr int kGroup = 50;

    test::TestServer &m_server;
    std::vector<std::unique_ptr<test::Actor>> m_sessions;
};

/// A look by itself, in this thread.
void printLooks(const test::TestServer &server, int looks)
{
    const auto session = open(server);
    WaitsReader reader(*session);
    look(reader); // probes
    Values costs;
    Values client;
    qsizetype edges = 0;
    for (int i = 0; i < looks; ++i) {
        QThread::msleep(300); // MariaDB fills its tables anew only when nobody has read them for a while
        const double before = milliseconds(CLOCK_THREAD_CPUTIME_ID);
        const ServerWaits waits = look(reader);
        edges = waits.edges.size();
        const WaitPicturePtr picture = WaitPicture::of(std::make_shared<const ServerWaits>(waits));
        client.push_back(milliseconds(CLOCK_THREAD_CPUTIME_ID) - before);
        costs.push_back(double(waits.cost.count()) / 1e3);
    }
    std::printf("%lld edges; a look: median %.1f ms, p95 %.1f ms; CPU of the client median %.1f ms, longest %.1f ms\n",
                qlonglong(edges), quantile(costs, 0.5), quantile(costs, 0.95), quantile(client, 0.5),
                quantile(client, 1));
}

int measureSessions(LoopTurns *app, int sessions, std::chrono::seconds length)
{
    test::TestServer server({QStringLiteral("--max-connections=%1").arg(sessions + 100)});
    const WaitingCrowd crowd(server, sessions);
    printLooks(server, 20);
    ServerConnection connection;
    MainWindow window(&connection);
    window.setRemembersState(false);
    window.resize(1280, 800);
    window.showPage(1);
    window.show();
    app->watch();
    connection.open(ServerProfile::unnamed(server.url()), {});
    QTimer::singleShot(5s, &window, [app] {
        printTurns("CPU, at first", app->cpu);
        app->startOver();
    });
    QTimer::singleShot(5s + length, app, &QCoreApplication::quit);
    QApplication::exec();
    std::printf("%d sessions\n", sessions);
    printTurns("CPU per turn", app->cpu);
    printTurns("wall per turn", app->wall);
    std::printf("memory at most %.1f MB\n", megabytes("VmHWM:"));
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", qEnvironmentVariable("QT_QPA_PLATFORM", QStringLiteral("offscreen")).toUtf8());
    qputenv("QT_NO_GLIB", "1"); // its loop does not tell when it goes to sleep
    LoopTurns app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope-bench"));
    applyAppearance({Theme::Light, QStringLiteral("en"), false});
    if (argc > 1 && QByteArray(argv[1]) == "sessions")
        return measureSessions(&app, argc > 2 ? atoi(argv[2]) : 2000, 20s);
    const int leases = argc > 1 ? atoi(argv[1]) : 100'000;
    const std::chrono::seconds length(std::max(6, argc > 2 ? atoi(argv[2]) : 60));
    test::TestServer server(
        {QStringLiteral("--innodb-buffer-pool-size=256M"), QStringLiteral("--max-connections=1000")});
    LeaseCrowd crowd(server, leases, leases / 20);
    const auto session = open(server);
    startLog(*session);
    CpuWaits waits;
    forgetPeak();

    ServerConnection connection;
    MainWindow window(&connection);
    window.setRemembersState(false);
    window.resize(1280, 800);
    window.showPage(0);
    window.show();
    Seen seen;
    LocksPage *page = window.locksPage();
    QObject::connect(&connection, &ServerConnection::listUpdated, &window,
                     [&](const LockListUpdatePtr &update) { seen.onList(update, page->model()->rowCount(), leases); });
    app.watch();
    seen.begun = milliseconds(CLOCK_MONOTONIC);
    connection.open(ServerProfile::unnamed(server.url()), {});
    double begin = 0;
    constexpr auto kFilled = 6s; // by then all of them are listed
    for (const auto early : {100ms, 500ms, 2000ms})
        QTimer::singleShot(early, &window, [&] { waits.follow(*session, server); });
    QTimer::singleShot(kFilled, &window, [&] {
        printTurns("CPU, filling", app.cpu);
        app.printLongest();
        app.startOver();
        seen.updates = 0;
        seen.gaps.clear();
        begin = milliseconds(CLOCK_MONOTONIC);
        crowd.startLiving();
    });
    for (const int part : {1, 2})
        QTimer::singleShot(kFilled + length * part / 3, &window, [&window, part] { show(&window, part); });
    QTimer::singleShot(kFilled + length, &app, &QCoreApplication::quit);
    QApplication::exec();
    const double took = (milliseconds(CLOCK_MONOTONIC) - begin) / 1e3;

    std::printf("%s, %d leases, %d waiters, %.0f s; a second of their life took %.0f ms at most\n",
                qPrintable(session->info().version), leases, leases / 20, took, crowd.longestSecond());
    std::printf("first rows after %.0f ms, all after %.0f ms\n", seen.firstRows, seen.allRows);
    std::printf("%.2f refreshes a second; between them p95 %.0f ms, longest %.0f ms\n", seen.updates / took,
                seen.gaps.empty() ? 0 : quantile(seen.gaps, 0.95), seen.gaps.empty() ? 0 : quantile(seen.gaps, 1));
    std::printf("read %lld, shown %lld of %lld\n", qlonglong(connection.last().read),
                qlonglong(connection.last().shown), qlonglong(connection.last().counts.total()));
    printTurns("CPU per turn", app.cpu);
    app.printLongest();
    printTurns("wall per turn", app.wall);
    std::printf("memory at most %.1f MB\n", megabytes("VmHWM:"));
    measureTaking(&app, &window);
    std::printf("memory at most %.1f MB\n", megabytes("VmHWM:"));
    crowd.stopLiving();
    waits.stop();
    printQueries(*session, waits);
    return 0;
}
