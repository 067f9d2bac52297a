// SPDX-License-Identifier: MIT
#include "leasequeues.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype kNamesAtOnce = 256;

/// What an engine would write; the table may hold anything, and some servers refuse to be asked for other names.
bool isName(const QByteArray &name)
{
    static const QRegularExpression pattern(QStringLiteral("^ls:[0-9a-f]{32}:[0-9a-z]{1,20}$"));
    return pattern.match(QString::fromLatin1(name)).hasMatch();
}

QByteArray holdersSql(const QList<QByteArray> &names)
{
    QByteArray sql = "SELECT ";
    for (const QByteArray &name : names)
        sql += "IS_USED_LOCK('" + name + "'), ";
    sql.chop(2);
    return sql;
}

} // namespace

std::optional<LockError> LeaseQueues::ask(const QList<QByteArray> &queues)
{
    m_holders.clear();
    QList<QByteArray> names;
    for (const QByteArray &queue : queues) {
        for (const detail::QueueEntry &entry : detail::parseQueue(queue)) {
            if (isName(entry.name))
                names.append(entry.name);
        }
    }
    for (qsizetype i = 0; i < names.size(); i += kNamesAtOnce) {
        const QList<QByteArray> some = names.mid(i, kNamesAtOnce);
        const Reply reply = m_session.run(holdersSql(some), "monitor/waiters");
        if (!reply)
            return reply.error;
        const QVariantList holders = reply.set(-1).rows.value(0);
        for (qsizetype j = 0; j < some.size(); ++j) {
            if (const QVariant holder = holders.value(j); !holder.isNull())
                m_holders.insert(some[j], holder.toULongLong());
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

} // namespace lockscope
