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
constexpr int kNear = 2;                ///< lines from the heading of a transaction to its first line
constexpr int kMostPrefixes = 2;        ///< of a container and of its composition

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

/// Without what others put before each line that a server writes: journalctl and syslog the time, the host and the
/// program, containers the time or their name.
QByteArray withoutPrefix(const QByteArray &line)
{
    static const QString day = u"(?:[A-Z][a-z]{2} )?(?:[A-Z][a-z]{2} [ \\d]\\d|\\d{4}-\\d\\d-\\d\\d)"_s;
    static const QString zone = u"(?: ?[A-Z]{1,5}| ?[+-]\\d\\d:?\\d\\d)?"_s;
    static const QString time =
        u"(?:%1[ T]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?%2|\\d{9,12}\\.\\d{1,9}) "_s.arg(day, zone);
    static const QRegularExpression prefix(
        u"^(?:(?:%1\\S{1,64} (?:\\S{1,64}\\[\\d{1,10}\\]|mysqld|mariadbd):|%1std(?:out|err) "
        u"[FP]|(?:mysqld|mariadbd)(?:\\[\\d{1,10}\\])?:|"
        "\\S{1,64} +\\|)(?: |$)|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{1,9}Z )"_s.arg(time));
    const auto found = prefix.match(QString::fromLatin1(line.left(kLongestHead)));
    return found.hasMatch() ? line.mid(found.capturedLength()) : line;
}

/// The lines of a deadlock begin in other ways, but for statements.
bool mayHavePrefix(const QByteArray &line)
{
    return !line.isEmpty() && line[0] != ' ' && !line.startsWith("Record lock") && !line.startsWith("RECORD LOCKS");
}

QList<quint64> transactionsOf(const Deadlock &deadlock)
{
    QList<quint64> transactions;
    for (const DeadlockSide &side : deadlock.sides)
        transactions += side.transaction;
    return transactions;
}

} // namespace

QList<Deadlock> DeadlockLog::take(QByteArray line)
{
    auto message = messageIn(line);
    for (int i = 0; i < kMostPrefixes && !message && mayHavePrefix(line); ++i) {
        line = withoutPrefix(line);
        message = messageIn(line);
    }
    if (!message)
        return takePlain(line);
    if (!message->text.isEmpty() && !message->text.startsWith("*** "))
        m_skips = false;
    return message->isOfInnoDb ? takeMessage(message->at, message->text, line) : QList<Deadlock>();
}

QList<Deadlock> DeadlockLog::end()
{
    return endHeaded() + m_plain.end();
}

/// Whether what stands there belongs to one whose beginning is missing. A statement that has such a heading as a line
/// of its own hides no more than the deadlock that it is of: the next transaction has none.
bool DeadlockLog::skips(const QByteArray &text)
{
    static const QRegularExpression inner(
        uR"(^\*\*\* (?:\(\d{1,6}\) )?(?:(TRANSACTION)|HOLDS THE LOCK|WAITING FOR THIS LOCK|CONFLICTING WITH))"_s);
    if (m_headed || text.startsWith("*** (1) TRANSACTION:"))
        return m_skips = false;
    m_sinceHeading = std::min(m_sinceHeading + 1, kNear + 1);
    if (text.startsWith("*** ")) {
        const auto found = inner.match(QString::fromLatin1(text.left(kLongestHead)));
        if (found.hasMatch()) {
            m_skips = m_hasSkipped = true;
            m_plain = {}; // its lines are none without headings
        }
        if (found.hasCaptured(1))
            m_sinceHeading = 0;
    }
    const bool isUnheaded = text.startsWith("TRANSACTION ") && m_sinceHeading > kNear;
    if (isUnheaded)
        m_skips = false;
    return std::exchange(m_skips, m_skips && !text.startsWith("*** WE "));
}

/// Of those without headings. A monitor prints the latest one again, with them.
QList<Deadlock> DeadlockLog::remembered(const QList<Deadlock> &ended)
{
    if (!ended.isEmpty())
        m_last = transactionsOf(ended.last());
    return ended;
}

QList<Deadlock> DeadlockLog::takeMessage(const QString &at, const QByteArray &text, const QByteArray &line)
{
    if (text.startsWith("Transactions deadlock detected")) {
        const QList<Deadlock> before = end();
        m_headed = Headed{.at = at};
        m_skips = false;
        add(line, {});
        return before;
    }
    if (skips(text) || !m_headed || (!text.isEmpty() && !text.startsWith("*** ")))
        return {};
    add(line, text); // MariaDB has an empty one before each transaction
    return text.startsWith("*** WE ROLL BACK") ? endHeaded() : QList<Deadlock>();
}

QList<Deadlock> DeadlockLog::takePlain(const QByteArray &line)
{
    QList<Deadlock> before;
    if (skips(line))
        return before;
    if (!m_headed && line.startsWith("*** (1) TRANSACTION:")) {
        before = remembered(m_plain.end()); // what a monitor prints, or a log that begins in the middle
        m_headed = Headed{.mayRepeat = true};
    }
    if (!m_headed)
        return remembered(m_plain.take(line));
    add(line, line);
    return line.startsWith("*** WE ") ? before + endHeaded() : before;
}

void DeadlockLog::add(const QByteArray &line, const QByteArray &text)
{
    if (m_headed->raw.size() + line.size() <= PlainDeadlocks::MaxBytes)
        m_headed->raw += line + '\n';
    if (m_headed->text.size() + text.size() <= PlainDeadlocks::MaxBytes)
        m_headed->text += text + '\n';
    else
        m_headed->isCut = true;
}

QList<Deadlock> DeadlockLog::endHeaded()
{
    if (!m_headed)
        return {};
    const Headed headed = *std::exchange(m_headed, std::nullopt);
    auto deadlock = deadlockIn(headed.text, headed.isCut);
    const auto isSomebody = [](const DeadlockSide &side) { return side.transaction != 0 || side.session != 0; };
    if (!deadlock || std::ranges::none_of(deadlock->sides, isSomebody))
        return {}; // but a line that looked like a heading
    const QList<quint64> transactions = transactionsOf(*deadlock);
    if (std::exchange(m_last, transactions) == transactions && headed.mayRepeat)
        return {};
    deadlock->at = headed.at;
    deadlock->text = headed.raw;
    return {*std::move(deadlock)};
}

} // namespace lockscope
