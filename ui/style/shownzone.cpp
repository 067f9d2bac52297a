// SPDX-License-Identifier: MIT
#include "shownzone.h"

namespace lockscope::ui {

ShownZone *ShownZone::instance()
{
    static ShownZone zone;
    return &zone;
}

void ShownZone::setUtc(bool isUtc)
{
    if (m_isUtc == isUtc)
        return;
    m_isUtc = isUtc;
    Q_EMIT changed();
}

QDateTime ShownZone::of(ServerTime time) const
{
    const QDateTime utc = toDateTime(time);
    return m_isUtc ? utc : utc.toLocalTime();
}

} // namespace lockscope::ui
