// SPDX-License-Identifier: MIT
#pragma once

#include "deadlock.h"

#include <QtCore/QByteArray>

#include <optional>

namespace lockscope {

/// The deadlocks in a server's error log, which has all of them while innodb_print_all_deadlocks is on. Takes it line
/// by line, as it may be larger than the memory.
///
/// With log_error_verbosity below 3 MySQL prints the transactions alone: no headings between them, not when it was, not
/// who was rolled back. Such a deadlock ends where its cycle is closed.
///
/// Takes any bytes. Whoever can reach a server may have it write lines of his own into the log, so for acts on a server
/// this is no source.
class DeadlockLog
{
public:
    /// Of one deadlock; what a longer one has beyond is left out.
    static constexpr qsizetype MaxBytes = qsizetype(4) * 1024 * 1024;

    /// The next line, without its end. A deadlock that it has ended.
    std::optional<Deadlock> take(const QByteArray &line);
    /// The log has ended: what is left.
    std::optional<Deadlock> end();

private:
    void begin(const QString &at, bool hasHeadings);
    void keep(const QByteArray &line);
    void read(const QByteArray &line);
    std::optional<Deadlock> takeMessage(const QString &at, const QByteArray &text, const QByteArray &line);
    std::optional<Deadlock> takePlain(const QByteArray &line);
    std::optional<Deadlock> endIfClosed();

    bool m_isOpen = false; ///< one has begun
    bool m_hasHeadings = false;
    bool m_isCut = false;
    QString m_at;
    int m_sides = 0;           ///< that were begun without headings
    QByteArray m_raw;          ///< as the log has it
    QByteArray m_text;         ///< as InnoDB's status would have it
    qsizetype m_notClosed = 0; ///< so long was the text when its cycle was not closed yet
    QList<quint64> m_last;     ///< transactions of the one before
};

} // namespace lockscope
