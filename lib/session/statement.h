// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QVarLengthArray>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope {

/// Which of the two server families a session talks to.
enum class Family { MariaDb, MySql };
/// "MariaDB" or "MySQL".
QString familyName(Family family);

/// Values for the `:name` places of a statement, each rendered as a literal that needs no escaping. Names and variables
/// are string literals: they are not copied.
class Params
{
public:
    /// Any bytes, as a hexadecimal literal (a binary string).
    Params &bytes(std::string_view name, const QByteArray &value);
    /// Several of them, for an IN (…).
    Params &bytesList(std::string_view name, const QList<QByteArray> &values);
    /// Text, as a hexadecimal utf8mb4 literal.
    Params &text(std::string_view name, const QString &value);
    Params &number(std::string_view name, qint64 value);
    Params &number(std::string_view name, quint64 value);
    /// Several of them, for an IN (…); NULL, which is none, when there are none.
    Params &numberList(std::string_view name, const QList<quint64> &values);
    /// A duration in microseconds, NULL for none.
    Params &microseconds(std::string_view name, std::optional<std::chrono::microseconds> value);
    /// A user-level lock's name: [a-z0-9:], at most 64; anything else renders as an empty name.
    Params &lockName(std::string_view name, const QByteArray &value);
    /// A name of a column, or of a table with its schema (empty: the connection's own).
    Params &identifier(std::string_view name, const QString &identifier);
    Params &table(std::string_view name, const QString &schema, const QString &table);
    /// A variable of the session that an earlier statement of the packet set, such as "@old".
    Params &variable(std::string_view name, const char *variable);
    Params &null(std::string_view name);

private:
    friend QByteArray renderSql(const QByteArray &sql, const Params &params);
    friend QByteArray renderValues(const QByteArray &begin, const std::vector<std::string> &places,
                                   const Params &params);

    /// A value before it is written: that happens directly in the packet, because every request goes this way.
    struct Value
    {
        enum class Form { Plain, Quoted, Hex, HexText, Signed, Unsigned };

        std::string_view name;
        Form form;
        QByteArray text;
        quint64 number;

        qsizetype maxSize() const;
        char *put(char *to) const;
    };
    /// A value, and the text before it.
    struct Piece
    {
        QByteArrayView before;
        const Value *value;
    };
    using Pieces = QVarLengthArray<Piece, 16>;

    /// The one that was set last. A place without a value is a programming error and fatal.
    const Value &valueFor(std::string_view name) const;
    static QByteArray joined(const Pieces &pieces, QByteArrayView rest);
    Params &set(std::string_view name, Value::Form form, QByteArray text, quint64 number = 0);

    QVarLengthArray<Value, 8> m_values; // few, and read once: no need for a tree, nor for memory of their own
};

/// Puts the values into `sql`. A place without a value is a programming error and fatal.
QByteArray renderSql(const QByteArray &sql, const Params &params);

/// A statement for PREPARE: its text with a ? in each place, and the places' names in their order.
struct PreparedSql
{
    QByteArray text;
    std::vector<std::string> places;
};
PreparedSql preparedSql(const QByteArray &sql);
/// `begin` and the values for the places, with commas between.
QByteArray renderValues(const QByteArray &begin, const std::vector<std::string> &places, const Params &params);

/// The text of a statement in sql/, comments removed: "engine/acquire" is sql/engine/acquire.sql, or
/// acquire.mariadb.sql / acquire.mysql.sql where the families differ. An unknown name is fatal.
/// Thread: any. Cost: a map look-up.
const QByteArray &sqlText(const QByteArray &name, Family family);

/// Names of all embedded statements below `folder` ("schema"), in file order.
QList<QByteArray> sqlNames(const QByteArray &folder);

/// A quoted identifier (back-ticks doubled). The only place that quotes identifiers.
QByteArray quotedIdentifier(const QString &name);
/// `schema`.`table`, or `table` alone when the schema is empty.
QByteArray quotedTable(const QString &schema, const QString &table);

} // namespace lockscope
