// SPDX-License-Identifier: MIT
// What stands in the cells of the list, and in their tool tips.
#include "locktablemodel.h"

#include "ui/server/liveclock.h"
#include "ui/text/commontext.h"
#include "ui/text/keylocktext.h"
#include "ui/text/tablelocktext.h"

namespace lockscope::ui {

QString LockTableModel::text(const LockItem &item, int column, ServerTime now, const QString &server)
{
    const LockRow &row = item.row;
    const bool isGone = item.vanishedAt.has_value();
    const LockTraits traits = traitsOf(row.key.kind);
    switch (Column(column)) {
    case ResourceColumn:
        return CommonText::lock(row.key);
    case ServerColumn:
        return server;
    case StateColumn:
        if (isGone)
            return traits.hasHolder ? tr("Free") : tr("Quiet");
        return CommonText::state(row);
    case OwnerColumn:
        return CommonText::service(row.owner);
    case ProcessColumn:
        return CommonText::process(row.owner);
    case NoteColumn:
        return row.attempts ? CommonText::counts(row.attempts->total) : CommonText::noteOf(row).simplified();
    case HeldForColumn:
        return isGone ? CommonText::none() : CommonText::heldFor(row, now);
    case TtlColumn:
        if (row.table && !isGone)
            return TableLockText::left(row, now);
        if (row.isOfSession && !isGone)
            return tr("session");
        return isGone || !traits.hasEnd ? CommonText::none() : CommonText::countdown(row.remaining(now));
    case TokenColumn:
        if (row.attempts && row.attempts->version)
            return CommonText::token(*row.attempts->version);
        return row.hasToken() ? CommonText::token(row.token) : CommonText::none();
    case WaitersColumn:
        if (row.attempts)
            return CommonText::percent(row.attempts->conflictRate());
        if (!traits.hasQueue)
            return CommonText::none();
        if (row.keyLock && !row.waiters)
            return CommonText::none();
        return row.waiters ? CommonText::count(*row.waiters) : QStringLiteral("?");
    case SessionColumn:
        if (!traits.hasSession)
            return CommonText::none();
        if (row.state == LockState::Unknown)
            return QStringLiteral("?");
        return row.sessionAlive ? tr("alive") : tr("gone");
    case ColumnCount:
        break;
    }
    return {};
}

QString LockTableModel::toolTip(const LockItem &item, int column) const
{
    const LockRow &row = item.row;
    const LockTraits traits = traitsOf(row.key.kind);
    switch (Column(column)) {
    case ResourceColumn:
        return tr("%1\n%2 bytes: %3")
            .arg(CommonText::lock(row.key), QString::number(row.key.resource.size()),
                 QString::fromLatin1(row.key.resource.toHex(' ').left(240)));
    case ServerColumn:
        return m_servers.isEmpty() ? CommonText::lock(row.key) : m_servers.value(row.key.server).name;
    case StateColumn:
        if (!item.vanishedAt)
            return (m_alarms.value(row.key) + u'\n' + CommonText::stateMeaning(row)).trimmed();
        return traits.hasHolder ? tr("It was released a moment ago.") : tr("Nobody has tried it for ten minutes.");
    case OwnerColumn:
    case ProcessColumn:
        return traits.hasHolder ? CommonText::whoInFull(row.owner) : CommonText::kindMeaning(row.key.kind);
    case HeldForColumn:
        if (!traits.hasHolder)
            return CommonText::kindMeaning(row.key.kind);
        return CommonText::since(row);
    case TtlColumn:
        if (!traits.hasEnd && !row.isOfSession)
            return CommonText::kindMeaning(row.key.kind);
        if (row.table)
            return row.expiresAt ? CommonText::exactMoment(row.expiresAt) : text(item, column, nowOf(item));
        if (row.isOfSession)
            return tr("It ends when its holder gives it back, or with the holder's session, whose end the server does "
                      "not tell.");
        if (!row.expiresAt)
            return tr("The lease has no end: only its holder or an operator releases it.");
        if (row.keyLock)
            return tr("Ends %1 unless it is renewed").arg(CommonText::exactMoment(row.expiresAt));
        return tr("Ends %1 unless it is renewed; each renewal gives %2")
            .arg(CommonText::exactMoment(row.expiresAt), CommonText::duration(row.ttl));
    case TokenColumn:
        if (row.attempts && row.attempts->version)
            return tr("Version %1: each commit raises it by one.").arg(*row.attempts->version);
        if (!row.hasToken())
            return CommonText::kindMeaning(row.key.kind);
        return tr("Fencing token %1: a store that remembers the highest one refuses every older holder.")
            .arg(row.token);
    case SessionColumn:
        return row.connectionId ? tr("Connection %1").arg(*row.connectionId) : CommonText::stateMeaning(row);
    case NoteColumn:
        return row.attempts ? text(item, column, nowOf(item)) : CommonText::noteOf(row);
    case WaitersColumn:
        if (row.attempts)
            return CommonText::summary(row, nowOf(item));
        if (row.keyLock)
            return KeyLockText::waitersTip(row);
        return row.waiters || !traits.hasQueue ? text(item, column, nowOf(item)) : CommonText::whyWaitersUnknown();
    case ColumnCount:
        break;
    }
    return text(item, column, nowOf(item));
}

} // namespace lockscope::ui
