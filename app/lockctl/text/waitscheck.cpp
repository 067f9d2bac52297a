// SPDX-License-Identifier: MIT
#include "waitscheck.h"

#include "checkfigures.h"
#include "console/duration.h"
#include "preparedtext.h"
#include "tabletext.h"
#include "terminal/output.h"
#include "waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

struct Measured : CheckFigures
{
    int ofRuns = 0;                 ///< wait too, as a lesson or the lab wants it
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

/// "session 12 app@10.0.0.5", "transaction 421 prepared as XA 'x1'"
QString holderOf(const ServerWaits &waits, quint64 holder)
{
    if (const PreparedTransaction *prepared = waits.preparedTransaction(holder))
        return holderText(holder) + u' ' + preparedText(*prepared);
    return u"session %1 %2"_s.arg(QString::number(holder), accountText(waits, holder));
}

/// Whom to look at first, of so many that wait.
QString worst(const ServerWaits &waits, const WaitGraph &graph, qint64 queue)
{
    const auto first = std::find_if(graph.roots.cbegin(), graph.roots.cend(),
                                    [&graph](int root) { return !graph.isOfRun(graph.nodes[root]); });
    if (first == graph.roots.cend())
        return {};
    const WaitNode &root = graph.nodes[*first];
    if (root.isCycle())
        return u"; a ring of %1 wait for each other"_s.arg(graph.cycles[root.cycle].size());
    if (root.isLost && root.behind == 0) // so are all: roots that others wait for come first
        return queue == 1 ? u"; who blocks it is not known"_s : u"; who blocks them is not known"_s;
    const QString text =
        u"; %1 blocks %2"_s.arg(holderOf(waits, root.session), counted(root.frees, u"of them"_s, u"of them"_s));
    return root.isLost ? text + u", and who blocks it is not known"_s : text;
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

/// Empty: nobody holds anything.
QJsonValue heldBy(const Measured &measured)
{
    if (measured.holder != 0)
        return holderToJson(measured.holder);
    return measured.row ? QJsonValue(tableLockName(*measured.row)) : QJsonValue();
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

} // namespace

CheckResult checkWaits(const ServerWaits &waits, const WaitLimits &limits, const TableLocks &tables)
{
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    Measured measured = measure(waits, graph);
    measureTables(tables, &measured);
    QString text = measured.queue == 0
        ? u"nobody waits"_s
        : waitingText(measured, u"session waits"_s, u"sessions wait"_s) + worst(waits, graph, measured.queue);
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
    return checkResult(state, text, measured, limits, heldBy(measured));
}

} // namespace lockscope::ctl
