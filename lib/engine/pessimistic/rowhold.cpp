// SPDX-License-Identifier: MIT
// How a row lock is kept alive, used and ended.
#include "rowhold_p.h"

#include "engine/core/watchdog_p.h"

#include <QtSql/QSqlDatabase>

#include <algorithm>
#include <exception>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// A killed session is found and told within this, whatever the TTL.
constexpr Duration kLongestCheck = 4s;
constexpr int kNoSavepoint = 1305;
/// A release or renewal whose answer does not come goes on by itself, at the latest after kLongestPatience.
constexpr Duration kShortestPatience = 1s;
/// Of a session that no TTL ends: longer than the server's own default of eight hours.
constexpr qint64 kLongestIdle = 31'536'000;

std::shared_ptr<RowHold> sharedOf(RowHold &hold)
{
    return std::static_pointer_cast<RowHold>(hold.shared_from_this());
}

/// Runs in the lock's thread.
bool hasItsSession(const RowLock &row, const ReconnectingSession &link)
{
    return link.isOpen() && link.sessionNumber() == row.session;
}

/// Asks on the lock's own connection whether it is still the transaction that locked the row. Runs in its thread.
std::optional<LossReason> lossOf(Hold &hold, const RowLock &row, ReconnectingSession &link)
{
    const auto sentAt = LeaseClock::now();
    if (!hasItsSession(row, link))
        return LossReason::SessionEnded;
    const Reply reply = link.run("engine/row_check", Params());
    if (reply) {
        hold.setDeadline(deadlineFrom(sentAt, hold.ttl()), hold.ttl());
        return std::nullopt;
    }
    hold.setLastError(reply.error);
    return reply.error->code == kNoSavepoint ? LossReason::TransactionEnded : LossReason::SessionEnded;
}

Params rowParams(const ReconnectingSession &link, const QByteArray &row)
{
    return Params().bytes("resource", row).table("table", link.schema(), QStringLiteral("lock_row"));
}

/// After a loss, leaves the connection in a state in which anybody may use it. Runs in its thread.
void clear(const RowLock &row, ReconnectingSession &link, LossReason reason)
{
    if (!hasItsSession(row, link))
        return;
    if (reason == LossReason::TransactionEnded) { // else nothing of it was ever committed
        link.run("engine/row_free", Params());
        link.run("engine/row_clear", rowParams(link, row.row));
    }
    link.drop(); // with its transaction, and what the caller's statements may have left behind
}

/// Ends a transaction in which only the engine has written. Runs in its thread.
ReleaseOutcome free(Hold &hold, const RowLock &row, ReconnectingSession &link)
{
    const Reply reply = hasItsSession(row, link) ? link.run("engine/row_free", Params())
                                                 : Reply{{}, lockErrorFor(2006, {}, "engine/row_free")};
    hold.setLastError(reply.error);
    return reply ? ReleaseOutcome::Released : ReleaseOutcome::NotHeld; // a session that ended has freed its row
}

/// Ends a transaction in which the caller has worked. Runs in its thread.
ReleaseOutcome endWork(Hold &hold, const RowLock &row, ReconnectingSession &link, bool keepsWork)
{
    if (const auto loss = lossOf(hold, row, link)) {
        clear(row, link, *loss);
        return ReleaseOutcome::NotHeld;
    }
    const Reply reply = keepsWork
        ? link.run(link.render("engine/row_clear", rowParams(link, row.row)) + "; " + link.render("engine/commit", {}),
                   "engine/row_clear")
        : link.run("engine/row_free", Params());
    link.drop(); // with what the caller's statements have left behind, and what a COMMIT that failed has not ended
    hold.setLastError(reply.error);
    if (reply)
        return ReleaseOutcome::Released;
    return reply.error->connectionGone ? ReleaseOutcome::Unknown : ReleaseOutcome::Failed;
}

/// How long the caller waits for an answer: past the deadline the server ends the session by itself.
ConnectionThread::Clock::time_point patienceWith(const Hold &hold)
{
    const auto left = std::chrono::duration_cast<Duration>(hold.deadline() - LeaseClock::now());
    return ConnectionThread::Clock::now() + std::clamp(left, kShortestPatience, kLongestPatience);
}

using Answer = std::function<void(std::optional<bool> lives)>;

/// Asks over another connection whether the session lives, and tells it in the timer's thread; nothing = no answer.
void askFromOutside(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<RowLock> &row, const Answer &tell)
{
    core->mysql().service.post([core, row, tell](ReconnectingSession &link) {
        const auto session = Params().lockName("name", core->mysql().markOf(row->session));
        Reply known = link.run("engine/name_held", session);
        if (known.error && known.error->kind == Kind::ConnectionLost)
            known = link.run("engine/name_held", session); // it had been idle for too long
        const auto lives = known ? std::optional(known.value().toBool()) : std::nullopt;
        core->timer.post([tell, lives](ReconnectingSession &) { tell(lives); });
    });
}

/// Keeps the session from being idle for too long, and finds out whether it is still the transaction that has the row.
/// Does not keep the engine alive while it asks: a thread that hangs must not hold the last reference to it.
void check(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<RowHold> &hold,
           const std::shared_ptr<RowLock> &row)
{
    row->thread->post([weak = std::weak_ptr(core), hold, row](ReconnectingSession &link) {
        const auto reason = hold->state() == Hold::State::Held ? lossOf(*hold, *row, link) : std::nullopt;
        row->isChecking = false;
        const auto engine = reason ? weak.lock() : nullptr;
        if (engine) // it tells in its own thread: this one is the lock's, which is given back
            engine->timer.post([engine, hold, reason](ReconnectingSession &) { notifyLoss(engine, hold, *reason); });
    });
}

/// A session that is not to be kept, or that works for its caller, can be killed all the same.
void checkFromOutside(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<RowHold> &hold,
                      const std::shared_ptr<RowLock> &row)
{
    askFromOutside(core, row, [core, hold, row](std::optional<bool> lives) {
        row->isAskedAbout = false;
        if (lives == std::optional(false))
            notifyLoss(core, hold, LossReason::SessionEnded);
    });
}

/// What `work` threw; null = nothing. `link` is open.
std::exception_ptr runOn(ReconnectingSession &link, const std::function<void(QSqlDatabase &)> &work)
{
    try {
        LockError ignored;
        QSqlDatabase database = link.session(&ignored)->database();
        work(database);
    } catch (...) {
        return std::current_exception();
    }
    return {};
}

LockError errorOf(std::optional<LossReason> loss)
{
    LockError error;
    error.kind = Kind::LockLost;
    error.message = loss == LossReason::TransactionEnded
        ? QStringLiteral("A statement ended the transaction that held the lock: COMMIT, ROLLBACK or a DDL statement, "
                         "which are to be kept out of it, or a deadlock, which the server ended by undoing the "
                         "transaction. The lock is lost; take it again and repeat what was undone.")
        : QStringLiteral("The lock was lost, and what was written under it is rolled back. "
                         "Take the lock again and repeat the work.");
    return error;
}

} // namespace

qint64 idleSeconds(Duration ttl)
{
    return ttl == Forever ? kLongestIdle
                          : std::min<qint64>(kLongestIdle, std::chrono::ceil<std::chrono::seconds>(ttl).count());
}

RowHold::RowHold(const std::shared_ptr<EngineCore> &core, const LockRequest &request, QByteArray ownerJson)
    : Hold(core, core->config.namePrefix.size(), request, std::move(ownerJson))
{
}

std::shared_ptr<RowLock> RowHold::row() const
{
    const std::lock_guard lock(m_mutex);
    return m_row;
}

void RowHold::setRow(std::shared_ptr<RowLock> row)
{
    const std::lock_guard lock(m_mutex);
    m_row.swap(row); // the old one goes when the lock is open again
}

quint64 RowHold::number() const
{
    const auto held = row();
    return held ? held->connection : 0;
}

bool RowHold::isInOwnWork() const
{
    const auto held = row();
    return held && held->thread->isThisThread();
}

Duration RowHold::keepInterval() const
{
    const Duration current = ttl();
    return current == Forever ? kLongestCheck : std::min<Duration>(kLongestCheck, current / 3);
}

void RowHold::keep(const std::shared_ptr<EngineCore> &core)
{
    const auto self = sharedOf(*this);
    if (const auto held = row()) {
        const bool isKept = autoRenew && !isPastMaxHold(); // after maxHold the TTL ends the lock
        if (isKept && !held->isWorking && !held->isChecking.exchange(true))
            check(core, self, held);
        else if (!held->isAskedAbout.exchange(true))
            checkFromOutside(core, self, held);
    }
    watch(core, self);
}

/// A call of the caller's keeps the connection beyond the deadline: what the call finds in the end decides, unless the
/// session is known to have ended.
bool RowHold::goesOnPastDeadline(const std::shared_ptr<EngineCore> &core)
{
    const auto held = row();
    if (!held || !held->isWorking)
        return false;
    askFromOutside(core, held, [core, self = sharedOf(*this)](std::optional<bool> lives) {
        if (lives == std::optional(true))
            checkLater(core, self, self->keepInterval());
        else if (lives || LeaseClock::now() >= self->deadline())
            notifyLoss(core, self, lives ? LossReason::SessionEnded : self->reasonOfEnd());
        else
            watch(core, self); // the call has come to its end meanwhile
    });
    return true;
}

void RowHold::letGo(EngineCore &core, LossReason reason)
{
    const auto held = row();
    if (!held)
        return;
    core.mysql().pool.writeOff(*held->thread); // its connection may never answer: others may have one in its place
    // With the row, so that nobody is given the thread before it has come to this.
    held->thread->post([held, reason](ReconnectingSession &link) { clear(*held, link, reason); });
    setRow(nullptr);
}

ReleaseOutcome RowHold::release(EngineCore &core, bool keepsWork)
{
    const auto hold = sharedOf(*this);
    const auto row = hold->row();
    if (!row)
        return ReleaseOutcome::NotHeld;
    const auto outcome = std::make_shared<ReleaseOutcome>(ReleaseOutcome::Unknown);
    const auto end = [hold, row, keepsWork, outcome](ReconnectingSession &link) {
        *outcome = row->hasWork ? endWork(*hold, *row, link, keepsWork) : free(*hold, *row, link);
    };
    hold->setRow(nullptr);
    if (row->thread->isThisThread()) { // a handle that goes inside its own inTransaction()
        row->thread->post(end);
        return ReleaseOutcome::Unknown;
    }
    if (row->thread->runUntil(patienceWith(*hold), end))
        return *outcome;
    core.mysql().pool.writeOff(*row->thread);
    hold->setLastError(lockErrorFor(2013, {}, "engine/row_free"));
    return ReleaseOutcome::Unknown;
}

RenewOutcome RowHold::renew(const std::shared_ptr<EngineCore> &core, Duration ttl)
{
    const auto hold = sharedOf(*this);
    const auto row = hold->row();
    if (!row)
        return RenewOutcome::NotHeld;
    const auto loss = std::make_shared<std::optional<LossReason>>();
    const bool isAnswered =
        row->thread->runUntil(patienceWith(*hold), [hold, row, ttl, loss](ReconnectingSession &link) {
            *loss = lossOf(*hold, *row, link);
            if (*loss)
                return clear(*row, link, **loss);
            const auto sentAt = LeaseClock::now();
            if (link.run("engine/row_idle", Params().number("idle", idleSeconds(ttl))))
                hold->setDeadline(deadlineFrom(sentAt, ttl), ttl);
            else
                *loss = LossReason::SessionEnded;
        });
    if (!isAnswered) {
        hold->setLastError(lockErrorFor(2013, {}, "engine/row_idle"));
        return RenewOutcome::Failed;
    }
    if (*loss) {
        hold->setRow(nullptr); // it is cleared, and others may want its thread
        notifyLoss(core, hold, **loss);
        return RenewOutcome::NotHeld;
    }
    watch(core, hold);
    return RenewOutcome::Renewed;
}

std::optional<LockError> RowHold::runInTransaction(const std::shared_ptr<EngineCore> &core, const Work &work)
{
    const auto hold = sharedOf(*this);
    const auto row = hold->row();
    std::optional<LossReason> loss = LossReason::SessionEnded;
    std::exception_ptr thrown;
    const auto inThread = [&](ReconnectingSession &link) {
        loss = lossOf(*hold, *row, link);
        if (!loss && hold->state() == Hold::State::Held) {
            if (!std::exchange(row->hasWork, true))
                link.run("engine/row_work", Params()); // one that is refused leaves shorter waits
            const bool isNested = row->isWorking.exchange(true);
            if (hasItsSession(*row, link)) // else it was ended since, and another would know no transaction
                thrown = runOn(link, work);
            row->isWorking = isNested;
            loss = lossOf(*hold, *row, link);
        }
        if (loss && !row->isWorking) // the connection is of use to the outer call still
            clear(*row, link, *loss);
    };
    if (row)
        row->thread->run(inThread);
    if (loss) {
        hold->setRow(nullptr); // it is cleared, and others may want its thread
        notifyLoss(core, hold, *loss);
    }
    if (thrown)
        std::rethrow_exception(thrown);
    return hold->state() == Hold::State::Held ? std::nullopt : std::optional(errorOf(loss));
}

} // namespace lockscope::detail
