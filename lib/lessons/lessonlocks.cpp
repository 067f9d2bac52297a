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

bool isInteger(const LessonColumn &column)
{
    return column.type.endsWith(QLatin1String("int"));
}

bool isText(const LessonColumn &column)
{
    return column.type.endsWith(QLatin1String("char")) || column.type.endsWith(QLatin1String("text"));
}

QString quotedText(const QString &text)
{
    return u'\'' + QString(text).replace(u'\'', QStringLiteral("''")) + u'\'';
}

QString hexadecimal(const QByteArray &bytes)
{
    return QStringLiteral("0x") + QString::fromLatin1(bytes.toHex().toUpper());
}

namespace {

constexpr int kMaxLocks = 2000;

/// InnoDB keeps integers with the high byte first, and turns the highest bit of signed ones over, so that bytes sort
/// as numbers do.
QString integerText(const QByteArray &bytes, bool isUnsigned)
{
    quint64 number = 0;
    for (const char byte : bytes)
        number = (number << 8) | quint8(byte);
    if (isUnsigned)
        return QString::number(number);
    const int bits = int(bytes.size()) * 8;
    const quint64 sign = quint64(1) << (bits - 1);
    number ^= sign;
    const qint64 value = bits == 64 || number < sign ? qint64(number) : qint64(number) - (qint64(1) << bits);
    return QString::number(value);
}

QString fieldText(const std::optional<QByteArray> &field, const LessonColumn &column)
{
    if (!field)
        return QStringLiteral("NULL");
    if (isInteger(column) && !field->isEmpty() && field->size() <= 8)
        return integerText(*field, column.isUnsigned);
    if (isText(column)) {
        QString text = QString::fromUtf8(*field);
        if (column.type == QLatin1String("char"))
            text = text.trimmed();
        return quotedText(text);
    }
    return hexadecimal(*field);
}

LessonLocks onMySql(const Reply &reply)
{
    LessonLocks found;
    for (const QVariantList &row : reply.set(-1).rows)
        found.locks.append({row.value(0).toULongLong(), row.value(1).toString(), row.value(2).toString(),
                            row.value(3).toString(), row.value(4).toString(), row.value(5).toBool()});
    return found;
}

LessonLocks onMariaDb(const QByteArray &status, const QString &schema, const LessonIndexes &indexes)
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

QString readableFields(const QList<std::optional<QByteArray>> &fields, const QList<LessonColumn> &columns)
{
    QStringList texts;
    for (qsizetype i = 0; i < std::min(fields.size(), columns.size()); ++i)
        texts += fieldText(fields.at(i), columns.at(i));
    return texts.join(QStringLiteral(", "));
}

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

std::optional<LockError> readIndexes(Session &session, const QString &schema, LessonIndexes *indexes)
{
    const Reply reply = session.run("lessons/columns", Params().text("schema", schema));
    if (!reply)
        return reply.error;
    indexes->clear();
    for (const QVariantList &row : reply.set(-1).rows)
        (*indexes)[row.value(0).toString()][row.value(1).toString()].append(
            {row.value(2).toString(), row.value(3).toString().toLower(),
             row.value(4).toString().contains(QLatin1String("unsigned"))});
    for (auto &ofTable : *indexes) {
        const QList<LessonColumn> primary = ofTable.value(QStringLiteral("PRIMARY"));
        for (auto index = ofTable.begin(); index != ofTable.end(); ++index) {
            for (const LessonColumn &column : primary) {
                if (!index.value().contains(column))
                    index.value().append(column);
            }
        }
    }
    return std::nullopt;
}

std::optional<LockError> readLocks(Session &session, const QString &schema, const LessonIndexes &indexes,
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
