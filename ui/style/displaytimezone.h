// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"

#include <QtCore/QDateTime>
#include <QtCore/QObject>

namespace lockscope::ui {

/// The zone in which the window writes moments: this machine's, or UTC. One for all of it. GUI thread only.
class DisplayTimeZone : public QObject
{
    Q_OBJECT
public:
    static DisplayTimeZone *instance();

    bool isUtc() const { return m_isUtc; }
    void setUtc(bool isUtc);
    /// A moment as it is written.
    QDateTime of(ServerTime time) const;

Q_SIGNALS:
    /// Every moment that is shown has to be written anew.
    void changed();

private:
    bool m_isUtc = false;
};

} // namespace lockscope::ui
