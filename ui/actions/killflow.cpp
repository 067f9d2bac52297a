// SPDX-License-Identifier: MIT
#include "killflow.h"

#include "actions/recordedacts.h"
#include "lockscope/lockrequest.h"
#include "ui/server/serverconnection.h"

#include <algorithm>

namespace lockscope::ui {

using State = KillPart::State;

namespace {

/// Its number and who it is are the same; the transaction may be another.
bool isSameSession(const KillTarget &a, const KillTarget &b)
{
    return a.session == b.session && isSameRun(a.identity, b.identity) && a.user == b.user && a.host == b.host;
}

State stateOf(const KillReport &report)
{
    switch (report.outcome) {
    case KillReport::Outcome::Ended:
        return State::Ended;
    case KillReport::Outcome::RollingBack:
        return State::RollingBack;
    case KillReport::Outcome::AlreadyGone:
        return State::Gone;
    case KillReport::Outcome::TargetChanged:
        return State::Changed;
    case KillReport::Outcome::Refused:
    case KillReport::Outcome::Failed:
        break;
    }
    return State::Failed;
}

} // namespace

KillFlow::KillFlow(ServerConnection *connection, const QList<quint64> &sessions, const ServerWaitsPtr &waits,
                   const Capabilities &capabilities, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_server(connection->profile())
    , m_waits(waits)
    , m_capabilities(capabilities)
{
    for (const quint64 session : sessions) {
        KillPart part;
        part.target = KillTarget::of(*waits, session);
        m_parts.append(part);
    }
    onWaits(waits, capabilities);
}

KillFlow::Step KillFlow::step() const
{
    if (isAnyOf(State::Sent) || !m_unsent.isEmpty())
        return Step::Acting;
    if (isAnyOf(State::RollingBack))
        return Step::Undoing;
    if (isAnyOf(State::Changed))
        return Step::Changed;
    if (isAnyOf(State::Ready))
        return Step::Ready;
    return m_hasActed ? Step::Done : Step::Nothing;
}

bool KillFlow::isAnyOf(State state) const
{
    return std::any_of(m_parts.cbegin(), m_parts.cend(), [state](const KillPart &part) { return part.state == state; });
}

void KillFlow::update()
{
    m_sum = summed();
    Q_EMIT changed();
}

KillSum KillFlow::summed() const
{
    KillSum sum;
    QList<quint64> ending;
    for (const KillPart &part : m_parts) {
        if (part.isOver())
            continue;
        ending.append(part.target.session);
        sum.locks += part.preview.locks;
        sum.deadlocks += part.preview.deadlocks;
        sum.rows += part.preview.rowsToRollBack;
        sum.rollback = std::max(sum.rollback, part.preview.rollback);
    }
    sum.forecast = forecastKill(*m_waits, ending, m_kind);
    const QList<quint64> goesOn = sum.forecast.goesOn();
    const QSet<quint64> waiting(goesOn.cbegin(), goesOn.cend());
    for (const WaitEdge &edge : m_waits->edges) {
        if (edge.since && waiting.contains(edge.waiter))
            sum.since[edge.waiter] = std::min(sum.since.value(edge.waiter, ServerTime::max()), *edge.since);
    }
    return sum;
}

QByteArray KillFlow::command() const
{
    QByteArrayList commands;
    for (const KillPart &part : m_parts) {
        if (!part.isOver())
            commands.append(killCommand(orderOf(part)));
    }
    return commands.join('\n');
}

QByteArray KillFlow::statement() const
{
    QByteArrayList statements;
    for (const KillPart &part : m_parts) {
        if (!part.isOver())
            statements.append(killStatement(orderOf(part), m_capabilities));
    }
    return statements.join('\n');
}

void KillFlow::setKind(KillKind kind)
{
    if (m_kind == kind || step() == Step::Acting || step() == Step::Undoing)
        return;
    m_kind = kind;
    for (KillPart &part : m_parts)
        look(&part);
    update();
}

bool KillFlow::canEndStatements() const
{
    return std::all_of(m_parts.cbegin(), m_parts.cend(),
                       [](const KillPart &part) { return part.isOver() || part.preview.queryRefusal.isEmpty(); });
}

void KillFlow::setReason(const QString &reason)
{
    m_reason = reason;
    Q_EMIT changed();
}

QString KillFlow::serverName() const
{
    return m_server.fullName();
}

void KillFlow::setTypedName(const QString &name)
{
    m_typedName = name;
    Q_EMIT changed();
}

bool KillFlow::canAct() const
{
    const bool hasReason = !m_reason.trimmed().isEmpty() && m_reason.size() <= MaxReasonCharacters;
    const bool isNamed = !wantsName() || m_server.isMeantBy(m_typedName);
    const bool isUseful = m_kind == KillKind::Connection || canEndStatements();
    const bool isKnown = std::none_of(m_parts.cbegin(), m_parts.cend(), [](const KillPart &part) {
        return part.state == State::Ready && !part.preview.session;
    });
    const bool hasFailed = step() == Step::Done && isAnyOf(State::Failed);
    return (step() == Step::Ready || hasFailed) && isKnown && hasReason && isNamed && isUseful
        && m_connection->isOperator();
}

std::optional<AuditEntry> KillFlow::recordedEnd() const
{
    const auto part =
        std::find_if(m_parts.cbegin(), m_parts.cend(), [](const KillPart &one) { return one.state == State::Ended; });
    if (part == m_parts.cend())
        return std::nullopt;
    return recordedAct(recordedTarget(part->target), m_reason.trimmed());
}

KillOrder KillFlow::orderOf(const KillPart &part) const
{
    return {part.target, m_kind, AuditFile::operatorName(), m_reason.trimmed()};
}

KillPart *KillFlow::partOf(const KillOrder &order)
{
    const auto found = std::find_if(m_parts.begin(), m_parts.end(), [this, &order](const KillPart &part) {
        return part.isRunning() && orderOf(part) == order;
    });
    return found == m_parts.end() ? nullptr : &*found;
}

void KillFlow::act()
{
    if (!canAct())
        return;
    m_hasActed = true;
    m_expected = m_sum.forecast;
    for (const KillPart &part : std::as_const(m_parts)) {
        if (part.state == State::Ready || part.state == State::Failed)
            m_unsent.insert(part.target.session);
    }
    sendNext();
}

/// One after the other: the next is sent when the one before is answered, and not when its changes are undone.
void KillFlow::sendNext()
{
    if (isAnyOf(State::Sent))
        return;
    for (KillPart &part : m_parts) {
        if (!m_unsent.remove(part.target.session))
            continue;
        part.state = State::Sent;
        part.report = {};
        update();
        Q_EMIT ordered(orderOf(part));
        return;
    }
}

void KillFlow::retarget()
{
    for (KillPart &part : m_parts) {
        if (part.state != State::Changed || !part.isSeen)
            continue;
        part.target = KillTarget::of(*m_waits, part.target.session);
        part.state = State::Ready;
        part.report = {};
        look(&part);
    }
    update();
}

void KillFlow::onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities)
{
    m_waits = waits;
    m_capabilities = capabilities;
    m_pollError.reset();
    for (KillPart &part : m_parts)
        look(&part);
    update();
}

void KillFlow::onWaitsFailed(const LockError &error)
{
    m_pollError = error;
    Q_EMIT changed();
}

/// What the last look says of a part that waits for the person.
void KillFlow::look(KillPart *part)
{
    const bool isGoneByLook = part->state == State::Gone && part->report.outcome != KillReport::Outcome::AlreadyGone;
    const bool isOpen = part->state == State::Ready || part->state == State::Changed || part->state == State::Refused
        || part->state == State::Failed || isGoneByLook;
    if (!isOpen)
        return;
    const KillTarget now = KillTarget::of(*m_waits, part->target.session);
    const KillPreview preview = previewKill(*m_waits, m_capabilities, part->target.session, m_kind);
    part->isSeen = preview.session.has_value();
    if (!part->isSeen && !m_waits->isKnownGone(part->target.session) && isSameRun(now.identity, part->target.identity))
        return; // it may be there
    if (!part->preview.session)
        part->target = now; // no look has seen it before
    if (!part->isSeen || !isSameSession(now, part->target)) {
        part->state = State::Gone;
        return;
    }
    part->preview = preview;
    part->mostRows = std::max(part->mostRows, preview.rowsToRollBack);
    const bool isChangedByKill = part->report.outcome == KillReport::Outcome::TargetChanged;
    if (part->state == State::Failed || isChangedByKill)
        return; // why stays to be read
    if (!isSameWork(part->target, *m_waits, m_kind))
        part->state = State::Changed;
    else
        part->state = preview.session->protection == Protection::None ? State::Ready : State::Refused;
}

bool KillFlow::onProgressed(const KillOrder &order, const KillReport &report)
{
    KillPart *part = partOf(order);
    if (!part)
        return false;
    part->state = State::RollingBack;
    part->report = report;
    part->mostRows = std::max(part->mostRows, report.rowsLeft);
    update();
    sendNext();
    return true;
}

bool KillFlow::onKilled(const KillOrder &order, const KillReport &report)
{
    KillPart *part = partOf(order);
    if (!part)
        return false;
    part->state = stateOf(report);
    part->report = report;
    if (!report.recordError.isEmpty())
        m_recordErrors.append(report.recordError);
    sendNext();
    update();
    return true;
}

} // namespace lockscope::ui
