// SPDX-License-Identifier: MIT
#include "waitscheck.h"

#include "console/duration.h"
#include "preparedtext.h"
#include "tabletext.h"
#include "terminal/output.h"
#include "waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// What is judged.
struct Measured
{
    Microseconds wait{}; ///< the longest that is known
    int waitsUntold = 0; ///< of those who wait: since when is not known
    int queue = 0;
    int ofRuns = 0;                 ///< wait too, as a lesson or the lab wants it
    Microseconds held{};            ///< the longest that is known
    int heldUntold = 0;             ///< locks that are held, and since when is not known
    quint64 holder = 0;             ///< of the oldest transaction, or what stands for a prepared one; 0: none
    const TableLock *row = nullptr; ///< where a lock of a table has been held for longest
    Microseconds heldOfRuns{};
    quint64 holderOfRuns = 0; ///< the same of lessons and the lab, where it holds nobody else up
};

void measureWaits(const ServerWaits &waits, const WaitGraph &graph, Measured *measured)
{
    QSet<quint64> told;
    QSet<quint64> untold;
    const auto look = [&](quint64 session, const std::optional<ServerTime> &since) {
        if (since) {
            told.insert(session);
            measured->wait = std::max(measured->wait, waits.clock.server - *since);
        } else if (waits.session(session)) { // who has gone since the locks were read waits no more
            untold.insert(session);
        }
    };
    for (const WaitEdge &edge : waits.edges) {
        if (!graph.ofRuns.contains(edge.waiter))
            look(edge.waiter, edge.since);
    }
    for (const LostWaiter &lost : waits.lost)
        look(lost.session, lost.since);
    measured->waitsUntold = int(untold.subtract(told).size());
}

Measured measure(const ServerWaits &waits, const WaitGraph &graph)
{
    Measured measured;
    measureWaits(waits, graph, &measured);
    measured.ofRuns = graph.waitingOfRuns();
    measured.queue = graph.waiting() - measured.ofRuns;
    const auto hold = [&](ServerTime since, quint64 holder) {
        const bool isOfRun = graph.ofRuns.contains(holder);
        Microseconds &held = isOfRun ? measured.heldOfRuns : measured.held;
        if (waits.clock.server - since <= held)
            return;
        held = waits.clock.server - since;
        (isOfRun ? measured.holderOfRuns : measured.holder) = holder;
    };
    for (auto it = waits.prepared.cbegin(); it != waits.prepared.cend(); ++it)
        hold(it->transaction.started, it.key());
    for (const ServerSession &session : waits.sessions) {
        const auto &transaction = session.transaction;
        if (!transaction || session.protection != Protection::None)
            continue;
        const quint64 waited = transaction->waitStarted ? 1 : 0; // counted as locked
        const bool holds = transaction->rowsLocked > waited || transaction->rowsChanged > 0;
        if (holds)
            hold(transaction->started, session.id);
    }
    return measured;
}

/// What is older than the transactions. What may be no lock table at all is left out.
void measureTables(const TableLocks &tables, Measured *measured)
{
    for (const TableLock &lock : tables.locks) {
        const bool counts = lock.state == TableLockState::Held && !lock.table.isLookAlike;
        measured->heldUntold += counts && !lock.since ? 1 : 0;
        if (!counts || !lock.since || tables.clock.server - *lock.since <= measured->held)
            continue;
        measured->held = tables.clock.server - *lock.since;
        measured->holder = 0;
        measured->row = &lock;
    }
}

QString word(CheckState state)
{
    switch (state) {
    case CheckState::Ok:
        return u"OK"_s;
    case CheckState::Warning:
        return u"WARNING"_s;
    case CheckState::Critical:
        return u"CRITICAL"_s;
    case CheckState::Unknown:
        break;
    }
    return u"UNKNOWN"_s;
}

/// No '|': what follows it are numbers.
QString toLine(CheckState state, QString text)
{
    text.replace(u'\n', u' ');
    return word(state) + u" - "_s + text.replace(u'|', u'/');
}

/// The longest of what is known; none: of something, and nothing is known.
std::optional<Microseconds> known(Microseconds longest, int untold)
{
    return untold == 0 || longest > Microseconds::zero() ? std::optional(longest) : std::nullopt;
}

/// As the guidelines for monitoring plugins want it: "U" for what could not be found out.
QString figure(const std::optional<Microseconds> &time)
{
    return time ? QString::number(double(time->count()) / 1e6, 'f', 1) + u's' : u"U"_s;
}

QString seconds(const std::optional<Duration> &time)
{
    return time ? QString::number(double(time->count()) / 1e6, 'g', 15) : QString();
}

QString numbers(const Measured &measured, const WaitLimits &limits)
{
    return u"wait=%1;%2;%3;0 queue=%4;;%5;0 held=%6;;%7;0"_s.arg(
        figure(known(measured.wait, measured.waitsUntold)), seconds(limits.warn), seconds(limits.maxWait),
        QString::number(measured.queue), limits.maxQueue ? QString::number(*limits.maxQueue) : QString(),
        figure(known(measured.held, measured.heldUntold)), seconds(limits.maxHeld));
}

/// Whether somebody waits whom no limit judges.
bool isWaitUnjudged(const Measured &measured, const WaitLimits &limits)
{
    return measured.waitsUntold > 0 && !limits.maxQueue;
}

bool isBad(CheckState state)
{
    return state == CheckState::Warning || state == CheckState::Critical;
}

CheckState stateOf(const Measured &measured, const WaitLimits &limits)
{
    const bool isCritical = (limits.maxWait && measured.wait > *limits.maxWait)
        || (limits.maxQueue && measured.queue > *limits.maxQueue)
        || (limits.maxHeld && measured.held > *limits.maxHeld);
    if (isCritical)
        return CheckState::Critical;
    if (limits.warn && measured.wait > *limits.warn)
        return CheckState::Warning;
    return isWaitUnjudged(measured, limits) ? CheckState::Unknown : CheckState::Ok;
}

/// "session 12 app@10.0.0.5", "transaction 421 prepared as XA 'x1'"
QString holderOf(const ServerWaits &waits, quint64 holder)
{
    if (const PreparedTransaction *prepared = waits.preparedTransaction(holder))
        return holderText(holder) + u' ' + preparedText(*prepared);
    return u"session %1 %2"_s.arg(QString::number(holder), accountText(waits, holder));
}

/// Whom to look at first.
QString worst(const ServerWaits &waits, const WaitGraph &graph)
{
    const auto first = std::find_if(graph.roots.cbegin(), graph.roots.cend(),
                                    [&graph](int root) { return !graph.isOfRun(graph.nodes[root]); });
    if (first == graph.roots.cend())
        return {};
    const WaitNode &root = graph.nodes[*first];
    if (root.isCycle())
        return u"; a ring of %1 wait for each other"_s.arg(graph.cycles[root.cycle].size());
    return u"; %1 blocks %2"_s.arg(holderOf(waits, root.session), counted(root.frees, u"of them"_s, u"of them"_s));
}

/// "; session 12 has been in its transaction for 3 min"
QString heldTooLong(const ServerWaits &waits, const Measured &measured)
{
    const QString time = formatCoarseDuration(measured.held);
    if (measured.row)
        return u"; %1 has been held for %2"_s.arg(tableLockName(*measured.row), time)
            + (measured.row->holder.isEmpty() ? QString() : u" by "_s + printable(measured.row->holder));
    if (isPreparedNumber(measured.holder))
        return u"; %1 has been open for %2"_s.arg(holderOf(waits, measured.holder), time);
    return u"; session %1 has been in its transaction for %2"_s.arg(holderText(measured.holder), time);
}

/// What else is not seen.
QStringList unseen(const ServerWaits &waits)
{
    QStringList others;
    for (const SourceStatus &status : waits.sources) {
        if (status.state != SourceStatus::State::Missing && status.state != SourceStatus::State::Failed)
            continue;
        if (status.source == WaitSource::Metadata || status.source == WaitSource::UserLocks)
            others.append(sourceText(status.source));
    }
    return others;
}

/// Those that are named as a program's and were not read whole, where somebody asks how old a lock is; or why none was,
/// which an error without a place tells. Empty: all were.
QString unreadTables(const WaitLimits &limits, const TableLocks &tables)
{
    if (!limits.maxHeld)
        return {};
    const QString what = u"how old the locks of other programs are: "_s;
    QStringList names;
    for (const UnreadTable &table : tables.unread) {
        if (table.place.isEmpty() && table.error)
            return what + printable(table.error->toString());
        if (!table.isLookAlike)
            names.append(printable(table.place));
    }
    if (!names.isEmpty())
        return what + u"not all of %1 was read"_s.arg(names.join(u", "_s));
    if (tables.isScanCut || tables.serverTables > 0)
        return what + u"not all tables were looked into; --schema names one schema to look into"_s;
    return {};
}

/// "whether 2 locks of other programs are held"; empty: all are judged, or nobody asks.
QString unjudged(const WaitLimits &limits, const TableLocks &tables)
{
    const auto count = std::count_if(tables.locks.cbegin(), tables.locks.cend(), [](const TableLock &lock) {
        return lock.state == TableLockState::Unknown && !lock.table.isLookAlike;
    });
    if (!limits.maxHeld || count == 0)
        return {};
    return u"whether %1 held (lockctl list --all says why)"_s.arg(
        counted(int(count), u"lock of other programs is"_s, u"locks of other programs are"_s));
}

/// "2 sessions wait, the longest for 20 s", the latter where it is known.
QString waitingText(const Measured &measured, const QString &one, const QString &many)
{
    const QString waiting = counted(measured.queue, one, many);
    const auto longest = known(measured.wait, measured.waitsUntold);
    return longest ? waiting + u", the longest for "_s + formatCoarseDuration(*longest) : waiting;
}

/// "how long 2 requests have waited"; empty: all tell it.
QString untoldWaits(const Measured &measured, const WaitLimits &limits, const QString &waiting)
{
    if (measured.waitsUntold == 0)
        return {};
    return u"how long "_s + waiting
        + (isWaitUnjudged(measured, limits) ? u" (--max-queue judges how many wait)"_s : QString());
}

/// "since when 2 leases are held"; empty: all tell it, or nobody asks.
QString untoldHolds(const WaitLimits &limits, int untold, const QString &one, const QString &many)
{
    return limits.maxHeld && untold > 0 ? u"since when "_s + counted(untold, one, many) : QString();
}

QString untoldHoldsOfOthers(const WaitLimits &limits, int untold)
{
    return untoldHolds(limits, untold, u"lock of other programs is held"_s, u"locks of other programs are held"_s);
}

/// "; not seen: metadata locks, since when 2 leases are held"; what is empty is left out.
QString notSeen(QStringList what)
{
    what.removeAll(QString());
    return what.isEmpty() ? QString() : u"; not seen: "_s + what.join(u", "_s);
}

QJsonValue toJson(const std::optional<Microseconds> &time)
{
    return time ? QJsonValue(milliseconds(*time)) : QJsonValue();
}

QJsonObject toJson(CheckState state, const QString &text)
{
    return {{u"state"_s, word(state).toLower()}, {u"text"_s, text},           {u"waitMs"_s, QJsonValue()},
            {u"queue"_s, QJsonValue()},          {u"heldMs"_s, QJsonValue()}, {u"heldBy"_s, QJsonValue()}};
}

QJsonObject toJson(CheckState state, const QString &text, const Measured &measured)
{
    QJsonObject json = toJson(state, text);
    json[u"waitMs"_s] = toJson(known(measured.wait, measured.waitsUntold));
    json[u"queue"_s] = measured.queue;
    json[u"heldMs"_s] = toJson(known(measured.held, measured.heldUntold));
    if (measured.holder != 0)
        json[u"heldBy"_s] = holderToJson(measured.holder);
    else if (measured.row)
        json[u"heldBy"_s] = tableLockName(*measured.row);
    return json;
}

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
QString whoWaits(const Measured &measured, const LeaseFigures &figures)
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
    Measured measured;
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
    QJsonObject json = toJson(state, text, measured);
    if (!figures.heldName.isEmpty())
        json[u"heldBy"_s] = QString::fromUtf8(figures.heldName);
    return {state, toLine(state, text) + u'|' + numbers(measured, limits), json};
}

CheckResult checkWaits(const ServerWaits &waits, const WaitLimits &limits, const TableLocks &tables)
{
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    Measured measured = measure(waits, graph);
    measureTables(tables, &measured);
    QString text = measured.queue == 0
        ? u"nobody waits"_s
        : waitingText(measured, u"session waits"_s, u"sessions wait"_s) + worst(waits, graph);
    if (measured.ofRuns > 0)
        text += u"; %1 in lessons or the lab, on purpose"_s.arg(
            counted(measured.ofRuns, u"session waits"_s, u"sessions wait"_s));
    if (limits.maxHeld && measured.held > *limits.maxHeld)
        text += heldTooLong(waits, measured);
    if (limits.maxHeld && measured.heldOfRuns > *limits.maxHeld)
        text += u"; %1 of a lesson or the lab has been in its transaction for %2, and holds nobody else up"_s.arg(
            isPreparedNumber(measured.holderOfRuns) ? holderOf(waits, measured.holderOfRuns)
                                                    : u"session "_s + holderText(measured.holderOfRuns),
            formatCoarseDuration(measured.heldOfRuns));
    const CheckState state = stateOf(measured, limits);
    const SourceStatus *essential = essentialUnseen(waits);
    if (!isBad(state) && essential)
        return unknownCheck(sourceText(essential->source) + u": "_s
                            + printable((essential->reason + u' ' + essential->remedy).trimmed()));
    const QString unread = unreadTables(limits, tables);
    if (!isBad(state) && !unread.isEmpty())
        return unknownCheck(unread);
    QStringList others = unseen(waits);
    if (!tables.notes.isEmpty())
        others.append(u"some lock tables of other programs"_s);
    others.append(unjudged(limits, tables));
    others.append(untoldHoldsOfOthers(limits, measured.heldUntold));
    others.append(untoldWaits(measured, limits,
                              counted(measured.waitsUntold, u"session has waited"_s, u"sessions have waited"_s)));
    text += notSeen(others);
    return {state, toLine(state, text) + u'|' + numbers(measured, limits), toJson(state, text, measured)};
}

CheckResult unknownCheck(const QString &why)
{
    return {CheckState::Unknown, toLine(CheckState::Unknown, why), toJson(CheckState::Unknown, why)};
}

} // namespace lockscope::ctl
