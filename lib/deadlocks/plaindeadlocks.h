// SPDX-License-Identifier: MIT
#pragma once

#include "deadlock.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>

#include <optional>

namespace lockscope {

/// One of the transactions of a deadlock without headings.
struct PlainSide
{
    QByteArray raw;  ///< as the log has it
    QByteArray text; ///< as InnoDB's status would have it, without the first heading
    int locks = 0;
    DeadlockSide parsed = {};
};

/// Deadlocks as MySQL writes them into its error log with log_error_verbosity below 3: the transactions alone, without
/// headings, time and victim. Each has the lock that keeps the one before it waiting, and the one that it waits for
/// (Deadlock_notifier::notify() of MySQL 8.0 and later); where that is a lock of an earlier one, the deadlock is whole.
/// Takes any bytes.
class PlainDeadlocks
{
public:
    /// Of one deadlock; what a longer one has beyond is left out.
    static constexpr qsizetype MaxBytes = qsizetype(4) * 1024 * 1024;

    /// The next line that belongs to nothing else. What it has ended: a deadlock, and before it perhaps a part of one,
    /// as the log may begin in its middle.
    QList<Deadlock> take(const QByteArray &line);
    /// The part that is left.
    QList<Deadlock> end();

private:
    QList<Deadlock> endSide();
    QList<Deadlock> endPart(qsizetype count);
    void add(const QByteArray &line);

    std::optional<PlainSide> m_side; ///< that is being read
    QList<PlainSide> m_sides;        ///< before it
};

} // namespace lockscope
