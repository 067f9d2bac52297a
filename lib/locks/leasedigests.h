// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>

#include <vector>

namespace lockscope {

/// What monitor/lease_digests answers, sorted.
using LeaseDigests = std::vector<quint32>;

/// From its text; sorted.
LeaseDigests readDigests(const QByteArray &text);
/// Those of `a` without those of `b`, each as often as there are more of it in `a`. Both are sorted.
LeaseDigests without(const LeaseDigests &a, const LeaseDigests &b);

/// Digests that belong to no lease that is known. Most are of what changed between two questions and are others by the
/// next pass; one that stays is of a lease that was missed.
class UnknownDigests
{
public:
    /// Some more of this pass, sorted: whether one of them was unknown in the pass before.
    bool add(const LeaseDigests &unknown);
    void endPass();
    void clear();

private:
    LeaseDigests m_before;
    LeaseDigests m_now;
};

} // namespace lockscope
