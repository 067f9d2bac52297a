// SPDX-License-Identifier: MIT
#pragma once

#include "plaindeadlocks.h"

#include <QtCore/QByteArray>

#include <optional>

namespace lockscope {

/// The deadlocks in a server's error log, which has all of them while innodb_print_all_deadlocks is on. Takes it line
/// by line, as it may be larger than the memory; as the server has written it, or as journalctl, syslog and containers
/// have it, each line with its time and where it is from.
///
/// Takes any bytes. Whoever can reach a server may have it write lines of his own into the log, so for acts on a server
/// this is no source.
class DeadlockLog
{
public:
    /// The next line, without its end. Deadlocks that it has ended.
    QList<Deadlock> take(QByteArray line);
    /// The log has ended: what is left.
    QList<Deadlock> end();
    /// It has begun within a deadlock with headings, of which nothing is told.
    bool hasSkipped() const { return m_hasSkipped; }

private:
    /// One with headings.
    struct Headed
    {
        QString at = {};
        bool mayRepeat = false; ///< a monitor prints the latest one again and again
        bool isCut = false;
        QByteArray raw = {};  ///< as the log has it
        QByteArray text = {}; ///< as InnoDB's status would have it
    };

    bool skips(const QByteArray &text);
    QList<Deadlock> remembered(const QList<Deadlock> &ended);
    QList<Deadlock> takeMessage(const QString &at, const QByteArray &text, const QByteArray &line);
    QList<Deadlock> takePlain(const QByteArray &line);
    void add(const QByteArray &line, const QByteArray &text);
    QList<Deadlock> endHeaded();

    std::optional<Headed> m_headed;
    PlainDeadlocks m_plain;
    bool m_skips = false; ///< within such a one
    bool m_hasSkipped = false;
    int m_sinceHeading = 0; ///< lines since the heading of a transaction, while it skips
    QList<quint64> m_last;  ///< transactions of the last one
};

} // namespace lockscope
