#include "statement.h"

#include "embeddedsql.h"

#include <QtCore/QByteArrayList>
#include <QtCore/QtGlobal>

#include <algorithm>
#include <map>

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

QByteArray bytesLiteral(const QByteArray &value)
{
    return "x'" + value.toHex() + '\'';
}

/// (name, family) → text; family 0 stands for both.
using Key = std::pair<QByteArray, int>;

const std::map<Key, QByteArray> &embedded()
{
    static const auto table = [] {
        std::map<Key, QByteArray> built;
        for (int i = 0; i < detail::embeddedSqlCount; ++i) {
            const auto &entry = detail::embeddedSql[i];
            built.emplace(Key(entry.name, entry.family), entry.text);
        }
        return built;
    }();
    return table;
}

} // namespace

Params::Values::const_iterator Params::find(QByteArrayView name) const
{
    return std::find_if(m_values.begin(), m_values.end(), [&](const auto &entry) { return entry.first == name; });
}

void Params::set(const char *name, QByteArray value)
{
    if (const auto known = find(name); known != m_values.end())
        m_values[std::size_t(known - m_values.begin())].second = std::move(value);
    else
        m_values.emplace_back(name, std::move(value));
}

Params &Params::bytes(const char *name, const QByteArray &value)
{
    set(name, bytesLiteral(value));
    return *this;
}

Params &Params::bytesList(const char *name, const QList<QByteArray> &values)
{
    QByteArrayList literals;
    for (const QByteArray &value : values)
        literals += bytesLiteral(value);
    set(name, literals.join(','));
    return *this;
}

Params &Params::text(const char *name, const QString &value)
{
    set(name, "_utf8mb4 x'" + value.toUtf8().toHex() + '\'');
    return *this;
}

Params &Params::number(const char *name, qint64 value)
{
    set(name, QByteArray::number(value));
    return *this;
}

Params &Params::number(const char *name, quint64 value)
{
    set(name, QByteArray::number(value));
    return *this;
}

Params &Params::microseconds(const char *name, std::optional<std::chrono::microseconds> value)
{
    return value ? number(name, qint64(value->count())) : null(name);
}

Params &Params::lockName(const char *name, const QByteArray &value)
{
    set(name, isLockName(value) ? '\'' + value + '\'' : QByteArray("''"));
    return *this;
}

Params &Params::identifier(const char *name, const QString &identifier)
{
    set(name, quotedIdentifier(identifier));
    return *this;
}

Params &Params::table(const char *name, const QString &schema, const QString &table)
{
    set(name, quotedTable(schema, table));
    return *this;
}

Params &Params::variable(const char *name, const char *variable)
{
    set(name, variable);
    return *this;
}

Params &Params::null(const char *name)
{
    set(name, "NULL");
    return *this;
}

QByteArray renderSql(const QByteArray &sql, const Params &params)
{
    QByteArray out;
    out.reserve(sql.size() + 512);
    qsizetype begin = 0;
    for (qsizetype colon = sql.indexOf(':'); colon >= 0; colon = sql.indexOf(':', colon)) {
        qsizetype end = colon + 1;
        while (end < sql.size() && isNameChar(sql[end]))
            ++end;
        if (end == colon + 1) {
            colon = end;
            continue;
        }
        const QByteArrayView name(sql.constData() + colon + 1, end - colon - 1);
        const auto value = params.find(name);
        if (value == params.m_values.end())
            qFatal("Lockscope: no value for :%s", name.toByteArray().constData());
        out.append(sql.constData() + begin, colon - begin).append(value->second);
        begin = colon = end;
    }
    return out.append(sql.constData() + begin, sql.size() - begin);
}

const QByteArray &sqlText(const QByteArray &name, Family family)
{
    const auto &table = embedded();
    auto found = table.find(Key(name, family == Family::MariaDb ? 1 : 2));
    if (found == table.end())
        found = table.find(Key(name, 0));
    if (found == table.end())
        qFatal("Lockscope: no statement named %s", name.constData());
    return found->second;
}

QList<QByteArray> sqlNames(const QByteArray &folder)
{
    QList<QByteArray> names;
    for (const auto &[key, text] : embedded()) {
        if (key.first.startsWith(folder + '/') && !names.contains(key.first))
            names.append(key.first);
    }
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
