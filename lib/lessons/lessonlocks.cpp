// SPDX-License-Identifier: MIT
#include "lessonlocks.h"

#include "waits/recordkey.h"

#include <QtCore/QSet>

#include <algorithm>
#include <tuple>

namespace lockscope {

bool LessonLock::isGap() const
{
    return isAtEnd() || isGapMode(mode);
}

bool LessonLock::isRecordAlone() const
{
    return mode.contains(QLatin1String("REC_NOT_GAP"));
}

namespace {

constexpr int kMaxLocks = 2000;

LessonLocks onMySql(const Reply &reply)
{
    LessonLocks found;
    for (const QVariantList &row : reply.set(-1).rows)
        found.locks.append({row.value(0).toULongLong(), row.value(1).toString(), row.value(2).toString(),
                            row.value(3).toString(), row.value(4).toString(), row.value(5).toBool()});
    return found;
}

LessonLocks onMariaDb(const QByteArray &status, const QString &schema, const IndexColumns &indexes)
{
    const PrintedLocks printed = printedLocks(status);
    LessonLocks found;
    found.isCut = printed.isCut;
    for (const PrintedLock &lock : printed.locks) {
        if (lock.schema != schema)
            continue;
        const QString key = lock.isEndOfIndex
            ? QLatin1String(LessonLock::kEndOfIndex)
            : readableFields(lock.fields, indexes.value(lock.table).value(lock.index));
        found.locks.append({lock.session, lock.table, lock.index, lock.mode, key, lock.isWaiting});
    }
    return found;
}

} // namespace

/// A gap's lock may come to a session that does nothing, where another divides the gap; a record's may not.
void markHidden(const QList<LessonLock> &before, const QList<quint64> &busy, QList<LessonLock> *now)
{
    for (LessonLock &lock : *now) {
        if (lock.isWaiting || !lock.isRecordAlone())
            continue;
        LessonLock hidden = lock;
        hidden.wasHidden = true;
        LessonLock waiting = lock;
        waiting.isWaiting = true;
        const bool isNew = !before.contains(lock) && !before.contains(waiting);
        lock.wasHidden = before.contains(hidden) || (isNew && !busy.contains(lock.connection));
    }
}

std::optional<LockError> readLocks(Session &session, const QString &schema, const IndexColumns &indexes,
                                   LessonLocks *locks)
{
    const bool isMySql = session.info().family == Family::MySql;
    const Reply reply = isMySql ? session.run("lessons/locks", Params().text("schema", schema))
                                : session.run("waits/innodb_status", Params());
    if (!reply)
        return reply.error;
    *locks = isMySql ? onMySql(reply) : onMariaDb(reply.set(-1).rows.value(0).value(2).toByteArray(), schema, indexes);
    std::ranges::sort(locks->locks, {}, [](const LessonLock &lock) {
        return std::tuple(lock.table, lock.index, lock.key, lock.connection, lock.mode, lock.isWaiting);
    });
    locks->isCut = locks->isCut || locks->locks.size() > kMaxLocks;
    locks->locks.resize(std::min<qsizetype>(kMaxLocks, locks->locks.size()));
    return std::nullopt;
}

} // namespace lockscope
