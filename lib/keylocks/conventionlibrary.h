// SPDX-License-Identifier: MIT
// Conventions that come with Lockscope (resources/conventions, built into the program) and those of the user.
#pragma once

#include "conventionreader.h"

namespace lockscope {

/// A convention's file as it was when it was read.
struct ConventionFile
{
    QString path;
    std::variant<KeyConvention, ProfileFault> convention = {};

    /// Null: it is right.
    const ProfileFault *fault() const { return std::get_if<ProfileFault>(&convention); }
};

/// lockscope/conventions below the user's settings: ~/.config/lockscope/conventions.
QString ownConventionFolder();
/// What is wrong with it is told, also that it cannot be read.
ConventionFile readConventionFile(const QString &path);

/// Those that can be used, first those that go first: the user's, then those of Lockscope whose name is none of the
/// user's, and what is only guessed last. Files of the user that are wrong are left out, and go to `*faulty` where it
/// is given.
QList<KeyConvention> allConventions(const QString &ownFolder = ownConventionFolder(),
                                    QList<ConventionFile> *faulty = nullptr);
/// By name. They are right, which a test sees to.
QList<KeyConvention> builtInConventions();
/// Those of them for one server.
QList<KeyConvention> conventionsFor(const QList<KeyConvention> &all, KeyStore store, const QString &server,
                                    bool withGuesses);

} // namespace lockscope
