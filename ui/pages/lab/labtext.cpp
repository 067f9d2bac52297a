// SPDX-License-Identifier: MIT
#include "labtext.h"

namespace lockscope::ui {

QString LabText::way(LabWay way)
{
    switch (way) {
    case LabWay::Unique:
        return tr("Unique");
    case LabWay::Pessimistic:
        return tr("Pessimistic");
    case LabWay::Optimistic:
        return tr("Optimistic");
    case LabWay::Central:
        return tr("Pessimistic, one central row");
    case LabWay::Stripes:
        return tr("Pessimistic, 100 stripes");
    case LabWay::None:
        return tr("No lock");
    case LabWay::InsertPoll:
        return tr("INSERT and poll, no TTL");
    case LabWay::AutoIncrement:
        return tr("INSERT, AUTO_INCREMENT as token");
    case LabWay::ReleaseByName:
        return tr("Release by name");
    case LabWay::CheckThenInsert:
        return tr("Check, then INSERT");
    case LabWay::Cleaner:
        return tr("Cleaner job");
    case LabWay::WholeSeconds:
        return tr("Timestamp of whole seconds");
    case LabWay::DuplicateKey:
        return tr("ON DUPLICATE KEY UPDATE");
    case LabWay::MissingRow:
        return tr("FOR UPDATE on a missing row");
    case LabWay::NoIndex:
        return tr("FOR UPDATE without an index");
    }
    return {};
}

QString LabText::wayMeaning(LabWay way)
{
    switch (way) {
    case LabWay::Unique:
        return tr("A lease with TTL and fencing token. Fair, woken instead of polling, survives a lost connection.");
    case LabWay::Pessimistic:
        return tr("A row locked in an open transaction. It ends with its session, and so does what was written in it.");
    case LabWay::Optimistic:
        return tr("Nothing is held: who commits from an old version does the work again.");
    case LabWay::Central:
        return tr("One row for all names: simple, and everybody waits for everybody.");
    case LabWay::Stripes:
        return tr("100 rows for all names: unrelated names sometimes wait for each other.");
    case LabWay::None:
        return tr("Nobody is kept out. Watch updates get lost.");
    case LabWay::InsertPoll:
        return tr("A row is the lock. A crash locks it for ever; polling is unfair and loads the server.");
    case LabWay::AutoIncrement:
        return tr("The row's number as token: fenced, but a crash still locks for ever.");
    case LabWay::ReleaseByName:
        return tr("After its TTL a slow holder's release deletes the next holder's lock.");
    case LabWay::CheckThenInsert:
        return tr("Two look, both find nothing, both insert.");
    case LabWay::Cleaner:
        return tr("A job deletes rows older than the TTL, also those of holders that are only slow.");
    case LabWay::WholeSeconds:
        return tr("Compare-and-swap on a timestamp of seconds: all writes of one second look alike.");
    case LabWay::DuplicateKey:
        return tr("The row is locked by making or changing it in a transaction.");
    case LabWay::MissingRow:
        return tr("A missing row locks a gap, which several may share; their INSERTs then deadlock.");
    case LabWay::NoIndex:
        return tr("Without an index every row is locked: unrelated work waits.");
    }
    return {};
}

QString LabText::scenario(const QString &name)
{
    if (name == QLatin1StringView("flash-sale"))
        return tr("Flash sale");
    if (name == QLatin1StringView("nightly-job"))
        return tr("Nightly job on 20 hosts");
    if (name == QLatin1StringView("hot-row"))
        return tr("Hot row");
    if (name == QLatin1StringView("long-holder"))
        return tr("Long holder");
    if (name == QLatin1StringView("crashing-holders"))
        return tr("Crashing holders");
    if (name == QLatin1StringView("thundering-herd"))
        return tr("Thundering herd");
    if (name == QLatin1StringView("fair-queue"))
        return tr("Fair queue");
    return name;
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

QString LabText::fault(LabFault::Kind kind)
{
    switch (kind) {
    case LabFault::Kind::KillSession:
        return tr("Kill session");
    case LabFault::Kind::Crash:
        return tr("Crash");
    case LabFault::Kind::Freeze:
        return tr("Freeze");
    case LabFault::Kind::Restart:
        return tr("Restart");
    case LabFault::Kind::Crowd:
        return tr("Crowd");
    case LabFault::Kind::Cut:
        return tr("Cut off");
    case LabFault::Kind::Slow:
        return tr("Slow down");
    }
    return {};
}

QString LabText::faultMeaning(LabFault::Kind kind)
{
    switch (kind) {
    case LabFault::Kind::KillSession:
        return tr("The server ends one connection of the run.");
    case LabFault::Kind::Crash:
        return tr("SIGKILL to a worker that holds; another takes its place. Needs workers that are processes.");
    case LabFault::Kind::Freeze:
        return tr("SIGSTOP to a worker that holds, for one and a half TTLs; then it goes on as if nothing had been. "
                  "Needs workers that are processes.");
    case LabFault::Kind::Restart:
        return tr("The private server goes down and comes back.");
    case LabFault::Kind::Crowd:
        return tr("20 more workers for three seconds.");
    case LabFault::Kind::Cut:
        return tr(
            "The network of a worker that holds carries nothing for one and a half TTLs; then everything arrives. "
            "Needs workers that are processes.");
    case LabFault::Kind::Slow:
        return tr("Each packet of a worker that holds takes 100 ms longer, for one and a half TTLs. Needs workers that "
                  "are processes.");
    }
    return {};
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
    case Column::Harm:
        return tr("Harm");
    }
    return {};
}

QList<LabText::Harm> LabText::harms()
{
    return {Harm::Violations, Harm::LostUpdates, Harm::StaleWrites, Harm::Duplicates,
            Harm::Oversold,   Harm::Overlaps,    Harm::Refused};
}

QString LabText::harm(Harm harm)
{
    switch (harm) {
    case Harm::Violations:
        return tr("Violations");
    case Harm::LostUpdates:
        return tr("Lost updates");
    case Harm::StaleWrites:
        return tr("Stale writes");
    case Harm::Duplicates:
        return tr("Done twice");
    case Harm::Oversold:
        return tr("Oversold");
    case Harm::Overlaps:
        return tr("Overlaps");
    case Harm::Refused:
        return tr("Refused");
    }
    return {};
}

QString LabText::harmShort(Harm harm)
{
    switch (harm) {
    case Harm::LostUpdates:
        return tr("Lost");
    case Harm::StaleWrites:
        return tr("Stale");
    case Harm::Duplicates:
        return tr("Twice");
    default:
        return LabText::harm(harm);
    }
}

QString LabText::harmMeaning(Harm harm)
{
    switch (harm) {
    case Harm::Violations:
        return tr("Two workers held one resource at one time, each by its own deadline, or a write was accepted out of "
                  "the order of tokens. Counted from the workers' own times, on one clock.");
    case Harm::LostUpdates:
        return tr("Each write tells which version it wrote over. Versions between the one that was read and that one "
                  "were lost.");
    case Harm::StaleWrites:
        return tr("Writes that were accepted although a later holder had been there. Without the fence only.");
    case Harm::Duplicates:
        return tr("Jobs that were done again although they may be done once.");
    case Harm::Oversold:
        return tr("Pieces sold beyond the stock; known at the end of the run.");
    case Harm::Overlaps:
        return tr("A worker went on after its time was up, beside the next one. No TTL can prevent that; a fence makes "
                  "it harmless.");
    case Harm::Refused:
        return tr("Writes of a holder whose lock had ended, refused by the fence or with its transaction.");
    }
    return {};
}

quint64 LabText::harmCount(Harm harm, const LabCounts &counts, quint64 oversold)
{
    switch (harm) {
    case Harm::Violations:
        return counts.violations;
    case Harm::LostUpdates:
        return counts.lostUpdates;
    case Harm::StaleWrites:
        return counts.staleWrites;
    case Harm::Duplicates:
        return counts.duplicates;
    case Harm::Oversold:
        return oversold;
    case Harm::Overlaps:
        return counts.overlaps;
    case Harm::Refused:
        return counts.refusedWrites;
    }
    return 0;
}

bool LabText::isHarmful(Harm harm)
{
    return harm != Harm::Overlaps && harm != Harm::Refused;
}

} // namespace lockscope::ui
