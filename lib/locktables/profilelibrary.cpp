// SPDX-License-Identifier: MIT
#include "profilelibrary.h"

#include "profilefolder.h"

#include <QtCore/QFileInfo>

#include <algorithm>

static void makeResources()
{
    Q_INIT_RESOURCE(profiles); // of a static library; not from within a namespace
}

namespace lockscope {

using namespace Qt::StringLiterals;

QString ownProfileFolder()
{
    return ownSettingsFolder(u"profiles"_s);
}

ProfileFile readProfileFile(const QString &path)
{
    const auto bytes = readProfileBytes(path);
    if (const auto *fault = std::get_if<ProfileFault>(&bytes))
        return {path, *fault};
    return {path, readProfile(std::get<QByteArray>(bytes), QFileInfo(path).completeBaseName())};
}

QList<TableProfile> builtInProfiles()
{
    static const QList<TableProfile> profiles = [] {
        makeResources();
        QList<TableProfile> read;
        for (const QString &path : profileFilesIn(u":/profiles"_s)) {
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
    for (const QString &path : profileFilesIn(ownFolder)) {
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
