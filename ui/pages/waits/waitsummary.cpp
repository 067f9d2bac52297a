// SPDX-License-Identifier: MIT
#include "waitsummary.h"

#include "preparedtext.h"
#include "ui/text/commontext.h"
#include "waittext.h"

#include "console/duration.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

QString WaitSummary::frees(const WaitNode &node)
{
    const int later = node.frees - node.atOnce;
    if (node.behind > 0 && node.direct == 0 && !node.isCycle())
        return tr("%n queue behind it", nullptr, node.behind);
    if (node.frees == 0)
        return node.behind > 0 ? tr("blocks %n whom others block too", nullptr, node.behind) : QString();
    return later == 0
        ? tr("frees %n waiter(s)", nullptr, node.frees)
        : tr("frees %1 at once, up to %2 later").arg(CommonText::count(node.atOnce), CommonText::count(later));
}

QString WaitSummary::freesAndWaited(const WaitNode &node)
{
    const bool isFreeing = node.frees > 0 && !(node.behind > 0 && node.direct == 0 && !node.isCycle());
    return isFreeing ? tr("%1, %2 of waiting").arg(frees(node), formatDuration(node.waited)) : frees(node);
}

/// Who waits because of it, and what its end would give them.
QStringList WaitSummary::waitersOf(const WaitPicture &picture, const WaitNode &node)
{
    if (node.behind == 0)
        return {};
    QStringList parts;
    if (node.direct == 0)
        parts += tr("%n queue behind it.", nullptr, node.behind);
    else if (node.behind > node.direct)
        parts +=
            tr("It blocks %1 directly, %2 in all.").arg(CommonText::count(node.direct), CommonText::count(node.behind));
    if (node.frees > 0 && node.frees == node.atOnce)
        parts += tr("%n waiter(s) go on once it ends.", nullptr, node.frees);
    else if (node.frees > 0)
        parts += tr("%n go on at once when it ends, up to %1 later, one after the other, if each commits.", nullptr,
                    node.atOnce)
                     .arg(CommonText::count(node.frees - node.atOnce));
    else if (picture.blocks.contains(node.session))
        parts += tr("Nobody goes on if it alone ends: others block them too.");
    return parts;
}

QString WaitSummary::of(const WaitPicture &picture, quint64 session, ServerTime now)
{
    const ServerSession *known = picture.waits->session(session);
    const WaitNode *node = picture.node(session);
    const PreparedTransaction *prepared = picture.waits->preparedTransaction(session);
    if (prepared && node)
        return (QStringList{PreparedText::ends(*prepared)} + waitersOf(picture, *node)).join(u' ');
    if (!known || !node)
        return tr("The server says no more about this session: it has ended, or it is a user's whose sessions are not "
                  "shown.");
    const auto lasted = WaitText::since(picture, session, now);
    const QString time = CommonText::duration(lasted);
    QStringList parts;
    if (node->cycle >= 0)
        parts += tr("It waits in a ring: none of its sessions goes on by itself.");
    else if (picture.isWaiting(session) && !lasted)
        parts += tr("It waits; the server does not tell since when.");
    else if (picture.isWaiting(session))
        parts += tr("It has waited for %1.").arg(time);
    else if (WaitText::isIdleBlocker(picture, session) && known->transaction)
        parts += tr("It does nothing, and its transaction has been open for %1.").arg(time);
    else if (known->transaction)
        parts += tr("Its transaction has been open for %1.").arg(time);
    parts += waitersOf(picture, *node);
    if (!node->alsoBlockedBy.isEmpty())
        parts += tr("It is blocked by %n more session(s): %1.", nullptr, int(node->alsoBlockedBy.size()))
                     .arg(WaitText::numbers(node->alsoBlockedBy));
    return parts.join(u' ');
}

} // namespace lockscope::ui
