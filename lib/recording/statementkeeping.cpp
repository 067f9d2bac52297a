// SPDX-License-Identifier: MIT
#include "statementkeeping.h"

#include "waits/statementshape.h"

#include <QtCore/QCryptographicHash>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr int kMaxKnown = 2000;
constexpr int kDigits = 12;

/// Where a statement may contain a password: SET PASSWORD, IDENTIFIED BY, MASTER_PASSWORD, OPTIONS (PASSWORD …), a
/// comparison with such a column, AES_ENCRYPT and its like.
bool mayNamePassword(const QByteArray &text)
{
    static constexpr std::array kWords{"password", "passwd",  "identified", "secret",  "credential",
                                       "encrypt",  "decrypt", "token",      "api_key", "auth_string"};
    const QByteArray lower = text.toLower();
    return std::any_of(kWords.begin(), kWords.end(), [&](const char *word) { return lower.contains(word); });
}

/// Up to its first value: what follows may be quoted in more ways than one can tell without knowing the server's modes.
QByteArray untilValues(const QByteArray &statement)
{
    const auto isValue = [](char c) { return c == '\'' || c == '"' || (c >= '0' && c <= '9'); };
    return statement.left(std::find_if(statement.cbegin(), statement.cend(), isValue) - statement.cbegin());
}

QByteArray keptText(const QByteArray &statement, StatementKeeping keeping)
{
    if (keeping == StatementKeeping::None)
        return "(not recorded)";
    const bool mayBeSecret = mayNamePassword(statement);
    const QByteArray harmless = mayBeSecret ? untilValues(statement) : statement;
    if (keeping == StatementKeeping::Keep)
        return mayBeSecret ? harmless + "… (the rest may name a password and was not recorded)" : harmless;
    const QByteArray shape = statementShape(harmless).toLower();
    const QByteArray hash = QCryptographicHash::hash(shape, QCryptographicHash::Sha256).toHex().left(kDigits);
    return "statement " + hash + " (its text was not recorded)";
}

} // namespace

QString keepingName(StatementKeeping keeping)
{
    switch (keeping) {
    case StatementKeeping::Hash:
        return QStringLiteral("hash");
    case StatementKeeping::None:
        return QStringLiteral("none");
    case StatementKeeping::Keep:
        break;
    }
    return QStringLiteral("keep");
}

std::optional<StatementKeeping> keepingNamed(const QString &name)
{
    for (const auto keeping : {StatementKeeping::Keep, StatementKeeping::Hash, StatementKeeping::None}) {
        if (name == keepingName(keeping))
            return keeping;
    }
    return std::nullopt;
}

QByteArray StatementKeeper::kept(const QByteArray &statement)
{
    if (statement.isEmpty())
        return statement;
    if (const auto known = m_known.constFind(statement); known != m_known.cend())
        return known.value();
    if (m_known.size() >= kMaxKnown)
        m_known.clear();
    return m_known.insert(statement, keptText(statement, m_keeping)).value();
}

QByteArray StatementKeeper::keptReport(const QByteArray &report) const
{
    return m_keeping == StatementKeeping::Keep && !mayNamePassword(report) ? report : QByteArray();
}

} // namespace lockscope
