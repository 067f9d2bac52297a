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

/// Without what journalctl prints before each line: "Nov 30 01:17:36 db7 mariadbd[1234]: ".
QByteArray withoutJournal(const QByteArray &line)
{
    static const QRegularExpression prefix(
        uR"(^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,64} \S{1,64}\[\d{1,10}\]:(?: |$))"_s);
    if (line.size() < 20 || line[3] != ' ' || line[6] != ' ' || line[9] != ':')
        return line;
    const auto found = prefix.match(QString::fromLatin1(line.left(kLongestHead)));
    return found.hasMatch() ? line.mid(found.capturedLength()) : line;
}

} // namespace

QList<Deadlock> DeadlockLog::take(QByteArray line)
{
    line = withoutJournal(line);
    const auto message = messageIn(line);
    if (!message)
        return takePlain(line);
    return message->isOfInnoDb ? takeMessage(message->at, message->text, line) : QList<Deadlock>();
}

QList<Deadlock> DeadlockLog::end()
{
    return endHeaded() + m_plain.end();
}

QList<Deadlock> DeadlockLog::takeMessage(const QString &at, const QByteArray &text, const QByteArray &line)
{
    if (text.startsWith("Transactions deadlock detected")) {
        const QList<Deadlock> before = end();
        m_headed = Headed{.at = at};
        add(line, {});
        return before;
    }
    if (!m_headed || (!text.isEmpty() && !text.startsWith("*** ")))
        return {};
    add(line, text); // MariaDB has an empty one before each transaction
    return text.startsWith("*** WE ROLL BACK") ? endHeaded() : QList<Deadlock>();
}

QList<Deadlock> DeadlockLog::takePlain(const QByteArray &line)
{
    QList<Deadlock> before;
    if (!m_headed && line.startsWith("*** (1) TRANSACTION:")) {
        before = m_plain.end(); // what a monitor prints, or a log that begins in the middle
        m_headed = Headed{.mayRepeat = true};
    }
    if (!m_headed)
        return m_plain.take(line);
    add(line, line);
    return line.startsWith("*** WE ") ? before + endHeaded() : before;
}

void DeadlockLog::add(const QByteArray &line, const QByteArray &text)
{
    if (m_headed->raw.size() + line.size() <= MaxBytes)
        m_headed->raw += line + '\n';
    if (m_headed->text.size() + text.size() <= MaxBytes)
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
    QList<quint64> transactions;
    for (const DeadlockSide &side : std::as_const(deadlock->sides))
        transactions += side.transaction;
    if (std::exchange(m_last, transactions) == transactions && headed.mayRepeat)
        return {};
    deadlock->at = headed.at;
    deadlock->text = headed.raw;
    return {*std::move(deadlock)};
}

} // namespace lockscope
