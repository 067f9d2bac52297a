// SPDX-License-Identifier: MIT
#include "deadlocklog.h"

#include "deadlockreport.h"

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr qsizetype kLongestHead = 200; ///< of a line: what it begins with

/// What a server begins each message with: "2026-11-30  1:17:36 3 [Note] InnoDB: " of MariaDB,
/// "2026-11-30T01:18:29.839448Z 0 [Note] [MY-012469] [InnoDB] " of MySQL.
struct Message
{
    QString at;
    bool isOfInnoDb = false;
    QByteArray text;
};

std::optional<Message> messageIn(const QByteArray &line)
{
    static const QRegularExpression begin(
        uR"(^(\d{4}-\d\d-\d\d)[ T]{1,2}(\d{1,2}:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)? +\d{1,20} \[\w{1,20}\] ?)"_s);
    static const QRegularExpression innoDb(u"^(?:\\[MY-\\d{1,9}\\] \\[InnoDB\\]|InnoDB:)"_s);
    if (line.size() < 20 || line[4] != '-' || line[7] != '-')
        return std::nullopt;
    const QString head = QString::fromLatin1(line.left(kLongestHead));
    const auto found = begin.match(head);
    if (!found.hasMatch())
        return std::nullopt;
    Message message;
    const QString time = found.captured(2);
    message.at = found.captured(1) + u' ' + (time.size() < 8 ? u'0' + time : time);
    if (found.captured(3) == "Z"_L1)
        message.at += u" UTC"_s;
    const auto from = innoDb.match(head.mid(found.capturedLength()));
    message.isOfInnoDb = from.hasMatch();
    message.text = line.mid(found.capturedLength() + from.capturedLength()).trimmed();
    return message;
}

bool isClosed(const Deadlock &deadlock)
{
    const QList<DeadlockEdge> edges = edgesOf(deadlock);
    return deadlock.sides.size() > 1 && std::ranges::all_of(deadlock.sides, [&edges](const DeadlockSide &side) {
               return std::ranges::find(edges, side.number, &DeadlockEdge::waiter) != edges.end();
           });
}

} // namespace

std::optional<Deadlock> DeadlockLog::take(const QByteArray &line)
{
    if (const auto message = messageIn(line)) {
        if (message->isOfInnoDb)
            return takeMessage(message->at, message->text, line);
        return endIfClosed(); // of somebody else, who may have come between
    }
    return takePlain(line);
}

std::optional<Deadlock> DeadlockLog::end()
{
    if (!std::exchange(m_isOpen, false))
        return std::nullopt;
    auto deadlock = deadlockIn(m_text, m_isCut);
    m_text.clear();
    const QByteArray raw = std::exchange(m_raw, {});
    if (!deadlock)
        return std::nullopt;
    QList<quint64> transactions;
    for (const DeadlockSide &side : std::as_const(deadlock->sides))
        transactions += side.transaction;
    if (transactions.first() == 0)
        return std::nullopt; // but a line that looked like a heading
    if (std::exchange(m_last, transactions) == transactions)
        return std::nullopt; // a monitor prints the latest one again and again
    deadlock->at = m_at;
    deadlock->text = raw;
    return deadlock;
}

void DeadlockLog::begin(const QString &at, bool hasHeadings)
{
    m_isOpen = true;
    m_hasHeadings = hasHeadings;
    m_isCut = false;
    m_at = at;
    m_sides = 0;
    m_notClosed = 0;
}

void DeadlockLog::keep(const QByteArray &line)
{
    if (m_raw.size() + line.size() <= MaxBytes)
        m_raw += line + '\n';
}

void DeadlockLog::read(const QByteArray &line)
{
    if (m_text.size() + line.size() <= MaxBytes)
        m_text += line + '\n';
    else
        m_isCut = true;
}

std::optional<Deadlock> DeadlockLog::takeMessage(const QString &at, const QByteArray &text, const QByteArray &line)
{
    if (text.startsWith("Transactions deadlock detected")) {
        auto before = end();
        begin(at, true);
        keep(line);
        return before;
    }
    if (!m_isOpen || !m_hasHeadings)
        return endIfClosed();
    if (!text.isEmpty() && !text.startsWith("*** "))
        return std::nullopt;
    keep(line); // MariaDB has an empty one before each transaction
    read(text);
    return text.startsWith("*** WE ROLL BACK") ? end() : std::nullopt;
}

std::optional<Deadlock> DeadlockLog::takePlain(const QByteArray &line)
{
    static const QRegularExpression side(u"^TRANSACTION \\d{1,20}, ACTIVE \\d{1,9} sec"_s);
    const bool isHeading = line.startsWith("*** ");
    std::optional<Deadlock> before;
    if (isHeading && (!m_isOpen || !m_hasHeadings) && line.startsWith("*** (1) TRANSACTION:")) {
        before = end(); // what a monitor prints, or a log that begins in the middle
        begin({}, true);
    }
    if (m_isOpen && m_hasHeadings) {
        keep(line);
        read(line);
        return isHeading && line.startsWith("*** WE ") ? end() : before;
    }
    if (line.startsWith("TRANSACTION ") && side.match(QString::fromLatin1(line.left(kLongestHead))).hasMatch()) {
        before = endIfClosed();
        if (!m_isOpen)
            begin({}, false);
        ++m_sides;
        read("*** (" + QByteArray::number(m_sides) + ") TRANSACTION:");
    } else if (m_isOpen && (line.startsWith("RECORD LOCKS ") || line.startsWith("TABLE LOCK "))) {
        const char *const what =
            line.endsWith(" waiting") ? ") WAITING FOR THIS LOCK TO BE GRANTED:" : ") HOLDS THE LOCK(S):";
        read("*** (" + QByteArray::number(m_sides) + what);
    }
    if (m_isOpen) {
        keep(line);
        read(line);
    }
    return before;
}

/// Of one without headings: whatever comes next shows that it has ended.
std::optional<Deadlock> DeadlockLog::endIfClosed()
{
    if (!m_isOpen || m_hasHeadings || m_notClosed == m_text.size())
        return std::nullopt;
    const auto found = deadlockIn(m_text, true);
    if (found && isClosed(*found))
        return end();
    m_notClosed = m_text.size();
    return std::nullopt;
}

} // namespace lockscope
