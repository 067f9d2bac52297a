// SPDX-License-Identifier: MIT
// Files of profiles, of whatever kind.
#pragma once

#include "profilereader.h"

#include <QtCore/QStringList>

namespace lockscope {

/// Of a folder that a person keeps: at most 1,000, by name.
QStringList profileFilesIn(const QString &folder);
/// NAME below lockscope in the user's settings: ~/.config/lockscope/NAME.
QString ownSettingsFolder(const QString &name);
/// At most a byte more than a profile may have; or why it cannot be read.
std::variant<QByteArray, ProfileFault> readProfileBytes(const QString &path);

} // namespace lockscope
