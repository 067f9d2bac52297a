// SPDX-License-Identifier: MIT
#include "conventionlibrary.h"

#include "locktables/profilefolder.h"

#include <QtCore/QFileInfo>

#include <algorithm>

static void makeResources()
{
    Q_INIT_RESOURCE(conventions); // of a static library; not from within a namespace
}

namespace lockscope {

using namespace Qt::StringLiterals;

QString ownConventionFolder()
{
    return ownSettingsFolder(u"conventions"_s);
}

ConventionFile readConventionFile(const QString &path)
{
    const auto bytes = readProfileBytes(path);
    if (const auto *fault = std::get_if<ProfileFault>(&bytes))
        return {path, *fault};
    return {path, readConvention(std::get<QByteArray>(bytes), QFileInfo(path).completeBaseName())};
}

QList<KeyConvention> builtInConventions()
{
    static const QList<KeyConvention> conventions = [] {
        makeResources();
        QList<KeyConvention> read;
        for (const QString &path : profileFilesIn(u":/conventions"_s)) {
            const ConventionFile file = readConventionFile(path);
            if (const auto *convention = std::get_if<KeyConvention>(&file.convention))
                read.append(*convention);
        }
        // Without the ending: what is more general stands before its kinds.
        std::sort(read.begin(), read.end(), [](const KeyConvention &a, const KeyConvention &b) { return a.id < b.id; });
        return read;
    }();
    return conventions;
}

QList<KeyConvention> allConventions(const QString &ownFolder, QList<ConventionFile> *faulty)
{
    QList<KeyConvention> all;
    for (const QString &path : profileFilesIn(ownFolder)) {
        const ConventionFile file = readConventionFile(path);
        if (const auto *convention = std::get_if<KeyConvention>(&file.convention)) {
            all.append(*convention);
            all.last().isOwn = true;
        } else if (faulty) {
            faulty->append(file);
        }
    }
    for (const KeyConvention &builtIn : builtInConventions()) {
        const bool isReplaced =
            std::any_of(all.cbegin(), all.cend(), [&](const KeyConvention &own) { return own.id == builtIn.id; });
        if (!isReplaced)
            all.append(builtIn);
    }
    std::stable_partition(all.begin(), all.end(), [](const KeyConvention &each) { return !each.isGuess; });
    return all;
}

QList<KeyConvention> conventionsFor(const QList<KeyConvention> &all, KeyStore store, const QString &server,
                                    bool withGuesses)
{
    QList<KeyConvention> some = all;
    some.removeIf([&](const KeyConvention &each) {
        return each.store() != store || !each.isFor(server) || (each.isGuess && !withGuesses);
    });
    return some;
}

} // namespace lockscope
