// SPDX-License-Identifier: MIT
#include "statement.h"

#include "embeddedsql.h"

#include <QtCore/QHash>
#include <QtCore/QtGlobal>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lockscope {

namespace {

bool isNameChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool isLockName(const QByteArray &name)
{
    return !name.isEmpty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ':';
    });
}

/// These write to where there is room, and return the place after it. Far quicker than QByteArray::append() for what is
/// small.
char *put(char *to, QByteArrayView text)
{
    return std::copy(text.begin(), text.end(), to);
}

char *putQuoted(char *to, QByteArrayView text)
{
    *to++ = '\'';
    to = put(to, text);
    *to++ = '\'';
    return to;
}

/// "00" to "ff".
constexpr auto kHexPairs = [] {
    constexpr char digits[] = "0123456789abcdef";
    std::array<std::array<char, 2>, 256> pairs{};
    for (std::size_t byte = 0; byte < pairs.size(); ++byte)
        pairs[byte] = {digits[byte >> 4], digits[byte & 0xf]};
    return pairs;
}();

char *putHex(char *to, QByteArrayView bytes)
{
    to = put(to, "x'");
    for (const char byte : bytes)
        to = std::copy_n(kHexPairs[uchar(byte)].begin(), 2, to);
    *to++ = '\'';
    return to;
}

constexpr qsizetype kMaxDigits = 20;

template<typename Number>
char *putNumber(char *to, Number number)
{
    return std::to_chars(to, to + kMaxDigits, number).ptr;
}

/// Calls `onPlace` with what stands before each place, and with its name. Returns what comes after the last one.
template<typename OnPlace>
QByteArrayView eachPlace(const QByteArray &sql, OnPlace onPlace)
{
    qsizetype begin = 0;
    for (qsizetype colon = sql.indexOf(':'); colon >= 0; colon = sql.indexOf(':', colon)) {
        qsizetype end = colon + 1;
        while (end < sql.size() && isNameChar(sql[end]))
            ++end;
        if (end > colon + 1) {
            const std::string_view name(sql.constData() + colon + 1, std::size_t(end - colon - 1));
            onPlace(QByteArrayView(sql.constData() + begin, colon - begin), name);
            begin = end;
        }
        colon = end;
    }
    return {sql.constData() + begin, sql.size() - begin};
}

/// Name → text.
using Texts = QHash<QByteArray, QByteArray>;

Texts textsOf(Family family)
{
    const int number = family == Family::MariaDb ? 1 : 2;
    Texts texts;
    for (int i = 0; i < detail::kEmbeddedSqlCount; ++i) {
        const auto &entry = detail::kEmbeddedSql[i];
        if (entry.family == 0 || entry.family == number) // 0: both
            texts.insert(entry.name, entry.text);
    }
    return texts;
}

const Texts &embedded(Family family)
{
    // Never destroyed: an engine may be a global object, which releases its locks in the end.
    static const auto *const mariaDb = new Texts(textsOf(Family::MariaDb));
    static const auto *const mySql = new Texts(textsOf(Family::MySql));
    return family == Family::MariaDb ? *mariaDb : *mySql;
}

} // namespace

Params &Params::set(std::string_view name, Value::Form form, QByteArray text, quint64 number)
{
    m_values.push_back({name, form, std::move(text), number});
    return *this;
}

qsizetype Params::Value::maxSize() const
{
    return 2 * text.size() + kMaxDigits; // as hexadecimal digits, or as a number
}

char *Params::Value::put(char *to) const
{
    switch (form) {
    case Form::Plain:
        return lockscope::put(to, text);
    case Form::Quoted:
        return putQuoted(to, text);
    case Form::HexText:
        to = lockscope::put(to, "_utf8mb4 ");
        [[fallthrough]];
    case Form::Hex:
        return putHex(to, text);
    case Form::Signed:
        return putNumber(to, qint64(number));
    case Form::Unsigned:
        return putNumber(to, number);
    }
    Q_UNREACHABLE();
}

Params &Params::bytes(std::string_view name, const QByteArray &value)
{
    return set(name, Value::Form::Hex, value);
}

Params &Params::bytesList(std::string_view name, const QList<QByteArray> &values)
{
    QByteArray list;
    for (const QByteArray &value : values) {
        if (!list.isEmpty())
            list.append(',');
        list.append("x'" + value.toHex() + '\'');
    }
    return set(name, Value::Form::Plain, list);
}

Params &Params::text(std::string_view name, const QString &value)
{
    return set(name, Value::Form::HexText, value.toUtf8());
}

Params &Params::number(std::string_view name, qint64 value)
{
    return set(name, Value::Form::Signed, {}, quint64(value));
}

Params &Params::number(std::string_view name, quint64 value)
{
    return set(name, Value::Form::Unsigned, {}, value);
}

Params &Params::numberList(std::string_view name, const QList<quint64> &values)
{
    QByteArray list;
    for (const quint64 value : values) {
        if (!list.isEmpty())
            list.append(',');
        list.append(QByteArray::number(value));
    }
    return set(name, Value::Form::Plain, list.isEmpty() ? QByteArray("NULL") : list);
}

Params &Params::microseconds(std::string_view name, std::optional<std::chrono::microseconds> value)
{
    return value ? number(name, qint64(value->count())) : null(name);
}

Params &Params::lockName(std::string_view name, const QByteArray &value)
{
    return set(name, Value::Form::Quoted, isLockName(value) ? value : QByteArray());
}

Params &Params::identifier(std::string_view name, const QString &identifier)
{
    return set(name, Value::Form::Plain, quotedIdentifier(identifier));
}

Params &Params::table(std::string_view name, const QString &schema, const QString &table)
{
    return set(name, Value::Form::Plain, quotedTable(schema, table));
}

Params &Params::variable(std::string_view name, const char *variable)
{
    return set(name, Value::Form::Plain, QByteArray::fromRawData(variable, qsizetype(qstrlen(variable))));
}

Params &Params::null(std::string_view name)
{
    return variable(name, "NULL");
}

const Params::Value &Params::valueFor(std::string_view name) const
{
    const auto found =
        std::find_if(m_values.rbegin(), m_values.rend(), [&](const Value &one) { return one.name == name; });
    if (found == m_values.rend())
        qFatal("Lockscope: no value for :%.*s", int(name.size()), name.data());
    return *found;
}

/// Each piece, and what follows the last one.
QByteArray Params::joined(const Pieces &pieces, QByteArrayView rest)
{
    qsizetype maxSize = rest.size();
    for (const Piece &piece : pieces)
        maxSize += piece.before.size() + piece.value->maxSize();
    QByteArray out(maxSize, Qt::Uninitialized);
    char *to = out.data();
    for (const Piece &piece : pieces)
        to = piece.value->put(put(to, piece.before));
    to = put(to, rest);
    out.truncate(to - out.constData());
    return out;
}

QByteArray renderSql(const QByteArray &sql, const Params &params)
{
    Params::Pieces pieces;
    const QByteArrayView rest = eachPlace(sql, [&](QByteArrayView before, std::string_view name) {
        pieces.append({before, &params.valueFor(name)});
    });
    return Params::joined(pieces, rest);
}

PreparedSql preparedSql(const QByteArray &sql)
{
    PreparedSql prepared;
    const QByteArrayView rest = eachPlace(sql, [&](QByteArrayView before, std::string_view name) {
        prepared.text.append(before).append('?');
        prepared.places.emplace_back(name);
    });
    prepared.text.append(rest);
    return prepared;
}

QByteArray renderValues(const QByteArray &begin, const std::vector<std::string> &places, const Params &params)
{
    Params::Pieces pieces;
    QByteArrayView before = begin;
    for (const std::string &place : places)
        pieces.append({std::exchange(before, ", "), &params.valueFor(place)});
    return Params::joined(pieces, places.empty() ? before : QByteArrayView());
}

const QByteArray &sqlText(const QByteArray &name, Family family)
{
    const Texts &texts = embedded(family);
    const auto found = texts.constFind(name);
    if (found == texts.cend())
        qFatal("Lockscope: no statement named %s", name.constData());
    return *found;
}

QList<QByteArray> sqlNames(const QByteArray &folder)
{
    QList<QByteArray> names = embedded(Family::MariaDb).keys();
    names.removeIf([&](const QByteArray &name) { return !name.startsWith(folder + '/'); });
    std::sort(names.begin(), names.end());
    return names;
}

QString familyName(Family family)
{
    return family == Family::MariaDb ? QStringLiteral("MariaDB") : QStringLiteral("MySQL");
}

QByteArray quotedIdentifier(const QString &name)
{
    return '`' + name.toUtf8().replace('`', "``") + '`';
}

QByteArray quotedTable(const QString &schema, const QString &table)
{
    return schema.isEmpty() ? quotedIdentifier(table) : quotedIdentifier(schema) + '.' + quotedIdentifier(table);
}

} // namespace lockscope
