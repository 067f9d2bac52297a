// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <optional>

namespace lockscope {

/// What the group [client] of a MySQL or MariaDB option file says: host, port, socket, user, ssl-ca and password, as
/// these servers' own clients take them. The schema is "lockscope".
struct OptionFile
{
    ServerUrl url;
    QString password; ///< empty: none

    /// None and one sentence in `*error` when there is nothing to use: no such file or group, no user, a password that
    /// others can read, a file (this one or one that it includes) that others can write, or a server that is named
    /// twice. Runs my_print_defaults, so that a file means here what it means there.
    /// Thread: any. Blocks, so never the GUI's.
    static std::optional<OptionFile> read(const QString &path, QString *error);
};

} // namespace lockscope
