// SPDX-License-Identifier: MIT
// What a redraw of the latency page costs the window's thread: lockscope_redraw_bench [rounds]. Needs no server.
#include "ui/charts/timechart.h"
#include "ui/pages/latency/latencylines.h"
#include "ui/pages/latency/latencysummary.h"
#include "ui/style/theme.h"

#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QHBoxLayout>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

double threadMilliseconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// A day of points, five seconds each, of `modes` modes.
LatencyPicturePtr makePicture(const std::vector<QByteArray> &modes)
{
    auto picture = std::make_shared<LatencyPicture>();
    std::mt19937 random(1);
    std::lognormal_distribution<double> durations(7, 1);
    picture->period.from = ServerTime(10h);
    picture->period.to = picture->period.from + 24h;
    for (const QByteArray &mode : modes) {
        LatencyCurve curve;
        curve.mode = mode;
        for (ServerTime at = picture->period.from; at < picture->period.to; at += 5s) {
            Histogram histogram;
            for (int i = 0; i < 20; ++i)
                histogram.add(Duration(qint64(durations(random))));
            LatencyPoint point{at, LatencyValues::of(histogram), {}};
            point.counts.granted = histogram.count();
            curve.points.push_back(point);
            curve.granted.add(histogram);
        }
        picture->period.curves.push_back(std::move(curve));
    }
    return picture;
}

/// Median and 95th percentile of what one redraw costs.
void measure(const char *name, const QSize &size, const LatencyPicturePtr &picture, const LatencyChoice &choice,
             int rounds)
{
    QWidget page;
    TimeChart latency(TimeChart::Scale::Durations, {});
    TimeChart rate(TimeChart::Scale::Rates, {});
    LatencySummary summary;
    summary.setFixedWidth(360);
    auto *charts = new QVBoxLayout;
    charts->addWidget(&latency, 3);
    charts->addWidget(&rate, 2);
    auto *row = new QHBoxLayout(&page);
    row->addLayout(charts, 1);
    row->addWidget(&summary);
    page.resize(size - QSize(68, 120)); // without rail, bars and controls
    page.show();
    QImage target(page.size(), QImage::Format_ARGB32_Premultiplied);
    const TimeChart::Range range{picture->period.from, picture->period.to};
    const auto gap = longestGap(picture->question);
    std::vector<double> costs;
    for (int i = 0; i < rounds; ++i) {
        const double before = threadMilliseconds();
        latency.setLines(latencyLines(*picture, choice, page.palette()), range, gap);
        rate.setLines(rateLines(*picture, choice, page.palette()), range, gap);
        summary.setPicture(picture, choice);
        QApplication::processEvents();
        page.render(&target);
        costs.push_back(threadMilliseconds() - before);
    }
    std::sort(costs.begin(), costs.end());
    std::printf("%-40s median %6.1f ms   p95 %6.1f ms\n", name, costs[costs.size() / 2],
                costs[costs.size() * 95 / 100]);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    applyTheme(Theme::Light);
    const int rounds = argc > 1 ? std::max(1, atoi(argv[1])) : 100;
    const auto one = makePicture({"unique"});
    const auto three = makePicture({"optimistic", "pessimistic", "unique"});
    const LatencyChoice chosen{.mode = "unique"};
    measure("1280x800, one mode, four lines", {1280, 800}, one, chosen, rounds);
    measure("1280x800, three modes, six lines", {1280, 800}, three, {}, rounds);
    measure("3840x2160, one mode, four lines", {3840, 2160}, one, chosen, rounds);
    measure("3840x2160, three modes, six lines", {3840, 2160}, three, {}, rounds);
    return 0;
}
