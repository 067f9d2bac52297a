// SPDX-License-Identifier: MIT
#include "tomlsection.h"

#include "profiletext.h"

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kFormat = 1;

/// Before it is read.
std::optional<ProfileFault> faultOf(const QByteArray &file, const QString &id)
{
    static const QRegularExpression word(u"^[a-z0-9][a-z0-9_-]{0,63}$"_s);
    if (!word.match(id).hasMatch())
        return ProfileFault{0, u"a profile's file is named by 1 to 64 of a-z, 0-9, - and _, and .toml"_s};
    if (file.size() > kMaxProfileBytes)
        return ProfileFault{0, u"the file has more than %1 KiB"_s.arg(kMaxProfileBytes / 1024)};
    if (const int line = lineThatIsNotUtf8(file); line > 0)
        return ProfileFault{line, u"this is not UTF-8"_s};
    return std::nullopt;
}

} // namespace

int lineOf(const toml::node &node)
{
    return int(node.source().begin.line);
}

void refuse(int line, const QString &reason)
{
    throw ProfileFault{line, reason};
}

Section::Section(const toml::table &table, QString name, int line)
    : m_table(table)
    , m_name(std::move(name))
    , m_line(line)
{
}

void Section::allow(std::initializer_list<std::string_view> known) const
{
    for (const auto &[key, value] : m_table) {
        if (std::find(known.begin(), known.end(), key.str()) == known.end())
            refuse(int(key.source().begin.line), u"%1 has no \"%2\""_s.arg(m_name, textOf(key.str())));
    }
}

QString Section::text(const char *key, bool isNeeded) const
{
    const toml::node *node = find(key, isNeeded);
    if (!node)
        return {};
    if (!node->is_string())
        refuse(lineOf(*node), u"%1.%2 has to be a text in quotes"_s.arg(m_name, QLatin1StringView(key)));
    const QString text = textOf(node->as_string()->get());
    if (text.isEmpty())
        refuse(lineOf(*node), u"%1.%2 is empty"_s.arg(m_name, QLatin1StringView(key)));
    return text;
}

bool Section::flag(const char *key, bool otherwise) const
{
    const toml::node *node = find(key, false);
    if (node && !node->is_boolean())
        refuse(lineOf(*node), u"%1.%2 has to be true or false"_s.arg(m_name, QLatin1StringView(key)));
    return node ? node->as_boolean()->get() : otherwise;
}

std::optional<qint64> Section::number(const char *key) const
{
    const toml::node *node = find(key, false);
    if (node && !node->is_integer())
        refuse(lineOf(*node), u"%1.%2 has to be a whole number"_s.arg(m_name, QLatin1StringView(key)));
    return node ? std::optional<qint64>(node->as_integer()->get()) : std::nullopt;
}

QStringList Section::texts(const char *key, bool isNeeded) const
{
    const toml::node *node = find(key, isNeeded);
    if (!node)
        return {};
    if (node->is_string())
        return {text(key)};
    static const toml::array none;
    const toml::array &array = node->is_array() ? *node->as_array() : none;
    QStringList list;
    for (const toml::node &each : array) {
        if (!each.is_string() || each.as_string()->get().empty())
            refuse(lineOf(each), u"%1.%2 has to be a list of texts"_s.arg(m_name, QLatin1StringView(key)));
        list.append(textOf(each.as_string()->get()));
    }
    if (list.isEmpty())
        refuse(lineOf(*node), u"%1.%2 has to be a list of texts"_s.arg(m_name, QLatin1StringView(key)));
    return list;
}

int Section::word(const char *key, std::initializer_list<QLatin1StringView> words) const
{
    if (!has(key))
        return 0;
    const QString chosen = text(key);
    QStringList all;
    for (const QLatin1StringView each : words) {
        if (chosen == each)
            return int(all.size());
        all.append(u'"' + QString(each) + u'"');
    }
    refuse(lineOfKey(key), u"%1.%2 is none of %3"_s.arg(m_name, QLatin1StringView(key), all.join(u", ")));
}

Section Section::section(const char *key, bool isNeeded) const
{
    static const toml::table none;
    const toml::node *node = find(key, isNeeded);
    if (node && !node->is_table())
        refuse(lineOf(*node), u"%1 has to be a table: [%1]"_s.arg(QLatin1StringView(key)));
    return {node ? *node->as_table() : none, u'[' + QString::fromLatin1(key) + u']', node ? lineOf(*node) : m_line};
}

const toml::node *Section::find(const char *key, bool isNeeded) const
{
    const toml::node *node = m_table.get(key);
    if (!node && isNeeded)
        refuse(m_line, u"%1 needs \"%2\""_s.arg(m_name, QLatin1StringView(key)));
    return node;
}

std::optional<ProfileFault> readToml(const QByteArray &file, const QString &id,
                                     const std::function<void(const Section &top)> &read)
{
    if (auto fault = faultOf(file, id))
        return fault;
    try {
        const QByteArray source = tomlSource(file);
        const toml::table table = toml::parse(std::string_view(source.constData(), std::size_t(source.size())));
        const Section top(table, u"the file"_s, 1);
        if (top.number("format") != kFormat)
            refuse(top.lineOfKey("format"), u"this Lockscope reads \"format = %1\""_s.arg(kFormat));
        read(top);
    } catch (const toml::parse_error &error) {
        return ProfileFault{int(error.source().begin.line), textOf(error.description())};
    } catch (const ProfileFault &fault) {
        return fault;
    }
    return std::nullopt;
}

} // namespace lockscope
