// SPDX-License-Identifier: MIT
#include "printedlock.h"

#include <QtCore/QRegularExpression>

#include <utility>

namespace lockscope {

namespace {

/// "… of table `st`.`t` trx id …"; the server doubles no quotes.
const QRegularExpression &recordHeading()
{
    static const QRegularExpression pattern(QStringLiteral(
        "^RECORD LOCKS space id (\\d+) page no (\\d+) n bits \\d+ index (.+) of table `(.+)`\\.`(.+)` trx id "
        "(\\d+) lock(?:_mode| mode) ([XS])(.*)$"));
    return pattern;
}

const QRegularExpression &tableHeading()
{
    static const QRegularExpression pattern(
        QStringLiteral("^TABLE LOCK table `(.+)`\\.`(.+)` trx id (\\d+) lock(?:_mode| mode) ([A-Z_]+)(.*)$"));
    return pattern;
}

/// As data_locks says it, of what stands behind the mode.
QString modeOf(const QString &mode, const QString &rest)
{
    QString text = mode;
    if (rest.contains(QLatin1String(" locks rec but not gap")))
        text += QStringLiteral(",REC_NOT_GAP");
    if (rest.contains(QLatin1String(" locks gap before rec")))
        text += QStringLiteral(",GAP");
    if (rest.contains(QLatin1String(" insert intention")))
        text += QStringLiteral(",INSERT_INTENTION");
    return text;
}

/// " 1: len 4; hex 80000002; asc     ;;" or " 1: SQL NULL;".
bool addField(const QString &line, PrintedLock *lock)
{
    static const QRegularExpression pattern(QStringLiteral("^ \\d+: (?:SQL NULL;|len \\d+; hex ([0-9a-f]*);)"));
    const auto match = pattern.match(line);
    if (!match.hasMatch())
        return false;
    if (match.hasCaptured(1))
        lock->fields += QByteArray::fromHex(match.captured(1).toLatin1());
    else
        lock->fields += std::nullopt;
    return true;
}

} // namespace

void PrintedLockLines::take(const QString &line)
{
    static const QRegularExpression record(
        QStringLiteral("^Record lock, heap no (\\d+)(?: PHYSICAL RECORD: .*info bits (\\d+))?"));
    if (const auto match = recordHeading().match(line); match.hasMatch()) {
        m_isInRecord = false;
        m_page = match.captured(1) + u':' + match.captured(2) + u':';
        m_heading = PrintedLock{.transaction = match.captured(6).toULongLong(),
                                .schema = match.captured(4),
                                .table = match.captured(5),
                                .index = match.captured(3),
                                .mode = modeOf(match.captured(7), match.captured(8)),
                                .isWaiting = match.captured(8).contains(QLatin1String(" waiting"))};
    } else if (const auto table = tableHeading().match(line); table.hasMatch()) {
        m_isInRecord = false;
        m_heading.reset();
        m_locks += PrintedLock{.transaction = table.captured(3).toULongLong(),
                               .schema = table.captured(1),
                               .table = table.captured(2),
                               .mode = table.captured(4),
                               .isWaiting = table.captured(5).contains(QLatin1String(" waiting"))};
    } else if (!m_heading) {
        return;
    } else if (const auto found = record.match(line); found.hasMatch()) {
        m_locks += *m_heading;
        m_locks.back().place = m_page + found.captured(1);
        m_locks.back().isEndOfIndex = found.captured(1) == QLatin1String("1");
        m_locks.back().isDeleteMarked = (found.captured(2).toInt() & 32) != 0;
        m_isInRecord = true;
    } else if (line.startsWith(u' ') && m_isInRecord) {
        m_isInRecord = m_locks.back().isEndOfIndex || addField(line, &m_locks.back());
    } else if (!line.isEmpty()) {
        m_isInRecord = false;
        m_heading.reset();
    }
}

QList<PrintedLock> PrintedLockLines::takeLocks()
{
    m_isInRecord = false;
    m_heading.reset();
    return std::exchange(m_locks, {});
}

} // namespace lockscope
