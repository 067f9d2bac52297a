// SPDX-License-Identifier: MIT
#include "displaytimezone.h"

namespace lockscope::ui {

DisplayTimeZone *DisplayTimeZone::instance()
{
    static DisplayTimeZone zone;
    return &zone;
}

void DisplayTimeZone::setUtc(bool isUtc)
{
    if (m_isUtc == isUtc)
        return;
    m_isUtc = isUtc;
    Q_EMIT changed();
}

QDateTime DisplayTimeZone::of(ServerTime time) const
{
    const QDateTime utc = toDateTime(time);
    return m_isUtc ? utc : utc.toLocalTime();
}

} // namespace lockscope::ui
