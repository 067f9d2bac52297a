// SPDX-License-Identifier: MIT
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

/// Columns behind those of monitor/list.
constexpr int kDigestCol = QueueCol + 1;

constexpr qsizetype kQueueNamesAPass = 8192;
constexpr int kBehindAll = std::numeric_limits<qint16>::max();

QByteArray lastName()
{
    return QByteArray(255, '\xff');
}

} // namespace

void LeaseMirror::setContains(const QByteArray &contains)
{
    if (m_contains == contains)
        return;
    m_contains = contains;
    m_isFilled = false;
    m_parts.clear();
}

void LeaseMirror::setLimit(int limit)
{
    if (m_limit == limit)
        return;
    if (limit < m_limit || isLimited()) {
        m_isFilled = false;
        m_parts.clear();
    }
    m_limit = limit;
}

std::optional<LockError> LeaseMirror::read(std::chrono::milliseconds budget)
{
    if (m_parts.isEmpty()) {
        m_entries.clear();
        m_queues.clear();
        m_cursor = {};
        m_filledUpTo = 0;
        m_isFilled = false;
        m_unknown.clear();
        m_holdersUpTo.clear();
        m_witnessed = {};
    }
    if (m_parts.isEmpty() || m_passes >= PassesASurvey) {
        if (auto error = survey())
            return error;
    }
    if (auto error = m_isFilled ? update() : fill(budget))
        return error;
    return askQueues();
}

/// Where the parts end. What is known of them stays: a part that was read before an earlier one is so now.
std::optional<LockError> LeaseMirror::survey()
{
    std::optional<ServerTime> readAt;
    for (const Part &part : std::as_const(m_parts))
        readAt = readAt && part.readAt ? std::min(*readAt, *part.readAt) : part.readAt;
    const bool wasFilled = m_isFilled && !isLimited();
    QList<Part> parts;
    QByteArray after;
    for (bool isEnd = false; !isEnd;) {
        const Reply reply = m_session.run(
            "monitor/lease_span",
            Params().bytes("after", after).bytes("contains", m_contains).number("rows", qint64(m_partRows)));
        if (!reply)
            return reply.error;
        const QVariantList row = reply.set(-1).rows.value(0);
        isEnd = row.value(0).isNull();
        after = isEnd ? lastName() : row.value(0).toByteArray();
        parts.append(Part{after, readAt, row.value(1).toLongLong()});
    }
    m_parts = parts;
    m_passes = 0;
    if (m_isFilled && !wasFilled)
        endAtLimit();
    else if (m_isFilled)
        m_filledUpTo = m_parts.size();
    return std::nullopt;
}

/// What the limit left out becomes a part of its own, which is never asked about.
void LeaseMirror::endAtLimit()
{
    const auto cut = std::find_if(m_parts.begin(), m_parts.end(),
                                  [this](const Part &part) { return part.upTo >= m_cursor.resource; });
    m_filledUpTo = cut - m_parts.begin() + 1;
    if (cut->upTo == m_cursor.resource)
        return;
    Part first = *cut;
    first.upTo = m_cursor.resource;
    cut->held = 0; // they are counted with the first
    m_parts.insert(cut, first);
}

std::optional<LockError> LeaseMirror::fill(std::chrono::milliseconds budget)
{
    const auto end = Clock::now() + budget;
    do {
        if (auto error = fillPage(&m_isFilled))
            return error;
    } while (!m_isFilled && Clock::now() < end);
    return std::nullopt;
}

Params LeaseMirror::params(qsizetype part) const
{
    Params params;
    params.bytes("after", behind(part)).number("slot", qint64(kBehindAll));
    params.bytes("upto", m_parts[part].upTo).bytes("contains", m_contains).null("since");
    params.number("limit", std::numeric_limits<qint64>::max());
    return params;
}

/// The next page of the first reading: pages go by the key and know no parts, so that the first is there at once.
std::optional<LockError> LeaseMirror::fillPage(bool *isEnd)
{
    const qsizetype rows = std::min<qsizetype>(PageRows, m_limit - m_entries.size());
    Params params = this->params(m_parts.size() - 1);
    params.bytes("after", m_cursor.resource).number("limit", qint64(rows));
    params.number("slot", qint64(m_entries.isEmpty() ? kBehindAll : m_cursor.slot));
    const Family family = m_session.info().family;
    const Reply reply = m_session.run(sqlText("monitor/clock", family) + "; "
                                          + renderSql(sqlText("monitor/lease_part", family), params),
                                      "monitor/lease_part");
    if (!reply)
        return reply.error;
    m_clock = {toServerTime(reply.value(0)).value_or(ServerTime{}), Clock::now()};
    Changes changes;
    take(reply.set(-1).rows, &changes);
    const bool isLast = changes.size() < rows;
    if (!changes.isEmpty())
        m_cursor = changes.lastKey();
    apply(changes);
    *isEnd = isLast || m_entries.size() >= m_limit;
    for (Part &part : m_parts) { // as old as its oldest page may be
        if (!part.readAt)
            part.readAt = m_clock.server;
    }
    if (isLast)
        m_filledUpTo = m_parts.size();
    else if (*isEnd)
        endAtLimit();
    return std::nullopt;
}

LeaseMirror::Entry LeaseMirror::toEntry(const QVariantList &values)
{
    LockRow row = toHeldRow(LockKind::Lease, values, m_clock.server, !m_session.info().readOnly, &m_owners);
    row.waiters = 0; // asked about where there is a queue
    Entry entry;
    entry.digest = values.value(kDigestCol).toUInt();
    entry.holder = quint32(row.connectionId.value_or(0));
    entry.isKept = row.state == LockState::Kept;
    if (!entry.isKept)
        entry.endsAt = row.expiresAt;
    entry.isPast = row.state == LockState::Expired;
    const QByteArray queue = values.value(QueueCol).toByteArray();
    if (queue.isEmpty()) {
        m_queues.remove(row.key);
    } else if (QByteArray &stored = m_queues[row.key]; stored != queue) {
        stored = queue;
        if (m_asked && row.key < *m_asked)
            m_asked.reset(); // a new queue is not left waiting for its turn
    }
    const auto known = std::lower_bound(m_entries.cbegin(), m_entries.cend(), row.key,
                                        [](const Entry &a, const LockKey &b) { return a.row->key < b; });
    const bool isKnown = known != m_entries.cend() && known->row->key == row.key;
    if (!queue.isEmpty() && isKnown)
        row.waiters = known->row->waiters; // until it is asked about
    if (isKnown && row == *known->row)
        entry.row = known->row; // whoever sees the same object need not compare
    else
        entry.row = std::move(row);
    return entry;
}

void LeaseMirror::take(const QList<QVariantList> &rows, Changes *changes)
{
    for (const QVariantList &values : rows) {
        const Entry entry = toEntry(values);
        changes->insert(entry.row->key, entry);
    }
}

std::pair<qsizetype, qsizetype> LeaseMirror::entriesOf(qsizetype part) const
{
    const auto endOf = [this](const QByteArray &name) {
        const auto at = std::upper_bound(m_entries.cbegin(), m_entries.cend(), name,
                                         [](const QByteArray &a, const Entry &b) { return a < b.row->key.resource; });
        return qsizetype(at - m_entries.cbegin());
    };
    return {part == 0 ? 0 : endOf(behind(part)), endOf(m_parts[part].upTo)};
}

/// Both are sorted by key.
void LeaseMirror::apply(const Changes &changes)
{
    if (changes.isEmpty())
        return;
    QList<Entry> next;
    next.reserve(m_entries.size() + changes.size());
    auto change = changes.cbegin();
    const auto add = [&] {
        if (*change)
            next.append(**change);
        else
            m_queues.remove(change.key());
        ++change;
    };
    for (const Entry &entry : std::as_const(m_entries)) {
        const LockKey &key = entry.row->key;
        while (change != changes.cend() && change.key() < key)
            add();
        if (change == changes.cend() || key < change.key())
            next.append(entry);
    }
    while (change != changes.cend())
        add();
    m_entries = std::move(next);
}

/// Which waiters live: in turns, where there are very many.
std::optional<LockError> LeaseMirror::askQueues()
{
    QList<LockKey> keys;
    QList<QByteArray> queues;
    qsizetype names = 0;
    auto next = m_asked ? m_queues.upperBound(*m_asked) : m_queues.begin();
    for (; next != m_queues.end() && names < kQueueNamesAPass; ++next) {
        keys.append(next.key());
        queues.append(*next);
        names += next->count('\n') + 1;
    }
    m_asked = next == m_queues.end() ? std::nullopt : std::optional(keys.last());
    if (auto error = m_queueReader.ask(queues))
        return error;
    auto entry = m_entries.begin();
    for (qsizetype i = 0; i < keys.size(); ++i) {
        entry = std::lower_bound(entry, m_entries.end(), keys[i],
                                 [](const Entry &a, const LockKey &b) { return a.row->key < b; });
        if (entry != m_entries.end() && entry->row->key == keys[i])
            setWaiters(&*entry, m_queueReader.countLiving(queues[i]));
    }
    return std::nullopt;
}

void LeaseMirror::setWaiters(Entry *entry, int waiters)
{
    if (entry->row->waiters == waiters)
        return;
    LockRow row = *entry->row;
    row.waiters = waiters;
    entry->row = std::move(row);
}

QList<SharedLockRow> LeaseMirror::rows()
{
    const bool serverShows = !m_session.info().readOnly;
    QList<SharedLockRow> rows;
    rows.reserve(m_entries.size());
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const Entry &known = std::as_const(m_entries)[i];
        if (const bool isPast = known.endsAt && *known.endsAt <= m_clock.server; isPast != known.isPast) {
            Entry &entry = m_entries[i];
            LockRow row = *entry.row;
            row.state = leaseStateOf(false, row.sessionAlive, isPast, serverShows);
            entry.row = std::move(row);
            entry.isPast = isPast;
        }
        rows.append(std::as_const(m_entries)[i].row);
    }
    return rows;
}

LockCounts LeaseMirror::counts() const
{
    LockCounts counts;
    for (const Entry &entry : m_entries) {
        counts.add(entry.row->state);
        counts.waiting += entry.row->waiters.value_or(0);
    }
    if (m_filledUpTo == m_parts.size())
        return counts;
    qint64 all = 0;
    for (const Part &part : m_parts)
        all += part.held;
    counts.unread = std::max<qint64>(0, all - m_entries.size());
    return counts;
}

} // namespace lockscope
