// SPDX-License-Identifier: MIT
#include "locklist.h"

#include <algorithm>
#include <iterator>
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
int compare(const LockRow &a, const LockRow &b, LockSort sort, const ServerNames &servers)
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
    case LockSort::Server:
        return by(servers.value(a.key.server), servers.value(b.key.server));
    }
    return 0;
}

/// The order of a view.
struct Before
{
    const LockView &view;

    bool operator()(const LockItem &a, const LockItem &b) const
    {
        const int order = compare(a.row, b.row, view.sort, view.servers);
        if (order != 0)
            return view.descending ? order > 0 : order < 0;
        return a.row->key < b.row->key; // always the same, so that equal rows do not dance
    }
};

/// Servers that came or went from one snapshot to the next.
QSet<int> onlyInOne(const LockSnapshot &a, const LockSnapshot &b)
{
    const auto serversOf = [](const LockSnapshot &snapshot) {
        QSet<int> servers(snapshot.clocks.keyBegin(), snapshot.clocks.keyEnd());
        if (snapshot.clock.server != ServerTime{})
            servers.insert(0);
        return servers;
    };
    const QSet<int> before = serversOf(a);
    const QSet<int> after = serversOf(b);
    return (before - after) + (after - before);
}

bool isSameOrder(const LockView &a, const LockView &b)
{
    return a.sort == b.sort && a.descending == b.descending;
}

bool isSameChoice(const LockView &a, const LockView &b)
{
    return a.filter == b.filter && a.facets == b.facets && a.grouping == b.grouping && a.within == b.within
        && a.servers == b.servers;
}

} // namespace

bool LockListBuilder::matches(const LockRow &row) const
{
    return passesFacets(row, m_view.facets)
        && m_filter.matches(row, m_last.timeOf(row.key.server), m_view.servers.value(row.key.server));
}

bool LockListBuilder::isWithin(const LockRow &row) const
{
    return m_view.grouping == LockGrouping::None || !m_view.within
        || groupOf(row, m_view.grouping, m_view.servers) == *m_view.within;
}

QList<LockGroup> LockListBuilder::groups() const
{
    if (m_view.grouping == LockGrouping::None)
        return {};
    LockGroupCounter counter(m_view.grouping, m_view.servers);
    for (const Known &known : m_known) {
        if (known.matches)
            counter.add(known.row);
    }
    return counter.groups();
}

void LockListBuilder::setView(const LockView &view, Step *step)
{
    step->isSameView = isSameChoice(view, m_view) && isSameOrder(view, m_view) && !m_filter.isOfTime();
    if (view.filter != m_view.filter)
        m_filter = LockFilter::parse(view.filter, &m_filterError);
    m_view = view;
}

/// A row of the snapshot; `before` is what was known of this lock.
LockListBuilder::Known LockListBuilder::see(const SharedLockRow &row, const Known *before, TimePoint now,
                                            Step *step) const
{
    Known known;
    if (before && before->row->token == row->token)
        known.appearedAt = before->appearedAt;
    else if (step->canReport && !step->strangers.contains(row->key.server))
        known.appearedAt = now;
    const bool isSame = before && (&*before->row == &*row || *before->row == *row);
    known.row = isSame ? before->row : row;
    const bool isSettled = isSame && step->isSameView;
    known.matches = isSettled ? before->matches : matches(row);
    known.passes = isSettled ? before->passes : known.matches && isWithin(row);
    if (isSettled)
        return known;
    if (before && before->passes)
        step->dropped.insert(&*before->row);
    if (known.passes)
        step->fresh.append(LockItem{known.row, known.appearedAt, {}});
    return known;
}

void LockListBuilder::vanish(const Known &gone, TimePoint now, Step *step)
{
    if (gone.passes)
        step->dropped.insert(&*gone.row);
    if (step->canReport && !step->strangers.contains(gone.row->key.server))
        m_ghosts.append(LockItem{gone.row, {}, now});
}

/// Both are sorted by key. A cut list says nothing about the locks outside it, so then nothing is marked.
void LockListBuilder::compare(const LockSnapshot &snapshot, TimePoint now, Step *step)
{
    const bool isSameQuestion = snapshot.contains == m_last.contains && !snapshot.isCut() && !m_last.isCut();
    step->canReport = !m_isFirst && isSameQuestion && !snapshot.isReplayed;
    step->strangers = onlyInOne(m_last, snapshot);
    m_last = snapshot;
    QSet<LockKey> back; // ghosts that are locks again
    QSet<LockKey> ghosts;
    for (const LockItem &ghost : std::as_const(m_ghosts))
        ghosts.insert(ghost.row->key);
    QList<Known> next;
    next.reserve(snapshot.rows.size());
    auto before = m_known.cbegin();
    for (const SharedLockRow &row : snapshot.rows) {
        const bool isSame = before != m_known.cend() && &*before->row == &*row;
        while (!isSame && before != m_known.cend() && before->row->key < row->key)
            vanish(*before++, now, step);
        const bool isKnown = isSame || (before != m_known.cend() && before->row->key == row->key);
        next.append(see(row, isKnown ? &*before : nullptr, now, step));
        if (!isKnown && ghosts.contains(row->key))
            back.insert(row->key);
        if (isKnown)
            ++before;
    }
    while (before != m_known.cend())
        vanish(*before++, now, step);
    m_ghosts.removeIf([&back](const LockItem &ghost) { return back.contains(ghost.row->key); });
    m_known = std::move(next);
    m_isFirst = false;
}

void LockListBuilder::addGhosts(TimePoint now, Step *step)
{
    m_ghosts.removeIf([&](const LockItem &ghost) { return now - *ghost.vanishedAt >= m_view.ghostTime; });
    for (const LockItem &ghost : std::as_const(m_ghosts)) {
        if (matches(ghost.row) && isWithin(ghost.row))
            step->fresh.append(ghost);
    }
}

/// What stays is in order already; ghosts are put in anew each time.
QList<LockItem> LockListBuilder::arrange(Step step) const
{
    const Before before{m_view};
    std::sort(step.fresh.begin(), step.fresh.end(), before);
    if (!step.isSameView)
        return step.fresh;
    QList<LockItem> stay;
    stay.reserve(m_items.size());
    std::copy_if(m_items.cbegin(), m_items.cend(), std::back_inserter(stay),
                 [&step](const LockItem &item) { return !item.vanishedAt && !step.dropped.contains(&*item.row); });
    QList<LockItem> items;
    items.reserve(stay.size() + step.fresh.size());
    std::merge(stay.cbegin(), stay.cend(), step.fresh.cbegin(), step.fresh.cend(), std::back_inserter(items), before);
    return items;
}

LockListUpdate LockListBuilder::build(const LockSnapshot &snapshot, const LockView &view, TimePoint now)
{
    Step step;
    setView(view, &step);
    compare(snapshot, now, &step);
    addGhosts(now, &step);
    LockListUpdate update;
    update.items = arrange(std::move(step));
    update.rows = snapshot.rows;
    update.contains = snapshot.contains;
    update.filterError = m_filterError;
    update.read = snapshot.rows.size();
    update.shown = std::count_if(update.items.cbegin(), update.items.cend(),
                                 [](const LockItem &item) { return !item.vanishedAt; });
    update.diff = diffLists(m_items, update.items);
    update.groups = groups();
    update.isFilling = snapshot.isFilling;
    update.counts = snapshot.counts;
    update.clock = snapshot.clock;
    update.clocks = snapshot.clocks;
    update.keyPasses = snapshot.keyPasses;
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
