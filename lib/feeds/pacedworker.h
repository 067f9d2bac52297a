// SPDX-License-Identifier: MIT
#pragma once

#include "console/pollpace.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace lockscope {

/// What lives in a feed's thread and polls whenever it is time to. Private to lib/feeds.
class PacedWorker : public QObject
{
    Q_OBJECT
public:
    PacedWorker();

    /// All of these run in the feed's thread.
    void setInterval(std::chrono::milliseconds interval);
    void setPaused(bool paused);
    void setHidden(bool hidden);
    virtual void poll() = 0;

protected:
    virtual PollPace &pollPace() = 0;
    const PollPace &pace() { return pollPace(); }
    void soon();
    /// After each change of the pace.
    void plan();

private:
    QTimer m_timer;
};

} // namespace lockscope
