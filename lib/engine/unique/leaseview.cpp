// SPDX-License-Identifier: MIT
#include "leaseview_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

/// Fields of a line of the queue.
enum Field { Name, Arrival, Ttl, Since, Note, OwnerField, Fields };

/// Calls `take` with each line that has as many fields, without its end.
template<typename Take>
void eachLine(const QByteArray &stored, Take take)
{
    for (qsizetype begin = 0, end = 0; begin < stored.size(); begin = end + 1) {
        end = stored.indexOf('\n', begin);
        if (end < 0)
            end = stored.size();
        const QByteArrayView line = QByteArrayView(stored).sliced(begin, end - begin);
        if (std::count(line.begin(), line.end(), '\t') == Fields - 1)
            take(line);
    }
}

/// In microseconds since 1970.
constexpr qint64 kYear2000 = 946'684'800'000'000;

Duration durationOf(const QVariant &microseconds)
{
    return microseconds.isNull() ? Forever : Duration(microseconds.toLongLong());
}

} // namespace

std::vector<QueueEntry> parseQueue(const QByteArray &stored)
{
    std::vector<QueueEntry> queue;
    eachLine(stored, [&queue](QByteArrayView line) {
        const QByteArray whole = line.toByteArray();
        const QByteArrayList fields = whole.split('\t');
        queue.push_back({fields[Name], fields[Arrival].toULongLong(),
                         fields[Ttl].isEmpty() ? Forever : Duration(fields[Ttl].toLongLong()),
                         fields[Since].toLongLong(), QByteArray::fromHex(fields[Note]), fields[OwnerField],
                         whole + '\n'});
    });
    return queue;
}

QByteArrayList queueNames(const QByteArray &stored)
{
    QByteArrayList names;
    eachLine(stored, [&names](QByteArrayView line) { names.append(line.first(line.indexOf('\t')).toByteArray()); });
    return names;
}

Duration LeaseView::graceBehind(std::size_t ahead)
{
    if (ahead == 0)
        return Duration::zero();
    return std::min<Duration>(LastGrace, FirstGrace + NextGrace * qint64(std::min<std::size_t>(ahead - 1, 100)));
}

Duration LeaseView::waited(std::size_t place) const
{
    return Duration(clock + kYear2000 - queue[place].since);
}

bool LeaseView::isFreeForNewcomers() const
{
    if (queue.empty())
        return true;
    const bool hadItsTime = waited(0) >= -remaining || waited(0) >= clockGrace() + NewcomerGrace;
    return isOverdue(NewcomerGrace) && hadItsTime;
}

std::optional<std::size_t> LeaseView::placeOf(const QByteArray &name) const
{
    const auto found = std::find_if(queue.begin(), queue.end(), [&](const auto &entry) { return entry.name == name; });
    if (found == queue.end())
        return std::nullopt;
    return std::size_t(found - queue.begin());
}

LeaseView LeaseView::from(const Reply &reply)
{
    LeaseView view;
    const auto &rows = reply.set(-1).rows;
    if (rows.isEmpty())
        return view;
    const QVariantList &row = rows.first();
    view.exists = true;
    view.presence = row.value(0).toByteArray();
    if (view.presence == "-")
        view.presence.clear();
    view.token = row.value(1).toULongLong();
    view.remaining = durationOf(row.value(2));
    view.kept = row.value(3).toBool();
    view.isHolderAlive = row.value(4).toBool();
    view.ttl = durationOf(row.value(5));
    view.owner = row.value(6).toByteArray();
    view.clock = row.value(7).toLongLong();
    view.isOwnNameHeld = row.value(8).toBool();
    view.storedQueue = row.value(9).toByteArray();
    view.queue = parseQueue(view.storedQueue);
    return view;
}

LeaseView LeaseView::ofHolder(const QByteArray &name, const Reply &reply)
{
    LeaseView view;
    const auto &rows = reply.set(-1).rows;
    if (rows.isEmpty())
        return view;
    view.exists = true;
    view.presence = name;
    view.token = rows.first().value(0).toULongLong();
    view.remaining = durationOf(rows.first().value(1));
    view.clock = rows.first().value(2).toLongLong();
    return view;
}

} // namespace lockscope::detail
