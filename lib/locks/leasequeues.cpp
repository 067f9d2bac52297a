// SPDX-License-Identifier: MIT
#include "leasequeues.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

constexpr qsizetype kNamesAtOnce = 512;

/// What an engine would write; the table may hold anything, and some servers refuse to be asked for other names.
bool isName(const QByteArray &name)
{
    constexpr qsizetype kSession = 32;
    constexpr qsizetype kBegin = 3 + kSession + 1;
    if (!name.startsWith("ls:") || name.size() <= kBegin || name.size() > kBegin + 20 || name[kBegin - 1] != ':')
        return false;
    const auto isDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    const auto isLetter = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); };
    return std::all_of(name.begin() + 3, name.begin() + 3 + kSession, isDigit)
        && std::all_of(name.begin() + kBegin, name.end(), isLetter);
}

/// One text with commas: a column for each name would cost more than to ask.
QByteArray holdersSql(const QList<QByteArray> &names)
{
    QByteArray sql = "SELECT CONCAT_WS(','";
    for (const QByteArray &name : names)
        sql += ", IFNULL(IS_USED_LOCK('" + name + "'), 0)";
    return sql + ")";
}

} // namespace

std::optional<LockError> LeaseQueues::ask(const QList<QByteArray> &queues)
{
    m_holders.clear();
    QList<QByteArray> names;
    for (const QByteArray &queue : queues) {
        const QByteArrayList all = detail::queueNames(queue);
        std::copy_if(all.cbegin(), all.cend(), std::back_inserter(names), isName);
    }
    for (qsizetype i = 0; i < names.size(); i += kNamesAtOnce) {
        const QList<QByteArray> some = names.mid(i, kNamesAtOnce);
        const Reply reply = m_session.run(holdersSql(some), "monitor/waiters");
        if (!reply)
            return reply.error;
        const QByteArrayList holders = reply.value().toByteArray().split(',');
        for (qsizetype j = 0; j < some.size(); ++j) {
            if (const quint64 holder = holders.value(j).toULongLong(); holder != 0)
                m_holders.insert(some[j], holder);
        }
    }
    return std::nullopt;
}

std::vector<detail::QueueEntry> LeaseQueues::livingOf(const QByteArray &queue) const
{
    auto entries = detail::parseQueue(queue);
    std::erase_if(entries, [this](const auto &entry) { return !m_holders.contains(entry.name); });
    return entries;
}

int LeaseQueues::countLiving(const QByteArray &queue) const
{
    const QByteArrayList names = detail::queueNames(queue);
    return int(std::count_if(names.cbegin(), names.cend(),
                             [this](const QByteArray &name) { return m_holders.contains(name); }));
}

} // namespace lockscope
