// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>

#include <utility>

namespace lockscope {

/// Counts the pairs of intervals that have a moment in common. They may come in any order; each costs logarithmically
/// many steps, however many of the others it meets. Private to lib/lab. Thread: its maker's.
class LabPairs
{
public:
    LabPairs() = default;
    LabPairs(const LabPairs &) = delete;
    LabPairs &operator=(const LabPairs &) = delete;

    /// How many of those that were added before it meets: from `from` on, and not at `to` any more.
    quint64 add(qint64 from, qint64 to);
    /// Those that ended by then. What begins later cannot meet them.
    void forgetUntil(qint64 time);

    std::size_t size() const { return m_ends.size(); }
    /// The first end of those that are remembered. Only when there is one.
    qint64 firstEnd() const { return m_ends.begin()->first.first; }
    /// Comparisons so far.
    quint64 steps() const { return m_steps; }

private:
    using Moment = std::pair<qint64, quint64>; ///< and a number of its own: several may fall on one time
    struct IsEarlier
    {
        quint64 *steps;
        bool operator()(const Moment &a, const Moment &b) const
        {
            ++*steps;
            return a < b;
        }
    };
    template<typename Value>
    using Tree = __gnu_pbds::tree<Moment, Value, IsEarlier, __gnu_pbds::rb_tree_tag,
                                  __gnu_pbds::tree_order_statistics_node_update>;

    quint64 m_steps = 0;
    quint64 m_added = 0;
    Tree<__gnu_pbds::null_type> m_begins{IsEarlier{&m_steps}};
    Tree<qint64> m_ends{IsEarlier{&m_steps}}; ///< with the begin of each
};

} // namespace lockscope
