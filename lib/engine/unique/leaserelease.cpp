// SPDX-License-Identifier: MIT
// Somebody's lease is ended by another: the one that was meant, on record, and the next waiter goes on.
#include "leaserelease_p.h"

#include "engine/mysql/presencekeeper_p.h"
#include "session/servertime.h"
#include "session/validation_p.h"

#include <algorithm>
#include <limits>
#include <thread>

namespace lockscope::detail {

namespace {

using Kind = LockError::Kind;
using Outcome = ForcedRelease::Outcome;

/// Columns of the answer of engine/ended.
enum AnswerColumn { HeldColumn, EndedColumn, PresenceColumn, NextColumn };

/// Each try waits at most one second for a row that somebody else has locked.
constexpr int kTries = 5;
/// Dead requests at the front of the queue that one packet removes, and how many such packets there are.
constexpr int kDropsDead = 8;
constexpr int kDropPackets = 64;
/// Whoever was handed the lease may be between two packets: it is looked for this often.
constexpr int kReadingsForWaiter = 3;
constexpr auto kBetweenReadings = std::chrono::milliseconds(20);
/// Of one release: a connection that broke is opened again.
constexpr int kConnections = 3;
constexpr int kUnknownSession = 1094;
constexpr qsizetype kSessionDigits = 32;
/// As many as engine/lease_page reads.
constexpr qsizetype kPageRows = 500;

Params paramsOf(const LeaseId &lease, const ReleaseNote &note)
{
    return Params()
        .bytes("resource", lease.resource)
        .number("slot", qint64(lease.slot))
        .number("token", lease.token)
        .text("operator", note.operatorName)
        .text("reason", note.reason);
}

bool isSession(const QByteArray &text)
{
    return text.size() == kSessionDigits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

/// Of the engine whose name it is.
QByteArray sessionOf(const QByteArray &presence)
{
    return presence.mid(presencePrefix({}).size() - 1, kSessionDigits);
}

/// Whether it is a name that an engine takes. Whoever may write to the table may write any other one.
bool isName(const QByteArray &presence)
{
    const QByteArray session = sessionOf(presence);
    return isSession(session) && presence.startsWith(presencePrefix(session));
}

/// Whether nobody can wait for the old holder's name any more.
bool isUnheld(Session &session, const QByteArray &presence)
{
    const Reply reply = session.run("engine/name_held", Params().lockName("name", presence));
    return reply && !reply.value().toBool();
}

/// The next holder, `next`, blocks on the old one's name, which that one's session still has. KILL ends only a
/// connection of the next one's engine that blocks, and holds nothing but its mark; it connects again and looks. True
/// when it was found, or cannot sleep.
bool wake(Session &session, const QByteArray &presence, const QByteArray &next)
{
    if (!isName(presence) || !isName(next))
        return false;
    const QByteArray mark = sessionMark(sessionOf(next));
    Params params;
    params.text("pattern", QString::fromLatin1("%GET_LOCK('" + presence + "'%")).lockName("mark", mark);
    bool isFound = false;
    for (int i = 0; i < kReadingsForWaiter; ++i) {
        const Reply waiting = session.run("engine/waiting_for", params);
        bool areWoken = waiting.error == std::nullopt;
        for (const QVariantList &row : waiting.set(-1).rows) {
            const auto name = Params().lockName("name", row.value(0).toByteArray());
            const Reply killed = session.run("server/kill", name);
            areWoken = areWoken && (killed || killed.error->code == kUnknownSession);
        }
        isFound = isFound || (areWoken && !waiting.set(-1).rows.isEmpty());
        if (isUnheld(session, presence))
            return true;
        std::this_thread::sleep_for(kBetweenReadings);
    }
    return isFound;
}

void dropDead(Session &session, const LeaseId &lease)
{
    const QByteArray one = renderSql(sqlText("engine/drop_dead", session.info().family),
                                     Params().bytes("resource", lease.resource).number("slot", qint64(lease.slot)));
    QByteArrayList packet;
    packet.fill(one, kDropsDead);
    session.run(packet.join("; "), "engine/drop_dead");
}

/// Every further try would end alike, each after its time-out.
bool isAway(const LockError &error)
{
    return isUnreachable(error) || error.kind == Kind::AccessDenied;
}

/// From a row of engine/lease_page; the name without the `prefixBytes` in front of it.
HeldLease toHeldLease(const QVariantList &row, qsizetype prefixBytes)
{
    return {.resource = row.value(ResourceCol).toByteArray().mid(prefixBytes),
            .token = row.value(TokenCol).toULongLong(),
            .owner = Owner::fromJson(row.value(OwnerCol).toByteArray()),
            .note = row.value(NoteCol).toByteArray(),
            .acquiredAt = toServerTime(row.value(AcquiredCol)),
            .expiresAt = toServerTime(row.value(ExpiresCol)),
            .isExpired = row.value(IsExpiredCol).toBool(),
            .isSessionAlive = !row.value(HolderCol).isNull()};
}

/// What became of an end whose answer was lost, of a lease that has changed since.
ForcedRelease asRecorded(Session &session, const LeaseId &lease, const ReleaseNote &note)
{
    bool isRecorded = false;
    if (auto error = isEndRecorded(session, lease, note, &isRecorded))
        return {Outcome::Failed, std::move(error)};
    if (isRecorded)
        return {Outcome::Released, {}, false}; // nobody has woken the next one
    return {Outcome::TargetChanged, {}};
}

} // namespace

std::optional<LockError> validate(const ReleaseNote &note)
{
    return validateRecord(QStringLiteral("A release"), note.operatorName, note.reason);
}

std::optional<LockError> validate(const LeaseSelection &selection, qsizetype prefixBytes)
{
    if (selection.prefix.isEmpty() && selection.session.isEmpty())
        return badRequest(QStringLiteral("The prefix is empty: that would be every lock there is."));
    if (!selection.prefix.isEmpty() && !selection.session.isEmpty())
        return badRequest(QStringLiteral("Select by prefix or by owner, not by both."));
    if (!selection.session.isEmpty() && !isSession(selection.session))
        return badRequest(QStringLiteral("An owner is named by its session: 32 hex digits in lower case."));
    if (prefixBytes + selection.prefix.size() > MaxResourceBytes) {
        return badRequest(QStringLiteral("The prefix has %1 bytes; a name has at most %2.")
                              .arg(prefixBytes + selection.prefix.size())
                              .arg(MaxResourceBytes));
    }
    if (selection.prefix.contains('\0'))
        return badRequest(QStringLiteral("The prefix contains a NUL byte, which no name has."));
    return std::nullopt;
}

QByteArray endStatement(const LeaseId &lease, const ReleaseNote &note, Family family)
{
    Params params = paramsOf(lease, note);
    params.variable("presence", "@old").number("kept", qint64(1));
    QByteArrayList packet;
    for (const char *name : {"engine/end", "engine/hand_over", "engine/force_event", "engine/commit", "engine/ended"})
        packet.append(renderSql(sqlText(name, family), params));
    return packet.join(";\n");
}

ForcedRelease endLease(Session &session, const LeaseId &lease, const ReleaseNote &note)
{
    ForcedRelease done;
    done.error = validate(note);
    if (done.error)
        return done;
    const QByteArray statement = endStatement(lease, note, session.info().family);
    for (int tries = kTries, drops = kDropPackets; tries > 0 && drops > 0;) {
        const Reply reply = session.run(statement, "engine/end");
        done.error = reply.error;
        if (reply.error) {
            if (!session.isGone())
                session.run("ROLLBACK", "rollback");
            if (reply.error->kind != Kind::Contention)
                return done;
            --tries;
            continue;
        }
        const QVariantList answer = reply.set(-1).rows.value(0);
        if (answer.value(HeldColumn).toBool() && !answer.value(EndedColumn).toBool()) {
            dropDead(session, lease);
            --drops;
            continue;
        }
        done.outcome = answer.value(HeldColumn).toBool() ? Outcome::Released : Outcome::TargetChanged;
        const QByteArray next = answer.value(NextColumn).toByteArray();
        if (done.outcome == Outcome::Released && !next.isEmpty())
            done.isNextNotified = wake(session, answer.value(PresenceColumn).toByteArray(), next);
        return done;
    }
    if (!done.error)
        done.error = lockErrorFor(1020, {}, "engine/end"); // the queue changed under every try
    return done;
}

std::optional<LockError> isEndRecorded(Session &session, const LeaseId &lease, const ReleaseNote &note, bool *recorded)
{
    const Reply reply = session.run("engine/forced", paramsOf(lease, note));
    *recorded = reply && !reply.set(-1).rows.isEmpty();
    return reply.error;
}

/// To send it again after a lost answer is safe, for the token guards it. A caller that finds it changed then asks the
/// record. What else the later ones meet says nothing of the first, which may still be carried out.
ForcedRelease endLease(ReconnectingSession &link, const LeaseId &lease, const ReleaseNote &note)
{
    ForcedRelease done;
    std::optional<LockError> lost;
    for (int i = 0; i < kConnections; ++i) {
        LockError cannotOpen;
        Session *session = link.session(&cannotOpen);
        if (!session) {
            done = {Outcome::Failed, cannotOpen};
            break;
        }
        done = endLease(*session, lease, note);
        if (lost && done.outcome == Outcome::TargetChanged)
            done = asRecorded(*session, lease, note);
        if (!session->isGone())
            break;
        if (!lost)
            lost = done.error;
    }
    if (lost && done.outcome == Outcome::Failed)
        done.error = lost;
    return done;
}

ForcedReleases endAll(qsizetype count, const std::stop_token &stop,
                      const std::function<ForcedRelease(qsizetype index)> &end)
{
    ForcedReleases total;
    total.left = count;
    for (qsizetype i = 0; i < count && !stop.stop_requested(); ++i) {
        const ForcedRelease one = end(i);
        --total.left;
        total.released += one.outcome == Outcome::Released;
        total.changed += one.outcome == Outcome::TargetChanged;
        total.failed += one.outcome == Outcome::Failed;
        total.notNotified += one.outcome == Outcome::Released && !one.isNextNotified;
        if (one.outcome != Outcome::Failed)
            continue;
        if (!total.firstError)
            total.firstError = one.error;
        if (one.error && isAway(*one.error))
            break;
    }
    return total;
}

LeaseWalk::LeaseWalk(const QByteArray &prefix)
    : m_resource(prefix)
    , m_slot(std::numeric_limits<int>::min())
    , m_last(prefix.leftJustified(MaxResourceBytes, '\xff'))
{
}

Params LeaseWalk::params() const
{
    return Params().bytes("cursor", m_resource).number("slot", qint64(m_slot)).bytes("last", m_last);
}

void LeaseWalk::pass(const QList<QVariantList> &rows)
{
    m_isAtEnd = rows.size() < kPageRows;
    if (rows.isEmpty())
        return;
    m_resource = rows.last().value(ResourceCol).toByteArray();
    m_slot = rows.last().value(SlotCol).toInt();
}

HeldLeases readHeldLeases(const LeaseSelection &selection, const QByteArray &namePrefix, const std::stop_token &stop,
                          const std::function<void(const std::function<void(ReconnectingSession &)> &)> &run)
{
    HeldLeases held;
    LeaseWalk walk(namePrefix + selection.prefix);
    int broken = 0;
    while (!walk.isAtEnd() && !stop.stop_requested()) {
        Reply page;
        run([&](ReconnectingSession &link) { page = link.run("engine/lease_page", walk.params()); });
        if (page.error && page.error->kind == Kind::ConnectionLost && ++broken < kConnections)
            continue; // it had been closed while it was idle
        if (!page) {
            held.error = page.error;
            break;
        }
        broken = 0;
        const auto &rows = page.set(-1).rows;
        for (const QVariantList &row : rows) {
            if (!row.value(IsHeldCol).toBool() || row.value(SlotCol).toInt() != 0)
                continue;
            HeldLease lease = toHeldLease(row, namePrefix.size());
            const bool isOfThisPrefix = !lease.resource.isEmpty(); // a name is more than its prefix
            if (isOfThisPrefix && isMeant(selection, lease.owner))
                held.leases.append(std::move(lease));
        }
        walk.pass(rows);
    }
    return held;
}

} // namespace lockscope::detail
