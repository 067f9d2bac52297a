// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <optional>

namespace lockscope::ctl {

/// The first line of `path`, which must be a plain file that nobody but its owner can read. None and `*error`
/// otherwise.
std::optional<QString> readPasswordFile(const QString &path, QString *error);

/// True when there is a terminal to ask at.
bool canAskForPassword();
/// Asks at the terminal without showing what is typed. None when the user cancels (Ctrl+C, Ctrl+D).
std::optional<QString> askForPassword(const QString &prompt);

/// What the desktop's keyring has for this user and server. None when it has none, when there is no keyring, or when it
/// does not answer soon: perhaps it asks somebody to unlock it.
std::optional<QString> passwordFromKeyring(const ServerUrl &url);

} // namespace lockscope::ctl
