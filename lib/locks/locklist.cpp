// SPDX-License-Identifier: MIT
#include "locklist.h"

#include <algorithm>
#include <tuple>

namespace lockscope {

namespace {

LockFacet facetOf(LockState state)
{
    switch (state) {
    case LockState::Held:
        return LockFacet::Held;
    case LockState::Orphan:
        return LockFacet::Orphan;
    case LockState::Expired:
        return LockFacet::Expired;
    case LockState::Kept:
        return LockFacet::Kept;
    case LockState::Open:
        return LockFacet::Open;
    case LockState::Unknown:
        break;
    }
    return LockFacet::Unknown;
}

bool passesFacets(const LockRow &row, LockFacets facets)
{
    return !facets || facets.testFlag(facetOf(row.state)) || (facets.testFlag(LockFacet::Waited) && row.waiters > 0);
}

bool passesFilter(const LockRow &row, const QString &filter)
{
    const auto has = [&filter](const QString &text) { return text.contains(filter, Qt::CaseInsensitive); };
    return filter.isEmpty() || has(QString::fromUtf8(row.key.resource)) || has(row.owner.toString())
        || has(QString::fromUtf8(row.note));
}

/// Where a person looks first when sorting by state.
int urgency(LockState state)
{
    switch (state) {
    case LockState::Orphan:
        return 0;
    case LockState::Unknown:
        return 1;
    case LockState::Expired:
        return 2;
    case LockState::Held:
        return 3;
    case LockState::Kept:
        return 4;
    case LockState::Open:
        return 5;
    }
    return 6;
}

/// Bytes, but numbers by their value: "orders/9" before "orders/10". Names that differ only in leading zeros are equal
/// here; the caller tells them apart.
int naturalOrder(const QByteArray &a, const QByteArray &b)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto numberAt = [&isDigit](const QByteArray &text, qsizetype *at) {
        qsizetype first = *at;
        while (first < text.size() && text[first] == '0')
            ++first;
        *at = first;
        while (*at < text.size() && isDigit(text[*at]))
            ++*at;
        return QByteArrayView(text).sliced(first, *at - first);
    };
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const QByteArrayView left = numberAt(a, &i);
            const QByteArrayView right = numberAt(b, &j);
            if (left.size() != right.size())
                return left.size() < right.size() ? -1 : 1;
            if (const int order = left.compare(right); order != 0)
                return order;
            continue;
        }
        if (a[i] != b[j])
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1;
        ++i;
        ++j;
    }
    return int(i < a.size()) - int(j < b.size());
}

quint64 versionOf(const LockRow &row)
{
    return row.attempts ? row.attempts->version.value_or(0) : 0;
}

/// Waiters come before attempts that conflict: these are already over.
std::pair<int, double> contention(const LockRow &row)
{
    return {row.waiters.value_or(0), row.attempts ? row.attempts->conflictRate().value_or(0) : 0};
}

/// Three-way comparison by one column; 0 leaves the order to the key.
int compare(const LockRow &a, const LockRow &b, LockSort sort)
{
    const auto by = [](const auto &left, const auto &right) { return left < right ? -1 : (right < left ? 1 : 0); };
    switch (sort) {
    case LockSort::Resource:
        return naturalOrder(a.key.resource, b.key.resource);
    case LockSort::State:
        return by(urgency(a.state), urgency(b.state));
    case LockSort::Owner:
        return naturalOrder(a.owner.service.toUtf8(), b.owner.service.toUtf8());
    case LockSort::Process:
        return by(std::tie(a.owner.host, a.owner.pid, a.owner.thread),
                  std::tie(b.owner.host, b.owner.pid, b.owner.thread));
    case LockSort::Note:
        return naturalOrder(a.note, b.note);
    case LockSort::HeldFor: // shortest first: the latest grant
        return by(b.acquiredAt.value_or(ServerTime::max()), a.acquiredAt.value_or(ServerTime::max()));
    case LockSort::Remaining: // those that never expire last
        return by(a.expiresAt.value_or(ServerTime::max()), b.expiresAt.value_or(ServerTime::max()));
    case LockSort::Token:
        return by(std::max(a.token, versionOf(a)), std::max(b.token, versionOf(b)));
    case LockSort::Waiters:
        return by(contention(a), contention(b));
    case LockSort::Connection:
        return by(a.connectionId.value_or(0), b.connectionId.value_or(0));
    }
    return 0;
}

void sortItems(QList<LockItem> *items, const LockView &view)
{
    std::sort(items->begin(), items->end(), [&view](const LockItem &a, const LockItem &b) {
        const int order = compare(a.row, b.row, view.sort);
        if (order != 0)
            return view.descending ? order > 0 : order < 0;
        return a.row.key < b.row.key; // always the same, so that equal rows do not dance
    });
}

} // namespace

/// Compares with the snapshot before. A cut list says nothing about the locks outside it, so then nothing is marked.
void LockListBuilder::noteChanges(const LockSnapshot &snapshot, const LockView &view, TimePoint now)
{
    const bool isSameQuestion = snapshot.contains == m_last.contains && !snapshot.isCut() && !m_last.isCut();
    const bool canReport = !m_isFirst && isSameQuestion;
    QHash<LockKey, Seen> seen;
    seen.reserve(snapshot.rows.size());
    for (const LockRow &row : snapshot.rows) {
        const auto before = m_seen.constFind(row.key);
        Seen entry{row.token, {}};
        if (before != m_seen.cend() && before->token == row.token)
            entry.appearedAt = before->appearedAt;
        else if (canReport)
            entry.appearedAt = now;
        seen.insert(row.key, entry);
    }
    if (canReport) {
        for (const LockRow &row : std::as_const(m_last.rows)) {
            if (!seen.contains(row.key))
                m_ghosts.append(LockItem{row, {}, now});
        }
    }
    m_ghosts.removeIf([&](const LockItem &ghost) {
        return seen.contains(ghost.row.key) || now - *ghost.vanishedAt >= view.ghostTime;
    });
    m_seen = std::move(seen);
    m_last = snapshot;
    m_isFirst = false;
}

LockListUpdate LockListBuilder::build(const LockSnapshot &snapshot, const LockView &view, TimePoint now)
{
    noteChanges(snapshot, view, now);
    LockListUpdate update;
    const auto passes = [&view](const LockRow &row) {
        return passesFacets(row, view.facets) && passesFilter(row, view.filter);
    };
    for (const LockRow &row : snapshot.rows) {
        if (passes(row))
            update.items.append(LockItem{row, m_seen.value(row.key).appearedAt, {}});
    }
    update.rows = snapshot.rows;
    update.contains = snapshot.contains;
    update.read = snapshot.rows.size();
    update.shown = update.items.size();
    for (const LockItem &ghost : std::as_const(m_ghosts)) {
        if (passes(ghost.row))
            update.items.append(ghost);
    }
    sortItems(&update.items, view);
    update.diff = diffLists(m_items, update.items);
    update.counts = snapshot.counts;
    update.clock = snapshot.clock;
    update.cost = snapshot.cost;
    m_items = update.items;
    return update;
}

std::optional<LockListBuilder::TimePoint> LockListBuilder::nextGhostEnd(const LockView &view) const
{
    std::optional<TimePoint> next;
    for (const LockItem &ghost : m_ghosts) {
        const TimePoint end = *ghost.vanishedAt + view.ghostTime;
        next = next ? std::min(*next, end) : end;
    }
    return next;
}

} // namespace lockscope
