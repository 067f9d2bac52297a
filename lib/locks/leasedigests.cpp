// SPDX-License-Identifier: MIT
#include "leasedigests.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope {

LeaseDigests readDigests(const QByteArray &text)
{
    LeaseDigests digests;
    digests.reserve(std::size_t(text.size()) / 10);
    quint32 digest = 0;
    for (const char c : text) {
        if (c == ',') {
            digests.push_back(digest);
            digest = 0;
        } else {
            digest = digest * 10 + quint32(c - '0');
        }
    }
    if (!text.isEmpty())
        digests.push_back(digest);
    std::sort(digests.begin(), digests.end());
    return digests;
}

LeaseDigests without(const LeaseDigests &a, const LeaseDigests &b)
{
    LeaseDigests rest;
    std::set_difference(a.cbegin(), a.cend(), b.cbegin(), b.cend(), std::back_inserter(rest));
    return rest;
}

bool UnknownDigests::add(const LeaseDigests &unknown)
{
    m_now.insert(m_now.end(), unknown.cbegin(), unknown.cend());
    return std::any_of(unknown.cbegin(), unknown.cend(), [this](quint32 digest) {
        return std::binary_search(m_before.cbegin(), m_before.cend(), digest);
    });
}

void UnknownDigests::endPass()
{
    m_before = std::exchange(m_now, {});
    std::sort(m_before.begin(), m_before.end());
}

void UnknownDigests::clear()
{
    m_before.clear();
    m_now.clear();
}

} // namespace lockscope
