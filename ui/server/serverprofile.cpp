// SPDX-License-Identifier: MIT
#include "serverprofile.h"

#include "console/consoleurl.h"
#include "console/keyring.h"
#include "console/serveraccess.h"
#include "sources/storeaddress.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFileInfo>
#include <QtCore/QSettings>

#include <array>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// In the settings; by WaitSource.
constexpr std::array<const char *, WaitSourceCount> kSources{"sessions",  "transactions", "rowWaits",  "metadata",
                                                             "userLocks", "statements",   "attributes"};

QSet<WaitSource> sourcesOf(const QStringList &keys)
{
    QSet<WaitSource> sources;
    for (int i = 0; i < WaitSourceCount; ++i) {
        if (keys.contains(QLatin1StringView(kSources[size_t(i)])))
            sources.insert(WaitSource(i));
    }
    return sources;
}

QStringList keysOf(const QSet<WaitSource> &sources)
{
    QStringList keys;
    for (int i = 0; i < WaitSourceCount; ++i) {
        if (sources.contains(WaitSource(i)))
            keys.append(QLatin1StringView(kSources[size_t(i)]));
    }
    return keys;
}

} // namespace

ServerProfile ServerProfile::privateServer(const QString &folder)
{
    ServerProfile profile;
    profile.name = QCoreApplication::translate("lockscope::ui::ServerProfile", "Private server");
    profile.isPrivate = true;
    profile.folder = folder;
    return profile;
}

ServerProfile ServerProfile::unnamed(const ServerUrl &url)
{
    ServerProfile profile;
    profile.url = url;
    profile.name = profile.address();
    return profile;
}

ServerProfile ServerProfile::unnamedStore(const QString &url)
{
    ServerProfile profile;
    profile.store = storeUrl(url);
    profile.name = profile.address();
    return profile;
}

QString ServerProfile::storeTitle() const
{
    return lockscope::storeTitle(store);
}

QString ServerProfile::user() const
{
    return isStore() ? storeUser(store) : url.user;
}

QString ServerProfile::urlText() const
{
    if (isStore())
        return store;
    return url.user.isEmpty() ? QString() : url.toString();
}

QString ServerProfile::keyringName() const
{
    return isStore() ? storeKeyringName(store) : Keyring::nameOf(url);
}

ServerProfile ServerProfile::ofRecording(const QString &path)
{
    ServerProfile profile;
    profile.name = QFileInfo(path).fileName();
    profile.recording = path;
    return profile;
}

QString ServerProfile::address() const
{
    if (!recording.isEmpty())
        return {};
    if (isPrivate)
        return folder;
    return isStore() ? storeName(store) : addressOf(url);
}

QString ServerProfile::fullName() const
{
    const QString where = address();
    return where.isEmpty() || where == name ? name : u"%1 (%2)"_s.arg(name, where);
}

bool ServerProfile::isMeantBy(const QString &typed) const
{
    const QString meant = typed.trimmed();
    return !meant.isEmpty() && (meant == nameToType() || meant == fullName());
}

bool isTaggedAsProduction(const ServerProfile &profile)
{
    const QSettings settings;
    if (profile.isProduction)
        return true;
    return profile.isStore()
        ? isProductionStore(settings, profile.store)
        : isProductionServer(settings, profile.url) || isProductionByOwnName(settings, profile.ownName);
}

bool hearOwnName(ServerProfile *profile, const QString &ownName)
{
    if (ownName.isEmpty() || ownName == profile->ownName || profile->isPrivate)
        return false;
    profile->ownName = ownName;
    QSettings settings;
    keepOwnName(&settings, profile->url, ownName);
    return true;
}

bool recognize(ServerProfile *profile)
{
    const bool wasGuarded = profile->isGuarded();
    profile->isRecognized = !profile->isPrivate && isProductionByOwnName(QSettings(), profile->ownName);
    return profile->isGuarded() != wasGuarded;
}

QList<ServerProfile> loadProfiles(QSettings &settings)
{
    QList<ServerProfile> profiles;
    const int count = settings.beginReadArray(u"servers"_s);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        ServerProfile profile;
        QString error;
        profile.name = settings.value(u"name"_s).toString();
        profile.tint = Tints::fromKey(settings.value(u"tint"_s).toString());
        profile.remembersPassword = settings.value(u"keyring"_s).toBool();
        profile.isProduction = settings.value(u"production"_s).toBool();
        profile.ownName = settings.value(u"ownName"_s).toString();
        profile.waitsOff = sourcesOf(settings.value(u"waitsOff"_s).toStringList());
        const QString url = settings.value(u"url"_s).toString();
        if (isStore(url) && wrongStore(url).isEmpty())
            profile.store = storeUrl(url);
        if (profile.isStore() || ServerUrl::parse(url, &profile.url, &error))
            profiles.append(profile);
    }
    settings.endArray();
    return profiles;
}

void saveProfiles(QSettings &settings, const QList<ServerProfile> &profiles)
{
    settings.remove(u"servers"_s); // a shorter list would leave old entries behind
    settings.beginWriteArray(u"servers"_s, int(profiles.size()));
    for (int i = 0; i < profiles.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(u"name"_s, profiles[i].name);
        settings.setValue(u"url"_s, profiles[i].isStore() ? profiles[i].store : profiles[i].url.toString());
        settings.setValue(u"tint"_s, Tints::key(profiles[i].tint));
        settings.setValue(u"keyring"_s, profiles[i].remembersPassword);
        settings.setValue(u"production"_s, profiles[i].isProduction);
        settings.setValue(u"ownName"_s, profiles[i].ownName);
        settings.setValue(u"waitsOff"_s, keysOf(profiles[i].waitsOff));
    }
    settings.endArray();
}

} // namespace lockscope::ui
