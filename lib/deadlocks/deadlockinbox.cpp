// SPDX-License-Identifier: MIT
#include "deadlockinbox.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QSet>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

QStringList tablesOf(const Deadlock &deadlock)
{
    QSet<QString> names;
    for (const DeadlockSide &side : deadlock.sides) {
        for (const PrintedLock &lock : side.holds + side.waitsFor)
            names += lock.schema + u'.' + lock.table;
    }
    QStringList sorted(names.cbegin(), names.cend());
    sorted.sort();
    return sorted;
}

/// Some bytes: a server that runs for a year may have seen very many.
QByteArray idOf(const QByteArray &shape)
{
    return QCryptographicHash::hash(shape, QCryptographicHash::Sha1);
}

} // namespace

std::optional<LockError> DeadlockInbox::read(Session &session, bool *isChanged)
{
    DeadlockNews news;
    if (auto error = m_feed.read(session, &news))
        return error;
    *isChanged = take(news);
    return std::nullopt;
}

bool DeadlockInbox::take(const DeadlockNews &news)
{
    const bool isFirst = !std::exchange(m_isRead, true);
    const bool wasCounted = std::exchange(m_isCounted, news.notCaptured.has_value());
    (isFirst ? m_missedBefore : m_missedSince) += news.notCaptured.value_or(0);
    m_isRestarted = m_isRestarted || news.isRestarted;
    if (news.latest) {
        add(*news.latest);
        if (!isFirst && !isOfRun(*news.latest))
            ++m_arrived;
    }
    return isFirst || wasCounted != m_isCounted || news.latest || news.notCaptured.value_or(0) > 0 || news.isRestarted;
}

void DeadlockInbox::add(const Deadlock &deadlock)
{
    DeadlockShape entry{.shape = shapeOf(deadlock),
                        .first = deadlock.at,
                        .isOfRun = isOfRun(deadlock),
                        .cause = causeOf(deadlock),
                        .tables = tablesOf(deadlock)};
    const auto known = std::ranges::find(m_shapes, entry.shape, &DeadlockShape::shape);
    if (known != m_shapes.end()) {
        entry.count = known->count;
        entry.first = known->first;
        m_shapes.erase(known);
    } else if (const auto dropped = m_dropped.constFind(idOf(entry.shape)); dropped != m_dropped.constEnd()) {
        entry.count = dropped->count;
        entry.first = dropped->first;
        m_dropped.erase(dropped);
    }
    ++entry.count;
    entry.latest = deadlock;
    m_shapes.prepend(std::move(entry));
    shrink();
}

/// The one that came last stays, however long it is.
void DeadlockInbox::shrink()
{
    qsizetype bytes = 0;
    qsizetype kept = 0;
    while (kept < std::min(m_shapes.size(), MaxShapes)) {
        bytes += m_shapes[kept].latest.text.size() + m_shapes[kept].shape.size();
        if (kept > 0 && bytes > MaxBytes)
            break;
        ++kept;
    }
    for (qsizetype i = kept; i < m_shapes.size() && m_dropped.size() < MaxDropped; ++i)
        m_dropped.insert(idOf(m_shapes[i].shape), {m_shapes[i].count, m_shapes[i].first});
    m_shapes.resize(kept);
}

} // namespace lockscope
