// SPDX-License-Identifier: MIT
#include "labversions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope {

namespace {

/// How many ranges are remembered. A writer that read before the first of them is rare, and too few are counted rather
/// than too many.
constexpr std::size_t kMostRanges = 1000;

} // namespace

quint64 LabVersions::lose(quint64 seen, quint64 over)
{
    const quint64 first = std::max(seen, m_settled) + 1;
    if (over < first)
        return 0;
    quint64 lost = over - first + 1;
    auto range = m_lost.upper_bound(first);
    if (range != m_lost.begin() && std::prev(range)->second + 1 >= first)
        --range;
    auto [begin, end] = std::pair(first, over);
    while (range != m_lost.end() && range->first <= over + 1) {
        const auto [knownFrom, knownTo] = std::pair(std::max(range->first, first), std::min(range->second, over));
        lost -= knownTo >= knownFrom ? knownTo - knownFrom + 1 : 0;
        begin = std::min(begin, range->first);
        end = std::max(end, range->second);
        range = m_lost.erase(range);
    }
    m_lost.emplace(begin, end);
    if (m_lost.size() > kMostRanges) {
        m_settled = m_lost.begin()->second;
        m_lost.erase(m_lost.begin());
    }
    return lost;
}

} // namespace lockscope
