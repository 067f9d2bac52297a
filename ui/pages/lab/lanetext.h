// SPDX-License-Identifier: MIT
#pragma once

#include "lanes.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What lanes show, in sentences. `now` is where a span ends that goes on.
class LaneText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LaneText)
public:
    static QString worker(int worker);
    static QString state(Lanes::State state);
    /// What happened when a span began, and why: "Worker 3 got resource-1 after 2.1 s because worker 1 released it."
    static QString event(const Lanes &lanes, int worker, const Lanes::Span &span);
    /// What a worker does, or did, during a span: "Worker 3 has waited for resource-1 for 0.4 s."
    static QString during(int worker, const Lanes::Span &span, qint64 now);

private:
    static QString gotIt(const Lanes &lanes, int worker, const Lanes::Span &span);
    static QString rested(const Lanes &lanes, int worker, const Lanes::Span &span);
};

} // namespace lockscope::ui
