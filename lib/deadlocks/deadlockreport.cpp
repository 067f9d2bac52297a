// SPDX-License-Identifier: MIT
#include "deadlockreport.h"

#include <QtCore/QHash>
#include <QtCore/QRegularExpression>
#include <QtCore/QSet>
#include <QtCore/QStringList>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

/// MySQL prints so much of a statement, and MariaDB so much of the session's line and the statement together.
constexpr qsizetype kStatementBytes = 3000;
constexpr qsizetype kSessionBytes = 3071;

const QRegularExpression &sideHeading()
{
    static const QRegularExpression pattern(uR"(^\*\*\* \((\d{1,6})\) TRANSACTION:$)"_s);
    return pattern;
}

/// "*** (1) HOLDS THE LOCK(S):" of MySQL, "*** WAITING FOR THIS LOCK TO BE GRANTED:" and "*** CONFLICTING WITH:" of
/// MariaDB, which counts no sides there.
const QRegularExpression &locksHeading()
{
    static const QRegularExpression pattern(
        uR"(^\*\*\* (?:\(\d{1,6}\) )?(?:HOLDS THE LOCK\(S\)|(WAITING FOR THIS LOCK TO BE GRANTED)|CONFLICTING WITH):$)"_s);
    return pattern;
}

/// The part of the status below its heading, without that of the next part.
QByteArray section(const QByteArray &status, bool *isCut)
{
    static const QByteArray heading = "LATEST DETECTED DEADLOCK\n------------------------\n";
    static const QByteArray next = "------------\nTRANSACTIONS\n------------\n";
    const qsizetype found = status.startsWith(heading) ? 0 : status.indexOf('\n' + heading);
    if (found < 0)
        return {};
    const qsizetype begin = found + (found > 0 ? 1 : 0) + heading.size();
    const qsizetype end = status.indexOf(next, begin);
    *isCut = end < 0;
    return status.mid(begin, end < 0 ? -1 : end - begin);
}

class Reader
{
public:
    std::optional<Deadlock> read(const QByteArray &text, bool isCut)
    {
        m_deadlock.text = text;
        for (const QString &line : QString::fromUtf8(text).split(u'\n'))
            take(line);
        endPart();
        if (m_deadlock.sides.isEmpty())
            return std::nullopt;
        giveAway();
        m_deadlock.isCut = isCut || !m_isEnded;
        return std::move(m_deadlock);
    }

private:
    enum class Part { Head, Side, Statement, Holds, Waits };

    void take(const QString &line)
    {
        static const QRegularExpression time(u"^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d"_s);
        if (line.startsWith("*** "_L1) && takeHeading(line))
            return;
        if (!m_deadlock.sides.isEmpty())
            addTo(&m_deadlock.sides.back(), line);
        else if (const auto match = time.match(line); match.hasMatch() && m_deadlock.at.isEmpty())
            m_deadlock.at = match.captured();
    }

    /// False: it is none, but a statement's line for example.
    bool takeHeading(const QString &line)
    {
        static const QRegularExpression end(u"^\\*\\*\\* WE (?:WILL )?ROLL BACK (?:TRANSACTION \\((\\d{1,6})\\))?"_s);
        if (const auto side = sideHeading().match(line);
            side.hasMatch() && side.captured(1).toInt() == m_deadlock.sides.size() + 1) {
            endPart();
            m_deadlock.sides += DeadlockSide{.number = side.captured(1).toInt()};
            m_part = Part::Side;
            return true;
        }
        if (m_deadlock.sides.isEmpty())
            return false;
        if (const auto locks = locksHeading().match(line); locks.hasMatch()) {
            endPart();
            m_part = locks.hasCaptured(1) ? Part::Waits : Part::Holds;
            return true;
        }
        if (const auto victim = end.match(line); victim.hasMatch()) {
            endPart();
            m_deadlock.victim = victim.captured(1).toInt();
            m_isEnded = true;
            return true;
        }
        return false;
    }

    void addTo(DeadlockSide *side, const QString &line)
    {
        // MariaDB prints an address of one that has only shared locks, which has no number.
        static const QRegularExpression head(
            u"^TRANSACTION (?:(\\d+)|\\(0x[0-9a-f]{1,16}\\)), ACTIVE (\\d{1,9}) sec"_s);
        static const QRegularExpression session(
            u"^(?:MySQL|MariaDB) thread id (\\d+), OS thread handle [^,]+, query id \\d+ ?(.*)$"_s);
        switch (m_part) {
        case Part::Head:
            return;
        case Part::Side:
            if (const auto match = head.match(line); match.hasMatch()) {
                side->transaction = match.captured(1).toULongLong();
                side->active = std::chrono::seconds(match.captured(2).toInt());
            } else if (const auto found = session.match(line); found.hasMatch()) {
                side->session = found.captured(1).toULongLong();
                side->client = found.captured(2);
                m_sessionBytes = line.toUtf8().size();
                m_part = Part::Statement;
            }
            return;
        case Part::Statement:
            m_statement += line;
            return;
        case Part::Holds:
        case Part::Waits:
            m_lines.take(line);
            return;
        }
    }

    void endPart()
    {
        if (m_deadlock.sides.isEmpty())
            return;
        DeadlockSide &side = m_deadlock.sides.back();
        if (m_part == Part::Statement) {
            side.statement = m_statement.join(u'\n').trimmed();
            const qsizetype bytes = side.statement.toUtf8().size();
            side.isStatementCut = bytes >= kStatementBytes || m_sessionBytes + 1 + bytes >= kSessionBytes;
            m_statement.clear();
        } else if (m_part == Part::Waits) {
            side.waitsFor += m_lines.takeLocks();
        } else if (m_part == Part::Holds) {
            for (const PrintedLock &lock : m_lines.takeLocks())
                m_held.append({lock, side.number});
        }
        m_part = Part::Head;
    }

    struct Held
    {
        PrintedLock lock;
        int below = 0; ///< which side it was printed
    };

    /// The side whose transaction it names. Several may have no number: then the next one in the ring, below whose
    /// predecessor MariaDB prints what it holds.
    DeadlockSide *holderOf(const Held &held, const QHash<quint64, QList<DeadlockSide *>> &sides) const
    {
        const QList<DeadlockSide *> named = sides.value(held.lock.transaction);
        const int next = held.below % int(m_deadlock.sides.size()) + 1;
        const auto found = std::ranges::find(named, next, &DeadlockSide::number);
        return named.size() < 2 || found == named.end() ? named.value(0) : *found;
    }

    /// Each held lock to its side.
    void giveAway()
    {
        QHash<quint64, QList<DeadlockSide *>> sides;
        for (DeadlockSide &side : m_deadlock.sides) {
            sides[side.transaction] += &side;
            for (PrintedLock &lock : side.waitsFor)
                lock.session = side.session;
        }
        QSet<QString> given;
        for (Held &held : m_held) {
            PrintedLock &lock = held.lock;
            DeadlockSide *side = holderOf(held, sides);
            const qsizetype before = given.size();
            given += QStringList{QString::number(side ? side->number : 0),
                                 lock.schema,
                                 lock.table,
                                 lock.index,
                                 lock.mode,
                                 lock.place}
                         .join(u'\n');
            if (!side || given.size() == before)
                continue;
            lock.session = side->session;
            side->holds += lock;
        }
    }

    Deadlock m_deadlock;
    Part m_part = Part::Head;
    bool m_isEnded = false;
    qsizetype m_sessionBytes = 0;
    QStringList m_statement;
    PrintedLockLines m_lines;
    QList<Held> m_held;
};

} // namespace

std::optional<Deadlock> latestDeadlock(const QByteArray &status)
{
    bool isCut = false;
    const QByteArray text = section(status, &isCut);
    return deadlockIn(text, isCut);
}

std::optional<Deadlock> deadlockIn(const QByteArray &text, bool isCut)
{
    return Reader().read(text, isCut);
}

} // namespace lockscope
