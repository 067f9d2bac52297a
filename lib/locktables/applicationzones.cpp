// SPDX-License-Identifier: MIT
#include "applicationzones.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSettings>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kGroup = "lockTableZones/"_L1;

} // namespace

QTimeZone applicationZone(const QString &name)
{
    static const QRegularExpression offset(u"^[+-](0\\d|1[0-4]):[0-5]\\d$"_s);
    const QByteArray id = (offset.match(name).hasMatch() ? u"UTC"_s + name : name).toUtf8();
    // QTimeZone itself takes more, such as "Nowhere", for rules as POSIX writes them.
    return QTimeZone::isTimeZoneIdAvailable(id) ? QTimeZone(id) : QTimeZone();
}

ApplicationZones applicationZones(const QSettings &settings)
{
    ApplicationZones zones;
    for (const QString &key : settings.allKeys()) {
        const QTimeZone zone = key.startsWith(kGroup) ? applicationZone(settings.value(key).toString()) : QTimeZone();
        if (zone.isValid())
            zones.insert(key.mid(kGroup.size()), zone);
    }
    return zones;
}

ApplicationZones applicationZones()
{
    return applicationZones(QSettings(u"lockscope"_s, u"lockscope"_s));
}

bool setApplicationZone(QSettings *settings, const QString &profile, const QString &zone)
{
    if (zone.isEmpty())
        settings->remove(kGroup + profile);
    else
        settings->setValue(kGroup + profile, zone);
    settings->sync();
    return settings->status() == QSettings::NoError;
}

bool setApplicationZone(const QString &profile, const QString &zone)
{
    QSettings settings(u"lockscope"_s, u"lockscope"_s);
    return setApplicationZone(&settings, profile, zone);
}

} // namespace lockscope
