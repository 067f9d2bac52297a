// SPDX-License-Identifier: MIT
#pragma once

#include "latency/latencypicture.h"
#include "ui/charts/timechart.h"

namespace lockscope::ui {

/// What the page draws of a picture: which modes, and which number over time.
struct LatencyChoice
{
    enum class Rate { Granted, Waiting, TimedOut, Busy, Conflicts, Retries, RowLockWaits, RowLockWaited };

    QByteArray mode; ///< empty: all of them
    Rate rate = Rate::Granted;
    bool operator==(const LatencyChoice &) const = default;
};

/// True for what is sampled from the server's counters while the page is open, and has no mode.
bool isSampled(LatencyChoice::Rate rate);

/// The pen that a mode's nth value of LatencyValues is drawn with.
QPen latencyPen(const QByteArray &mode, int value, const QPalette &palette);
/// Which values are drawn: all of one mode, the median and p99 of several.
QList<int> valuesShown(const LatencyChoice &choice);

QList<TimeChart::Line> latencyLines(const LatencyPicture &picture, const LatencyChoice &choice,
                                    const QPalette &palette);
QList<TimeChart::Line> rateLines(const LatencyPicture &picture, const LatencyChoice &choice, const QPalette &palette);
/// Points further apart are not connected: engines that measure nothing write nothing.
Microseconds longestGap(const LatencyQuestion &question);

/// What the charts show of a picture that goes on with time: not the time before anything was measured, but a minute at
/// least.
TimeChart::Range measuredRange(const LatencyPicture &picture);

/// The point of a curve that covers `at`; null when nothing was measured then.
const LatencyPoint *pointAt(const LatencyCurve &curve, ServerTime at, Microseconds slot);

/// The picture's points as CSV (RFC 4180, UTF-8), times in UTC.
QByteArray latencyCsv(const LatencyPicture &picture);

} // namespace lockscope::ui
