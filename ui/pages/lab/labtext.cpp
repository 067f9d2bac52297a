// SPDX-License-Identifier: MIT
#include "labtext.h"

#include "ui/text/commontext.h"

#include <iterator>

namespace lockscope::ui {

/// In the order of the enumeration, as below.
LabText::Words LabText::wordsOf(LabWay way)
{
    static constexpr Words words[] = {
        {QT_TR_NOOP("Unique"),
         QT_TR_NOOP("A lease with TTL and fencing token. Fair, woken instead of polling, survives a lost connection.")},
        {QT_TR_NOOP("Pessimistic"),
         QT_TR_NOOP(
             "A row locked in an open transaction. It ends with its session, and so does what was written in it.")},
        {QT_TR_NOOP("Optimistic"),
         QT_TR_NOOP("Nothing is held: whoever commits from an old version does the work again.")},
        {QT_TR_NOOP("Pessimistic, one central row"),
         QT_TR_NOOP("One row for all names: simple, and everybody waits for everybody.")},
        {QT_TR_NOOP("Pessimistic, 100 stripes"),
         QT_TR_NOOP("100 rows for all names: unrelated names sometimes wait for each other.")},
        {QT_TR_NOOP("No lock"), QT_TR_NOOP("Nobody is kept out. Watch updates get lost.")},
        {QT_TR_NOOP("INSERT and poll, no TTL"),
         QT_TR_NOOP("A row is the lock. A crash locks it for ever; polling is unfair and loads the server.")},
        {QT_TR_NOOP("INSERT, AUTO_INCREMENT as token"),
         QT_TR_NOOP("The row's number as token: fenced, but a crash still locks for ever.")},
        {QT_TR_NOOP("Release by name"),
         QT_TR_NOOP("After its TTL a slow holder's release deletes the next holder's lock.")},
        {QT_TR_NOOP("Check, then INSERT"), QT_TR_NOOP("Two look, both find nothing, both insert.")},
        {QT_TR_NOOP("Cleaner job"),
         QT_TR_NOOP("A job deletes rows older than the TTL, including those of holders that are merely slow.")},
        {QT_TR_NOOP("Timestamp of whole seconds"),
         QT_TR_NOOP("Compare-and-swap on a timestamp of seconds: all writes of one second look alike.")},
        {QT_TR_NOOP("ON DUPLICATE KEY UPDATE"),
         QT_TR_NOOP("The row is locked by making or changing it in a transaction.")},
        {QT_TR_NOOP("FOR UPDATE on a missing row"),
         QT_TR_NOOP("A missing row locks a gap, which several may share; their INSERTs then deadlock.")},
        {QT_TR_NOOP("FOR UPDATE without an index"),
         QT_TR_NOOP("Without an index every row is locked: unrelated work waits.")},
        {QT_TR_NOOP("Redis: SETNX, then EXPIRE"),
         QT_TR_NOOP("Two commands: who dies in between locks for ever. DEL also frees the next holder's lock.")},
        {QT_TR_NOOP("Redis: deadline and GETSET"),
         QT_TR_NOOP("The clients' clocks decide, and a slow holder's release deletes the next holder's lock.")},
        {QT_TR_NOOP("Redis: SET NX PX"),
         QT_TR_NOOP("Deletes only its own, but has no token: nobody refuses what a slow holder writes after its TTL.")},
        {QT_TR_NOOP("Redis: SET NX PX, woken"),
         QT_TR_NOOP("The same, woken by a message: quick, unfair, and still without a token.")},
        {QT_TR_NOOP("Unique, on Redis"),
         QT_TR_NOOP("The engine's lease on Redis: fair, woken, fenced. A Redis that forgets lets two hold; the fence "
                    "then refuses the first.")},
        {QT_TR_NOOP("Redlock, five Redis"),
         QT_TR_NOOP("The majority of five. Nodes that forget, or whose clocks jump, let two hold, and no token tells "
                    "them apart.")},
        {QT_TR_NOOP("Unique, on ZooKeeper"),
         QT_TR_NOOP("The engine's lease on ZooKeeper: fair, woken one by one, fenced. A killed server forgets nothing, "
                    "and of three one may be gone.")},
        {QT_TR_NOOP("ZooKeeper: the herd"),
         QT_TR_NOOP("One node that all watch: each release wakes everybody for one to win, and there is no token.")},
        {QT_TR_NOOP("Unique, on etcd"),
         QT_TR_NOOP(
             "The engine's lease on etcd: fair, woken one by one, fenced, in whole seconds. A killed member forgets "
             "nothing, and of three one may be gone.")},
    };
    static_assert(std::size(words) == std::size_t(LabWay::Etcd) + 1);
    return words[std::size_t(way)];
}

QString LabText::run(const LabPlan &plan)
{
    const LabStore store = traitsOf(plan.way).store;
    QString name = way(plan.way);
    if (mayBeEnsemble(store) && plan.servers > 1)
        name = tr("%1, %Ln server(s)", nullptr, plan.servers).arg(name);
    if (choosesKeeping(store) && plan.keeping != LabKeeping::Memory)
        name = tr("%1 (%2)").arg(name, keeping(plan.keeping).toLower());
    return traitsOf(plan.way).hasToken && !plan.isFenced ? tr("%1, without the fence").arg(name) : name;
}

QString LabText::job(LabJob job)
{
    switch (job) {
    case LabJob::Nothing:
        return tr("Hold it only");
    case LabJob::Stock:
        return tr("Change a number");
    case LabJob::Sale:
        return tr("Sell 10 pieces");
    case LabJob::Once:
        return tr("Do each job once");
    }
    return {};
}

QString LabText::skew(LabSkew skew)
{
    switch (skew) {
    case LabSkew::Uniform:
        return tr("Evenly");
    case LabSkew::Zipf:
        return tr("Zipf");
    case LabSkew::Hot:
        return tr("One hot key");
    case LabSkew::Own:
        return tr("Each its own");
    }
    return {};
}

QString LabText::keeping(LabKeeping keeping)
{
    switch (keeping) {
    case LabKeeping::Memory:
        return tr("In memory only");
    case LabKeeping::EverySecond:
        return tr("On disk each second");
    case LabKeeping::Durable:
        return tr("On disk with each write");
    }
    return {};
}

QString LabText::shape(LabTime::Shape shape)
{
    switch (shape) {
    case LabTime::Shape::Fixed:
        return tr("fixed");
    case LabTime::Shape::Uniform:
        return tr("uniform");
    case LabTime::Shape::Exponential:
        return tr("exponential");
    }
    return {};
}

LabText::Words LabText::wordsOf(LabFault::Kind kind)
{
    static constexpr Words words[] = {
        {QT_TR_NOOP("Kill session"), QT_TR_NOOP("The server ends one connection of the run.")},
        {QT_TR_NOOP("Crash"),
         QT_TR_NOOP(
             "SIGKILL to a worker that holds a lock; another takes its place. Needs workers that are processes.")},
        {QT_TR_NOOP("Freeze"),
         QT_TR_NOOP("SIGSTOP to a worker that holds a lock, for one and a half TTLs; then it goes on as if nothing had "
                    "happened. Needs workers that are processes.")},
        {QT_TR_NOOP("Restart"), QT_TR_NOOP("The private server goes down and comes back.")},
        {QT_TR_NOOP("Crowd"), QT_TR_NOOP("20 more workers for three seconds.")},
        {QT_TR_NOOP("Cut off"),
         QT_TR_NOOP("The network of a worker that holds a lock carries nothing for one and a half TTLs; then "
                    "everything arrives. Needs workers that are processes.")},
        {QT_TR_NOOP("Slow down"),
         QT_TR_NOOP("Each packet of a worker that holds a lock takes 100 ms longer, for one and a half TTLs. Needs "
                    "workers that are processes.")},
        {QT_TR_NOOP("Node forgets"),
         QT_TR_NOOP("A node of the run is killed and started again: a Redis in memory has forgotten who holds, the "
                    "others have not.")},
        {QT_TR_NOOP("Clock jump"),
         QT_TR_NOOP("The clock of a Redis of the run goes ahead, so that its locks end early.")},
        {QT_TR_NOOP("Failover"),
         QT_TR_NOOP("The replica of the run's Redis takes its place, without what it was not told of.")},
        {QT_TR_NOOP("Pause node"),
         QT_TR_NOOP("SIGSTOP to a node of the run, for one and a half TTLs: nobody gets an answer.")},
        {QT_TR_NOOP("Kill leader"),
         QT_TR_NOOP("SIGKILL to the node that leads the others; after one and a half TTLs it is started again.")},
        {QT_TR_NOOP("Cut node off"),
         QT_TR_NOOP("No worker reaches a node of the run for one and a half TTLs; then everything arrives.")},
    };
    static_assert(std::size(words) == std::size_t(LabFault::Kind::NodeCut) + 1);
    return words[std::size_t(kind)];
}

QString LabText::column(LabChart::Column column)
{
    using Column = LabChart::Column;
    switch (column) {
    case Column::Throughput:
        return tr("Granted/s");
    case Column::Median:
        return tr("Median");
    case Column::P95:
        return tr("95 %");
    case Column::P99:
        return tr("99 %");
    case Column::Fairness:
        return tr("Fairness");
    case Column::Statements:
        return tr("Statements");
    case Column::Connections:
        return tr("Connections");
    case Column::ServerCpu:
        return tr("CPU/grant");
    case Column::Violations:
        return harmShort(Harm::Violations);
    case Column::LostUpdates:
        return harmShort(Harm::LostUpdates);
    case Column::StaleWrites:
        return harmShort(Harm::StaleWrites);
    case Column::Duplicates:
        return harmShort(Harm::Duplicates);
    case Column::Oversold:
        return harmShort(Harm::Oversold);
    }
    return {};
}

QList<LabText::Harm> LabText::harms()
{
    return {Harm::Violations, Harm::LostUpdates, Harm::StaleWrites, Harm::Duplicates,
            Harm::Oversold,   Harm::Overlaps,    Harm::Refused};
}

LabText::HarmWords LabText::wordsOf(Harm harm)
{
    static constexpr HarmWords words[] = {
        {QT_TR_NOOP("Violations"), QT_TR_NOOP("Violations"),
         QT_TR_NOOP("Two workers held one resource at one time, each by its own deadline. Counted from the workers' "
                    "own times, "
                    "on one clock."),
         &LabCounts::violations},
        {QT_TR_NOOP("Lost updates"), QT_TR_NOOP("Lost"),
         QT_TR_NOOP("Each write tells which version it overwrote. Versions between the one that was read and that one "
                    "were lost."),
         &LabCounts::lostUpdates},
        {QT_TR_NOOP("Stale writes"), QT_TR_NOOP("Stale"),
         QT_TR_NOOP("Writes that were accepted although a later holder had been there. Only without the fence."),
         &LabCounts::staleWrites},
        {QT_TR_NOOP("Done twice"), QT_TR_NOOP("Twice"),
         QT_TR_NOOP("Jobs that were done again although they may be done only once."), &LabCounts::duplicates},
        {QT_TR_NOOP("Oversold"), QT_TR_NOOP("Oversold"),
         QT_TR_NOOP("Pieces that were sold but were not in stock. At the end of the run they are counted again from "
                    "the rows."),
         &LabCounts::oversold},
        {QT_TR_NOOP("Overlaps"), QT_TR_NOOP("Overlaps"),
         QT_TR_NOOP(
             "A worker went on after its time was up, beside the next one. No TTL can prevent that. Where the fence "
             "refused what it wrote, or its transaction was gone, it did no harm."),
         &LabCounts::overlaps},
        {QT_TR_NOOP("Refused"), QT_TR_NOOP("Refused"),
         QT_TR_NOOP("Writes of a holder whose lock had ended, refused by the fence or with its transaction."),
         &LabCounts::refusedWrites},
    };
    static_assert(std::size(words) == std::size_t(Harm::Refused) + 1);
    return words[std::size_t(harm)];
}

bool LabText::isHarmful(Harm harm)
{
    return harm != Harm::Overlaps && harm != Harm::Refused;
}

QString LabText::finding(const LabFinding &finding, const LabCounts &counts)
{
    using Kind = LabFinding::Kind;
    const int count = CommonText::plural(finding.count);
    switch (finding.kind) {
    case Kind::Oversold:
        return tr("%Ln piece(s) sold that were not in stock", nullptr, count);
    case Kind::Duplicates:
        return tr("%Ln job(s) done again", nullptr, count);
    case Kind::LostUpdates:
        return tr("%1 of %2 writes lost")
            .arg(CommonText::count(qint64(finding.count)), CommonText::count(qint64(counts.writes)));
    case Kind::StaleWrites:
        return tr("%Ln write(s) accepted after the lock had ended", nullptr, count);
    case Kind::Violations:
        return tr("%Ln time(s) two held one resource at once", nullptr, count);
    case Kind::HarmlessViolations:
        return tr("%Ln time(s) two held one resource at once: harmless, no late write was accepted (%1 refused)",
                  nullptr, count)
            .arg(CommonText::count(qint64(counts.refusedWrites)));
    case Kind::Stalled:
        return tr("after a crash nobody was granted it for %1")
            .arg(CommonText::duration(std::chrono::milliseconds(finding.count)));
    case Kind::Deadlocks:
        return tr("%Ln deadlock(s)", nullptr, count);
    case Kind::TimedOut:
        return tr("%Ln request(s) gave up waiting", nullptr, count);
    case Kind::NoHarm:
        return tr("no harm in %Ln grant(s)", nullptr, count);
    case Kind::Nothing:
        return tr("nobody was granted anything");
    case Kind::HarmlessOverlaps:
        return tr("%Ln time(s) a holder worked on past its time: harmless, no late write was accepted (%1 refused)",
                  nullptr, count)
            .arg(CommonText::count(qint64(counts.refusedWrites)));
    case Kind::Overlaps:
        return tr("%Ln time(s) a holder worked on past its time", nullptr, count);
    }
    return {};
}

QString LabText::verdict(const LabPlan &plan, const LabCounts &counts)
{
    QString sentence;
    for (const LabFinding &it : labFindings(plan, counts))
        sentence = sentence.isEmpty() ? finding(it, counts) : tr("%1; %2").arg(sentence, finding(it, counts));
    sentence[0] = sentence[0].toUpper();
    return tr("%1.").arg(sentence);
}

} // namespace lockscope::ui
