#include "statement.h"

#include "embeddedsql.h"

#include <QtCore/QHash>
#include <QtCore/QtGlobal>

#include <algorithm>
#include <array>
#include <charconv>

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

/// Room for `count` bytes more at the end of `out`. Far quicker than QByteArray::append() for what is small.
char *grow(QByteArray &out, qsizetype count)
{
    const qsizetype begin = out.size();
    out.resize(begin + count);
    return out.data() + begin;
}

void append(QByteArray &out, QByteArrayView text)
{
    std::copy(text.begin(), text.end(), grow(out, text.size()));
}

void appendQuoted(QByteArray &out, const QByteArray &text)
{
    char *to = grow(out, text.size() + 2);
    *to++ = '\'';
    *std::copy(text.begin(), text.end(), to) = '\'';
}

void appendHex(QByteArray &out, const QByteArray &bytes)
{
    constexpr char digits[] = "0123456789abcdef";
    char *to = grow(out, 2 * bytes.size() + 3);
    *to++ = 'x';
    *to++ = '\'';
    for (const char byte : bytes) {
        *to++ = digits[uchar(byte) >> 4];
        *to++ = digits[uchar(byte) & 0xf];
    }
    *to = '\'';
}

template<typename Number>
void appendNumber(QByteArray &out, Number number)
{
    std::array<char, 24> digits;
    const auto written = std::to_chars(digits.begin(), digits.end(), number);
    append(out, QByteArrayView(digits.data(), written.ptr));
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
    for (int i = 0; i < detail::embeddedSqlCount; ++i) {
        const auto &entry = detail::embeddedSql[i];
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

const Params::Value *Params::find(std::string_view name) const
{
    const auto found =
        std::find_if(m_values.begin(), m_values.end(), [&](const auto &one) { return one.name == name; });
    return found == m_values.end() ? nullptr : &*found;
}

Params &Params::set(const char *name, Value::Form form, QByteArray text, quint64 number)
{
    m_values.reserve(8);
    Value value{name, form, std::move(text), number};
    if (const Value *known = find(name))
        m_values[std::size_t(known - m_values.data())] = std::move(value);
    else
        m_values.push_back(std::move(value));
    return *this;
}

void Params::Value::appendTo(QByteArray &out) const
{
    switch (form) {
    case Form::Plain:
        return append(out, text);
    case Form::Quoted:
        return appendQuoted(out, text);
    case Form::HexText:
        append(out, "_utf8mb4 ");
        [[fallthrough]];
    case Form::Hex:
        return appendHex(out, text);
    case Form::Signed:
        return appendNumber(out, qint64(number));
    case Form::Unsigned:
        return appendNumber(out, number);
    }
}

Params &Params::bytes(const char *name, const QByteArray &value)
{
    return set(name, Value::Form::Hex, value);
}

Params &Params::bytesList(const char *name, const QList<QByteArray> &values)
{
    QByteArray list;
    for (const QByteArray &value : values) {
        if (!list.isEmpty())
            list.append(',');
        appendHex(list, value);
    }
    return set(name, Value::Form::Plain, list);
}

Params &Params::text(const char *name, const QString &value)
{
    return set(name, Value::Form::HexText, value.toUtf8());
}

Params &Params::number(const char *name, qint64 value)
{
    return set(name, Value::Form::Signed, {}, quint64(value));
}

Params &Params::number(const char *name, quint64 value)
{
    return set(name, Value::Form::Unsigned, {}, value);
}

Params &Params::numberList(const char *name, const QList<quint64> &values)
{
    QByteArray list;
    for (const quint64 value : values) {
        if (!list.isEmpty())
            list.append(',');
        list.append(QByteArray::number(value));
    }
    return set(name, Value::Form::Plain, list.isEmpty() ? QByteArray("NULL") : list);
}

Params &Params::microseconds(const char *name, std::optional<std::chrono::microseconds> value)
{
    return value ? number(name, qint64(value->count())) : null(name);
}

Params &Params::lockName(const char *name, const QByteArray &value)
{
    return set(name, Value::Form::Quoted, isLockName(value) ? value : QByteArray());
}

Params &Params::identifier(const char *name, const QString &identifier)
{
    return set(name, Value::Form::Plain, quotedIdentifier(identifier));
}

Params &Params::table(const char *name, const QString &schema, const QString &table)
{
    return set(name, Value::Form::Plain, quotedTable(schema, table));
}

Params &Params::variable(const char *name, const char *variable)
{
    return set(name, Value::Form::Plain, QByteArray::fromRawData(variable, qsizetype(qstrlen(variable))));
}

Params &Params::null(const char *name)
{
    return variable(name, "NULL");
}

const Params::Value &Params::valueFor(std::string_view name) const
{
    const Value *value = find(name);
    if (!value)
        qFatal("Lockscope: no value for :%.*s", int(name.size()), name.data());
    return *value;
}

qsizetype Params::renderedSize() const
{
    qsizetype size = 0;
    for (const Value &value : m_values)
        size += 2 * value.text.size() + 24; // as hexadecimal digits, or as a number
    return size;
}

QByteArray renderSql(const QByteArray &sql, const Params &params)
{
    QByteArray out;
    out.reserve(sql.size() + 64 + params.renderedSize());
    const QByteArrayView rest = eachPlace(sql, [&](QByteArrayView before, std::string_view name) {
        append(out, before);
        params.valueFor(name).appendTo(out);
    });
    append(out, rest);
    return out;
}

PreparedSql preparedSql(const QByteArray &sql)
{
    PreparedSql prepared;
    const QByteArrayView rest = eachPlace(sql, [&](QByteArrayView before, std::string_view name) {
        append(prepared.text, before);
        append(prepared.text, "?");
        prepared.places.emplace_back(name);
    });
    append(prepared.text, rest);
    return prepared;
}

QByteArray renderValues(const QByteArray &begin, const std::vector<std::string> &places, const Params &params)
{
    QByteArray out;
    out.reserve(begin.size() + 64 + params.renderedSize());
    append(out, begin);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i > 0)
            append(out, ", ");
        params.valueFor(places[i]).appendTo(out);
    }
    return out;
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

QByteArray quotedIdentifier(const QString &name)
{
    return '`' + name.toUtf8().replace('`', "``") + '`';
}

QByteArray quotedTable(const QString &schema, const QString &table)
{
    return schema.isEmpty() ? quotedIdentifier(table) : quotedIdentifier(schema) + '.' + quotedIdentifier(table);
}

} // namespace lockscope
