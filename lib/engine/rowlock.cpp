// How a row lock is kept alive, used and ended.
#include "rowlock_p.h"

#include <QtSql/QSqlDatabase>

#include <algorithm>
#include <exception>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// A killed session is noticed within this, whatever the TTL.
constexpr Duration kLongestCheck = 5s;
constexpr int kNoSavepoint = 1305;

Duration checkInterval(const Hold &hold)
{
    const Duration ttl = hold.ttl();
    return ttl == Forever ? kLongestCheck : std::min<Duration>(kLongestCheck, ttl / 3);
}

/// Asks on the lock's own connection whether it is still the transaction that locked the row. Runs in its lane.
std::optional<LossReason> lossOf(Hold &hold, const RowLock &row, Link &link)
{
    LockError error;
    const auto sentAt = LeaseClock::now();
    const Session *session = link.connectionId() == row.connection ? link.session(&error) : nullptr;
    if (!session || session->connectionId() != row.connection)
        return LossReason::SessionEnded;
    const Reply reply = link.run("engine/row_check", Params());
    if (reply) {
        hold.setDeadline(deadlineFrom(sentAt, hold.ttl()), hold.ttl());
        return std::nullopt;
    }
    hold.setLastError(reply.error);
    return reply.error->code == kNoSavepoint ? LossReason::TransactionEnded : LossReason::SessionEnded;
}

void look(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold);

Params rowParams(const Link &link, const QByteArray &row)
{
    return Params().bytes("resource", row).table("table", link.schema(), QStringLiteral("lock_row"));
}

/// Gives the connection back in a state in which anybody may use it. Runs in its lane.
void clear(Link &link, quint64 connection, const QByteArray &row)
{
    if (link.connectionId() != connection)
        return;
    link.run("engine/row_free", Params());
    link.run("engine/row_clear", rowParams(link, row));
    link.drop(); // the caller's statements may have left settings behind
}

void tellRowLoss(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, LossReason reason)
{
    if (!hold->leaveHeld(Hold::State::Lost))
        return;
    core->forgetHold(hold);
    if (const auto row = hold->row()) {
        row->lane->post([connection = row->connection, name = row->row](Link &link) { clear(link, connection, name); });
        hold->setRow(nullptr);
    }
    if (hold->onLost)
        hold->onLost(reason);
}

/// Ends a transaction in which only the engine has written. Runs in its lane.
ReleaseOutcome free(Hold &hold, const RowLock &row, Link &link)
{
    const Reply reply = link.connectionId() == row.connection ? link.run("engine/row_free", Params())
                                                              : Reply{{}, lockErrorFor(2006, {}, "engine/row_free")};
    hold.setLastError(reply.error);
    return reply ? ReleaseOutcome::Released : ReleaseOutcome::NotHeld; // a session that ended has freed its row
}

/// Ends a transaction in which the caller has worked. Runs in its lane.
ReleaseOutcome endWork(Hold &hold, const RowLock &row, Link &link, bool keepsWork)
{
    ReleaseOutcome outcome = ReleaseOutcome::Released;
    if (lossOf(hold, row, link)) {
        outcome = ReleaseOutcome::NotHeld;
    } else if (keepsWork) {
        const Reply reply = link.run("engine/row_commit", rowParams(link, row.row));
        hold.setLastError(reply.error);
        if (!reply)
            outcome = reply.error->connectionGone ? ReleaseOutcome::Unknown : ReleaseOutcome::Failed;
    }
    clear(link, row.connection, row.row);
    return outcome;
}

using Answer = std::function<void(std::optional<bool> lives)>;

/// Asks over another connection whether the session lives, and tells it in the timer's thread; nothing = no answer.
void askFromOutside(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<RowLock> &row, const Answer &tell)
{
    core->service.post([core, row, tell](Link &link) {
        const auto session = Params()
                                 .number("connection", row->connection)
                                 .lockName("name", core->target.mark + QByteArray::number(row->connection));
        const Reply known = link.run("engine/session_lives", session);
        const auto lives = known ? std::optional(known.value().toBool()) : std::nullopt;
        core->timer.post([tell, lives](Link &) { tell(lives); });
    });
}

/// A call of the caller's keeps the connection beyond the deadline: what the call finds in the end decides, unless the
/// session is known to have ended.
void lookPastTheDeadline(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold,
                         const std::shared_ptr<RowLock> &row)
{
    askFromOutside(core, row, [core, hold](std::optional<bool> lives) {
        if (lives == std::optional(true))
            lookLater(core, hold, checkInterval(*hold), look);
        else if (lives || LeaseClock::now() >= hold->deadline())
            tellRowLoss(core, hold, lives ? LossReason::SessionEnded : hold->reasonOfEnd());
        else
            watchRow(core, hold); // the call has come to its end meanwhile
    });
}

/// Keeps the session from being idle for too long, and finds out whether it is still the transaction that has the row.
void check(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold,
           const std::shared_ptr<RowLock> &row)
{
    row->lane->post([core, hold, row](Link &link) {
        const auto reason = hold->state() == Hold::State::Held ? lossOf(*hold, *row, link) : std::nullopt;
        row->isChecking = false;
        if (reason)
            core->timer.post([core, hold, reason](Link &) { tellRowLoss(core, hold, *reason); });
    });
}

/// A session that is not to be kept, or that works for its caller, can be killed all the same.
void checkFromOutside(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold,
                      const std::shared_ptr<RowLock> &row)
{
    askFromOutside(core, row, [core, hold, row](std::optional<bool> lives) {
        row->isAskedAbout = false;
        if (lives == std::optional(false))
            tellRowLoss(core, hold, LossReason::SessionEnded);
    });
}

/// Runs in the timer's thread.
void look(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold)
{
    if (hold->state() != Hold::State::Held || core->isClosing())
        return;
    const auto row = hold->row();
    if (LeaseClock::now() >= hold->deadline()) {
        return row && row->isWorking ? lookPastTheDeadline(core, hold, row)
                                     : tellRowLoss(core, hold, hold->reasonOfEnd());
    }
    hold->tellMaxHold();
    if (row) {
        const bool isKept = hold->autoRenew && !hold->isPastMaxHold(); // after maxHold the TTL ends the lock
        if (isKept && !row->isWorking && !row->isChecking.exchange(true))
            check(core, hold, row);
        else if (!row->isAskedAbout.exchange(true))
            checkFromOutside(core, hold, row);
    }
    watchRow(core, hold);
}

} // namespace

void watchRow(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold)
{
    lookInTime(core, hold, checkInterval(*hold), look);
}

ReleaseOutcome releaseRow(Hold &hold, bool keepsWork)
{
    const auto row = hold.row();
    if (!row)
        return ReleaseOutcome::NotHeld;
    ReleaseOutcome outcome = ReleaseOutcome::Released;
    row->lane->run(
        [&](Link &link) { outcome = row->hasWork ? endWork(hold, *row, link, keepsWork) : free(hold, *row, link); });
    hold.setRow(nullptr);
    return outcome;
}

RenewOutcome renewRow(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration ttl)
{
    const auto row = hold->row();
    if (!row)
        return RenewOutcome::NotHeld;
    std::optional<LossReason> loss;
    row->lane->run([&](Link &link) {
        loss = lossOf(*hold, *row, link);
        if (loss)
            return;
        const auto sentAt = LeaseClock::now();
        const Reply reply = link.run("engine/row_idle", Params().number("idle", idleSeconds(ttl)));
        if (reply)
            hold->setDeadline(deadlineFrom(sentAt, ttl), ttl);
        else
            loss = LossReason::SessionEnded;
    });
    if (loss) {
        tellRowLoss(core, hold, *loss);
        return RenewOutcome::NotHeld;
    }
    watchRow(core, hold);
    return RenewOutcome::Renewed;
}

std::optional<LockError> runInRow(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold,
                                  const std::function<void(QSqlDatabase &)> &work)
{
    const auto row = hold->row();
    std::optional<LossReason> loss = LossReason::SessionEnded;
    std::exception_ptr thrown;
    const auto inLane = [&](Link &link) {
        loss = lossOf(*hold, *row, link);
        if (loss || hold->state() != Hold::State::Held)
            return;
        LockError ignored;
        if (!std::exchange(row->hasWork, true))
            link.run("engine/row_work", Params()); // one that is refused leaves shorter waits
        row->isWorking = true;
        QSqlDatabase database = link.session(&ignored)->database();
        try {
            work(database);
        } catch (...) {
            thrown = std::current_exception();
        }
        loss = lossOf(*hold, *row, link);
        row->isWorking = false;
    };
    if (row)
        row->lane->run(inLane);
    if (loss)
        tellRowLoss(core, hold, *loss);
    if (thrown)
        std::rethrow_exception(thrown);
    if (hold->state() == Hold::State::Held)
        return std::nullopt;
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

} // namespace lockscope::detail
