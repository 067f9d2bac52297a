// SPDX-License-Identifier: MIT
#include "profilelibrary.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>

#include <algorithm>

static void makeResources()
{
    Q_INIT_RESOURCE(profiles); // of a static library; not from within a namespace
}

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// A folder with more of them is none that a person keeps.
constexpr int kMaxOwn = 1000;

QStringList filesIn(const QString &folder)
{
    QStringList paths;
    for (const QString &name : QDir(folder).entryList({u"*.toml"_s}, QDir::Files, QDir::Name))
        paths.append(folder + u'/' + name);
    return paths.mid(0, kMaxOwn);
}

} // namespace

QString ownProfileFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/lockscope/profiles"_s;
}

ProfileFile readProfileFile(const QString &path)
{
    const QFileInfo info(path);
    if (info.suffix() != u"toml")
        return {path, ProfileFault{0, u"a profile's file ends with .toml"_s}};
    QFile file(path);
    if (info.exists() && !info.isFile()) // a pipe would never end
        return {path, ProfileFault{0, u"this is not a file"_s}};
    if (!file.open(QIODevice::ReadOnly))
        return {path, ProfileFault{0, u"it cannot be read: "_s + file.errorString()}};
    return {path, readProfile(file.read(kMaxProfileBytes + 1), info.completeBaseName())};
}

QList<TableProfile> builtInProfiles()
{
    static const QList<TableProfile> profiles = [] {
        makeResources();
        QList<TableProfile> read;
        for (const QString &path : filesIn(u":/profiles"_s)) {
            const ProfileFile file = readProfileFile(path);
            if (const auto *profile = std::get_if<TableProfile>(&file.profile))
                read.append(*profile);
        }
        return read;
    }();
    return profiles;
}

QList<TableProfile> allProfiles(const QString &ownFolder, QList<ProfileFile> *faulty)
{
    QList<TableProfile> profiles;
    for (const QString &path : filesIn(ownFolder)) {
        const ProfileFile file = readProfileFile(path);
        if (const auto *profile = std::get_if<TableProfile>(&file.profile)) {
            profiles.append(*profile);
            profiles.last().isOwn = true;
        } else if (faulty) {
            faulty->append(file);
        }
    }
    for (const TableProfile &builtIn : builtInProfiles()) {
        const bool isReplaced = std::any_of(profiles.cbegin(), profiles.cend(),
                                            [&](const TableProfile &own) { return own.id == builtIn.id; });
        if (!isReplaced)
            profiles.append(builtIn);
    }
    return profiles;
}

} // namespace lockscope
