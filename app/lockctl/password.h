#pragma once

#include <QtCore/QString>

#include <optional>

namespace lockscope::ctl {

/// The first line of `path`, which must be a plain file that nobody but its owner can read. None and `*error`
/// otherwise.
std::optional<QString> readPasswordFile(const QString &path, QString *error);

/// True when there is a terminal to ask at.
bool canAskForPassword();
/// Asks at the terminal without showing what is typed. None when the user cancels (Ctrl+C, Ctrl+D).
std::optional<QString> askForPassword(const QString &prompt);

} // namespace lockscope::ctl
