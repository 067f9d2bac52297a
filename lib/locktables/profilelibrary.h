// SPDX-License-Identifier: MIT
// Profiles that come with Lockscope (resources/profiles, built into the program) and those of the user.
#pragma once

#include "profilereader.h"

namespace lockscope {

/// A profile's file as it was when it was read.
struct ProfileFile
{
    QString path;
    std::variant<TableProfile, ProfileFault> profile = {};

    /// Null: it is right.
    const ProfileFault *fault() const { return std::get_if<ProfileFault>(&profile); }
};

/// lockscope/profiles below the user's settings: ~/.config/lockscope/profiles.
QString ownProfileFolder();
/// What is wrong with it is told, also that it cannot be read.
ProfileFile readProfileFile(const QString &path);

/// Those that can be used: the user's first, then those of Lockscope whose name is none of the user's. Files of the
/// user that are wrong are left out, and go to `*faulty` where it is given.
QList<TableProfile> allProfiles(const QString &ownFolder = ownProfileFolder(), QList<ProfileFile> *faulty = nullptr);
/// By name. They are right, which a test sees to.
QList<TableProfile> builtInProfiles();

} // namespace lockscope
