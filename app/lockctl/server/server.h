// SPDX-License-Identifier: MIT
#pragma once

#include "globals.h"
#include "session/reconnectingsession.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lockscope::ctl {

/// The address that the options or the environment name; may be empty.
QString namedUrl(const Globals &globals);
/// Of --password-file, or of the environment; may be empty. None after an error; then `*exitCode` is set.
std::optional<QString> givenPassword(const Globals &globals, int *exitCode);
/// The server that the options name, with the password where one is given. None after an error; then `*exitCode`
/// is set. Does no I/O to a named server; looks for the private one when none is named. One that answers no statement
/// for ten seconds is given up: a caller whose statements may take longer has to change that.
std::optional<SessionTarget> findServer(const Globals &globals, int *exitCode);

using Connect = std::function<std::optional<LockError>(const SessionTarget &)>;
/// Runs `connect` on the server that the options name; when it refuses the user and no password was given, runs it
/// once more with the one in the desktop's keyring, and then with one asked for at the terminal. The returned error is
/// the last one.
std::optional<LockError> withPassword(SessionTarget *target, const Connect &connect);
/// findServer() and withPassword(). None after an error; then `*exitCode` is set.
std::optional<SessionTarget> reachServer(const Globals &globals, int *exitCode, const Connect &connect);

/// What a person calls a server to say which one it is: its host, with the port unless that is 3306, or the
/// path of its socket.
QString nameOf(const SessionTarget &target);
/// Before what cannot be undone and hits many: `warning`, and whether the server's name was typed at the terminal.
bool isServerTyped(const QString &warning, const QString &server);
/// True where no name was given; false after an error when it is another server's.
bool isServerMeant(const std::string &name, const QString &server);

/// Of what ServerAccess refuses. Returns the exit code, the same whichever command it was.
int printRefusal(const LockError &refusal);

/// To watch is to look at a server beside its work: the schema may be missing, and answers have a limit.
enum class LinkUse { Work, Watch };
/// An open link. Null after an error; then `*exitCode` is set. `*reached` is where it leads.
std::unique_ptr<ReconnectingSession> linkToServer(const Globals &globals, int *exitCode,
                                                  SessionTarget *reached = nullptr, LinkUse use = LinkUse::Work);

} // namespace lockscope::ctl
