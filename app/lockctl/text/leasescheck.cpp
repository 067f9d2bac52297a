// SPDX-License-Identifier: MIT
#include "waitscheck.h"

#include "checkfigures.h"
#include "console/duration.h"
#include "terminal/output.h"
#include "waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// What was not read of other programs' locks. Empty: nothing, or nobody asked.
QString unreadKeys(const LeaseFigures &figures)
{
    const QString what = u"how old the locks of other programs are: "_s;
    if (figures.isOthersUnseen)
        return what + u"this account may not look for them"_s;
    if (figures.othersUnreadable > 0)
        return what
            + u"this account may not read %1"_s.arg(
                counted(int(figures.othersUnreadable), u"key or folder"_s, u"keys or folders"_s));
    return figures.areOthersTooMany ? what + u"there are more than one look goes for"_s : QString();
}

QString unreadOf(const LeaseFigures &figures)
{
    QStringList unread{printable(figures.unread), unreadKeys(figures)};
    unread.removeAll(QString());
    return unread.join(u"; "_s);
}

/// "2 requests wait, the longest for 20 s for nightly"
QString whoWaits(const CheckFigures &measured, const LeaseFigures &figures)
{
    if (figures.queue == 0)
        return u"nobody waits for a lease"_s;
    const QString waiting = waitingText(measured, u"request waits"_s, u"requests wait"_s);
    return figures.waitsFor.isEmpty() ? waiting : waiting + u" for "_s + printable(figures.waitsFor);
}

/// "1 request has waited for nightly", of those that do not tell for how long.
QString untoldRequests(const LeaseFigures &figures)
{
    const QString one = figures.waitsUntold == 1 ? u" for "_s : u", one of them for "_s;
    return counted(figures.waitsUntold, u"request has waited"_s, u"requests have waited"_s) + one
        + printable(figures.untoldFor);
}

/// "; nightly has been held for 3 min by billing@a7:812/3"
QString leaseTooLong(const LeaseFigures &figures)
{
    return u"; %1 has been held for %2 by %3"_s.arg(printable(figures.heldName), formatCoarseDuration(figures.held),
                                                    printable(figures.holder.toString()));
}

} // namespace

CheckResult checkLeases(const LeaseFigures &figures, const WaitLimits &limits)
{
    CheckFigures measured;
    measured.wait = figures.wait;
    measured.waitsUntold = figures.waitsUntold;
    measured.queue = figures.queue;
    measured.held = figures.held;
    measured.heldUntold = figures.heldUntold + figures.othersUntold;
    QString text = whoWaits(measured, figures);
    if (limits.maxHeld && figures.held > *limits.maxHeld)
        text += leaseTooLong(figures);
    if (figures.othersQueue > 0)
        text += u"; %1 not judged"_s.arg(counted(figures.othersQueue,
                                                 u"request that waits for a lock of another program is"_s,
                                                 u"requests that wait for locks of other programs are"_s));
    const CheckState state = stateOf(measured, limits);
    const QString unread = unreadOf(figures);
    if (!isBad(state) && !unread.isEmpty())
        return unknownCheck(unread);
    const QString unreadable = figures.unreadable > 0
        ? counted(figures.unreadable, u"name that is no lease's"_s, u"names that are no leases'"_s)
        : QString();
    text += notSeen({unreadable, untoldWaits(measured, limits, untoldRequests(figures)),
                     untoldHolds(limits, figures.heldUntold, u"lease is held"_s, u"leases are held"_s),
                     untoldHoldsOfOthers(limits, figures.othersUntold), unread});
    const QJsonValue heldBy = figures.heldName.isEmpty() ? QJsonValue() : QString::fromUtf8(figures.heldName);
    return checkResult(state, text, measured, limits, heldBy);
}

} // namespace lockscope::ctl
