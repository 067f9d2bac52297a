// SPDX-License-Identifier: MIT
#include "deadlock.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>
#include <QtCore/QStringList>

#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr std::array<std::pair<DeadlockCause, const char *>, 7> kCauses{{
    {DeadlockCause::Order, "order"},
    {DeadlockCause::Upgrade, "upgrade"},
    {DeadlockCause::Gap, "gap"},
    {DeadlockCause::DuplicateKey, "duplicate key"},
    {DeadlockCause::Indexes, "indexes"},
    {DeadlockCause::Tables, "tables"},
    {DeadlockCause::Unknown, "unknown"},
}};

QString tableOf(const PrintedLock &lock)
{
    return lock.schema + u'\n' + lock.table;
}

bool isSameRecord(const PrintedLock &left, const PrintedLock &right)
{
    return left.place == right.place && left.index == right.index && tableOf(left) == tableOf(right);
}

bool isShared(const PrintedLock &lock)
{
    return lock.mode.startsWith(u'S');
}

bool isInsert(const PrintedLock &lock)
{
    return lock.mode.contains("INSERT_INTENTION"_L1);
}

/// The locks that the waits of the cycle are for, as their holders have them.
QList<PrintedLock> heldIn(const Deadlock &deadlock, const QList<DeadlockEdge> &edges)
{
    QList<PrintedLock> held;
    for (const DeadlockEdge &edge : edges) {
        const DeadlockSide *side = deadlock.side(edge.holder);
        const auto found =
            std::ranges::find_if(side->holds, [&](const PrintedLock &lock) { return isSameRecord(lock, edge.lock); });
        if (found != side->holds.end())
            held += *found;
    }
    return held;
}

QByteArray sideShape(const DeadlockSide &side)
{
    QSet<QString> locks;
    for (const PrintedLock &lock : side.holds)
        locks += u"holds %1 %2 %3"_s.arg(tableOf(lock), lock.index, lock.mode);
    for (const PrintedLock &lock : side.waitsFor)
        locks += u"waits for %1 %2 %3"_s.arg(tableOf(lock), lock.index, lock.mode);
    QStringList lines(locks.cbegin(), locks.cend());
    lines.sort();
    lines.prepend(withoutValues(side.statement));
    return lines.join(u'\n').toUtf8();
}

} // namespace

const DeadlockSide *Deadlock::side(int number) const
{
    return number >= 1 && number <= sides.size() ? &sides[number - 1] : nullptr;
}

QString Deadlock::keyOf(const PrintedLock &lock) const
{
    if (lock.isEndOfIndex)
        return u"end of the index"_s;
    const auto known = columns.value(lock.schema).value(lock.table).value(lock.index);
    if (!known.isEmpty())
        return readableFields(lock.fields, known);
    return lock.fields.isEmpty() ? QString() : hexadecimal(lock.fields.first().value_or(QByteArray()));
}

QList<DeadlockEdge> edgesOf(const Deadlock &deadlock)
{
    QList<DeadlockEdge> edges;
    for (const DeadlockSide &waiter : deadlock.sides) {
        for (const PrintedLock &wanted : waiter.waitsFor) {
            for (const DeadlockSide &holder : deadlock.sides) {
                const bool holdsIt = holder.number != waiter.number
                    && std::ranges::any_of(holder.holds,
                                           [&](const PrintedLock &lock) { return isSameRecord(lock, wanted); });
                if (holdsIt)
                    edges += DeadlockEdge{waiter.number, holder.number, wanted};
            }
        }
    }
    return edges;
}

QString causeName(DeadlockCause cause)
{
    const auto *found = std::ranges::find(kCauses, cause, &std::pair<DeadlockCause, const char *>::first);
    return QString::fromLatin1(found->second);
}

DeadlockCause causeOf(const Deadlock &deadlock)
{
    const QList<DeadlockEdge> edges = edgesOf(deadlock);
    if (edges.size() < 2)
        return DeadlockCause::Unknown;
    const QList<PrintedLock> held = heldIn(deadlock, edges);
    QSet<QString> tables;
    QSet<QString> indexes;
    QSet<QString> places;
    for (const DeadlockEdge &edge : edges) {
        tables += tableOf(edge.lock);
        indexes += edge.lock.index;
        places += edge.lock.place;
    }
    const bool areShared = std::ranges::all_of(held, isShared);
    const bool areInserts = std::ranges::all_of(edges, [](const DeadlockEdge &edge) { return isInsert(edge.lock); });
    const bool isInserting = std::ranges::all_of(deadlock.sides, [](const DeadlockSide &side) {
        return side.statement.startsWith("insert"_L1, Qt::CaseInsensitive)
            || side.statement.startsWith("replace"_L1, Qt::CaseInsensitive);
    });
    // A shared lock that an insert takes is that of a row with the same unique key.
    if (areInserts && areShared && isInserting)
        return DeadlockCause::DuplicateKey;
    if (areInserts)
        return DeadlockCause::Gap;
    if (areShared && places.size() == 1)
        return DeadlockCause::Upgrade;
    if (tables.size() > 1)
        return DeadlockCause::Tables;
    if (indexes.size() > 1)
        return DeadlockCause::Indexes;
    return areShared ? DeadlockCause::Upgrade : DeadlockCause::Order;
}

QByteArray shapeOf(const Deadlock &deadlock)
{
    QList<QByteArray> sides;
    for (const DeadlockSide &side : deadlock.sides)
        sides += sideShape(side);
    std::ranges::sort(sides);
    return sides.join("\n\n");
}

QString withoutValues(const QString &statement)
{
    // Quoted text with doubled or escaped quotes inside, which a cut statement may not close; numbers that are no part
    // of a name; lists of what became of them.
    static const QRegularExpression comment(uR"(/\*.*?(?:\*/|$)|(?:--\s|#)[^\n]*)"_s,
                                            QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression text(uR"('(?:[^'\\]|\\.|'')*(?:'|$)|"(?:[^"\\]|\\.|"")*(?:"|$))"_s,
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression number(uR"(\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b)"_s);
    static const QRegularExpression list(uR"(\?(?:\s*,\s*\?)+)"_s);
    static const QRegularExpression rows(uR"(\(\?\)(?:\s*,\s*\(\?\))+)"_s);
    QString shape = statement;
    shape.replace(text, u"?"_s);
    shape.replace(comment, u" "_s);
    shape.replace(number, u"?"_s);
    shape.replace(list, u"?"_s);
    shape.replace(rows, u"(?)"_s);
    return shape.simplified().toLower();
}

} // namespace lockscope
