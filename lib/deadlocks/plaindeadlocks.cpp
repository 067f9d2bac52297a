// SPDX-License-Identifier: MIT
#include "plaindeadlocks.h"

#include "deadlockreport.h"

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr qsizetype kLongestHead = 200; ///< of a line: what it begins with
constexpr qsizetype kMaxSides = 64;     ///< more are none of one deadlock

bool isFirstLine(const QByteArray &line)
{
    static const QRegularExpression pattern(u"^TRANSACTION \\d{1,20}, ACTIVE \\d{1,9} sec"_s);
    return line.startsWith("TRANSACTION ") && pattern.match(QString::fromLatin1(line.left(kLongestHead))).hasMatch();
}

QByteArray heading(qsizetype number)
{
    return "*** (" + QByteArray::number(number) + ") TRANSACTION:\n";
}

bool waitsFor(DeadlockSide waiter, DeadlockSide holder)
{
    waiter.number = 1;
    holder.number = 2;
    Deadlock both;
    both.sides = {waiter, holder};
    const QList<DeadlockEdge> edges = edgesOf(both);
    return std::ranges::any_of(edges, [](const DeadlockEdge &edge) { return edge.waiter == 1; });
}

} // namespace

QList<Deadlock> PlainDeadlocks::take(const QByteArray &line)
{
    QList<Deadlock> ended;
    if (isFirstLine(line)) {
        ended = endSide();
        m_side.emplace();
    }
    if (!m_side)
        return ended;
    const bool isTable = line.startsWith("TABLE LOCK ");
    if (isTable || line.startsWith("RECORD LOCKS ")) {
        ++m_side->locks;
        m_side->text += m_side->locks == 1 ? "*** HOLDS THE LOCK(S):\n" : "*** WAITING FOR THIS LOCK TO BE GRANTED:\n";
    }
    add(line);
    // What is waited for is one record, with an empty line behind it.
    const bool isWhole = m_side->locks == 2 && (isTable || line.isEmpty());
    return isWhole ? endSide() : ended;
}

QList<Deadlock> PlainDeadlocks::end()
{
    QList<Deadlock> ended = endSide();
    ended += endPart(m_sides.size());
    return ended;
}

/// Whoever has no lock is none of a deadlock, and so ends one.
QList<Deadlock> PlainDeadlocks::endSide()
{
    if (!m_side)
        return {};
    PlainSide side = *std::exchange(m_side, std::nullopt);
    if (const auto alone = deadlockIn(heading(1) + side.text, true))
        side.parsed = alone->sides.constFirst();
    const bool hasLocks = !side.parsed.holds.isEmpty() || !side.parsed.waitsFor.isEmpty();
    QList<Deadlock> ended;
    if (!hasLocks || (!m_sides.isEmpty() && !waitsFor(m_sides.constLast().parsed, side.parsed)))
        ended = endPart(m_sides.size());
    if (!hasLocks)
        return ended;
    m_sides += side;
    for (qsizetype first = m_sides.size() - 2; first >= 0; --first) {
        if (!waitsFor(side.parsed, m_sides[first].parsed))
            continue;
        ended += endPart(first);
        ended += endPart(m_sides.size());
        return ended;
    }
    if (m_sides.size() >= kMaxSides)
        ended += endPart(m_sides.size());
    return ended;
}

/// Of the first of them.
QList<Deadlock> PlainDeadlocks::endPart(qsizetype count)
{
    QByteArray raw;
    QByteArray text;
    for (qsizetype i = 0; i < count; ++i) {
        raw += m_sides[i].raw;
        text += heading(i + 1) + m_sides[i].text;
    }
    m_sides.remove(0, count);
    auto deadlock = deadlockIn(text, true);
    if (!deadlock)
        return {};
    deadlock->text = raw;
    return {*std::move(deadlock)};
}

void PlainDeadlocks::add(const QByteArray &line)
{
    qsizetype bytes = m_side->raw.size() + line.size();
    for (const PlainSide &side : std::as_const(m_sides))
        bytes += side.raw.size();
    if (bytes > MaxBytes)
        return;
    m_side->raw += line + '\n';
    m_side->text += line + '\n';
}

} // namespace lockscope
