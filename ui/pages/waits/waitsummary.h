// SPDX-License-Identifier: MIT
#pragma once

#include "waitoutline.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What one session means for the others.
class WaitSummary
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::WaitSummary)
public:
    /// The sentences over the inspector.
    static QString of(const WaitPicture &picture, quint64 session, ServerTime now);
    /// "frees 1 at once, up to 2 later", of a mere waiter "2 queue behind it"; empty for nobody.
    static QString frees(const WaitNode &node);
    /// And ", 40 s of waiting" where it frees somebody.
    static QString freesAndWaited(const WaitNode &node);

private:
    static QStringList waitersOf(const WaitPicture &picture, const WaitNode &node);
};

} // namespace lockscope::ui
