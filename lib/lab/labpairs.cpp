// SPDX-License-Identifier: MIT
#include "labpairs.h"

#include <limits>

namespace lockscope {

quint64 LabPairs::add(qint64 from, qint64 to)
{
    if (to <= from)
        return 0; // it has no moment to share
    // All but those that were over by its begin, and those that began at its end or later: no other is both.
    const std::size_t over = m_ends.order_of_key(Moment(from, std::numeric_limits<quint64>::max()));
    const std::size_t begunBefore = m_begins.order_of_key(Moment(to, 0));
    ++m_added;
    m_begins.insert(Moment(from, m_added));
    m_ends.insert({Moment(to, m_added), from});
    return begunBefore - over;
}

void LabPairs::forgetUntil(qint64 time)
{
    while (!m_ends.empty() && firstEnd() <= time) {
        const auto first = m_ends.begin();
        m_begins.erase(Moment(first->second, first->first.second));
        m_ends.erase(first);
    }
}

} // namespace lockscope
