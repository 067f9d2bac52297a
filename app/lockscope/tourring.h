// SPDX-License-Identifier: MIT
#pragma once

#include "session/session.h"

#include <atomic>
#include <thread>

namespace lockscope {

/// Two sessions that wait for each other: by way of a row and of a name, which no server notices, so that it lasts
/// until this ends; or by way of two rows, which the server ends at once. GUI thread only.
class TourRing
{
public:
    enum class Over { RowAndName, Rows };

    TourRing(const ServerUrl &url, Over over);
    ~TourRing();
    TourRing(const TourRing &) = delete;
    TourRing &operator=(const TourRing &) = delete;

private:
    void wait(const QByteArray &first, const QByteArray &second, std::atomic<quint64> *id);

    SessionTarget m_target;
    std::atomic<quint64> m_row = 0;  ///< the session that holds the row
    std::atomic<quint64> m_name = 0; ///< and that which holds the name
    std::jthread m_first;
    std::jthread m_second;
};

} // namespace lockscope
