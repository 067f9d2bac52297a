// SPDX-License-Identifier: MIT
#include "incidentreport.h"

#include "console/duration.h"
#include "console/visibletext.h"
#include "ui/text/commontext.h"
#include "ui/text/tablelocktext.h"
#include "ui/text/tableprofiletext.h"

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString moment(const std::optional<ServerTime> &time)
{
    return time ? toDateTime(*time).toUTC().toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) + u" UTC"_s : CommonText::none();
}

/// Text of other programs is no Markdown and no HTML of ours.
QString plain(const QString &text)
{
    static const QString special = u"\\`*_{}[]<>()#+-!|&~"_s;
    QString out;
    for (const QChar c : visibleLines(text).simplified()) {
        if (special.contains(c))
            out += u'\\';
        out += c;
    }
    return out;
}

/// A block with a fence that is longer than any within it.
QString block(const QString &text)
{
    qsizetype longest = 2;
    qsizetype run = 0;
    for (const QChar c : text) {
        run = c == u'`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const QString fence(longest + 1, u'`');
    return fence + u"sql\n"_s + visibleLines(text).trimmed() + u'\n' + fence + u'\n';
}

QString item(const QString &name, const QString &value)
{
    return value.isEmpty() ? QString() : u"- %1: %2\n"_s.arg(name, value);
}

QString section(const QString &title, const QString &text)
{
    return u"\n## "_s + title + u"\n\n"_s + text;
}

/// Another server numbers its own.
const ServerSession *sessionOf(const IncidentFacts &facts, std::optional<quint64> id)
{
    return facts.waits && id && facts.details.key.server == 0 ? facts.waits->session(*id) : nullptr;
}

std::optional<ServerSession> holderOf(const IncidentFacts &facts)
{
    if (facts.details.holder)
        return facts.details.holder;
    const ServerSession *session = facts.details.lock ? sessionOf(facts, facts.details.lock->connectionId) : nullptr;
    return session ? std::optional(*session) : std::nullopt;
}

QString statementOf(const ServerSession &session)
{
    return QString::fromUtf8(session.statement.text);
}

bool isReleaseOf(const IncidentAct &act, const LockKey &key)
{
    LockKey released = act.lock;
    if (act.isAnyOfName)
        released.slot = key.slot;
    return act.session == 0 && released == key;
}

} // namespace

QString IncidentReport::of(const IncidentFacts &facts)
{
    const QString name = CommonText::lock(facts.details.key);
    QString text = u"# "_s + tr("Incident: %1").arg(plain(name)) + u"\n\n"_s;
    text += item(tr("Server"), plain(facts.server));
    text += item(tr("As of"), moment(facts.at));
    if (facts.details.lock)
        text += u'\n' + plain(CommonText::summary(*facts.details.lock, facts.at)) + u'\n';
    text += section(tr("What was blocked"), blocked(facts));
    text += section(tr("By whom"), blocker(facts));
    if (const QString all = statements(facts); !all.isEmpty())
        text += section(tr("Statements"), all);
    text += section(tr("What was done"), done(facts));
    return text;
}

QString IncidentReport::blocked(const IncidentFacts &facts)
{
    if (facts.details.key.kind == LockKind::Table)
        return tr("Its table does not tell who waits for it.") + u'\n';
    if (facts.details.lock && facts.details.lock->keyLock && !facts.details.lock->waiters)
        return tr("Its program keeps nothing on the server that tells who waits.") + u'\n';
    if (facts.details.queue.isEmpty())
        return tr("Nobody waits for it.") + u'\n';
    QString text = u"| "_s + tr("Place") + u" | "_s + tr("Who") + u" | "_s + tr("Connection") + u" | "_s + tr("Since")
        + u" | "_s + tr("For") + u" |\n|---|---|---|---|---|\n"_s;
    for (const Waiter &waiter : facts.details.queue) {
        QString who = waiter.account.isEmpty() ? CommonText::whoInFull(waiter.owner) : waiter.account;
        if (!waiter.note.isEmpty())
            who += u": "_s + QString::fromUtf8(waiter.note);
        text += u"| %1 | %2 | %3 | %4 | %5 |\n"_s.arg(
            QString::number(waiter.position), plain(who),
            waiter.connectionId ? QString::number(*waiter.connectionId) : CommonText::none(), moment(waiter.since),
            waiter.since ? formatDuration(std::max(Microseconds(0), facts.at - *waiter.since)) : CommonText::none());
    }
    return text;
}

QString IncidentReport::blocker(const IncidentFacts &facts)
{
    const std::optional<LockRow> &lock = facts.details.lock;
    if (!lock)
        return tr("Nobody holds it any more.") + u'\n';
    QString text = item(tr("Holder"), plain(CommonText::whoInFull(lock->owner)));
    text += item(tr("State"), CommonText::state(*lock));
    text += item(tr("Since"), moment(lock->acquiredAt));
    text += item(tr("Held for"), CommonText::heldFor(*lock, facts.at));
    if (lock->table)
        return text + table(*lock->table);
    text += item(tr("Note"), plain(QString::fromUtf8(lock->note)));
    if (lock->hasToken())
        text += item(tr("Fencing token"), QString::number(lock->token));
    if (lock->connectionId)
        text += item(tr("Connection"), QString::number(*lock->connectionId));
    if (const auto holder = holderOf(facts)) {
        text += item(tr("Account"), plain(holder->account()));
        text += item(tr("Program"), plain(holder->programName()));
        if (holder->transaction)
            text += item(tr("Transaction since"), moment(holder->transaction->started));
    }
    return text;
}

QString IncidentReport::table(const TableLock &lock)
{
    QString text = item(tr("Program"), plain(TableLockText::program(lock)));
    text += item(tr("Clock"), TableLockText::clock(lock));
    text += item(tr("Not known"), plain(TableLockText::reason(lock)));
    text += item(tr("Remark"), plain(TableProfileText::of(lock.table.profile.note)));
    for (const QString &value : TableLockText::values(lock))
        text += item(tr("In its row"), plain(value));
    return text;
}

QString IncidentReport::statements(const IncidentFacts &facts)
{
    QString text;
    const auto add = [&text](const QString &who, const QString &statement) {
        if (!statement.trimmed().isEmpty())
            text += who + u"\n\n"_s + block(statement) + u'\n';
    };
    if (const auto holder = holderOf(facts)) {
        const bool isRunning = holder->statement.source == Statement::Source::Running;
        if (const PastStatement *culprit = holder->culprit())
            add(tr("Of the holder, connection %1, that took what others wait for:").arg(holder->id),
                QString::fromUtf8(culprit->text));
        add(isRunning ? tr("Of the holder, connection %1, running:").arg(holder->id)
                      : tr("Of the holder, connection %1, the last one:").arg(holder->id),
            statementOf(*holder));
    }
    for (const Waiter &waiter : facts.details.queue) {
        if (const ServerSession *session = sessionOf(facts, waiter.connectionId))
            add(tr("Of connection %1, which waits:").arg(session->id), statementOf(*session));
    }
    return text;
}

QString IncidentReport::done(const IncidentFacts &facts)
{
    QString text;
    const std::optional<LockRow> &lock = facts.details.lock;
    for (const Event &event : facts.details.events) {
        QString line = moment(event.at) + u": "_s + CommonText::eventKind(event);
        if (const QString actor = event.actor(); !actor.isEmpty())
            line += u", "_s + actor;
        if (!event.reason.isEmpty())
            line += u": "_s + event.reason;
        text += u"- "_s + plain(line) + u'\n';
    }
    for (const IncidentAct &act : facts.acts) {
        const bool isSession = act.session != 0 && act.lock.server == facts.details.key.server;
        const bool isOfSession = isSession && lock && lock->connectionId == act.session;
        const bool isOfServers = isSession && act.session == facts.details.key.session;
        if (isOfSession || isOfServers || isReleaseOf(act, facts.details.key))
            text += u"- "_s + plain(moment(act.at) + u": "_s + act.text) + u'\n';
    }
    return text.isEmpty() ? tr("Nothing so far.") + u'\n' : text;
}

int IncidentReport::freedBy(const ServerWaits &waits, quint64 session)
{
    QSet<quint64> freed;
    QList<quint64> next{session};
    while (!next.isEmpty()) {
        const quint64 blocker = next.takeLast();
        for (const WaitEdge &edge : waits.edges) {
            if (edge.blocker == blocker && edge.waiter != session && !freed.contains(edge.waiter)) {
                freed.insert(edge.waiter);
                next.append(edge.waiter);
            }
        }
    }
    return int(freed.size());
}

IncidentAct IncidentReport::released(const ReleaseOrder &order, const ReleaseReport &report, ServerTime at)
{
    IncidentAct act{at, order.key, 0, {}};
    if (report.outcome == ForcedRelease::Outcome::Failed)
        act.text = tr("%1 asked for a release, which failed.").arg(order.operatorName);
    else if (report.outcome == ForcedRelease::Outcome::TargetChanged)
        act.text =
            tr("%1 asked for a release; the lock had changed hands, and nothing was done.").arg(order.operatorName);
    else if (report.lockNow)
        act.text = tr("%1 released it by force (token %2): %3 It went to %4.")
                       .arg(order.operatorName, QString::number(order.token), order.reason,
                            CommonText::whoInFull(report.lockNow->owner));
    else
        act.text = tr("%1 released it by force (token %2): %3 It is free.")
                       .arg(order.operatorName, QString::number(order.token), order.reason);
    return act;
}

IncidentAct IncidentReport::released(const KeyReleaseOrder &order, const KeyReleaseReport &report, ServerTime at)
{
    IncidentAct act{at, order.key, 0, {}};
    act.text = report.outcome == ForcedRelease::Outcome::Released
        ? tr("%1 released it as its program would: %2").arg(order.operatorName, order.reason)
        : tr("%1 asked for a release, which was not made.").arg(order.operatorName);
    return act;
}

IncidentAct IncidentReport::released(const TableReleaseOrder &order, const TableReleaseReport &report,
                                     const std::optional<LockKey> &row, ServerTime at)
{
    IncidentAct act{at, row.value_or(LockKey{LockKind::Table, order.lock.fullName(), 0}), 0, {}, !row};
    if (report.outcome != TableReleaseReport::Outcome::Released)
        act.text = (row ? tr("%1 asked for a release, which was not made.")
                        : tr("%1 asked for the release of a row of this name, which was not made."))
                       .arg(order.operatorName);
    else
        act.text = (row ? tr("%1 released it as its program would: %2")
                        : tr("%1 released a row of this name as its program would: %2"))
                       .arg(order.operatorName, order.reason);
    return act;
}

IncidentAct IncidentReport::killed(const KillOrder &order, const KillReport &report, int freed, ServerTime at)
{
    IncidentAct act{at, {}, order.target.session, {}};
    const QString account = order.target.user + u'@' + order.target.host;
    const auto text = [&](const QString &pattern) {
        return pattern.arg(order.operatorName, QString::number(order.target.session), account, order.reason);
    };
    switch (report.outcome) {
    case KillReport::Outcome::Ended:
        act.text = text(tr("%1 ended connection %2 of %3: %4")) + u' ' + tr("%n waited behind it.", nullptr, freed);
        break;
    case KillReport::Outcome::RollingBack:
        act.text = text(tr("%1 ended connection %2 of %3, which still undoes its changes: %4")) + u' '
            + tr("%n waited behind it.", nullptr, freed);
        break;
    default:
        act.text = text(tr("%1 asked to end connection %2 of %3, and nothing was done: %4"));
        break;
    }
    return act;
}

} // namespace lockscope::ui
