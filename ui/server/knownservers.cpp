// SPDX-License-Identifier: MIT
#include "knownservers.h"

#include "console/keyring.h"
#include "console/serveraccess.h"

#include <QtCore/QSettings>

#include <algorithm>

namespace lockscope::ui {

namespace {

auto isCalled(const QString &name)
{
    return [name](const ServerProfile &profile) { return profile.name == name; };
}

} // namespace

KnownServers::KnownServers(QObject *parent)
    : QObject(parent)
{
    load();
}

void KnownServers::load()
{
    QSettings settings;
    m_list = loadProfiles(settings);
}

bool KnownServers::has(const QString &name) const
{
    return std::any_of(m_list.cbegin(), m_list.cend(), isCalled(name));
}

void KnownServers::put(ServerProfile profile, const QString &password, const QString &before)
{
    const auto tag = [this, sought = before.isEmpty() ? profile.name : before] {
        const auto found = std::find_if(m_list.cbegin(), m_list.cend(), isCalled(sought));
        return found == m_list.cend() ? -1 : int(found->isProduction);
    };
    const int seen = tag();
    load();
    if (seen == int(profile.isProduction) && tag() >= 0) // the person left it as it was
        profile.isProduction = tag() == 1;
    for (const ServerProfile &one : std::as_const(m_list)) { // a form does not know it
        if (!one.ownName.isEmpty() && !profile.isStore() && isSameServer(one.url, profile.url))
            profile.ownName = one.ownName;
    }
    QList<ServerProfile> replaced;
    auto place = m_list.size();
    for (auto i = m_list.size() - 1; i >= 0; --i) {
        if (m_list[i].name != profile.name && (before.isEmpty() || m_list[i].name != before))
            continue;
        replaced.append(m_list.takeAt(i));
        place = i;
    }
    m_list.insert(place, profile);
    save();
    for (const ServerProfile &old : std::as_const(replaced))
        forgetUnlessUsed(old);
    if (!profile.remembersPassword || password.isEmpty())
        return;
    Keyring::store(profile.keyringName(), password, this, [this, name = profile.name](const Keyring::Answer &answer) {
        if (answer.error.isEmpty())
            return;
        load();
        const auto kept = std::find_if(m_list.begin(), m_list.end(), isCalled(name));
        if (kept != m_list.end())
            kept->remembersPassword = false;
        save();
        Q_EMIT passwordNotKept(name, answer.error);
    });
}

void KnownServers::remove(const QString &name)
{
    load();
    const auto found = std::find_if(m_list.cbegin(), m_list.cend(), isCalled(name));
    if (found == m_list.cend())
        return;
    const ServerProfile gone = m_list.takeAt(found - m_list.cbegin());
    save();
    forgetUnlessUsed(gone);
}

void KnownServers::keepWaitsOff(const ServerProfile &profile)
{
    load();
    const auto kept = std::find_if(m_list.begin(), m_list.end(), isCalled(profile.name));
    if (kept == m_list.end() || !kept->isAt(profile) || kept->waitsOff == profile.waitsOff)
        return;
    kept->waitsOff = profile.waitsOff;
    save();
}

/// Two schemas of one server share a password.
void KnownServers::forgetUnlessUsed(const ServerProfile &gone)
{
    const QString name = gone.keyringName();
    const bool isUsed = std::any_of(m_list.cbegin(), m_list.cend(), [&name](const ServerProfile &profile) {
        return profile.remembersPassword && profile.keyringName() == name;
    });
    if (!gone.remembersPassword || isUsed)
        return;
    Keyring::forget(name, this, [](const Keyring::Answer &) {}); // without a keyring there is nothing to forget
}

void KnownServers::save()
{
    QSettings settings;
    saveProfiles(settings, m_list);
    Q_EMIT changed();
}

void KnownServers::findPassword(const ServerProfile &profile, const QString &typed, QObject *context,
                                std::function<void(const QString &password)> done)
{
    if (!typed.isEmpty() || !profile.remembersPassword) {
        QMetaObject::invokeMethod(
            context, [typed, done = std::move(done)] { done(typed); }, Qt::QueuedConnection);
        return;
    }
    Keyring::read(profile.keyringName(), context, [done = std::move(done)](const Keyring::Answer &answer) {
        done(answer.password.value_or(QString()));
    });
}

} // namespace lockscope::ui
