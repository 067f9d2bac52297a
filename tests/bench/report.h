// SPDX-License-Identifier: MIT
#pragma once

#include "statistics.h"

#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

namespace lockscope::bench {

/// Where a figure has to be.
struct Target
{
    enum class Kind { AtLeast, AtMost };
    Kind kind = Kind::AtLeast;
    double value = 0;

    /// A target is met when the interval reaches it.
    bool isReachedBy(const Interval &interval) const;
    QString toString() const;
};

inline Target atLeast(double value)
{
    return {Target::Kind::AtLeast, value};
}
inline Target atMost(double value)
{
    return {Target::Kind::AtMost, value};
}

/// What one benchmark found: numbers under keys for programs, and lines for people.
class Report
{
public:
    /// Adds `key`, `key`Low and `key`High, and a line.
    void add(const QString &key, const QString &what, const Interval &interval, const QString &unit,
             std::optional<Target> target = {});
    /// Adds `key` and a line.
    void add(const QString &key, const QString &what, double value, const QString &unit,
             std::optional<Target> target = {});
    /// Adds `key`, and a line of words.
    void say(const QString &key, const QString &what, const QString &text);
    /// Adds `key` only.
    void note(const QString &key, const QJsonValue &value);

    const QJsonObject &json() const { return m_json; }
    /// One text per line, columns of equal width.
    QString toText() const;

private:
    struct Line
    {
        QString what;
        QString value;
        QString unit;
        QString target;
        QString verdict;
    };

    QJsonObject m_json;
    QList<Line> m_lines;
};

} // namespace lockscope::bench
