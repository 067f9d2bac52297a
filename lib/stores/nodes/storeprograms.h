// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

// Where the servers of stores are looked for: installed, or else unpacked by this user, who need not be root and starts
// no service by that.
namespace lockscope {

/// The folder that packages are unpacked in: `lockscope/stores` in the user's cache.
QString unpackedPackages();
/// A program in PATH, or in the unpacked packages; empty: there is none.
QString storeProgram(const QString &name);
/// For LD_LIBRARY_PATH of a program that is one of the unpacked ones, or a link to one; empty of others.
QString librariesOf(const QString &program);
/// One sentence: "No Redis server is installed. …" with the command for root, and one for everybody else that unpacks
/// these packages. `finally` is what that command has to do besides.
QString notInstalled(const QString &what, const QString &packages, const QString &unpacked,
                     const QString &finally = {});

} // namespace lockscope
