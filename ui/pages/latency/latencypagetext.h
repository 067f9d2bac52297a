// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

class EmptyState;

/// The longer texts of the latency page.
class LatencyPageText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LatencyPage)
public:
    /// Says why there is no curve.
    static void explainEmpty(bool isRecorded, EmptyState *empty);
};

} // namespace lockscope::ui
