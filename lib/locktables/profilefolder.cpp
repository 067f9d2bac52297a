// SPDX-License-Identifier: MIT
#include "profilefolder.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// A folder with more of them is none that a person keeps.
constexpr int kMaxOwn = 1000;

} // namespace

QStringList profileFilesIn(const QString &folder)
{
    QStringList paths;
    for (const QString &name : QDir(folder).entryList({u"*.toml"_s}, QDir::Files, QDir::Name))
        paths.append(folder + u'/' + name);
    return paths.mid(0, kMaxOwn);
}

QString ownSettingsFolder(const QString &name)
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/lockscope/"_s + name;
}

std::variant<QByteArray, ProfileFault> readProfileBytes(const QString &path)
{
    const QFileInfo info(path);
    if (info.suffix() != u"toml")
        return ProfileFault{0, u"a profile's file ends with .toml"_s};
    QFile file(path);
    if (info.exists() && !info.isFile()) // a pipe would never end
        return ProfileFault{0, u"this is not a file"_s};
    if (!file.open(QIODevice::ReadOnly))
        return ProfileFault{0, u"it cannot be read: "_s + file.errorString()};
    return file.read(kMaxProfileBytes + 1);
}

} // namespace lockscope
