#include "lookresult_p.h"

namespace lockscope::detail {

namespace {

Duration durationOf(const QVariant &microseconds)
{
    return microseconds.isNull() ? Forever : Duration(microseconds.toLongLong());
}

} // namespace

LookResult LookResult::from(const Reply &reply)
{
    LookResult look;
    const QVariantList own = reply.set(-3).rows.value(0);
    look.hasTicket = own.value(0).toBool();
    look.placeAlive = own.value(1).toBool();
    if (const auto &rows = reply.set(-2).rows; !rows.isEmpty()) {
        look.aheadPlace = rows.first().value(0).toByteArray();
        look.aheadTtl = durationOf(rows.first().value(1));
    }
    const auto &rows = reply.set(-1).rows;
    if (rows.isEmpty())
        return look;
    const QVariantList &row = rows.first();
    look.exists = true;
    look.presence = row.value(0).toByteArray();
    look.token = row.value(1).toULongLong();
    look.remaining = durationOf(row.value(2));
    look.kept = row.value(3).toBool();
    look.holderAlive = row.value(4).toBool();
    look.ttl = durationOf(row.value(5));
    look.owner = row.value(6).toByteArray();
    look.heirPresence = row.value(7).toByteArray();
    look.heirPlace = row.value(8).toByteArray();
    look.heirTtl = durationOf(row.value(9));
    look.heirAlive = row.value(10).toBool() && !look.heirPresence.isEmpty();
    look.waited = row.value(11).toBool();
    look.bellIsHeld = row.value(13).toBool();
    look.clock = row.value(12).toLongLong();
    return look;
}

Grant Grant::from(const QVariantList &row)
{
    return {row.value(0).toULongLong(), durationOf(row.value(1)), row.value(2).toLongLong(), row.value(3).toBool()};
}

} // namespace lockscope::detail
