// SPDX-License-Identifier: MIT
#include "tableversions_p.h"

#include "ownversions_p.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QUtf8StringView>

#include <limits>

namespace lockscope::detail {

namespace {

/// 9999-12-31 23:59:59.999999, the last moment a server knows.
constexpr qint64 kLastMoment = 253'402'300'799'999'999;

/// The only way values get into a statement that is put together here.
QByteArray literal(const ColumnValue &value)
{
    Params params;
    if (const auto *number = std::get_if<qint64>(&value))
        params.number("v", *number);
    else if (const auto *positive = std::get_if<quint64>(&value))
        params.number("v", *positive);
    else if (const auto *text = std::get_if<QString>(&value))
        params.text("v", *text);
    else if (const auto *bytes = std::get_if<QByteArray>(&value))
        params.bytes("v", *bytes);
    else
        params.null("v");
    return renderSql(":v", params);
}

/// Cut where a name is too long for a column; what follows its first part tells it from others that begin alike.
QByteArray shortName(const QByteArray &name)
{
    constexpr qsizetype digits = 16;
    if (name.size() <= MaxResourceBytes)
        return name;
    qsizetype kept = MaxResourceBytes - 1 - digits;
    while (kept > 0 && (uchar(name[kept]) & 0xC0) == 0x80) // not within a character
        --kept;
    const QByteArray digest = QCryptographicHash::hash(name, QCryptographicHash::Sha256);
    return name.left(kept) + '~' + digest.toHex().left(digits);
}

QByteArray moment(const QByteArray &microseconds)
{
    return "CAST('1970-01-01' AS DATETIME(6)) + INTERVAL " + microseconds + " MICROSECOND";
}

/// A version as it was read; nothing where it is NULL, a zero date, or larger than a qint64.
std::optional<qint64> versionFrom(const QVariant &value)
{
    if (!value.isValid())
        return std::nullopt;
    if (value.typeId() == QMetaType::ULongLong && value.toULongLong() > quint64(std::numeric_limits<qint64>::max()))
        return std::nullopt;
    return value.toLongLong();
}

} // namespace

TableVersions::TableVersions(VersionedTable table, const QString &defaultSchema)
    : m_table(std::move(table))
{
    if (!m_table.schema.isEmpty() && m_table.schema != defaultSchema)
        m_countedAs = m_table.schema.toUtf8() + '.';
    m_countedAs += m_table.table.toUtf8() + ':';
    if (m_table.schema.isEmpty())
        m_table.schema = defaultSchema;
    m_validationError = validateNames(m_table);
    const QByteArray version = quotedIdentifier(isByTime() ? m_table.timestampColumn : m_table.versionColumn);
    m_select = "SELECT " + (isByTime() ? "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + version + ')' : version);
    for (const QString &column : std::as_const(m_table.readColumns))
        m_select += ", " + quotedIdentifier(column);
    m_where = " WHERE " + quotedIdentifier(m_table.keyColumn) + " = ";
    m_select += " FROM " + quotedTable(m_table.schema, m_table.table) + m_where;
}

std::optional<LockError> TableVersions::validate(const ColumnValues &values) const
{
    for (const auto &[name, value] : values) {
        if (auto wrong = validateName(name, QStringLiteral("A column to set")))
            return wrong;
        for (const QString &taken : {m_table.keyColumn, m_table.versionColumn, m_table.timestampColumn}) {
            if (name.compare(taken, Qt::CaseInsensitive) == 0)
                return badRequest(QStringLiteral("Column %1 is key or version: a commit sets it itself.").arg(name));
        }
        const auto *text = std::get_if<QString>(&value);
        if (text && !text->isValidUtf16())
            return badRequest(QStringLiteral("The text for column %1 is not valid Unicode.").arg(name));
    }
    return std::nullopt;
}

std::optional<LockError> TableVersions::prepare(ReconnectingSession &link)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_shape)
            return std::nullopt;
    }
    LockError error;
    const auto shape = readTable(link, m_table, &error);
    if (!shape)
        return error;
    const std::lock_guard lock(m_mutex);
    m_shape = shape;
    return std::nullopt;
}

TableShape::Key TableVersions::key() const
{
    const std::lock_guard lock(m_mutex);
    return m_shape->key;
}

std::optional<LockError> TableVersions::validate(const QByteArray &resource) const
{
    switch (key()) {
    case TableShape::Key::Integer:
        if (resource == QByteArray::number(resource.toLongLong())
            || resource == QByteArray::number(resource.toULongLong()))
            return std::nullopt;
        return badRequest(QStringLiteral("Column %1 holds integers, so the resource name must be one, without spaces "
                                         "or leading zeros.")
                              .arg(m_table.keyColumn));
    case TableShape::Key::Text:
        if (QUtf8StringView(resource).isValidUtf8())
            return std::nullopt;
        return badRequest(
            QStringLiteral("Column %1 holds text, so the resource name must be UTF-8.").arg(m_table.keyColumn));
    case TableShape::Key::Bytes:
        break;
    }
    return std::nullopt;
}

/// Of the column's own kind, so that its key serves and 'a' never equals 0.
QByteArray TableVersions::keyLiteral(const QByteArray &resource) const
{
    switch (key()) {
    case TableShape::Key::Integer:
        return resource.startsWith('-') ? literal(resource.toLongLong()) : literal(resource.toULongLong());
    case TableShape::Key::Text:
        return literal(QString::fromUtf8(resource));
    case TableShape::Key::Bytes:
        break;
    }
    return literal(resource);
}

ReadResult TableVersions::read(ReconnectingSession &link, const QByteArray &resource)
{
    const Reply reply = link.run(m_select + keyLiteral(resource), QByteArray("optimistic/read"));
    if (!reply)
        return {ReadOutcome::Failed, {}, explained(*reply.error, m_table)};
    if (reply.set(-1).rows.isEmpty())
        return {ReadOutcome::NotFound, {}, {}};
    QVariantList row = reply.set(-1).rows.first();
    const auto version = versionFrom(row.takeFirst());
    if (!version) {
        return {ReadOutcome::Failed,
                {},
                badRequest(QStringLiteral("The row's version in table %1 is NULL or out of range. Set it once in all "
                                          "such rows and make the column NOT NULL.")
                               .arg(QString::fromUtf8(quotedTable(m_table.schema, m_table.table))))};
    }
    ReadResult result{ReadOutcome::Read, {resource, *version, {}, std::move(row)}, {}};
    if (isByTime())
        result.snapshot.updatedAt = serverTime(*version);
    return result;
}

/// LAST_INSERT_ID carries the new time to the client without another read.
QByteArray TableVersions::newVersion(qint64 old) const
{
    if (!isByTime())
        return quotedIdentifier(m_table.versionColumn) + " + 1";
    return moment("LAST_INSERT_ID(GREATEST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), "
                  + QByteArray::number(old + 1) + "))");
}

Reply TableVersions::send(ReconnectingSession &link, const VersionCommit &commit)
{
    const qint64 old = commit.from.version;
    if (isByTime() && old >= kLastMoment)
        return {{}, badRequest(QStringLiteral("The row's time is the last there is. Set it to the present."))};
    const QByteArray version = quotedIdentifier(isByTime() ? m_table.timestampColumn : m_table.versionColumn);
    QByteArray sql =
        "UPDATE " + quotedTable(m_table.schema, m_table.table) + " SET " + version + " = " + newVersion(old);
    for (const auto &[name, value] : commit.values)
        sql += ", " + quotedIdentifier(name) + " = " + literal(value);
    sql += m_where + keyLiteral(commit.from.resource) + " AND " + version + " = "
        + (isByTime() ? moment(QByteArray::number(old)) : QByteArray::number(old));
    Reply reply = link.run(sql, QByteArray("optimistic/commit"));
    if (reply.error)
        reply.error = explained(*reply.error, m_table);
    return reply;
}

Snapshot TableVersions::after(const VersionCommit &commit, quint64 insertId) const
{
    Snapshot now;
    now.resource = commit.from.resource;
    now.version = isByTime() ? qint64(insertId) : commit.from.version + 1;
    if (isByTime())
        now.updatedAt = serverTime(now.version);
    return now;
}

VersionRows::Fate TableVersions::fateOf(ReconnectingSession &link, const VersionCommit &commit)
{
    const ReadResult now = read(link, commit.from.resource);
    if (now.outcome == ReadOutcome::Failed)
        return Fate::NoAnswer;
    const bool isAsRead = now.outcome == ReadOutcome::Read && now.snapshot.version == commit.from.version;
    return isAsRead ? Fate::NotDone : Fate::Undecidable;
}

QByteArray TableVersions::countedAs(const QByteArray &resource) const
{
    return shortName(m_countedAs + resource);
}

std::unique_ptr<VersionRows> versionRowsOf(const VersionedTable &table, const EngineConfig &config)
{
    const bool isOwn = table.table.isEmpty() && table.keyColumn.isEmpty() && table.versionColumn.isEmpty()
        && table.timestampColumn.isEmpty() && table.schema.isEmpty() && table.readColumns.isEmpty();
    if (isOwn)
        return std::make_unique<OwnVersions>(config.namePrefix);
    return std::make_unique<TableVersions>(table, config.server.schema);
}

} // namespace lockscope::detail
