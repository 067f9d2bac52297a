// SPDX-License-Identifier: MIT
// Somebody asks a holder to release: the way there is a row that the holder's engine looks for.
#include "releaserequests_p.h"

#include "lockscope/measurement.h"

namespace lockscope::detail {

namespace {

const char *holderStatement(Mode mode)
{
    return mode == Mode::Pessimistic ? "engine/holder_of_row" : "engine/holder_of_lease";
}

ReleaseRequest toRequest(const QVariantList &row)
{
    const bool isRow = row.value(1).toByteArray() == nameOf(MeasuredMode::Pessimistic);
    return {isRow ? Mode::Pessimistic : Mode::Unique, row.value(2).toByteArray(), row.value(3).toULongLong(),
            row.value(4).toString()};
}

} // namespace

RequestResult askForRelease(ReconnectingSession &link, Mode mode, const QByteArray &resource, const QString &reason)
{
    const auto name = Params().bytes("resource", resource);
    Reply holder = link.run(holderStatement(mode), name);
    if (holder.error && holder.error->kind == LockError::Kind::ConnectionLost)
        holder = link.run(holderStatement(mode), name); // an idle connection had been closed
    if (!holder)
        return {RequestOutcome::Failed, {}, holder.error};
    const QVariantList row = holder.set(-1).rows.value(0);
    if (row.isEmpty())
        return {RequestOutcome::NotHeld, {}, {}};
    const Owner owner = Owner::fromJson(row.value(0).toByteArray());
    const Reply asked = link.run("engine/release_request",
                                 Params(name)
                                     .bytes("session", owner.session.left(32))
                                     .bytes("mode", nameOf(measuredMode(mode)))
                                     .number("number", row.value(1).toULongLong())
                                     .text("reason", reason));
    return asked ? RequestResult{RequestOutcome::Asked, owner, {}}
                 : RequestResult{RequestOutcome::Failed, {}, asked.error};
}

void takeReleaseRequests(ReconnectingSession &link, const QByteArray &session,
                         const std::function<void(const ReleaseRequest &request)> &tell)
{
    const auto params = Params().bytes("session", session);
    const Reply reply = link.run("engine/release_requests", params);
    const auto &requests = reply.set(-1).rows;
    if (requests.isEmpty())
        return;
    QList<quint64> told;
    for (const QVariantList &request : requests) {
        tell(toRequest(request));
        told += request.first().toULongLong();
    }
    // What cannot be removed now is told once more: better than not at all.
    link.run("engine/release_requests_taken", Params(params).numberList("told", told));
}

} // namespace lockscope::detail
