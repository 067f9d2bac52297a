// SPDX-License-Identifier: MIT
#include "report.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

/// Four digits say all that a measurement knows.
QString number(double value)
{
    if (!std::isfinite(value))
        return u"-"_s;
    const double size = std::abs(value);
    return QString::number(value, 'f', size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

QJsonValue jsonNumber(double value)
{
    return std::isfinite(value) ? QJsonValue(std::round(value * 1e4) / 1e4) : QJsonValue();
}

} // namespace

bool Target::isReachedBy(const Interval &interval) const
{
    return kind == Kind::AtLeast ? interval.high >= value : interval.low <= value;
}

QString Target::toString() const
{
    return (kind == Kind::AtLeast ? u">= "_s : u"<= "_s) + QString::number(value);
}

void Report::add(const QString &key, const QString &what, const Interval &interval, const QString &unit,
                 std::optional<Target> target)
{
    m_json[key] = jsonNumber(interval.median);
    m_json[key + u"Low"_s] = jsonNumber(interval.low);
    m_json[key + u"High"_s] = jsonNumber(interval.high);
    const QString value = u"%1 [%2, %3]"_s.arg(number(interval.median), number(interval.low), number(interval.high));
    m_lines.append({what, value, unit, target ? target->toString() : QString(),
                    !target                             ? QString()
                        : target->isReachedBy(interval) ? u"met"_s
                                                        : u"MISSED"_s});
}

void Report::add(const QString &key, const QString &what, double value, const QString &unit,
                 std::optional<Target> target)
{
    m_json[key] = jsonNumber(value);
    const bool isMet = target && target->isReachedBy({value, value, value});
    m_lines.append({what, number(value), unit, target ? target->toString() : QString(),
                    !target     ? QString()
                        : isMet ? u"met"_s
                                : u"MISSED"_s});
}

void Report::say(const QString &key, const QString &what, const QString &text)
{
    m_json[key] = text;
    m_lines.append({what, text, {}, {}, {}});
}

void Report::note(const QString &key, const QJsonValue &value)
{
    m_json[key] = value;
}

QString Report::toText() const
{
    QString text;
    for (const Line &line : m_lines) {
        QString row = u"  %1 %2 %3 %4 %5"_s.arg(line.what, -52)
                          .arg(line.value, -26)
                          .arg(line.unit, -9)
                          .arg(line.target, -8)
                          .arg(line.verdict);
        while (row.endsWith(u' '))
            row.chop(1);
        text += row + u'\n';
    }
    return text;
}

} // namespace lockscope::bench
