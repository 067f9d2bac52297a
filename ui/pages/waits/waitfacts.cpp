// SPDX-License-Identifier: MIT
#include "waitfacts.h"

#include "preparedtext.h"
#include "ui/text/commontext.h"
#include "waitsummary.h"
#include "waittext.h"

#include "console/duration.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString text(const QString &bytes)
{
    return bytes.isEmpty() ? CommonText::none() : CommonText::note(bytes.toUtf8());
}

QString momentAndAge(const std::optional<ServerTime> &since, ServerTime now)
{
    if (!since)
        return CommonText::none();
    const QString age = formatDuration(std::max(Microseconds::zero(), now - *since));
    return WaitFacts::tr("%1, %2 ago").arg(CommonText::moment(*since), age);
}

QString clientText(const ServerSession &session)
{
    if (!session.owner.service.isEmpty())
        return CommonText::whoInFull(session.owner);
    if (session.osPid == 0)
        return WaitText::program(session);
    return WaitFacts::tr("%1 (pid %2)").arg(WaitText::program(session), QString::number(session.osPid));
}

QString commandText(const ServerSession &session)
{
    const QString command = text(session.command);
    return session.state.isEmpty() ? command : WaitFacts::tr("%1: %2").arg(command, text(session.state));
}

QString transactionText(const ServerSession &session)
{
    if (!session.transaction)
        return WaitFacts::tr("none open");
    const quint64 number = session.transaction->id; // MariaDB's transactions that only read have none
    const QString state = text(session.transaction->state);
    return number == 0 ? state : WaitFacts::tr("%1, %2").arg(number).arg(state);
}

QList<WaitFacts::Fact> factsOf(const ServerSession &session, bool isPrepared, ServerTime now)
{
    std::optional<ServerTime> started;
    if (session.transaction)
        started = session.transaction->started;
    const auto ofSession = [isPrepared](const QString &value) { return isPrepared ? QString() : value; };
    return {{WaitFacts::tr("Account"), ofSession(WaitText::account(session))},
            {WaitFacts::tr("Program"), ofSession(clientText(session))},
            {WaitFacts::tr("Schema"), ofSession(text(session.schema))},
            {WaitFacts::tr("Command"), ofSession(commandText(session))},
            {WaitFacts::tr("Since"), ofSession(momentAndAge(session.doneSince(), now))},
            {WaitFacts::tr("Transaction"), transactionText(session)},
            {WaitFacts::tr("Opened"), momentAndAge(started, now)},
            {WaitFacts::tr("Rows"), WaitText::rows(session)}};
}

QString waitText(const WaitPicture &picture, const WaitEdge &edge)
{
    const QString lock = WaitText::objectAndMode(edge.object, edge.mode, picture.schemas);
    return (edge.isInferred ? WaitFacts::tr("%1 – behind %2 (inferred)") : WaitFacts::tr("%1 – behind %2"))
        .arg(lock, WaitText::session(*picture.waits, edge.blocker));
}

QString ageText(const Age &age, ServerTime now)
{
    const QString time = formatDuration(std::max(Microseconds::zero(), now - age.since));
    switch (age.of) {
    case AgeOf::Lock:
        return WaitFacts::tr("for %1").arg(time);
    case AgeOf::Wait:
        return WaitFacts::tr("waits for %1").arg(time);
    case AgeOf::Transaction:
        return WaitFacts::tr("its transaction is %1 old").arg(time);
    case AgeOf::Statement:
        return WaitFacts::tr("its statement is %1 old").arg(time);
    case AgeOf::Session:
        break;
    }
    return WaitFacts::tr("for at least %1").arg(time);
}

QString lockText(const ServerLock &lock, const QStringList &schemas, ServerTime now)
{
    QStringList parts{WaitText::lockKind(lock.object.kind), WaitText::objectAndMode(lock.object, lock.mode, schemas)};
    if (lock.age)
        parts += ageText(*lock.age, now);
    return parts.join(u" · "_s);
}

/// Edges, that of the longest wait first.
QList<int> byWaiting(const WaitPicture &picture, QList<int> edges)
{
    const auto order = [&picture](int edge) {
        const quint64 waiter = picture.waits->edges[edge].waiter;
        return std::pair(picture.waitsSince(waiter), waiter);
    };
    std::sort(edges.begin(), edges.end(), [&order](int a, int b) { return order(a) < order(b); });
    return edges;
}

ServerSession sessionOf(const ServerWaits &waits, quint64 id)
{
    const ServerSession *known = waits.session(id);
    ServerSession session = known ? *known : ServerSession();
    if (const PreparedTransaction *prepared = waits.preparedTransaction(id))
        session.transaction = prepared->transaction;
    return session;
}

} // namespace

WaitFacts WaitFacts::running(const WaitPicture &picture, quint64 session, ServerTime now)
{
    WaitFacts facts;
    facts.summary = WaitSummary::of(picture, session, now);
    facts.facts = factsOf(sessionOf(*picture.waits, session), isPreparedNumber(session), now);
    return facts;
}

WaitFacts WaitFacts::of(const WaitPicture &picture, quint64 session, ServerTime now)
{
    const ServerWaits &waits = *picture.waits;
    const ServerSession unknown;
    const ServerSession *known = waits.session(session);
    WaitFacts facts = running(picture, session, now);
    facts.title = tr("Session %1").arg(session);
    facts.statementTitle = WaitText::statementTitle(known ? known->statement : unknown.statement);
    facts.statement = known ? WaitText::statementText(known->statement) : QString();
    if (const PreparedTransaction *prepared = waits.preparedTransaction(session)) {
        facts.title = PreparedText::name(*prepared);
        facts.statementTitle.clear(); // the summary has what ends it
    }
    facts.history = known ? WaitText::history(known->history) : QStringList();
    for (const int edge : picture.waitsFor.value(session))
        facts.waitsFor += waitText(picture, waits.edges[edge]);
    for (const LostWaiter &lost : waits.lost) {
        if (lost.session != session)
            continue;
        facts.waitsFor += WaitText::lostWait(waits, lost);
        if (lost.mayBeBehindPrepared)
            facts.waitsFor += PreparedText::hint(waits);
    }
    const QList<ServerObject> held = picture.graph.wanted.value(session);
    for (const int number : byWaiting(picture, picture.blocks.value(session))) {
        const WaitEdge &edge = waits.edges[number];
        (held.contains(edge.object) ? facts.blocks : facts.queue) += tr("%1 – %2").arg(
            WaitText::session(waits, edge.waiter), WaitText::objectAndMode(edge.object, edge.mode, picture.schemas));
    }
    const auto rows = waits.rows.constFind(session);
    facts.isListingRows = rows != waits.rows.cend();
    for (const ServerLock &lock : waits.locks) {
        const bool isOfRows = lock.object.kind == ServerLockKind::Record || lock.object.kind == ServerLockKind::Table;
        if (lock.session == session && lock.isGranted && !(isOfRows && facts.isListingRows))
            facts.holds += lockText(lock, picture.schemas, now);
    }
    if (facts.isListingRows)
        facts.holds += WaitText::rowLocks(*rows);
    return facts;
}

QString WaitFacts::historyTitle()
{
    return tr("Statements of its transaction, as far as the server keeps them");
}

QString WaitFacts::waitsForTitle()
{
    return tr("Waits for");
}

QString WaitFacts::blocksTitle(qsizetype count)
{
    return tr("Blocks %n session(s)", nullptr, int(count));
}

QString WaitFacts::queueTitle(qsizetype count)
{
    return tr("%n queue behind it", nullptr, int(count));
}

QString WaitFacts::holdsTitle() const
{
    const int count = int(holds.size());
    return isListingRows ? tr("Holds %n lock(s)", nullptr, count)
                         : tr("Holds %n lock(s); rows that nobody waits for are not listed", nullptr, count);
}

QString WaitFacts::toText() const
{
    QStringList lines{title, summary, {}};
    for (const Fact &fact : facts) {
        if (!fact.value.isEmpty())
            lines += fact.name + u": "_s + fact.value;
    }
    if (!statementTitle.isEmpty())
        lines += {QString(), statementTitle};
    if (!statement.isEmpty())
        lines += statement;
    const auto addList = [&lines](const QString &heading, const QStringList &list) {
        if (list.isEmpty())
            return;
        lines += {QString(), heading};
        for (const QString &entry : list)
            lines += u"  "_s + entry;
    };
    addList(historyTitle(), history);
    addList(waitsForTitle(), waitsFor);
    addList(blocksTitle(blocks.size()), blocks);
    addList(queueTitle(queue.size()), queue);
    addList(holdsTitle(), holds);
    return lines.join(u'\n') + u'\n';
}

} // namespace lockscope::ui
