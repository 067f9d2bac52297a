// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <optional>

namespace lockscope::ui {

/// The server's time between two polls. Stands still while the data is not live: a countdown that went on would
/// claim what nobody knows. GUI thread only.
class LiveClock : public QObject
{
    Q_OBJECT
public:
    explicit LiveClock(QObject *parent = nullptr);

    void sync(const SnapshotClock &clock);
    /// Another server from here on: nothing is known of its time.
    void forget();
    /// True: `now` stays at the moment of the last data.
    void setFrozen(bool frozen);
    bool isKnown() const { return m_isKnown; }

    ServerTime now() const;
    /// How old the last data is; grows also while frozen.
    Microseconds age() const;

    /// What is to come by these is late when it is much older; before this call nothing is late.
    void expectEvery(Microseconds interval, Microseconds cost);
    /// Data that should have come has not; not while frozen, when none is to come.
    bool isLate() const { return m_isLate; }

    /// Ticks only while somebody looks.
    void setTicking(bool ticking);

Q_SIGNALS:
    /// Ten times a second while ticking: numbers that depend on `now` may have changed.
    void ticked();
    /// isLate() has changed.
    void lateChanged(bool isLate);

private:
    void checkAge();

    SnapshotClock m_clock;
    QTimer m_timer;
    bool m_isKnown = false;
    bool m_isFrozen = false;
    bool m_isLate = false;
    std::optional<Microseconds> m_lateAfter;
    std::chrono::steady_clock::time_point m_expectedFrom{}; ///< before that nobody waited for data
};

} // namespace lockscope::ui
