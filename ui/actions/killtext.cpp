// SPDX-License-Identifier: MIT
#include "killtext.h"

#include "ui/pages/waits/preparedtext.h"
#include "ui/pages/waits/waittext.h"
#include "ui/text/commontext.h"
#include "waits/userlocknames.h"

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMaxNames = 4;
constexpr int kMaxStatement = 160;

QString waited(ServerTime since, ServerTime now)
{
    return CommonText::duration(std::max(Microseconds::zero(), now - since));
}

/// By the same clock as each wait is told, so that they add up; a look knows only what it was at the look.
Microseconds waitedTogether(const WaitForecast &forecast, const QHash<quint64, ServerTime> &since, ServerTime now)
{
    if (since.isEmpty())
        return forecast.waited;
    Microseconds sum{};
    for (const ServerTime begun : since)
        sum += std::max(Microseconds::zero(), now - begun);
    return sum;
}

struct Numbers
{
    QString text;
    int count = 0;
};

template<typename Predicate>
Numbers numbers(const KillFlow &flow, Predicate isWanted)
{
    QStringList sessions;
    for (const KillPart &part : flow.parts()) {
        if (isWanted(part))
            sessions.append(QString::number(part.target.session));
    }
    return {sessions.join(KillText::tr(", ")), int(sessions.size())};
}

template<typename Predicate>
bool hasPart(const KillFlow &flow, Predicate isIt)
{
    const auto &parts = flow.parts();
    return std::any_of(parts.cbegin(), parts.cend(), [isIt](const KillPart &part) { return isIt(part.preview); });
}

bool hasPart(const KillFlow &flow, TransactionEnd end)
{
    return hasPart(flow, [end](const KillPreview &preview) { return preview.transactionEnd == end; });
}

bool isFreedIfOwn(const KillFlow &flow)
{
    return hasPart(flow, [](const KillPreview &preview) { return preview.isFreedIfOwn; });
}

QString ifOwn()
{
    return KillText::tr("That is so if the statement is a transaction of its own (autocommit) and its session has no "
                        "LOCK TABLES; else the locks stay.");
}

} // namespace

QString KillText::session(const ServerWaits &waits, quint64 id)
{
    const ServerSession *session = waits.session(id);
    if (!session)
        return QString::number(id);
    const QString who =
        session->owner.service.isEmpty() ? WaitText::account(*session) : CommonText::who(session->owner);
    return tr("%1 (%2)").arg(QString::number(id), CommonText::shortened(who));
}

QString KillText::sessions(const ServerWaits &waits, const QList<quint64> &ids, const QHash<quint64, ServerTime> &since,
                           ServerTime now)
{
    QStringList names;
    for (const quint64 id : ids.first(qMin(ids.size(), kMaxNames))) {
        const QString name = session(waits, id);
        const auto found = since.constFind(id);
        names += found == since.cend() ? name : tr("%1 for %2").arg(name, waited(*found, now));
    }
    const QString text = names.join(tr(", "));
    const qsizetype more = ids.size() - names.size();
    return more > 0 ? tr("%1 and %n more", nullptr, int(more)).arg(text) : text;
}

QString KillText::title(const KillFlow &flow, const QString &server)
{
    return tr("%1?").arg(verb(flow, server));
}

QString KillText::verb(const KillFlow &flow, const QString &server)
{
    const bool isConnection = flow.kind() == KillKind::Connection;
    if (flow.isSingle()) {
        const QString text = isConnection ? tr("End connection %1 on %2") : tr("End the statement of %1 on %2");
        return text.arg(QString::number(flow.parts().first().target.session), server);
    }
    const auto &parts = flow.parts();
    const auto left = std::count_if(parts.cbegin(), parts.cend(), [](const KillPart &part) { return !part.isOver(); });
    const int count = int(left > 0 ? left : parts.size());
    return isConnection ? tr("End %n connections on %1", nullptr, count).arg(server)
                        : tr("End the statements of %n connections on %1", nullptr, count).arg(server);
}

QString KillText::who(const KillFlow &flow, ServerTime now)
{
    if (!flow.isSingle()) {
        QList<quint64> ids;
        for (const KillPart &part : flow.parts())
            ids.append(part.target.session);
        return tr("Connections %1.").arg(sessions(flow.waits(), ids));
    }
    const auto &found = flow.parts().first().preview.session;
    if (!found)
        return {};
    QString text = WaitText::account(*found);
    if (!found->owner.service.isEmpty())
        text = tr("%1, as %2").arg(CommonText::whoInFull(found->owner), text);
    else if (!found->program.isEmpty())
        text = tr("%1 of %2").arg(text, WaitText::program(*found));
    if (!found->doneSince())
        text = (found->isIdle() ? tr("%1 does nothing now.") : tr("%1 runs a statement.")).arg(text);
    else
        text = (found->isIdle() ? tr("%1 has done nothing for %2.") : tr("%1 has been running its statement for %2."))
                   .arg(text, waited(*found->doneSince(), now));
    if (const auto &transaction = found->transaction)
        text += u' '
            + tr("Its transaction has been open for %1 and locks %n rows.", nullptr, int(transaction->rowsLocked))
                  .arg(CommonText::duration(now - transaction->started));
    return text;
}

QString KillText::statement(const KillFlow &flow)
{
    const auto &found = flow.parts().first().preview.session;
    if (!flow.isSingle() || !found || found->statement.text.isEmpty())
        return {};
    return CommonText::shortened(WaitText::statement(*found), kMaxStatement);
}

QString KillText::goesOn(const KillFlow &flow, ServerTime now)
{
    QString text = goesOn(flow.waits(), flow.sum().forecast, flow.sum().since, now);
    if (isFreedIfOwn(flow))
        text += u' ' + ifOwn();
    if (hasPart(flow, [](const KillPreview &preview) { return preview.isFreedIfUnheld; }))
        text += u' '
            + tr("That is so unless its transaction has locked before what the statement locks: such a lock stays.");
    return text;
}

QString KillText::goesOn(const ServerWaits &waits, const WaitForecast &forecast,
                         const QHash<quint64, ServerTime> &since, ServerTime now)
{
    if (forecast.atOnce.isEmpty() && forecast.later.isEmpty())
        return forecast.isWhole ? tr("Nobody goes on because of this.")
                                : tr("It is not known who goes on: not every wait can be seen in full.");
    const auto names = [&](const QList<quint64> &ids) { return sessions(waits, ids, since, now); };
    QString text = tr("%n go on at once: %1.", nullptr, int(forecast.atOnce.size())).arg(names(forecast.atOnce));
    if (!forecast.later.isEmpty())
        text += u' '
            + tr("Up to %n later, one after the other, if each commits: %1.", nullptr, int(forecast.later.size()))
                  .arg(names(forecast.later));
    if (!forecast.isWhole)
        text += u' ' + tr("Others may go on too: not every wait can be seen in full.");
    if (forecast.goesOn().size() > 1)
        text += u' '
            + tr("Together they have waited for %1.").arg(CommonText::duration(waitedTogether(forecast, since, now)));
    return text;
}

Mark KillText::goesOnMark(const WaitForecast &forecast)
{
    if (!forecast.goesOn().isEmpty())
        return Mark::Released;
    return forecast.isWhole ? Mark::Alarm : Mark::Unknown;
}

QString KillText::staysBlocked(const KillFlow &flow)
{
    const WaitForecast &forecast = flow.sum().forecast;
    QStringList texts;
    if (!forecast.kept.isEmpty())
        texts += tr("%n stay blocked, because what they wait for is kept: %1.", nullptr, int(forecast.kept.size()))
                     .arg(sessions(flow.waits(), forecast.kept));
    const QList<quint64> blocked = forecast.blockedByOthers();
    if (!blocked.isEmpty())
        texts += tr("%n stay blocked, because somebody else blocks them too: %1.", nullptr, int(blocked.size()))
                     .arg(sessions(flow.waits(), blocked))
            + whoBlocks(flow, blocked);
    return texts.join(u' ');
}

/// Those who still block `blocked` and do not wait among them, with a space before it.
QString KillText::whoBlocks(const KillFlow &flow, const QList<quint64> &blocked)
{
    const auto &parts = flow.parts();
    const auto isEnding = [&parts](quint64 session) {
        return std::any_of(parts.cbegin(), parts.cend(),
                           [session](const KillPart &part) { return part.target.session == session; });
    };
    QList<quint64> found;
    for (const WaitEdge &edge : flow.waits().edges) {
        const quint64 blocker = edge.blocker;
        if (blocked.contains(edge.waiter) && !blocked.contains(blocker) && !isEnding(blocker)
            && !found.contains(blocker))
            found.append(blocker);
    }
    return found.isEmpty() ? QString() : u' ' + tr("Still blocking: %1.").arg(sessions(flow.waits(), found));
}

QString KillText::deadlocks(const KillFlow &flow)
{
    const int count = flow.sum().deadlocks;
    return count == 0 ? QString()
                      : tr("At least %n of those who wait may get an error: 1213 (deadlock), or 1062 (duplicate key) "
                           "if the row of that key comes back.",
                           nullptr, count);
}

QString KillText::loss(const KillFlow &flow)
{
    const KillSum &sum = flow.sum();
    for (const KillPart &part : flow.parts()) {
        const QString warning = PreparedText::warning(flow.waits(), part.target.session);
        if (!warning.isEmpty() && !part.isOver())
            return tr("%1 This cannot be taken back.").arg(warning);
    }
    if (hasPart(flow, TransactionEnd::Perhaps))
        return tr("What the statement did is undone. This cannot be taken back.");
    if (hasPart(flow, TransactionEnd::No))
        return tr("What the statement did is undone; its transaction stays open and keeps its other locks. This cannot "
                  "be taken back.");
    if (sum.rows == 0)
        return tr("No changed rows are lost. This cannot be taken back.");
    const QString rows = CommonText::count(qint64(sum.rows));
    if (sum.rollback < std::chrono::seconds(1))
        return tr("Changed rows that are undone: %1, in less than a second. This cannot be taken back.").arg(rows);
    return tr("Changed rows that are undone: %1, in about %2; the locks stay until then. This cannot be taken back.")
        .arg(rows, CommonText::duration(sum.rollback));
}

QString KillText::locks(const KillFlow &flow)
{
    QStringList names;
    const QStringList schemas = schemasOf(flow.waits());
    for (const ServerLock &lock : flow.sum().locks) {
        const QString name = CommonText::shortened(WaitText::object(lock.object, schemas));
        if (lock.isGranted && !names.contains(name))
            names.append(name);
    }
    if (names.isEmpty())
        return {};
    const qsizetype more = names.size() - qMin(names.size(), kMaxNames);
    QString text = names.first(names.size() - more).join(tr(", "));
    if (more > 0)
        text = tr("%1 and %n more", nullptr, int(more)).arg(text);
    text = tr("Gives up: %1.").arg(text);
    return hasPart(flow, TransactionEnd::Perhaps) && !isFreedIfOwn(flow) ? text + u' ' + ifOwn() : text;
}

QString KillText::server(const KillFlow &flow)
{
    const Capabilities &server = flow.capabilities();
    QStringList parts;
    if (server.isReplica)
        parts += tr("This server is a replica: sessions that wait on its primary are not freed here.");
    else if (server.isReadOnly)
        parts += tr("This server is read-only: programs that write do so on another one.");
    if (!server.mayKill && !server.killProcedure.isEmpty())
        parts += tr("Where it refuses KILL to this user, mysql.%1 is called instead.")
                     .arg(QString::fromLatin1(server.killProcedure));
    else if (!server.mayKill)
        parts += tr("This user may end its own connections only; for those of others it lacks %1.")
                     .arg(server.family == Family::MariaDb ? u"CONNECTION ADMIN"_s : u"CONNECTION_ADMIN"_s);
    return parts.join(u' ');
}

QString KillText::rowsLeft(quint64 rows)
{
    return tr("%1 rows left to undo", nullptr, CommonText::plural(rows)).arg(CommonText::count(qint64(rows)));
}

QString KillText::alreadyGone(const KillFlow &flow)
{
    return flow.isSingle()
        ? tr("Connection %1 had already ended. Nothing was done.").arg(flow.parts().first().target.session)
        : tr("All of them had already ended. Nothing was done.");
}

QString KillText::queryRefusal(const KillFlow &flow)
{
    if (flow.canEndStatements())
        return {};
    const auto isUseless = [](const KillPart &part) { return !part.isOver() && !part.preview.queryRefusal.isEmpty(); };
    const auto isIdle = [&](const KillPart &part) { return isUseless(part) && part.preview.session->isIdle(); };
    const Numbers idle = numbers(flow, isIdle);
    if (flow.isSingle())
        return idle.count == 0
            ? tr("It keeps what the others wait for when only its statement ends: nobody would go on.")
            : tr("It runs nothing now: the server would accept KILL QUERY and free nothing.");
    if (idle.count > 0)
        return tr("Connection %1 runs nothing now: the server would accept KILL QUERY and free nothing.", nullptr,
                  idle.count)
            .arg(idle.text);
    const Numbers keeping = numbers(flow, isUseless);
    return tr("Connection %1 keeps what the others wait for when only its statement ends: nobody would go on.", nullptr,
              keeping.count)
        .arg(keeping.text);
}

/// By the look, or by the kill with its reason.
QString KillText::changed(const KillFlow &flow)
{
    const auto &parts = flow.parts();
    const auto isChanged = [](const KillPart &part) { return part.state == KillPart::State::Changed; };
    const auto told = std::find_if(parts.cbegin(), parts.cend(),
                                   [&](const KillPart &part) { return isChanged(part) && part.report.error; });
    if (told != parts.cend())
        return failed(*told);
    const Numbers others = numbers(flow, isChanged);
    return tr("Connection %1 no longer does the work that you saw. Nothing was done to it.", nullptr, others.count)
        .arg(others.text);
}

QString KillText::unseen(const KillFlow &flow)
{
    const Numbers missed = numbers(flow, [](const KillPart &part) { return !part.isSeen && !part.isOver(); });
    if (missed.count == 0)
        return {};
    return tr("Connection %1 could not be seen just now; what is shown of it is older. It may have ended.", nullptr,
              missed.count)
        .arg(missed.text);
}

QString KillText::failed(const KillPart &part)
{
    const QString why = part.report.error ? part.report.error->message : tr("The server did not do it.");
    const QString text = part.report.mayBeDone()
        ? tr("It is not known whether connection %1 was ended; it may have been. %2")
        : tr("Connection %1 was not ended. %2");
    return text.arg(QString::number(part.target.session), why);
}

QString KillText::aftermath(const KillAftermath &aftermath)
{
    const QString wentOn = CommonText::count(aftermath.wentOn);
    if (aftermath.waiting == 0)
        return tr("All who waited went on: %1.").arg(wentOn);
    const QString waiting = tr("%n wait", nullptr, CommonText::plural(quint64(aftermath.waiting)));
    if (aftermath.blockedBy.isEmpty())
        return tr("Of those who waited, %1 went on, %2.").arg(wentOn, waiting);
    return tr("Of those who waited, %1 went on, %2, now blocked by %3.")
        .arg(wentOn, waiting, WaitText::numbers(aftermath.blockedBy));
}

QString KillText::result(const KillFlow &flow)
{
    if (flow.isSingle())
        return result({flow.parts().first().target, flow.kind(), {}, {}}, flow.parts().first().report);
    const auto &parts = flow.parts();
    const auto isDone = [](const KillPart &part) { return part.isDone(); };
    const auto ended = std::count_if(parts.cbegin(), parts.cend(), isDone);
    const QString text = tr("%n connections have ended, according to the server.", nullptr, int(ended));
    const auto other = std::find_if_not(parts.cbegin(), parts.cend(), isDone);
    if (other == parts.cend())
        return text;
    const QString why = other->state == KillPart::State::Refused
        ? WaitText::whyProtected(other->preview.session->protection)
        : result({other->target, flow.kind(), {}, {}}, other->report);
    const bool isKnown =
        std::none_of(parts.cbegin(), parts.cend(), [](const KillPart &part) { return part.report.mayBeDone(); });
    return (isKnown ? tr("%1 Not ended: %2. %3") : tr("%1 Not ended, or not known: %2. %3"))
        .arg(text, CommonText::count(parts.size() - ended), why);
}

QString KillText::result(const KillOrder &order, const KillReport &report)
{
    const QString session = QString::number(order.target.session);
    switch (report.outcome) {
    case KillReport::Outcome::Ended:
        return order.kind == KillKind::Connection
            ? tr("Connection %1 has ended, according to the server.").arg(session)
            : tr("The statement of connection %1 has ended, according to the server.").arg(session);
    case KillReport::Outcome::RollingBack:
        return tr("Connection %1 is ending: its changes are still being undone.").arg(session);
    case KillReport::Outcome::AlreadyGone:
        return tr("Connection %1 had already ended. Nothing was done.").arg(session);
    case KillReport::Outcome::TargetChanged:
        return tr("Connection %1 is doing other work by now. Nothing was done.").arg(session);
    case KillReport::Outcome::Refused:
    case KillReport::Outcome::Failed:
        break;
    }
    KillPart part;
    part.target = order.target;
    part.report = report;
    return failed(part);
}

} // namespace lockscope::ui
