// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
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
/// A server that is not there, and the packages that have it.
struct MissingServer
{
    QString name;     ///< "a Redis server"
    QString packages; ///< for root to install
    QString unpacked; ///< in place of these, for everybody else to unpack
    QString finally;  ///< what to do besides after that; may be empty
};
/// "A Redis server and an etcd server are not installed. …" with one command for root and one for everybody else, each
/// of which gets them all.
QString notInstalled(const QList<MissingServer> &missing);

} // namespace lockscope
