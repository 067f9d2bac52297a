// SPDX-License-Identifier: MIT
#include "linktext.h"

namespace lockscope::ui {

QString LinkText::scenario(const QString &name)
{
    if (name == QLatin1StringView("flash-sale"))
        return tr("Flash sale");
    if (name == QLatin1StringView("nightly-job"))
        return tr("Nightly job on 20 hosts");
    if (name == QLatin1StringView("hot-row"))
        return tr("Hot row");
    if (name == QLatin1StringView("long-holder"))
        return tr("Long holder");
    if (name == QLatin1StringView("crashing-holders"))
        return tr("Crashing holders");
    if (name == QLatin1StringView("thundering-herd"))
        return tr("Thundering herd");
    if (name == QLatin1StringView("fair-queue"))
        return tr("Fair queue");
    if (name == QLatin1StringView("four-stores"))
        return tr("Four stores");
    if (name == QLatin1StringView("redlock-restart"))
        return tr("Redlock: nodes that forget");
    if (name == QLatin1StringView("clock-jump"))
        return tr("Redlock: clocks that jump");
    if (name == QLatin1StringView("redis-failover"))
        return tr("Redis: a failover");
    if (name == QLatin1StringView("setnx-crash"))
        return tr("Redis: a crash before EXPIRE");
    if (name == QLatin1StringView("frozen-holder"))
        return tr("ZooKeeper, etcd: a frozen holder");
    return name;
}

QString LinkText::lessonLanguage()
{
    return tr("en", "The language of the lessons: en or zh_CN");
}

} // namespace lockscope::ui
