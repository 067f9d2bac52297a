// SPDX-License-Identifier: MIT
#include "alarmsettings.h"

#include <QtCore/QSettings>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

const QString kBlockedKey = u"alarms/blockedSeconds"_s;
const QString kQueueKey = u"alarms/queue"_s;
const QString kHeldKey = u"alarms/heldSeconds"_s;
const QString kOrphanKey = u"alarms/orphanSeconds"_s;
const QString kSettleKey = u"alarms/settleSeconds"_s;
const QString kQuietFromKey = u"alarms/quietFrom"_s;
const QString kQuietToKey = u"alarms/quietTo"_s;
const QString kNotifiesKey = u"alarms/notifies"_s;
const QString kOff = u"off"_s;
constexpr qint64 kMost = 365 * qint64(86'400);

/// A number from 1 up; `usual` for anything else but "off".
std::optional<qint64> number(const QSettings &settings, const QString &key, const std::optional<qint64> &usual)
{
    const QVariant value = settings.value(key);
    if (value.toString() == kOff)
        return std::nullopt;
    bool isNumber = false;
    const qint64 found = value.toLongLong(&isNumber);
    return isNumber && found > 0 && found <= kMost ? found : usual;
}

std::optional<qint64> toSeconds(const std::optional<Microseconds> &time)
{
    if (!time)
        return std::nullopt;
    return std::chrono::duration_cast<std::chrono::seconds>(*time).count();
}

std::optional<Microseconds> seconds(const QSettings &settings, const QString &key,
                                    const std::optional<Microseconds> &usual)
{
    const auto found = number(settings, key, toSeconds(usual));
    return found ? std::optional<Microseconds>(std::chrono::seconds(*found)) : std::nullopt;
}

QVariant stored(const std::optional<qint64> &number)
{
    return number ? QVariant(*number) : QVariant(kOff);
}

} // namespace

AlarmSettings loadAlarmSettings(const QSettings &settings)
{
    AlarmSettings alarms;
    AlarmLimits &limits = alarms.limits;
    limits.blocked = seconds(settings, kBlockedKey, limits.blocked);
    limits.held = seconds(settings, kHeldKey, limits.held);
    limits.orphan = seconds(settings, kOrphanKey, limits.orphan);
    limits.settle = seconds(settings, kSettleKey, limits.settle).value_or(limits.settle);
    const auto queue = number(settings, kQueueKey, *limits.queue);
    limits.queue = queue ? std::optional(int(*queue)) : std::nullopt;
    const QTime from = settings.value(kQuietFromKey).toTime();
    const QTime to = settings.value(kQuietToKey).toTime();
    if (from.isValid() && to.isValid())
        limits.quiet = QuietHours{from, to};
    alarms.notifies = settings.value(kNotifiesKey, alarms.notifies).toBool();
    return alarms;
}

void saveAlarmSettings(QSettings &settings, const AlarmSettings &alarms)
{
    const AlarmLimits &limits = alarms.limits;
    settings.setValue(kBlockedKey, stored(toSeconds(limits.blocked)));
    settings.setValue(kQueueKey, stored(limits.queue));
    settings.setValue(kHeldKey, stored(toSeconds(limits.held)));
    settings.setValue(kOrphanKey, stored(toSeconds(limits.orphan)));
    settings.setValue(kSettleKey, stored(toSeconds(limits.settle)));
    settings.setValue(kQuietFromKey, limits.quiet ? QVariant(limits.quiet->from) : QVariant());
    settings.setValue(kQuietToKey, limits.quiet ? QVariant(limits.quiet->to) : QVariant());
    settings.setValue(kNotifiesKey, alarms.notifies);
}

} // namespace lockscope::ui
