// SPDX-License-Identifier: MIT
#include "lockmodel.h"

using namespace Qt::StringLiterals;

namespace lockscope::test {

std::optional<QStringList> LockModel::apply(const Move &move)
{
    const LockState before = m_state;
    m_lines.clear();
    if (make(move))
        return m_lines;
    m_state = before;
    return std::nullopt;
}

/// Leases with a minimum hold, and those that ended and that nobody took.
QStringList LockModel::end()
{
    QStringList lines;
    for (const QString &name : m_state.resources()) {
        const Resource &resource = m_state.resource(name);
        if (resource.status == Status::Expired)
            lines += u"Y: acquire %1 wait 60s -> granted"_s.arg(name);
        const bool isTaken = resource.status == Status::Held || resource.status == Status::Kept;
        if (isTaken && m_state.grant(resource.grant).isKept)
            lines += u"force release %1 %2 -> released"_s.arg(name, m_state.grant(resource.grant).token);
    }
    return lines;
}

bool LockModel::make(const Move &move)
{
    using Kind = Move::Kind;
    using Handler = bool (LockModel::*)(const Move &move);
    static const QMap<Kind, Handler> handlers{
        {Kind::Try, &LockModel::request},
        {Kind::Acquire, &LockModel::request},
        {Kind::TimeOut, &LockModel::request},
        {Kind::Queue, &LockModel::request},
        {Kind::Cancel, &LockModel::cancel},
        {Kind::Release, &LockModel::release},
        {Kind::ReleaseOther, &LockModel::releaseOfOther},
        {Kind::Drop, &LockModel::drop},
        {Kind::Renew, &LockModel::renew},
        {Kind::Held, &LockModel::held},
        {Kind::Expire, &LockModel::expire},
        {Kind::FreezePastEnd, &LockModel::losePastEnd},
        {Kind::CutPastEnd, &LockModel::losePastEnd},
        {Kind::StallPastEnd, &LockModel::losePastEnd},
        {Kind::FrozenServerRelease, &LockModel::releaseOverServer},
        {Kind::StalledRelease, &LockModel::releaseOverNetwork},
        {Kind::ResetRelease, &LockModel::releaseOverNetwork},
        {Kind::StalledAcquire, &LockModel::acquireOverNetwork},
        {Kind::ResetAcquire, &LockModel::acquireOverNetwork},
        {Kind::Connect, &LockModel::engineCall},
        {Kind::Clean, &LockModel::engineCall},
        {Kind::Freeze, &LockModel::freeze},
        {Kind::Thaw, &LockModel::thaw},
        {Kind::Cut, &LockModel::breakNetwork},
        {Kind::Stall, &LockModel::breakNetwork},
        {Kind::Reset, &LockModel::reset},
        {Kind::Heal, &LockModel::heal},
        {Kind::Kill, &LockModel::kill},
        {Kind::KillAtEnd, &LockModel::kill},
        {Kind::End, &LockModel::end},
        {Kind::KillConnections, &LockModel::killConnections},
        {Kind::KillWait, &LockModel::killWait},
        {Kind::ForceRelease, &LockModel::forceRelease},
        {Kind::ForceReleaseOld, &LockModel::forceReleaseOld},
        {Kind::Crowd, &LockModel::crowd},
        {Kind::Restart, &LockModel::restart},
        {Kind::Crash, &LockModel::restart},
    };
    const Handler handler = handlers.value(move.kind);
    return handler && (this->*handler)(move);
}

bool LockModel::engineCall(const Move &move)
{
    m_state.thread(move.who);
    if (!m_state.isAble(move.who))
        return false;
    Process &process = m_state.process(LockState::processOf(move.who));
    process.isConnected = process.isConnected || !process.hasLostSessions;
    const QString call = move.kind == Move::Kind::Clean ? u"clean"_s : u"connect"_s;
    const QString orLost =
        process.hasLostSessions ? u" | failed connection lost"_s : QString(); // they are not repeated
    say(u"%1: %2 -> done%3"_s.arg(move.who, call, orLost));
    return true;
}

} // namespace lockscope::test
