// SPDX-License-Identifier: MIT
#include "lockscope/fenceguard.h"

#include "engine/optimistic/tableshape_p.h"
#include "session/session.h"
#include "session/validation_p.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlDriver>

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

using detail::badRequest;
using Kind = LockError::Kind;

constexpr int kNoSavepoint = 1305;

/// Columns of engine/fence_read.
enum ReadColumn { FenceCol, KeyCol };

FenceResult failed(LockError error)
{
    return {FenceOutcome::Failed, 0, std::move(error)};
}

bool isInteger(const QVariant &value)
{
    switch (value.typeId()) {
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::Long:
    case QMetaType::ULong:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Short:
    case QMetaType::UShort:
    case QMetaType::Char:
    case QMetaType::SChar:
    case QMetaType::UChar:
        return true;
    default:
        return false;
    }
}

bool isNumber(const QVariant &value)
{
    return isInteger(value) || value.typeId() == QMetaType::Double || value.typeId() == QMetaType::Float;
}

std::optional<LockError> validateConnection(const QSqlDatabase &database)
{
    const QSqlDriver *driver = database.driver();
    if (!driver || driver->dbmsType() != QSqlDriver::MySqlServer)
        return badRequest(QStringLiteral("The connection is not to MySQL or MariaDB. Open it with driver QMYSQL."));
    if (!database.isOpen())
        return badRequest(QStringLiteral("The connection is not open."));
    return std::nullopt;
}

std::optional<LockError> validateToken(quint64 token)
{
    if (token != 0)
        return std::nullopt;
    return badRequest(
        QStringLiteral("The token is 0: the lock is not held, or is a pessimistic one without wantsToken."));
}

std::optional<LockError> validateKey(const QVariant &key)
{
    if (key.isNull())
        return badRequest(QStringLiteral("The key is NULL, which is no row's."));
    if (key.typeId() == QMetaType::QString && !key.toString().isValidUtf16())
        return badRequest(QStringLiteral("The key is not valid Unicode; a binary key goes as QByteArray."));
    if (!isInteger(key) && key.typeId() != QMetaType::QString && key.typeId() != QMetaType::QByteArray)
        return badRequest(QStringLiteral("The key must be an integer, a QString or a QByteArray."));
    return std::nullopt;
}

void setKey(Params *params, const QVariant &key)
{
    if (key.typeId() == QMetaType::QString)
        params->text("key", key.toString());
    else if (key.typeId() == QMetaType::QByteArray)
        params->bytes("key", key.toByteArray());
    else if (key.toLongLong() < 0 && key.typeId() != QMetaType::ULongLong)
        params->number("key", key.toLongLong());
    else
        params->number("key", key.toULongLong());
}

/// What is wrong with the row that was found. Types are looked at because the server compares unlike ones as floating
/// point: 'a' then equals 0, and two large tokens each other.
std::optional<LockError> validateRow(const QList<QVariantList> &rows, const QVariant &key, quint64 token)
{
    if (rows.size() > 1)
        return badRequest(QStringLiteral("The key column is not unique: several rows have this key. Give it a PRIMARY "
                                         "or UNIQUE key of its own."));
    const QVariant fence = rows.first().value(FenceCol);
    if (isInteger(key) != isNumber(rows.first().value(KeyCol)))
        return badRequest(QStringLiteral("Key and key column are of different kinds: an integer column takes an "
                                         "integer, any other a text or bytes."));
    if (fence.isNull())
        return badRequest(QStringLiteral("The row's fence is NULL. Make the column NOT NULL DEFAULT 0."));
    const bool isSigned = fence.typeId() == QMetaType::LongLong;
    if (!isSigned && fence.typeId() != QMetaType::ULongLong)
        return badRequest(QStringLiteral("The fence column is not a BIGINT and cannot hold every token. Make it BIGINT "
                                         "UNSIGNED NOT NULL DEFAULT 0."));
    if (isSigned && token > quint64(std::numeric_limits<qint64>::max()))
        return badRequest(QStringLiteral("The token does not fit the fence column. Make it BIGINT UNSIGNED."));
    return std::nullopt;
}

quint64 seenIn(const QVariant &fence)
{
    return fence.typeId() == QMetaType::LongLong ? quint64(std::max<qint64>(0, fence.toLongLong()))
                                                 : fence.toULongLong();
}

} // namespace

FenceGuard::FenceGuard(FencedTable table)
    : m_table(std::move(table))
{
}

std::optional<LockError> FenceGuard::check() const
{
    using detail::validateName;
    if (auto wrong = validateName(m_table.table, QStringLiteral("FencedTable::table")))
        return wrong;
    if (auto wrong = validateName(m_table.keyColumn, QStringLiteral("FencedTable::keyColumn")))
        return wrong;
    if (auto wrong = validateName(m_table.fenceColumn, QStringLiteral("FencedTable::fenceColumn")))
        return wrong;
    if (m_table.keyColumn.compare(m_table.fenceColumn, Qt::CaseInsensitive) == 0)
        return badRequest(QStringLiteral("Key and fence of FencedTable are the same column."));
    if (m_table.schema.isEmpty())
        return std::nullopt;
    return validateName(m_table.schema, QStringLiteral("FencedTable::schema"));
}

FenceResult FenceGuard::pass(QSqlDatabase &database, const QVariant &key, quint64 token) const
{
    auto wrong = check();
    if (!wrong)
        wrong = validateToken(token);
    if (!wrong)
        wrong = validateKey(key);
    if (!wrong)
        wrong = validateConnection(database);
    if (wrong)
        return failed(std::move(*wrong));

    Params params;
    params.table("table", m_table.schema, m_table.table)
        .identifier("key_column", m_table.keyColumn)
        .identifier("fence_column", m_table.fenceColumn)
        .number("token", token);
    setKey(&params, key);
    const auto run = [&](const QByteArray &name) {
        Reply reply = runPacket(database, renderSql(sqlText(name, Family::MariaDb), params), name);
        if (reply.error)
            reply.error = detail::explained(*reply.error, quotedTable(m_table.schema, m_table.table), "FencedTable");
        return reply;
    };
    const Reply read = run("engine/fence_read");
    if (!read && read.error->code == kNoSavepoint) {
        return failed(badRequest(QStringLiteral("There is no open transaction: the row would be free again before the "
                                                "first write. Call QSqlDatabase::transaction() first.")));
    }
    if (!read)
        return failed(*read.error);
    const auto &rows = read.set(-1).rows;
    if (rows.isEmpty())
        return {FenceOutcome::NotFound, 0, {}};
    if ((wrong = validateRow(rows, key, token)))
        return failed(std::move(*wrong));
    const quint64 seen = seenIn(rows.first().value(FenceCol));
    if (seen > token)
        return {FenceOutcome::Stale, seen, {}};
    if (seen < token) {
        if (const Reply raised = run("engine/fence_raise"); !raised)
            return failed(*raised.error);
    }
    return {FenceOutcome::Passed, seen, {}};
}

QString FenceGuard::assignment() const
{
    if (check())
        return {};
    const QString fence = QString::fromUtf8(quotedIdentifier(m_table.fenceColumn));
    return QStringLiteral("%1 = LAST_INSERT_ID(GREATEST(%1, CAST(%2 AS UNSIGNED)))").arg(fence, Placeholder);
}

QString FenceGuard::condition() const
{
    if (check())
        return {};
    const QString fence = QString::fromUtf8(quotedIdentifier(m_table.fenceColumn));
    return QStringLiteral("%1 <= NULLIF(CAST(%2 AS UNSIGNED), 0)").arg(fence, Placeholder);
}

} // namespace lockscope
