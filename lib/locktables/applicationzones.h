// SPDX-License-Identifier: MIT
// The time zones of applications whose lock tables cannot be read without them, as the user has stated them.
#pragma once

#include <QtCore/QHash>
#include <QtCore/QString>
#include <QtCore/QTimeZone>

class QSettings;

namespace lockscope {

/// By a profile's name.
using ApplicationZones = QHash<QString, QTimeZone>;

/// "Europe/Berlin", "UTC", "+02:00"; not valid: it is none.
QTimeZone applicationZone(const QString &name);

/// Of the settings that window and lockctl share.
ApplicationZones applicationZones(const QSettings &settings);
ApplicationZones applicationZones();
/// Empty `zone`: forget it. False: the settings cannot be written.
bool setApplicationZone(QSettings *settings, const QString &profile, const QString &zone);
bool setApplicationZone(const QString &profile, const QString &zone);

} // namespace lockscope
