// SPDX-License-Identifier: MIT
// A table of a file that a person wrote in TOML. For sources alone: toml++ is large.
#pragma once

#include "profilereader.h"

#include <QtCore/QStringList>

// The library asserts what a file can make untrue, such as how a key begins, and then handles it: so no assertion ends
// this program, and no optimisation relies on one (NDEBUG has Clang assume them).
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <functional>
#include <initializer_list>

namespace lockscope {

int lineOf(const toml::node &node);
/// Ends the reading; caught in readToml().
[[noreturn]] void refuse(int line, const QString &reason);

/// One table of the file. What is in it and was not asked for is refused: it would be a misspelt word, without effect.
class Section
{
public:
    Section(const toml::table &table, QString name, int line);

    int line() const { return m_line; }
    bool has(const char *key) const { return m_table.contains(key); }
    int lineOfKey(const char *key) const { return has(key) ? lineOf(*m_table.get(key)) : m_line; }

    void allow(std::initializer_list<std::string_view> known) const;
    QString text(const char *key, bool isNeeded = false) const;
    bool flag(const char *key, bool otherwise) const;
    std::optional<qint64> number(const char *key) const;
    /// One text, or a list of them.
    QStringList texts(const char *key, bool isNeeded = false) const;
    /// The one of these words that it is; the first where it is not there.
    int word(const char *key, std::initializer_list<QLatin1StringView> words) const;
    Section section(const char *key, bool isNeeded = true) const;
    const toml::table &table() const { return m_table; }

private:
    const toml::node *find(const char *key, bool isNeeded) const;

    const toml::table &m_table;
    const QString m_name;
    const int m_line;
};

/// Gives `read` the file, whose name without its ending is `id`; none: nothing is wrong with it.
std::optional<ProfileFault> readToml(const QByteArray &file, const QString &id,
                                     const std::function<void(const Section &top)> &read);

} // namespace lockscope
