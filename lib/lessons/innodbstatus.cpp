// SPDX-License-Identifier: MIT
#include "innodbstatus.h"

#include <QtCore/QRegularExpression>

namespace lockscope {

namespace {

/// "`st`.`t`" in "… of table `st`.`t` trx id …"; the server doubles no quotes, and its own names of files are not told.
const QRegularExpression &lockLine()
{
    static const QRegularExpression pattern(QStringLiteral(
        "^RECORD LOCKS space id \\d+ page no \\d+ n bits \\d+ index (.+) of table `(.+)`\\.`(.+)` trx id "
        "(\\d+) lock(?:_mode| mode) ([XS])(.*)$"));
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

class Reader
{
public:
    PrintedLocks read(const QByteArray &status)
    {
        const QString text = QString::fromUtf8(status);
        for (const QStringView line : QStringView(text).split(u'\n'))
            add(line.toString());
        return std::move(m_found);
    }

private:
    void add(const QString &line)
    {
        if (line.startsWith(QLatin1String("---TRANSACTION "))) {
            // One that has written nothing has no number: "---TRANSACTION (0x7f3fe415bb80)".
            static const QRegularExpression number(QStringLiteral("^---TRANSACTION (\\d+)"));
            m_isInTransaction = true;
            m_transaction = number.match(line).captured(1).toULongLong();
            m_session = 0;
            m_isWaitTold = false;
            m_lock.reset();
        } else if (!m_isInTransaction) {
            return; // of another section, such as the latest deadlock
        } else if (line.startsWith(QLatin1String("MariaDB thread id "))) {
            static const QRegularExpression number(QStringLiteral("^MariaDB thread id (\\d+)"));
            m_session = number.match(line).captured(1).toULongLong();
        } else if (line.startsWith(QLatin1String("------- TRX HAS BEEN WAITING"))) {
            m_isWaitTold = true; // that lock is told once more among all
        } else if (line.startsWith(QLatin1String("-------"))) {
            m_isWaitTold = false;
            m_lock.reset();
        } else if (line.startsWith(QLatin1String("FILE I/O"))) {
            m_isInTransaction = false;
        } else if (line.contains(QLatin1String("LOCKS PRINTED FOR THIS TRX"))) {
            m_found.isCut = true;
        } else if (!m_isWaitTold) {
            addLock(line);
        }
    }

    void addLock(const QString &line)
    {
        if (const auto match = lockLine().match(line); match.hasMatch()) {
            m_lock = PrintedLock{m_transaction,
                                 m_session,
                                 match.captured(2),
                                 match.captured(3),
                                 match.captured(1),
                                 modeOf(match.captured(5), match.captured(6)),
                                 match.captured(6).contains(QLatin1String(" waiting"))};
            return;
        }
        if (!m_lock)
            return;
        static const QRegularExpression record(
            QStringLiteral("^Record lock, heap no (\\d+)(?: PHYSICAL RECORD: .*info bits (\\d+))?"));
        if (const auto match = record.match(line); match.hasMatch()) {
            PrintedLock lock = *m_lock;
            lock.isEndOfIndex = match.captured(1) == QLatin1String("1");
            lock.isDeleteMarked = (match.captured(2).toInt() & 32) != 0;
            m_found.locks += lock;
            m_isInRecord = true;
        } else if (line.startsWith(u' ') && m_isInRecord) {
            if (!m_found.locks.back().isEndOfIndex && !addField(line, &m_found.locks.back()))
                m_isInRecord = false;
        } else if (!line.isEmpty()) {
            m_isInRecord = false;
            m_lock.reset();
        }
    }

    PrintedLocks m_found;
    bool m_isInTransaction = false;
    quint64 m_transaction = 0;
    quint64 m_session = 0;
    bool m_isWaitTold = false;
    bool m_isInRecord = false;
    std::optional<PrintedLock> m_lock;
};

} // namespace

PrintedLocks printedLocks(const QByteArray &status)
{
    return Reader().read(status);
}

} // namespace lockscope
