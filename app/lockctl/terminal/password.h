// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <functional>
#include <optional>

namespace lockscope::ctl {

/// The first line of `path`, which must be a plain file that nobody but its owner can read. None and `*error`
/// otherwise.
std::optional<QString> readPasswordFile(const QString &path, QString *error);

using ConnectWith = std::function<std::optional<LockError>(const QString &password)>;
/// Runs `connect` with the password that was given, which may be empty. When it is, and the user is refused, runs it
/// once more with what the desktop's keyring has under this name, and then with one asked for at the terminal, where
/// there is one. The returned error is the last one.
std::optional<LockError> tryPasswords(const QString &given, const QString &keyringName, const QString &prompt,
                                      const ConnectWith &connect);

} // namespace lockscope::ctl
