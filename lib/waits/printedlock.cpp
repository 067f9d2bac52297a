// SPDX-License-Identifier: MIT
#include "printedlock.h"

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

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

/// "`st`.`t`", or "`st`.`t` /* Partition `p0` */". The server doubles no quotes, and whoever may write statements may
/// have his text printed here: no pattern that could try each quote with each other.
bool readNames(QStringView text, PrintedLock *lock)
{
    if (text.endsWith(u"*/"))
        text = text.first(std::max(qsizetype(0), text.lastIndexOf(u" /*")));
    const qsizetype between = text.lastIndexOf(u"`.`");
    if (between < 2 || !text.startsWith(u'`') || !text.endsWith(u'`') || text.size() < between + 5)
        return false;
    lock->schema = text.sliced(1, between - 1).toString();
    lock->table = text.sliced(between + 3).chopped(1).toString();
    return true;
}

/// "trx id 5 lock_mode X locks rec but not gap waiting" behind the names; what stands before it, or nothing.
std::optional<QStringView> readModes(QStringView line, PrintedLock *lock)
{
    static const QRegularExpression modes(QStringLiteral("^ trx id (\\d+) lock(?:_mode| mode) ([A-Z_]+)(.*)$"));
    const qsizetype begin = line.lastIndexOf(u" trx id ");
    const auto match = begin < 0 ? QRegularExpressionMatch() : modes.match(line.sliced(begin).toString());
    if (!match.hasMatch())
        return std::nullopt;
    lock->transaction = match.captured(1).toULongLong();
    lock->mode = modeOf(match.captured(2), match.captured(3));
    lock->isWaiting = match.captured(3).contains(QLatin1String(" waiting"));
    return line.first(begin);
}

/// What all records below the heading have in common, and the page that they are in.
std::optional<PrintedLock> readRecordHeading(const QString &line, QString *page)
{
    static const QRegularExpression place(
        QStringLiteral("^RECORD LOCKS space id (\\d+) page no (\\d+) n bits \\d+ index "));
    if (!line.startsWith(QLatin1String("RECORD LOCKS ")))
        return std::nullopt;
    PrintedLock lock;
    const auto names = readModes(line, &lock);
    const auto match = place.match(line);
    const qsizetype table = names ? names->lastIndexOf(u" of table `") : -1;
    if (!match.hasMatch() || table <= match.capturedEnd() || !readNames(names->sliced(table + 10), &lock))
        return std::nullopt;
    lock.index = names->sliced(match.capturedEnd(), table - match.capturedEnd()).toString();
    *page = match.captured(1) + u':' + match.captured(2) + u':';
    return lock;
}

std::optional<PrintedLock> readTableHeading(const QString &line)
{
    static const QLatin1String begin("TABLE LOCK table ");
    PrintedLock lock;
    const auto names = line.startsWith(begin) ? readModes(line, &lock) : std::nullopt;
    return names && names->size() > begin.size() && readNames(names->sliced(begin.size()), &lock) ? std::optional(lock)
                                                                                                  : std::nullopt;
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
    if (auto heading = readRecordHeading(line, &m_page)) {
        m_isInRecord = false;
        m_heading = std::move(heading);
    } else if (auto table = readTableHeading(line)) {
        m_isInRecord = false;
        m_heading.reset();
        m_locks += std::move(*table);
    } else if (!m_heading) {
        return;
    } else if (const auto found = record.match(line.startsWith(u'R') ? line : QString()); found.hasMatch()) {
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
