// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QHash>
#include <QtCore/QString>

#include <optional>

namespace lockscope {

/// What a recording keeps of the text of statements.
enum class StatementKeeping {
    Keep, ///< without the values of one that may name a password, and without passwords in URLs
    Hash, ///< only which ones are the same, whatever their values
    None
};

/// "keep", "hash", "none".
QString keepingName(StatementKeeping keeping);
std::optional<StatementKeeping> keepingNamed(const QString &name);

/// What a recording keeps of statements. Thread: one at a time.
class StatementKeeper
{
public:
    explicit StatementKeeper(StatementKeeping keeping)
        : m_keeping(keeping)
    {
    }

    StatementKeeping keeping() const { return m_keeping; }
    QByteArray kept(const QByteArray &statement);
    /// Of a longer text with statements in it: all or nothing.
    QByteArray keptReport(const QByteArray &report) const;

private:
    const StatementKeeping m_keeping;
    QHash<QByteArray, QByteArray> m_known; ///< most come again at the next look
};

} // namespace lockscope
