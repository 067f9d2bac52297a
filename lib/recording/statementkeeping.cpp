// SPDX-License-Identifier: MIT
#include "statementkeeping.h"

#include "waits/statementshape.h"

#include <QtCore/QCryptographicHash>

#include <algorithm>
#include <array>
#include <string_view>

namespace lockscope {

namespace {

constexpr int kMaxKnown = 2000;
constexpr int kDigits = 12;

/// "user_pass", "PASS", "mailpass", "passHash", not "passengers" or "compass".
bool hasPass(const QByteArray &text, const QByteArray &lower)
{
    const auto isEnd = [&text](qsizetype at) {
        const char next = at < text.size() ? text[at] : ' ';
        const bool isCapital = next >= 'A' && next <= 'Z';
        return isCapital ? text[at - 1] >= 'a' : next < 'a' || next > 'z';
    };
    for (qsizetype at = lower.indexOf("pass"); at >= 0; at = lower.indexOf("pass", at + 1)) {
        const QByteArray before = lower.first(at);
        if (isEnd(at + 4) && !before.endsWith("by") && !before.endsWith("com"))
            return true;
    }
    return false;
}

/// Where a statement may contain a password: SET PASSWORD, IDENTIFIED BY, MASTER_PASSWORD, OPTIONS (PASSWORD …), a
/// comparison with such a column, AES_ENCRYPT and its like.
bool mayNamePassword(const QByteArray &text)
{
    static constexpr std::array kWords{"passw",      "passphrase", "passcode",   "passkey",     "pwd",
                                       "identified", "secret",     "credential", "encrypt",     "decrypt",
                                       "token",      "api_key",    "apikey",     "private_key", "auth_string"};
    const QByteArray lower = text.toLower();
    return hasPass(text, lower)
        || std::any_of(kWords.begin(), kWords.end(), [&lower](const char *word) { return lower.contains(word); });
}

/// Up to its first value: what follows may be quoted in more ways than one can tell without knowing the server's modes.
QByteArray untilValues(const QByteArray &statement)
{
    const auto isValue = [](char c) { return c == '\'' || c == '"' || (c >= '0' && c <= '9'); };
    return statement.left(std::find_if(statement.cbegin(), statement.cend(), isValue) - statement.cbegin());
}

bool endsUrl(char c)
{
    static constexpr std::string_view kEnds = "'\"`<>\\ \t\r\n";
    return kEnds.find(c) != std::string_view::npos;
}

/// mysql://ada:…@db1. A password may hold what a URL should not have as it is, like an @ or a slash; and where the text
/// was cut, its end may be within one.
QByteArray withoutUrlPasswords(const QByteArray &text)
{
    QByteArray kept;
    qsizetype done = 0;
    for (qsizetype at = text.indexOf("://"); at >= 0; at = text.indexOf("://", done)) {
        const qsizetype user = at + 3;
        const qsizetype end = std::find_if(text.cbegin() + user, text.cend(), endsUrl) - text.cbegin();
        const QByteArray rest = text.mid(user, end - user);
        const qsizetype colon = rest.indexOf(':');
        const qsizetype host = end == text.size() && !rest.contains('@') ? rest.size() : rest.lastIndexOf('@');
        kept += text.mid(done, user - done);
        kept += colon >= 0 && colon < host ? rest.left(colon + 1) + "…" + rest.mid(host) : rest;
        done = end;
    }
    return kept + text.mid(done);
}

QByteArray keptText(const QByteArray &original, StatementKeeping keeping)
{
    if (keeping == StatementKeeping::None)
        return "(not recorded)";
    const QByteArray statement = withoutUrlPasswords(original);
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
    return m_keeping == StatementKeeping::Keep && !mayNamePassword(report) ? withoutUrlPasswords(report) : QByteArray();
}

} // namespace lockscope
