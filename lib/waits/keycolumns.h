// SPDX-License-Identifier: MIT
// The fields of a record as InnoDB keeps them, read by the types of the columns of its index.
#pragma once

#include "session/session.h"

#include <QtCore/QMap>
#include <QtCore/QString>

#include <optional>

namespace lockscope {

/// A column of an index, as its bytes are to be read.
struct KeyColumn
{
    QString name;
    QString type; ///< "int", "varchar", …
    bool isUnsigned = false;

    bool operator==(const KeyColumn &) const = default;
};

bool isInteger(const KeyColumn &column);
bool isText(const KeyColumn &column);

/// How keys are written here, of a lock and of an entry: 'a', 0x00FF.
QString quotedText(const QString &text);
QString hexadecimal(const QByteArray &bytes);

/// Of each table, by table and index; of a secondary index the columns of the primary key follow its own.
using IndexColumns = QMap<QString, QMap<QString, QList<KeyColumn>>>;

/// "20, 'b', NULL", of as many fields as the index has columns.
QString readableFields(const QList<std::optional<QByteArray>> &fields, const QList<KeyColumn> &columns);

/// Reads the indexes of a schema.
std::optional<LockError> readIndexColumns(Session &session, const QString &schema, IndexColumns *indexes);
/// Those of one table, beside what is there: a schema may have thousands.
std::optional<LockError> addIndexColumns(Session &session, const QString &schema, const QString &table,
                                         IndexColumns *indexes);

} // namespace lockscope
