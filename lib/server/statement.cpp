#include "statement.h"

#include "embeddedsql.h"

#include <QtCore/QList>
#include <QtCore/QtGlobal>

#include <algorithm>

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

Params &Params::bytes(const char *name, const QByteArray &value)
{
    m_values.insert_or_assign(name, "x'" + value.toHex() + '\'');
    return *this;
}

Params &Params::text(const char *name, const QString &value)
{
    m_values.insert_or_assign(name, "_utf8mb4 x'" + value.toUtf8().toHex() + '\'');
    return *this;
}

Params &Params::number(const char *name, qint64 value)
{
    m_values.insert_or_assign(name, QByteArray::number(value));
    return *this;
}

Params &Params::number(const char *name, quint64 value)
{
    m_values.insert_or_assign(name, QByteArray::number(value));
    return *this;
}

Params &Params::microseconds(const char *name, std::optional<std::chrono::microseconds> value)
{
    return value ? number(name, qint64(value->count())) : null(name);
}

Params &Params::lockName(const char *name, const QByteArray &value)
{
    m_values.insert_or_assign(name, isLockName(value) ? '\'' + value + '\'' : QByteArray("''"));
    return *this;
}

Params &Params::variable(const char *name, const char *variable)
{
    m_values.insert_or_assign(name, variable);
    return *this;
}

Params &Params::null(const char *name)
{
    m_values.insert_or_assign(name, "NULL");
    return *this;
}

QByteArray renderSql(const QByteArray &sql, const Params &params)
{
    QByteArray out;
    out.reserve(sql.size() + 512);
    for (qsizetype i = 0; i < sql.size();) {
        if (sql[i] != ':' || i + 1 >= sql.size() || !isNameChar(sql[i + 1])) {
            out += sql[i++];
            continue;
        }
        qsizetype end = i + 1;
        while (end < sql.size() && isNameChar(sql[end]))
            ++end;
        const auto value = params.m_values.find(sql.mid(i + 1, end - i - 1));
        if (value == params.m_values.end())
            qFatal("Lockscope: no value for %s", sql.mid(i, end - i).constData());
        out += value->second;
        i = end;
    }
    return out;
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

} // namespace lockscope
