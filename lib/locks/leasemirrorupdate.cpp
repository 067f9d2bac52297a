// SPDX-License-Identifier: MIT
// How the mirror follows the table once it has been read.
#include "leasemirror.h"

#include "engine/unique/leaserelease_p.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using namespace detail; // LeaseColumn
using Clock = std::chrono::steady_clock;

constexpr int kNamesAtOnce = 500;
constexpr qsizetype kLeastRows = 1000;
constexpr qsizetype kMostRows = 40'000;
/// An answer of a part should take between these in the mean; a machine that is busy is not told by one of them.
constexpr auto kLongAnswer = 30ms;
constexpr auto kShortAnswer = 8ms;
constexpr int kPassesToAdapt = 10;
/// A statement that was sent before may have been granted an earlier time and be seen later.
constexpr auto kOverlap = 250ms;

} // namespace

std::optional<LockError> LeaseMirror::update()
{
    Changes changes;
    for (qsizetype i = 0; i < m_filledUpTo; ++i) {
        if (auto error = updatePart(i, &changes))
            return error;
    }
    apply(changes);
    m_unknown.endPass();
    ++m_passes;
    if (m_passes % kPassesToAdapt == 0)
        adapt(std::exchange(m_asking, {}) / (qint64(kPassesToAdapt) * m_parts.size()));
    return std::nullopt;
}

std::optional<LockError> LeaseMirror::updatePart(qsizetype index, Changes *changes)
{
    const Family family = m_session.info().family;
    Part &part = m_parts[index];
    Params granted = params(index);
    if (part.readAt)
        granted.number("since", qint64((*part.readAt - kOverlap).time_since_epoch().count()));
    const auto asked = Clock::now();
    const Reply reply = m_session.run(sqlText("monitor/clock", family) + "; "
                                          + renderSql(sqlText("monitor/lease_part", family), granted) + "; "
                                          + renderSql(sqlText("monitor/lease_digests", family), params(index)),
                                      "monitor/lease_digests");
    if (!reply)
        return reply.error;
    m_asking += Clock::now() - asked;
    const ServerTime now = toServerTime(reply.value(0)).value_or(ServerTime{});
    part.readAt = now;
    if (index == 0)
        m_clock = {now, Clock::now()};
    const LeaseDigests digests = readDigests(reply.value().toByteArray());
    LeaseDigests known = knownDigests(index);
    take(reply.set(1).rows, changes);
    if (auto error = readNamed(namesOf(index, without(known, digests), *changes), changes))
        return error;
    for (const auto &change : std::as_const(*changes)) {
        if (change)
            known.push_back(change->digest);
    }
    std::sort(known.begin(), known.end());
    return m_unknown.add(without(digests, known)) ? readAgain(index, changes) : std::nullopt;
}

LeaseDigests LeaseMirror::knownDigests(qsizetype part) const
{
    const auto [first, end] = entriesOf(part);
    LeaseDigests known;
    known.reserve(std::size_t(end - first));
    for (qsizetype i = first; i < end; ++i)
        known.push_back(m_entries[i].digest);
    std::sort(known.begin(), known.end());
    return known;
}

/// Of leases whose digest the server does not have, or has less often than there are leases with it.
QList<QByteArray> LeaseMirror::namesOf(qsizetype part, const LeaseDigests &missing, const Changes &changes) const
{
    QList<QByteArray> names;
    const auto [first, end] = entriesOf(part);
    for (qsizetype i = first; i < end && !missing.empty(); ++i) {
        const Entry &entry = m_entries[i];
        if (std::binary_search(missing.cbegin(), missing.cend(), entry.digest) && !changes.contains(entry.row->key))
            names.append(entry.row->key.resource);
    }
    return names;
}

std::optional<LockError> LeaseMirror::readNamed(const QList<QByteArray> &names, Changes *changes)
{
    for (qsizetype i = 0; i < names.size(); i += kNamesAtOnce) {
        const QList<QByteArray> some = names.mid(i, kNamesAtOnce);
        const Reply reply =
            m_session.run("monitor/leases_named", Params().bytesList("names", some).bytes("contains", m_contains));
        if (!reply)
            return reply.error;
        for (const QByteArray &name : some) { // whatever is not found has ended
            LockKey key{LockKind::Lease, name, std::numeric_limits<qint16>::min(), 0};
            auto entry = std::lower_bound(m_entries.cbegin(), m_entries.cend(), key,
                                          [](const Entry &a, const LockKey &b) { return a.row->key < b; });
            for (; entry != m_entries.cend() && entry->row->key.resource == name; ++entry)
                changes->insert(entry->row->key, std::nullopt);
        }
        take(reply.set(-1).rows, changes);
    }
    return std::nullopt;
}

/// A part from its beginning, for what was missed.
std::optional<LockError> LeaseMirror::readAgain(qsizetype index, Changes *changes)
{
    Params page = params(index);
    page.number("limit", qint64(PageRows));
    for (bool isLast = false; !isLast;) {
        const Reply reply = m_session.run("monitor/lease_part", page);
        if (!reply)
            return reply.error;
        const auto &rows = reply.set(-1).rows;
        take(rows, changes);
        isLast = rows.size() < PageRows;
        if (!isLast) {
            page.bytes("after", rows.last().value(ResourceCol).toByteArray());
            page.number("slot", qint64(rows.last().value(SlotCol).toInt()));
        }
    }
    return std::nullopt;
}

/// Parts of another size from the next survey on.
void LeaseMirror::adapt(Clock::duration answer)
{
    const qsizetype before = m_partRows;
    if (answer > kLongAnswer)
        m_partRows = std::max(m_partRows / 2, kLeastRows);
    else if (answer < kShortAnswer && m_parts.size() > 1)
        m_partRows = std::min(m_partRows * 2, kMostRows);
    if (m_partRows != before)
        m_passes = PassesASurvey;
}

} // namespace lockscope
