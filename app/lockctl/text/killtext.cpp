// SPDX-License-Identifier: MIT
#include "killtext.h"

#include "console/duration.h"
#include "preparedtext.h"
#include "terminal/output.h"
#include "waits/userlocknames.h"
#include "waitsjson.h"
#include "waitstext.h"

#include <QtCore/QJsonArray>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

using Outcome = KillReport::Outcome;

constexpr qsizetype kShownSessions = 8;
constexpr qsizetype kShownLocks = 8;

/// "13 app@a7, 14 app@a8 and 3 more"
QString sessionsText(const QList<quint64> &sessions, const ServerWaits &waits)
{
    QStringList texts;
    for (const quint64 session : sessions.first(qMin(sessions.size(), kShownSessions)))
        texts.append(QString::number(session) + u' ' + accountText(waits, session));
    const auto more = sessions.size() - texts.size();
    return texts.join(u", "_s) + (more > 0 ? u" and %1 more"_s.arg(more) : QString());
}

QString locksText(const QList<ServerLock> &locks, const QStringList &schemas)
{
    QStringList texts;
    for (const ServerLock &lock : locks) {
        const QString text = objectText(lock.object, schemas);
        if (!texts.contains(text))
            texts.append(text);
    }
    const auto more = texts.size() - kShownLocks;
    return texts.mid(0, kShownLocks).join(u", "_s) + (more > 0 ? u" and %1 more"_s.arg(more) : QString());
}

QString sentence(const Statement &statement, int columns)
{
    QString text = statementText(statement, columns - 3);
    using Source = Statement::Source;
    if (statement.source == Source::Running || statement.source == Source::Last || statement.source == Source::None)
        return u"It "_s + text;
    text[0] = text[0].toUpper();
    return text + u'.';
}

QString transactionText(const KillPreview &preview)
{
    const Transaction &transaction = *preview.session->transaction;
    const QString number = isOwnNumber(transaction.id) ? u' ' + QString::number(transaction.id) : QString();
    const QString text = u"Its transaction%1 has %2 locked and %3 changed"_s.arg(
        number, counted(qint64(transaction.rowsLocked), u"row"_s, u"rows"_s), QString::number(transaction.rowsChanged));
    if (preview.rowsToRollBack == 0)
        return text + u'.';
    const bool isShort = preview.rollback < std::chrono::seconds(1);
    return text
        + u"; undoing them takes %1."_s.arg(isShort ? u"less than 1 s"_s
                                                    : u"about "_s + formatCoarseDuration(preview.rollback));
}

void addConsequences(const KillPreview &preview, const ServerWaits &waits, QStringList *lines)
{
    *lines += forecastLines(preview.forecast, waits);
    if (preview.deadlocks > 0)
        lines->append(u"At least %1 to expect an error: 1213 (deadlock), or 1062 (duplicate key) if the row of that "
                      "key comes back."_s.arg(counted(preview.deadlocks, u"waiter has"_s, u"waiters have"_s)));
}

QJsonArray toArray(const QList<quint64> &sessions)
{
    QJsonArray array;
    for (const quint64 session : sessions)
        array.append(holderToJson(session));
    return array;
}

bool isFreedKnown(const KillPreview &preview)
{
    return preview.forecast.isWhole && !preview.isFreedIfOwn && !preview.isFreedIfUnheld;
}

/// Of what is told before: on what it rests.
QStringList guessLines(const KillPreview &preview)
{
    QStringList lines;
    const bool givesUp = !preview.locks.isEmpty() || preview.rowsToRollBack > 0;
    if (preview.isFreedIfOwn || (givesUp && preview.transactionEnd == TransactionEnd::Perhaps))
        lines.append(
            u"That is so if the statement is a transaction of its own (autocommit) and its session has no LOCK "
            u"TABLES; else the locks stay."_s);
    if (preview.isFreedIfUnheld)
        lines.append(
            u"That is so unless its transaction has locked before what the statement locks: such a lock stays."_s);
    return lines;
}

} // namespace

QStringList forecastLines(const WaitForecast &forecast, const ServerWaits &waits)
{
    QStringList lines;
    if (forecast.atOnce.isEmpty() && forecast.later.isEmpty())
        lines.append(forecast.isWhole ? u"Nobody goes on."_s
                                      : u"It is not known who goes on: not every wait can be seen in full."_s);
    else
        lines.append(u"%1 on at once: %2"_s.arg(counted(forecast.atOnce.size(), u"waiter goes"_s, u"waiters go"_s),
                                                sessionsText(forecast.atOnce, waits)));
    const QString order =
        forecast.later.size() == 1 ? u"if those before it commit"_s : u"one after the other, if each commits"_s;
    if (!forecast.later.isEmpty())
        lines.append(u"Up to %1 later, %2: %3"_s.arg(QString::number(forecast.later.size()), order,
                                                     sessionsText(forecast.later, waits)));
    if (forecast.waited > Microseconds::zero())
        lines.append(u"Together they have waited for %1."_s.arg(formatCoarseDuration(forecast.waited)));
    if (!forecast.isWhole && !forecast.goesOn().isEmpty())
        lines.append(u"Others may go on too: not every wait can be seen in full."_s);
    const QList<quint64> byOthers = forecast.blockedByOthers();
    if (!forecast.kept.isEmpty())
        lines.append(u"Still blocked, because what they wait for is kept: "_s + sessionsText(forecast.kept, waits));
    if (!byOthers.isEmpty())
        lines.append(u"Still blocked by others: "_s + sessionsText(byOthers, waits));
    QList<quint64> lost;
    for (const LostWaiter &one : waits.lost)
        lost.append(one.session);
    if (!lost.isEmpty())
        lines.append(u"For whom these wait is not told: "_s + sessionsText(lost, waits));
    return lines;
}

QString aftermathText(const KillAftermath &aftermath)
{
    QString text = u"%1 went on"_s.arg(aftermath.wentOn);
    if (aftermath.waiting == 0)
        return text + u", none of them waits"_s;
    text += u", %1"_s.arg(counted(aftermath.waiting, u"waits"_s, u"wait"_s));
    if (aftermath.blockedBy.isEmpty())
        return text;
    QStringList sessions;
    for (const quint64 session : aftermath.blockedBy.first(qMin(aftermath.blockedBy.size(), kShownSessions)))
        sessions.append(holderText(session));
    if (const auto more = aftermath.blockedBy.size() - sessions.size(); more > 0)
        sessions.append(u"%1 more"_s.arg(more));
    const QString last = sessions.takeLast();
    return text + u", now blocked by "_s
        + (sessions.isEmpty() ? last : u"%1 and %2"_s.arg(sessions.join(u", "_s), last));
}

QJsonObject aftermathToJson(const KillAftermath &aftermath)
{
    return {{u"wentOn"_s, aftermath.wentOn},
            {u"waiting"_s, aftermath.waiting},
            {u"blockedBy"_s, toArray(aftermath.blockedBy)}};
}

QStringList killPreviewLines(const KillPreview &preview, const ServerWaits &waits, KillKind kind, int columns)
{
    const ServerSession &session = *preview.session;
    QStringList lines;
    lines.append(u"%1 of session %2, %3: %4"_s.arg(
        kind == KillKind::Query ? u"End the statement"_s : u"End the connection"_s, QString::number(session.id),
        accountText(waits, session.id, true), doingText(session, waits.clock.server)));
    if (!preview.refusal.isEmpty())
        lines.append(u"Refused: "_s + printable(preview.refusal));
    lines.append(sentence(session.statement, columns));
    if (session.transaction)
        lines.append(transactionText(preview));
    if (!preview.refusal.isEmpty())
        return lines;
    if (const QString warning = preparedWarning(waits, session.id); !warning.isEmpty())
        lines.append(u"Warning: "_s + warning);
    if (!preview.locks.isEmpty())
        lines.append(u"It gives up "_s + locksText(preview.locks, schemasOf(waits)) + u'.');
    addConsequences(preview, waits, &lines);
    if (kind == KillKind::Connection && !preview.queryRefusal.isEmpty())
        lines.append(u"With --query: "_s + printable(preview.queryRefusal));
    lines += guessLines(preview);
    return lines << QString() << printableLines(QString::fromUtf8(preview.statement + ';'));
}

QJsonObject killPreviewToJson(const KillPreview &preview, const ServerWaits &waits, quint64 session)
{
    return {{u"outcome"_s, u"preview"_s},
            {u"connectionId"_s, number(session)},
            {u"session"_s, sessionToJson(waits, session)},
            {u"statement"_s, QString::fromUtf8(preview.statement)},
            {u"refusal"_s, textOrNull(preview.refusal)},
            {u"queryRefusal"_s, textOrNull(preview.queryRefusal)},
            {u"warning"_s, textOrNull(preparedWarning(waits, session))},
            {u"freed"_s, toArray(preview.forecast.goesOn())},
            {u"freedAtOnce"_s, toArray(preview.forecast.atOnce)},
            {u"isFreedKnown"_s, isFreedKnown(preview)},
            {u"freesWaitedMs"_s, milliseconds(preview.forecast.waited)},
            {u"stillBlocked"_s, toArray(preview.forecast.stay)},
            {u"deadlocks"_s, preview.deadlocks},
            {u"rowsToRollBack"_s, number(preview.rowsToRollBack)},
            {u"rollbackMs"_s, milliseconds(preview.rollback)}};
}

QString outcomeName(const KillReport &report)
{
    switch (report.outcome) {
    case Outcome::Ended:
        return u"ended"_s;
    case Outcome::RollingBack:
        return u"rollingBack"_s;
    case Outcome::AlreadyGone:
        return u"gone"_s;
    case Outcome::TargetChanged:
        return u"changed"_s;
    case Outcome::Refused:
        return u"refused"_s;
    case Outcome::Failed:
        break;
    }
    return report.mayBeDone() ? u"unknown"_s : u"failed"_s;
}

QJsonObject killReportToJson(const KillReport &report, quint64 session)
{
    return {{u"outcome"_s, outcomeName(report)},
            {u"connectionId"_s, number(session)},
            {u"statement"_s, QString::fromUtf8(report.statement)},
            {u"rowsLeft"_s, number(report.rowsLeft)},
            {u"error"_s, report.error ? report.error->toString() : QJsonValue()}};
}

} // namespace lockscope::ctl
