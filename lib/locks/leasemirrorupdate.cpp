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
constexpr qsizetype kLeastRows = 2000;
constexpr qsizetype kMostRows = 40'000;
/// The slowest answer of a part should take between these: half of what a reading may ask of a server at once.
constexpr auto kLongAnswer = 25ms;
constexpr auto kShortAnswer = 8ms;
constexpr int kPassesToGrow = 10;
constexpr qint64 kGrown = 2; ///< times what a part was
constexpr qsizetype kMostWitnesses = 1000;
/// A statement that was sent before may have been granted an earlier time and be seen later.
constexpr auto kOverlap = 250ms;

LockKey lastKeyOf(const QByteArray &resource)
{
    return {LockKind::Lease, resource, std::numeric_limits<int>::max(), std::numeric_limits<quint64>::max()};
}

} // namespace

std::optional<LockError> LeaseMirror::update()
{
    QList<Answer> answers(m_filledUpTo);
    const QList<bool> turns = holderTurns();
    Names names;
    m_slowest = {};
    m_hasGrown = false;
    for (qsizetype i = 0; i < m_filledUpTo; ++i) {
        Answer &answer = answers[i];
        answer.withHolders = turns[i];
        if (auto error = askPart(i, &answer, &names))
            return error;
    }
    const bool isAllTold = !turns.contains(false);
    const Witnesses witnesses = isAllTold || m_session.info().readOnly ? Witnesses() : chooseWitnesses(names);
    for (const qsizetype i : witnesses)
        names.insert(m_entries[i].row->key.resource);
    Changes changes;
    if (auto error = readNamed(names, &changes))
        return error;
    if (auto error = readNamed(leftBehind(witnesses, changes) - names, &changes))
        return error;
    if (auto error = readMissed(answers, &changes))
        return error;
    apply(changes);
    m_unknown.endPass();
    ++m_passes;
    adapt();
    return std::nullopt;
}

/// In which parts it is asked who holds the names: the next ones, as many as may be.
QList<bool> LeaseMirror::holderTurns()
{
    QList<bool> turns(m_filledUpTo, false);
    const auto first = std::find_if(m_parts.cbegin(), m_parts.cbegin() + m_filledUpTo,
                                    [this](const Part &part) { return part.upTo > m_holdersUpTo; });
    qint64 asked = 0;
    for (qsizetype i = 0; i < m_filledUpTo; ++i) {
        const qsizetype index = (first - m_parts.cbegin() + i) % m_filledUpTo;
        const auto [begin, end] = entriesOf(index);
        if (i > 0 && asked + end - begin > m_holdersAPass)
            break;
        asked += end - begin;
        turns[index] = true;
        m_holdersUpTo = m_parts[index].upTo;
    }
    return turns;
}

std::optional<LockError> LeaseMirror::askPart(qsizetype index, Answer *answer, Names *names)
{
    Part &part = m_parts[index];
    Params params = this->params(index);
    params.number("holders", qint64(answer->withHolders));
    if (part.readAt)
        params.number("since", qint64((*part.readAt - kOverlap).time_since_epoch().count()));
    const Family family = m_session.info().family;
    const auto asked = Clock::now();
    const Reply reply = m_session.run(sqlText("monitor/clock", family) + "; "
                                          + renderSql(sqlText("monitor/lease_digests", family), params),
                                      "monitor/lease_digests");
    if (!reply)
        return reply.error;
    m_slowest = std::max(m_slowest, Clock::now() - asked);
    const ServerTime now = toServerTime(reply.value(0)).value_or(ServerTime{});
    part.readAt = now;
    if (index == 0)
        m_clock = {now, Clock::now()};
    const QVariantList texts = reply.set(-1).rows.value(0);
    const LeaseDigests digests = readDigests(texts.value(0).toByteArray());
    m_hasGrown = m_hasGrown || qint64(digests.size()) > kGrown * std::max<qint64>(m_partRows, part.held);
    const LeaseDigests known = knownDigests(index, answer->withHolders);
    answer->unknown = without(digests, known);
    addMissing(index, without(known, digests), answer->withHolders, names);
    for (const QByteArray &granted : texts.value(1).toByteArray().split(',')) {
        if (!granted.isEmpty())
            names->insert(QByteArray::fromHex(granted));
    }
    return std::nullopt;
}

LeaseDigests LeaseMirror::knownDigests(qsizetype part, bool withHolders) const
{
    const auto [first, end] = entriesOf(part);
    LeaseDigests known;
    known.reserve(std::size_t(end - first));
    for (qsizetype i = first; i < end; ++i)
        known.push_back(m_entries[i].digestOf(withHolders));
    std::sort(known.begin(), known.end());
    return known;
}

LeaseDigests LeaseMirror::digestsOf(const Changes &changes, qsizetype part, bool withHolders) const
{
    LeaseDigests digests;
    const auto end = changes.upperBound(lastKeyOf(m_parts[part].upTo));
    for (auto change = changes.upperBound(lastKeyOf(behind(part))); change != end; ++change) {
        if (*change)
            digests.push_back((*change)->digestOf(withHolders));
    }
    std::sort(digests.begin(), digests.end());
    return digests;
}

/// Of leases whose digest the server does not have, or has less often than there are leases with it.
void LeaseMirror::addMissing(qsizetype part, const LeaseDigests &missing, bool withHolders, Names *names) const
{
    const auto [first, end] = entriesOf(part);
    for (qsizetype i = first; i < end && !missing.empty(); ++i) {
        const Entry &entry = m_entries[i];
        if (std::binary_search(missing.cbegin(), missing.cend(), entry.digestOf(withHolders)))
            names->insert(entry.row->key.resource);
    }
}

/// One lease of each connection that holds names, and those without a living holder, whose process may connect again;
/// in turns, where there are very many. None that is read again anyway: it has ended, most likely, and would say
/// nothing of the connection.
LeaseMirror::Witnesses LeaseMirror::chooseWitnesses(const Names &names)
{
    const auto from = std::upper_bound(m_entries.cbegin(), m_entries.cend(), m_witnessed,
                                       [](const LockKey &a, const Entry &b) { return a < b.row->key; });
    Witnesses witnesses;
    QSet<quint32> seen;
    quint32 last = 0;
    for (qsizetype i = 0; i < m_entries.size() && witnesses.size() < kMostWitnesses; ++i) {
        const qsizetype index = (from - m_entries.cbegin() + i) % m_entries.size();
        const Entry &entry = m_entries[index];
        if (entry.isKept || (entry.holder != 0 && (entry.holder == last || seen.contains(entry.holder))))
            continue;
        if (names.contains(entry.row->key.resource))
            continue;
        witnesses.append(index);
        seen.insert(entry.holder);
        last = entry.holder;
        m_witnessed = entry.row->key;
    }
    return witnesses;
}

/// What a connection held that does not hold its witness's name any more.
LeaseMirror::Names LeaseMirror::leftBehind(const Witnesses &witnesses, const Changes &changes) const
{
    QSet<quint32> gone;
    for (const qsizetype i : witnesses) {
        const Entry &before = m_entries[i];
        const std::optional<Entry> now = changes.value(before.row->key);
        if (before.holder != 0 && now && now->row->token == before.row->token && now->holder != before.holder)
            gone.insert(before.holder);
    }
    Names names;
    for (qsizetype i = 0; i < m_entries.size() && !gone.isEmpty(); ++i) {
        if (gone.contains(m_entries[i].holder))
            names.insert(m_entries[i].row->key.resource);
    }
    return names;
}

std::optional<LockError> LeaseMirror::readNamed(const Names &names, Changes *changes)
{
    QList<QByteArray> sorted(names.cbegin(), names.cend());
    std::sort(sorted.begin(), sorted.end());
    for (qsizetype i = 0; i < sorted.size(); i += kNamesAtOnce) {
        const QList<QByteArray> some = sorted.mid(i, kNamesAtOnce);
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

/// What no name was told of, for it was granted an earlier time than it was seen.
std::optional<LockError> LeaseMirror::readMissed(const QList<Answer> &answers, Changes *changes)
{
    for (qsizetype i = 0; i < m_filledUpTo; ++i) {
        const Answer &answer = answers[i];
        if (m_unknown.add(without(answer.unknown, digestsOf(*changes, i, answer.withHolders)))) {
            if (auto error = readAgain(i, changes))
                return error;
        }
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

/// Parts of another size from the next survey on, which is the next pass: at once after one that took too long, or that
/// has grown, for names that begin alike all come into one.
void LeaseMirror::adapt()
{
    const qsizetype before = m_partRows;
    m_quickPasses = m_slowest < kShortAnswer ? m_quickPasses + 1 : 0;
    if (m_slowest > kLongAnswer) {
        m_partRows = std::max(m_partRows / 2, kLeastRows);
    } else if (m_quickPasses >= kPassesToGrow && m_parts.size() > 1) {
        m_partRows = std::min(m_partRows * 2, kMostRows);
        m_quickPasses = 0;
    }
    if (m_partRows != before || m_hasGrown)
        m_passes = PassesASurvey;
}

} // namespace lockscope
