// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/appearance.h"

#include <QtCore/QStringList>

namespace lockscope::ui {

struct ServerProfile;
class ServerConnection;

/// The arguments of a program that looks at this server and has this appearance.
QStringList windowArguments(const ServerProfile &server, const Appearance &appearance);

/// Opens another window, a program of its own, on the same server with the same password. False: it did not start.
bool startWindow(const ServerConnection &connection, const Appearance &appearance);

} // namespace lockscope::ui
