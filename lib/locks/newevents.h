// SPDX-License-Identifier: MIT
#pragma once

#include "leasereader.h"

#include <QtCore/QSet>

namespace lockscope {

/// Tells each event once, as they come. Their numbers are given before the commit, so a smaller one may appear late:
/// the last numbers are read again each time.
class NewEvents
{
public:
    /// Of many at once the newest `limit` are told.
    explicit NewEvents(int limit = EventOptions().limit)
        : m_limit(limit)
    {
    }

    /// What was not told yet, in the order of the numbers.
    std::optional<LockError> read(LeaseReader &reader, QList<Event> *events);
    /// The tables are gone: those that are installed next begin with the first number again.
    void startOver();

private:
    const int m_limit;
    quint64 m_last = 0;
    QSet<quint64> m_known; ///< of the last numbers those that were told
};

} // namespace lockscope
