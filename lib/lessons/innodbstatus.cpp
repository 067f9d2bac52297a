// SPDX-License-Identifier: MIT
#include "innodbstatus.h"

#include <QtCore/QRegularExpression>

namespace lockscope {

namespace {

class Reader
{
public:
    PrintedLocks read(const QByteArray &status)
    {
        const QString text = QString::fromUtf8(status);
        for (const QStringView line : QStringView(text).split(u'\n'))
            add(line.toString());
        endTransaction();
        return std::move(m_found);
    }

private:
    void add(const QString &line)
    {
        if (line.startsWith(QLatin1String("---TRANSACTION "))) {
            // One that has written nothing has no number: "---TRANSACTION (0x7f3fe415bb80)".
            static const QRegularExpression number(QStringLiteral("^---TRANSACTION (\\d+)"));
            endTransaction();
            m_isInTransaction = true;
            m_transaction = number.match(line).captured(1).toULongLong();
            m_session = 0;
            m_isWaitTold = false;
        } else if (!m_isInTransaction) {
            return; // of another section, such as the latest deadlock
        } else if (line.startsWith(QLatin1String("MariaDB thread id "))) {
            static const QRegularExpression number(QStringLiteral("^MariaDB thread id (\\d+)"));
            m_session = number.match(line).captured(1).toULongLong();
        } else if (line.startsWith(QLatin1String("------- TRX HAS BEEN WAITING"))) {
            m_isWaitTold = true; // that lock is told once more among all
        } else if (line.startsWith(QLatin1String("-------"))) {
            m_isWaitTold = false;
        } else if (line.startsWith(QLatin1String("FILE I/O"))) {
            endTransaction();
            m_isInTransaction = false;
        } else if (line.contains(QLatin1String("LOCKS PRINTED FOR THIS TRX"))) {
            m_found.isCut = true;
        } else if (!m_isWaitTold) {
            m_lines.take(line);
        }
    }

    void endTransaction()
    {
        for (PrintedLock &lock : m_lines.takeLocks()) {
            if (lock.index.isEmpty())
                continue; // of a table
            lock.transaction = m_transaction;
            lock.session = m_session;
            m_found.locks += std::move(lock);
        }
    }

    PrintedLocks m_found;
    bool m_isInTransaction = false;
    quint64 m_transaction = 0;
    quint64 m_session = 0;
    bool m_isWaitTold = false;
    PrintedLockLines m_lines;
};

} // namespace

PrintedLocks printedLocks(const QByteArray &status)
{
    return Reader().read(status);
}

} // namespace lockscope
