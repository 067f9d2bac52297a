// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "lockscope/serverurl.h"

#include <QtCore/QString>

#include <functional>
#include <optional>

class QSettings;

namespace lockscope {

/// What may be changed on a server: nothing, unless a person chose to. Each action on other people's locks and sessions
/// asks it before it does anything, whoever calls, and so does a run of the lab.
class ServerAccess
{
public:
    /// Read-only.
    ServerAccess() = default;
    static ServerAccess toLook(bool isProduction);
    /// Read-only, of the server that answered by this name; see isProductionByOwnName().
    static ServerAccess toLookAt(const QString &ownName);
    /// Operator mode, by the person's choice.
    static ServerAccess toAct(bool isProduction = false);
    /// Of a command at `url`, which acts at once. On a server that is tagged as production it has to have been named:
    /// an address comes from the environment or from a line of the history. By `ownName` it is known too, once it
    /// answered.
    static ServerAccess ofCommand(const ServerUrl &url, const QString &ownName, bool isNamed);
    static ServerAccess ofCommand(bool isProduction, bool isNamed);

    bool isProduction() const { return m_isProduction; }
    /// Why no lock or session may be ended; none: it may.
    std::optional<LockError> refusal() const;
    /// Why no contention may be made here; none: it may.
    std::optional<LockError> refusalOfLab() const;

private:
    bool m_mayAct = false;
    bool m_isProduction = false;
};

/// Whether the window's list of servers, in its settings, has an entry that is tagged as production and has what is
/// sought in this field.
bool hasTaggedEntry(const QSettings &settings, const QString &field,
                    const std::function<bool(const QString &value)> &isSought);
/// Whether it has one at this address that is tagged: by whatever name, user or schema it is reached.
bool isProductionServer(const QSettings &settings, const ServerUrl &url);
/// The same of the settings of this user's window.
bool isProductionServer(const ServerUrl &url);

/// Whether it has one that is tagged and called itself this when it last answered the window: the same server by a way
/// that its address does not tell, a tunnel or another name. See ServerInfo::ownName; an empty name is nobody's.
bool isProductionByOwnName(const QSettings &settings, const QString &ownName);
bool isProductionByOwnName(const QString &ownName);
/// Keeps what the server at this address calls itself with each entry that leads there. Nothing else of the list is
/// written: another window may have changed it, and another version keep more of it.
void keepOwnName(QSettings *settings, const ServerUrl &url, const QString &ownName);

/// Whether both lead to one server, as far as their texts tell: host and port, or socket.
bool isSameServer(const ServerUrl &a, const ServerUrl &b);

} // namespace lockscope
