// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrlQuery>

#include <algorithm>

// What the addresses of stores have in common. Inline: each store is a library of its own.
namespace lockscope::detail {

inline bool hasControls(const QString &text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; });
}

/// What is wrong with the options, or nothing. `store` is how it is called.
inline QString validateUrlOptions(const QUrlQuery &query, const QStringList &known, const QString &store)
{
    for (const auto &[key, value] : query.queryItems()) {
        if (!known.contains(key))
            return QStringLiteral("The %1 URL has an option that is not known: %2.").arg(store, key);
        if (key == QLatin1String("tls") && value != QLatin1String("on") && value != QLatin1String("off"))
            return QStringLiteral("The %1 URL's option tls must be on or off.").arg(store);
    }
    return {};
}

inline QString passwordInUrl(const QString &store)
{
    return QStringLiteral("The %1 URL may not carry a password: others can read it.").arg(store);
}

} // namespace lockscope::detail
