// SPDX-License-Identifier: MIT
#include "lockmodetext.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

QString LockModeText::strength(const QString &mode)
{
    return mode.startsWith(u'S') ? tr("shared") : tr("exclusive");
}

QString LockModeText::reach(const QString &mode, bool isEndOfIndex)
{
    if (mode.contains("INSERT_INTENTION"_L1))
        return tr("insert into the gap before");
    if (mode.contains("REC_NOT_GAP"_L1))
        return isEndOfIndex ? tr("gap before") : tr("record");
    return isEndOfIndex || mode.contains("GAP"_L1) ? tr("gap before") : tr("record and gap before");
}

} // namespace lockscope::ui
