// SPDX-License-Identifier: MIT
#include "deadlocktext.h"

#include "terminal/output.h"

#include <QtCore/QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// A statement is one line here; whole in the JSON.
constexpr qsizetype kMaxStatement = 300;

QString lockText(const Deadlock &deadlock, const PrintedLock &lock)
{
    QString text = lock.schema + u'.' + lock.table;
    if (!lock.index.isEmpty())
        text += u' ' + lock.index + (lock.isEndOfIndex ? u", the "_s : u" "_s) + deadlock.keyOf(lock);
    return printable(text) + u" ("_s + lock.mode + u')';
}

QString holdersOf(const DeadlockSide &side, const PrintedLock &lock, const QList<DeadlockEdge> &edges)
{
    QStringList holders;
    for (const DeadlockEdge &edge : edges) {
        if (edge.waiter == side.number && edge.lock == lock)
            holders += QString::number(edge.holder);
    }
    return holders.isEmpty() ? QString() : u", held by "_s + holders.join(u", "_s);
}

/// What such deadlocks have in common and what ends them.
QString reasonOf(DeadlockCause cause)
{
    switch (cause) {
    case DeadlockCause::Order:
        return u"they locked the same rows in different orders. Lock them in one order everywhere, by key for example, "
               u"and what is to be changed FOR UPDATE at first."_s;
    case DeadlockCause::Upgrade:
        return u"each had a shared lock that it then wanted alone. Take the exclusive lock at first (FOR UPDATE)."_s;
    case DeadlockCause::Gap:
        return u"both locked one gap, which is allowed, and then inserted into it, which is not. Insert first and act "
               u"on a "
               "duplicate key, or use READ COMMITTED."_s;
    case DeadlockCause::DuplicateKey:
        return u"inserts of the same unique key waited for a row that was rolled back, and all got a shared lock. Try "
               u"the "
               "transaction again, or have the row there beforehand."_s;
    case DeadlockCause::Indexes:
        return u"they reached the rows by different indexes. Lock by the primary key first, or by one index everywhere."_s;
    case DeadlockCause::Tables:
        return u"they locked tables in different orders. Use one order everywhere; a foreign key locks its parent too."_s;
    case DeadlockCause::Unknown:
        break;
    }
    return u"cannot be told from what the server printed; MariaDB prints who held what with innodb_deadlock_report = full."_s;
}

QStringList sideLines(const Deadlock &deadlock, const DeadlockSide &side, const QList<DeadlockEdge> &edges)
{
    QString statement = printable(side.statement.simplified());
    if (statement.size() > kMaxStatement || side.isStatementCut)
        statement = statement.left(kMaxStatement) + u'…';
    QStringList lines{u"  %1  session %2, open for %3 s%4: %5"_s.arg(side.number)
                          .arg(side.session)
                          .arg(side.active.count())
                          .arg(side.number == deadlock.victim ? u", rolled back"_s : QString(),
                               statement.isEmpty() ? u"no statement was printed"_s : statement)};
    for (const PrintedLock &lock : side.holds)
        lines += u"       holds      "_s + lockText(deadlock, lock);
    for (const PrintedLock &lock : side.waitsFor)
        lines += u"       waits for  "_s + lockText(deadlock, lock) + holdersOf(side, lock, edges);
    return lines;
}

QJsonObject lockJson(const Deadlock &deadlock, const PrintedLock &lock)
{
    return {{u"schema"_s, lock.schema},
            {u"table"_s, lock.table},
            {u"index"_s, textOrNull(lock.index)},
            {u"mode"_s, lock.mode},
            {u"key"_s, textOrNull(deadlock.keyOf(lock))}};
}

QJsonArray locksJson(const Deadlock &deadlock, const QList<PrintedLock> &locks)
{
    QJsonArray array;
    for (const PrintedLock &lock : locks)
        array.append(lockJson(deadlock, lock));
    return array;
}

QJsonObject sideJson(const Deadlock &deadlock, const DeadlockSide &side)
{
    return {{u"number"_s, side.number},
            {u"connectionId"_s, qint64(side.session)},
            {u"transaction"_s, side.transaction > 0 ? QJsonValue(qint64(side.transaction)) : QJsonValue()},
            {u"client"_s, side.client},
            {u"seconds"_s, qint64(side.active.count())},
            {u"statement"_s, textOrNull(side.statement)},
            {u"isStatementCut"_s, side.isStatementCut},
            {u"holds"_s, locksJson(deadlock, side.holds)},
            {u"waitsFor"_s, locksJson(deadlock, side.waitsFor)}};
}

QJsonObject deadlockJson(const Deadlock &deadlock)
{
    QJsonArray sides;
    for (const DeadlockSide &side : deadlock.sides)
        sides.append(sideJson(deadlock, side));
    QJsonArray waits;
    for (const DeadlockEdge &edge : edgesOf(deadlock))
        waits.append(QJsonObject{{u"waiter"_s, edge.waiter}, {u"holder"_s, edge.holder}});
    return {{u"serverTime"_s, textOrNull(deadlock.at)},
            {u"victim"_s, deadlock.victim > 0 ? QJsonValue(deadlock.victim) : QJsonValue()},
            {u"cause"_s, causeName(causeOf(deadlock))},
            {u"isCut"_s, deadlock.isCut},
            {u"sides"_s, sides},
            {u"waits"_s, waits},
            {u"text"_s, QString::fromUtf8(deadlock.text)}};
}

} // namespace

QStringList deadlockLines(const Deadlock &deadlock)
{
    const QList<DeadlockEdge> edges = edgesOf(deadlock);
    const QString when =
        deadlock.at.isEmpty() ? u"At a time that was not printed"_s : deadlock.at + u" by the server's clock"_s;
    const QString what = deadlock.sides.size() > 1 ? u"a deadlock of %1 transactions"_s.arg(deadlock.sides.size())
                                                   : u"a part of a deadlock, one transaction"_s;
    QStringList lines{when + u": "_s + what};
    for (const DeadlockSide &side : deadlock.sides)
        lines += sideLines(deadlock, side, edges);
    const DeadlockCause cause = causeOf(deadlock);
    const bool isPart = deadlock.isCut && cause == DeadlockCause::Unknown;
    lines += u"  Why: "_s + (isPart ? u"cannot be told from a part."_s : reasonOf(cause));
    if (deadlock.isCut)
        lines += u"  The server's text has no end: sides, locks or who was rolled back may be missing."_s;
    return lines;
}

QString notCapturedLine(const DeadlockNews &news)
{
    if (!news.notCaptured)
        return u"How many there were is not known: the server's counter (innodb_metrics, lock_deadlocks) is off."_s;
    if (*news.notCaptured == 0)
        return {};
    return u"%1 more not captured: the server keeps the text of the latest alone. With innodb_print_all_deadlocks = ON "
           u"its "
           "error log has each: lockctl deadlocks --log FILE."_s.arg(*news.notCaptured);
}

QStringList shapeLines(const DeadlockShape &shape)
{
    QStringList lines = deadlockLines(shape.latest);
    if (shape.count > 1)
        lines += shape.first.isEmpty() ? u"  The last of %1 like it."_s.arg(shape.count)
                                       : u"  The last of %1 like it, since %2."_s.arg(shape.count).arg(shape.first);
    return lines;
}

QJsonObject toJson(const DeadlockShape &shape)
{
    return {{u"deadlock"_s, deadlockJson(shape.latest)},
            {u"count"_s, number(shape.count)},
            {u"first"_s, textOrNull(shape.first)}};
}

QJsonObject toJson(const DeadlockNews &news)
{
    return {{u"deadlock"_s, news.latest ? QJsonValue(deadlockJson(*news.latest)) : QJsonValue()},
            {u"notCaptured"_s, number(news.notCaptured)}};
}

} // namespace lockscope::ctl
