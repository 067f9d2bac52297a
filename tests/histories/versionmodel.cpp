// SPDX-License-Identifier: MIT
#include "versionmodel.h"

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

constexpr int kCrowd = 4;
/// A commit whose answer was lost is found among so many that came last.
constexpr int kKnownCommits = 32;

QString processOf(const QString &ref)
{
    return LockState::processOf(ref);
}

} // namespace

std::optional<QStringList> VersionModel::apply(const Move &move)
{
    const State before = m_state;
    m_lines.clear();
    if (make(move))
        return m_lines;
    m_state = before;
    return std::nullopt;
}

bool VersionModel::make(const Move &move)
{
    using Kind = Move::Kind;
    using Handler = bool (VersionModel::*)(const Move &move);
    static const QMap<Kind, Handler> handlers{
        {Kind::Connect, &VersionModel::engineCall},
        {Kind::Clean, &VersionModel::engineCall},
        {Kind::Read, &VersionModel::read},
        {Kind::Commit, &VersionModel::commit},
        {Kind::Add, &VersionModel::add},
        {Kind::RaceCommit, &VersionModel::raceCommit},
        {Kind::StalledCommit, &VersionModel::commitOverNetwork},
        {Kind::ResetCommit, &VersionModel::commitOverNetwork},
        {Kind::OvertakenCommit, &VersionModel::overtakenCommit},
        {Kind::FrozenServerCommit, &VersionModel::commitOverServer},
        {Kind::LateCommit, &VersionModel::lateCommit},
        {Kind::Freeze, &VersionModel::freeze},
        {Kind::Thaw, &VersionModel::thaw},
        {Kind::Cut, &VersionModel::breakNetwork},
        {Kind::Stall, &VersionModel::breakNetwork},
        {Kind::Heal, &VersionModel::heal},
        {Kind::Reset, &VersionModel::reset},
        {Kind::Kill, &VersionModel::kill},
        {Kind::End, &VersionModel::kill},
        {Kind::KillConnections, &VersionModel::killConnections},
        {Kind::Crowd, &VersionModel::crowd},
        {Kind::Restart, &VersionModel::restart},
        {Kind::Crash, &VersionModel::restart},
    };
    const Handler handler = handlers.value(move.kind);
    return handler && (this->*handler)(move);
}

bool VersionModel::isAble(const QString &ref) const
{
    return m_state.processes.value(processOf(ref)).isReachable();
}

bool VersionModel::mayCommit(const Move &move) const
{
    return m_state.snapshots.value(move.who).contains(move.resource);
}

/// What a commit becomes that the server hears now.
QString VersionModel::outcome(const QString &ref, const QString &resource)
{
    int &snapshot = m_state.snapshots[ref][resource];
    if (snapshot != m_state.versions[resource])
        return u"conflict"_s;
    snapshot = ++m_state.versions[resource];
    return u"committed"_s;
}

void VersionModel::sayVersion(const QString &ref, const QString &resource)
{
    say(u"version of %1 = %2 + %3"_s.arg(ref, resource).arg(m_state.snapshots[ref][resource]));
}

bool VersionModel::engineCall(const Move &move)
{
    if (!isAble(move.who))
        return false;
    Process &process = m_state.processes[processOf(move.who)];
    process.isConnected = process.isConnected || !process.hasLostSessions;
    const QString call = move.kind == Move::Kind::Clean ? u"clean"_s : u"connect"_s;
    const QString orLost =
        process.hasLostSessions ? u" | failed connection lost"_s : QString(); // they are not repeated
    say(u"%1: %2 -> done%3"_s.arg(move.who, call, orLost));
    return true;
}

void VersionModel::loseSessions(const QString &process)
{
    m_state.processes[process].isConnected = false;
    m_state.processes[process].hasLostSessions = true;
}

bool VersionModel::read(const Move &move)
{
    if (!isAble(move.who))
        return false;
    m_state.processes[processOf(move.who)].isConnected = true;
    say(u"%1: read %2 -> read"_s.arg(move.who, move.resource));
    const bool isFirst = !m_state.versions.contains(move.resource);
    m_state.snapshots[move.who][move.resource] = m_state.versions[move.resource];
    if (isFirst)
        say(u"remember version of %1 as %2"_s.arg(move.who, move.resource));
    else
        sayVersion(move.who, move.resource);
    return true;
}

bool VersionModel::commit(const Move &move)
{
    return isAble(move.who) && commitBetween(move, {}, {});
}

/// The commit goes on in the background from `before` to `after`, if there is anything between.
bool VersionModel::commitBetween(const Move &move, const QStringList &before, const QStringList &after)
{
    if (!mayCommit(move))
        return false;
    const QString command = u"%1: commit %2"_s.arg(move.who, move.resource);
    m_lines += before;
    if (!after.isEmpty())
        say(command + u" &"_s);
    m_lines += after;
    if (after.contains(u"reset network of "_s + processOf(move.who)))
        loseSessions(processOf(move.who));
    const int behind = m_state.versions[move.resource] - m_state.snapshots[move.who][move.resource];
    const QString answer = outcome(move.who, move.resource);
    const bool mayBeLost = m_state.processes[processOf(move.who)].hasLostSessions; // of an earlier move, unnoticed
    const QString orUnknown = mayBeLost && behind >= kKnownCommits ? u" | unknown"_s : QString();
    say((after.isEmpty() ? command : move.who + u':') + u" -> "_s + answer + orUnknown);
    if (answer == u"committed")
        sayVersion(move.who, move.resource);
    m_state.processes[processOf(move.who)].isConnected = true;
    return true;
}

bool VersionModel::commitOverNetwork(const Move &move)
{
    const QString process = processOf(move.who);
    const bool isReset = move.kind == Move::Kind::ResetCommit;
    return isAble(move.who) && m_state.processes[process].isConnected
        && commitBetween(move, {u"stall network of "_s + process},
                         {(isReset ? u"reset network of "_s : u"heal network of "_s) + process});
}

/// With a reset the server has the commit, and its answer is lost.
bool VersionModel::commitOverServer(const Move &move)
{
    if (!isAble(move.who) || !m_state.processes[processOf(move.who)].isConnected)
        return false;
    QStringList after{u"thaw server"_s};
    if (move.option % 2 == 1)
        after.prepend(u"reset network of "_s + processOf(move.who));
    return commitBetween(move, {u"freeze server"_s}, after);
}

/// Another one commits while the first is on its way.
bool VersionModel::overtakenCommit(const Move &move)
{
    const QString process = processOf(move.who);
    if (!isAble(move.who) || !mayCommit(move) || !m_state.processes[process].isConnected)
        return false;
    for (const QString &other : withNewestVersion(move.resource)) {
        if (processOf(other) == process || !isAble(other))
            continue;
        outcome(other, move.resource);
        return commitBetween(
            move, {u"stall network of "_s + process},
            {u"%1: commit %2 -> committed"_s.arg(other, move.resource), u"reset network of "_s + process});
    }
    return false;
}

bool VersionModel::lateCommit(const Move &move)
{
    const Process process = m_state.processes.value(processOf(move.who));
    if (!mayCommit(move) || process.isFrozen || process.network != Network::Cut)
        return false;
    say(u"%1: commit %2 -> unknown | failed unavailable"_s.arg(move.who, move.resource));
    return true;
}

QStringList VersionModel::withNewestVersion(const QString &resource) const
{
    QStringList refs;
    for (auto i = m_state.snapshots.begin(); i != m_state.snapshots.end(); ++i) {
        if (i->contains(resource) && i->value(resource) == m_state.versions[resource])
            refs += i.key();
    }
    return refs;
}

/// Who wins, nobody knows: all of them read again before they commit.
bool VersionModel::raceCommit(const Move &move)
{
    QStringList refs = withNewestVersion(move.resource);
    refs.removeIf([this](const QString &ref) { return !isAble(ref); });
    if (refs.size() < 2)
        return false;
    const QString all = refs.join(u' ');
    say(u"%1: commit %2 &"_s.arg(all, move.resource));
    say(u"one of %1: committed, the others: conflict"_s.arg(all));
    ++m_state.versions[move.resource];
    for (const QString &ref : refs)
        m_state.snapshots[ref].remove(move.resource);
    return true;
}

bool VersionModel::add(const Move &move)
{
    if (!isAble(move.who) || !m_state.versions.contains(move.resource))
        return false;
    say(u"%1: add 3 %2 -> 3 commits"_s.arg(move.who, move.resource));
    m_state.versions[move.resource] += 3;
    m_state.processes[processOf(move.who)].isConnected = true;
    return true;
}

/// All add at the same time; one of them is disturbed meanwhile.
bool VersionModel::crowd(const Move &move)
{
    QStringList refs;
    for (auto i = m_state.snapshots.begin(); i != m_state.snapshots.end() && refs.size() < kCrowd; ++i) {
        if (isAble(i.key()))
            refs += i.key();
    }
    if (refs.size() < 2 || !m_state.versions.contains(move.resource))
        return false;
    constexpr int kRounds = 10;
    const QString disturbed = processOf(refs.first());
    say(u"%1: add %2 %3 &"_s.arg(refs.join(u' ')).arg(kRounds).arg(move.resource));
    if (move.option % 4 == 1)
        m_lines += {u"freeze "_s + disturbed, u"thaw "_s + disturbed};
    else if (move.option % 4 == 2)
        m_lines += {u"stall network of "_s + disturbed, u"heal network of "_s + disturbed};
    else if (move.option % 4 == 3 && !killConnections({move.kind, disturbed, {}, 0}))
        return false;
    say(u"%1: -> %2 commits"_s.arg(refs.join(u' ')).arg(kRounds));
    m_state.versions[move.resource] += kRounds * int(refs.size());
    return true;
}

bool VersionModel::freeze(const Move &move)
{
    if (!m_state.processes.contains(move.who) || !m_state.processes[move.who].isReachable())
        return false;
    m_state.processes[move.who].isFrozen = true;
    say(u"freeze "_s + move.who);
    return true;
}

bool VersionModel::thaw(const Move &move)
{
    if (!m_state.processes.value(move.who).isFrozen)
        return false;
    m_state.processes[move.who].isFrozen = false;
    say(u"thaw "_s + move.who);
    return true;
}

bool VersionModel::breakNetwork(const Move &move)
{
    if (!m_state.processes.contains(move.who) || !m_state.processes[move.who].isReachable())
        return false;
    const bool isCut = move.kind == Move::Kind::Cut;
    m_state.processes[move.who].network = isCut ? Network::Cut : Network::Stalled;
    say((isCut ? u"cut network of "_s : u"stall network of "_s) + move.who);
    if (isCut)
        loseSessions(move.who);
    return true;
}

bool VersionModel::heal(const Move &move)
{
    if (m_state.processes.value(move.who).network == Network::Open)
        return false;
    m_state.processes[move.who].network = Network::Open;
    say(u"heal network of "_s + move.who);
    return true;
}

bool VersionModel::reset(const Move &move)
{
    const Process process = m_state.processes.value(move.who);
    if (!m_state.processes.contains(move.who) || process.isFrozen || process.network == Network::Cut)
        return false;
    m_state.processes[move.who].network = Network::Open;
    loseSessions(move.who);
    say(u"reset network of "_s + move.who);
    return true;
}

bool VersionModel::kill(const Move &move)
{
    const bool isKill = move.kind == Move::Kind::Kill;
    if (!m_state.processes.contains(move.who) || (!isKill && !m_state.processes[move.who].isReachable()))
        return false;
    say((isKill ? u"kill "_s : u"end "_s) + move.who);
    m_state.processes.remove(move.who);
    m_state.snapshots.removeIf([&](const auto &entry) { return processOf(entry.key()) == move.who; });
    return true;
}

bool VersionModel::killConnections(const Move &move)
{
    const Process process = m_state.processes.value(move.who);
    if (!process.isConnected || process.network == Network::Cut)
        return false;
    loseSessions(move.who);
    say(u"kill connections of "_s + move.who);
    return true;
}

bool VersionModel::restart(const Move &move)
{
    for (const QString &process : m_state.processes.keys())
        loseSessions(process);
    say(move.kind == Move::Kind::Crash ? u"crash server"_s : u"restart server"_s);
    return true;
}

} // namespace lockscope::test
