// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope_export.h"

#include <QtCore/QString>

namespace lockscope {

/// Where a server is: `mysql://user@host:port/schema?socket=%2Fpath&ssl-ca=%2Fca.pem`. Carries no password.
/// A plain value. Any host but this machine is spoken to only over TLS with a verified certificate; so is this machine
/// when the authority is named.
struct LOCKSCOPE_EXPORT ServerUrl
{
    QString user;
    QString host;   ///< empty with a socket
    int port = 0;   ///< 0 with a socket
    QString socket; ///< absolute path; empty for TCP
    QString schema;
    QString caFile; ///< PEM file of the authority that signed the server's certificate; empty: the system's

    /// Parses and checks; on failure returns false and one sentence that says what is wrong.
    /// Refuses a password in the URL, `;`, `=`, braces and control characters in user, host and CA file, `;` in the
    /// socket's path.
    static bool parse(const QString &text, ServerUrl *url, QString *error);
    QString toString() const;
    /// True for a socket or a loopback address.
    bool isLocal() const;

    bool operator==(const ServerUrl &) const = default;
};

} // namespace lockscope
