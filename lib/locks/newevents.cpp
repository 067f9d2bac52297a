// SPDX-License-Identifier: MIT
#include "newevents.h"

#include <algorithm>

namespace lockscope {

namespace {

/// This many numbers are read again.
constexpr quint64 kOverlap = 64;

} // namespace

std::optional<LockError> NewEvents::read(LeaseReader &reader, QList<Event> *events)
{
    EventOptions options;
    options.afterId = m_last > kOverlap ? m_last - kOverlap : 0;
    options.limit = m_limit;
    if (auto error = reader.events(options, events))
        return error;
    events->removeIf([this](const Event &event) { return m_known.contains(event.id); });
    for (const Event &event : std::as_const(*events)) {
        m_known.insert(event.id);
        m_last = std::max(m_last, event.id);
    }
    m_known.removeIf([this](quint64 id) { return id + kOverlap < m_last; });
    return std::nullopt;
}

void NewEvents::startOver()
{
    m_last = 0;
    m_known.clear();
}

} // namespace lockscope
