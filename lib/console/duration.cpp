// SPDX-License-Identifier: MIT
#include "duration.h"

namespace lockscope {

namespace {

/// "3 min 10 s", or "3 min" where the smaller part is zero.
QString twoParts(qint64 big, QLatin1String bigUnit, qint64 small, QLatin1String smallUnit)
{
    const QString first = QString::number(big) + QLatin1Char(' ') + bigUnit;
    return small == 0 ? first : first + QLatin1Char(' ') + QString::number(small) + QLatin1Char(' ') + smallUnit;
}

/// `tenths` as "3.2" with a unit.
QString withTenths(qint64 tenths, QLatin1String unit)
{
    return QStringLiteral("%1.%2 ").arg(tenths / 10).arg(tenths % 10) + unit;
}

} // namespace

QString formatDuration(Microseconds duration)
{
    const qint64 us =
        duration.count() == Microseconds::min().count() ? Microseconds::max().count() : qAbs(duration.count());
    const qint64 ms = us / 1000;
    const qint64 seconds = ms / 1000;
    const qint64 minutes = seconds / 60;
    const qint64 hours = minutes / 60;
    const qint64 days = hours / 24;

    if (us == 0)
        return QStringLiteral("0 s");
    if (us < 1000)
        return QString::number(us) + QStringLiteral(" µs");
    if (ms < 10)
        return withTenths(us / 100, QLatin1String("ms"));
    if (ms < 100)
        return QString::number(ms) + QLatin1String(" ms");
    if (seconds < 10)
        return withTenths(ms / 100, QLatin1String("s"));
    if (minutes < 1)
        return QString::number(seconds) + QLatin1String(" s");
    if (hours < 1)
        return twoParts(minutes, QLatin1String("min"), seconds % 60, QLatin1String("s"));
    if (days < 1)
        return twoParts(hours, QLatin1String("h"), minutes % 60, QLatin1String("min"));
    if (days < 3)
        return twoParts(days, QLatin1String("d"), hours % 24, QLatin1String("h"));
    return QString::number(days) + QLatin1String(" d");
}

QString formatCoarseDuration(Microseconds duration)
{
    const QStringList parts = formatDuration(duration).split(QLatin1Char(' '));
    return parts[0] + QLatin1Char(' ') + parts[1];
}

} // namespace lockscope
