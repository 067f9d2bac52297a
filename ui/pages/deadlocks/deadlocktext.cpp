// SPDX-License-Identifier: MIT
#include "deadlocktext.h"

#include "console/visibletext.h"
#include "ui/text/commontext.h"
#include "ui/text/lockmodetext.h"
#include "waits/statementshape.h"

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Of a side; the rest is in the copied text.
constexpr qsizetype kMaxLocks = 20;

QString shown(const QString &text)
{
    return CommonText::note(text.toUtf8());
}

} // namespace

QString DeadlockText::help()
{
    return tr(
        "Deadlocks that the server found among transactions and ended by rolling one of them back. Deadlocks of the "
        "same statements, whatever their values, at the same indexes are one row: one cause, and one thing to change. "
        "The last one of them is drawn, with who waited for whom and for which entry of which index.\n\n"
        "A server keeps the text of its latest deadlock alone. Those that came between two looks are counted below the "
        "list, as not captured. What is listed here is kept until the window looks at another server.\n\n"
        "Deadlocks that lessons and the lab made on purpose are listed and said to be, and not counted beside the "
        "page's name.\n\n"
        "/ filters, Enter shows or hides the details, Ctrl+C copies everything as text, Ctrl+E exports the list or the "
        "picture, F5 asks the server now.");
}

QString DeadlockText::cause(DeadlockCause cause)
{
    switch (cause) {
    case DeadlockCause::Order:
        return tr("Different orders");
    case DeadlockCause::Upgrade:
        return tr("Shared, then alone");
    case DeadlockCause::Gap:
        return tr("One gap");
    case DeadlockCause::DuplicateKey:
        return tr("One unique key");
    case DeadlockCause::Indexes:
        return tr("Different indexes");
    case DeadlockCause::Tables:
        return tr("Different tables");
    case DeadlockCause::Unknown:
        break;
    }
    return tr("Not told");
}

QString DeadlockText::why(DeadlockCause cause)
{
    switch (cause) {
    case DeadlockCause::Order:
        return tr("They locked the same rows in different orders.");
    case DeadlockCause::Upgrade:
        return tr("Each had a shared lock that it then wanted alone.");
    case DeadlockCause::Gap:
        return tr("They locked one gap, which is allowed, and then inserted into it, which is not.");
    case DeadlockCause::DuplicateKey:
        return tr("Inserts of the same unique key waited for a row that was rolled back, and all got a shared lock.");
    case DeadlockCause::Indexes:
        return tr("They reached the same rows by different indexes.");
    case DeadlockCause::Tables:
        return tr("They locked tables in different orders.");
    case DeadlockCause::Unknown:
        break;
    }
    return tr("Why cannot be told from what the server printed.");
}

QString DeadlockText::remedy(const DeadlockShape &shape)
{
    const auto holdsNothing = [](const DeadlockSide &side) { return side.holds.isEmpty(); };
    if (std::ranges::all_of(shape.latest.sides, holdsNothing))
        return tr("It prints who held what when innodb_deadlock_report is full.");
    switch (shape.cause) {
    case DeadlockCause::Order:
        return tr(
            "Lock them in one order everywhere, by key for example, and what is to be changed FOR UPDATE at first.");
    case DeadlockCause::Upgrade:
        return tr("Take the exclusive lock at first (FOR UPDATE).");
    case DeadlockCause::Gap:
        return tr("Insert first and act on a duplicate key, or use READ COMMITTED.");
    case DeadlockCause::DuplicateKey:
        return tr("Try the transaction again, or have the row there beforehand.");
    case DeadlockCause::Indexes:
        return tr("Lock by the primary key first, or by one index everywhere.");
    case DeadlockCause::Tables:
        return tr("Use one order everywhere; a foreign key locks its parent too.");
    case DeadlockCause::Unknown:
        break;
    }
    return tr("Try the transaction that was rolled back again.");
}

QString DeadlockText::victimStatement(const Deadlock &deadlock)
{
    const DeadlockSide *side = deadlock.side(deadlock.victim);
    if (!side)
        return CommonText::none();
    const QByteArray shape = statementShape(side->statement.toUtf8());
    return shape.isEmpty() ? tr("no statement was printed") : CommonText::note(shape);
}

QString DeadlockText::name(int side)
{
    return tr("Transaction %1").arg(side);
}

QString DeadlockText::nameInFull(const DeadlockSide &side)
{
    return tr("Transaction %1, session %2").arg(side.number).arg(side.session);
}

QString DeadlockText::rolledBack()
{
    return tr("rolled back");
}

QString DeadlockText::place(const Deadlock &deadlock, const PrintedLock &lock, bool isWithSchema)
{
    const QString table = shown(isWithSchema ? lock.schema + u'.' + lock.table : lock.table);
    if (lock.index.isEmpty())
        return tr("table %1").arg(table);
    return table + u' ' + shown(lock.index) + u' '
        + (lock.isEndOfIndex ? tr("end of the index") : shown(deadlock.keyOf(lock)));
}

QString DeadlockText::wanted(const Deadlock &deadlock, const PrintedLock &lock)
{
    return tr("waits for %1").arg(place(deadlock, lock, false));
}

QString DeadlockText::mode(const PrintedLock &lock)
{
    if (lock.index.isEmpty())
        return lock.mode;
    return tr("%1, %2").arg(LockModeText::strength(lock.mode), LockModeText::reach(lock.mode, lock.isEndOfIndex));
}

QString DeadlockText::lock(const Deadlock &deadlock, const PrintedLock &lock)
{
    return tr("%1 (%2)").arg(place(deadlock, lock), mode(lock));
}

QString DeadlockText::wait(const Deadlock &deadlock, const DeadlockEdge &edge)
{
    return tr("Transaction %1 waits for transaction %2: %3")
        .arg(edge.waiter)
        .arg(edge.holder)
        .arg(lock(deadlock, edge.lock));
}

QString DeadlockText::statement(const DeadlockSide &side)
{
    QString text = visibleLines(side.statement);
    if (text.isEmpty())
        return tr("No statement was printed.");
    if (side.isStatementCut)
        text += u"… "_s + tr("(cut by the server)");
    return text;
}

QStringList DeadlockText::facts(const Deadlock &deadlock, const DeadlockSide &side)
{
    QStringList lines{tr("%1, open for %2").arg(shown(side.client), CommonText::duration(side.active))};
    const auto list = [&](const QString &each, const QList<PrintedLock> &locks) {
        for (qsizetype i = 0; i < locks.size() && i < kMaxLocks; ++i)
            lines += each.arg(lock(deadlock, locks[i]));
        if (locks.size() > kMaxLocks)
            lines += tr("%n more are in the server's text.", nullptr, int(locks.size() - kMaxLocks));
    };
    list(tr("holds %1"), side.holds);
    list(tr("waits for %1"), side.waitsFor);
    return lines;
}

QString DeadlockText::picture(const Deadlock &deadlock)
{
    QStringList lines;
    for (const DeadlockEdge &edge : edgesOf(deadlock)) {
        if (lines.size() < kMaxLocks)
            lines += wait(deadlock, edge);
    }
    if (const DeadlockSide *victim = deadlock.side(deadlock.victim))
        lines += tr("%1 was rolled back.").arg(nameInFull(*victim));
    return lines.join(u'\n');
}

QString DeadlockText::seen(const DeadlockShape &shape)
{
    if (shape.count == 1)
        return tr("Once, at %1 by the server's clock").arg(shape.latest.at);
    return tr("%1 times, at last at %2, first at %3 by the server's clock")
        .arg(CommonText::count(qint64(shape.count)), shape.latest.at, shape.first);
}

QString DeadlockText::ofRun()
{
    return tr("Made on purpose by a lesson or the lab: all of it lies in the schema of one run.");
}

QString DeadlockText::cutText()
{
    return tr("The server's text has no end: transactions, locks or who was rolled back may be missing.");
}

QString DeadlockText::all(const DeadlockShape &shape)
{
    const Deadlock &deadlock = shape.latest;
    QStringList lines{tr("Deadlock of %n transaction(s)", nullptr, int(deadlock.sides.size())), seen(shape),
                      why(shape.cause) + u' ' + remedy(shape)};
    if (shape.isOfRun)
        lines += ofRun();
    lines += picture(deadlock);
    for (const DeadlockSide &side : deadlock.sides) {
        lines += QString();
        lines += nameInFull(side) + (side.number == deadlock.victim ? u", "_s + rolledBack() : QString());
        lines += statement(side);
        lines += facts(deadlock, side);
    }
    lines += QString();
    if (deadlock.isCut)
        lines += cutText();
    return lines.join(u'\n') + QString::fromUtf8(deadlock.text);
}

QString DeadlockText::missing(const DeadlockInbox &inbox)
{
    QStringList texts;
    if (!inbox.isCounted())
        texts += tr("How many there were is not known: the server's counter (innodb_metrics, lock_deadlocks) is off.");
    if (inbox.missedSince() > 0)
        texts += tr("%1 not captured: they came between two looks, and the server keeps the text of the latest alone.")
                     .arg(CommonText::count(qint64(inbox.missedSince())));
    if (inbox.missedBefore() > 0)
        texts += tr("%1 not captured before this window looked.").arg(CommonText::count(qint64(inbox.missedBefore())));
    if (inbox.isRestarted())
        texts += tr("The server was started anew meanwhile and has forgotten those that are kept here.");
    if (inbox.dropped() > 0)
        texts += tr("%1 older ones had to go for lack of room.").arg(CommonText::count(qint64(inbox.dropped())));
    return texts.join(u' ');
}

} // namespace lockscope::ui
