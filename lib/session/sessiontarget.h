// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>

namespace lockscope {

/// Where and as whom to connect.
struct SessionTarget
{
    ServerUrl url;
    QString password;
    std::chrono::seconds connectTimeout{10};
    /// No answer for this long ends the session (socket time-out), and so does one that takes a dozen times as long to
    /// come; must exceed the longest wait on the server.
    std::chrono::seconds readTimeout{0}; ///< 0 = none
    /// The server ends a statement that takes longer (MySQL: only one that reads), and the session goes on.
    std::chrono::seconds statementLimit{0}; ///< 0 = none
    bool readUncommitted = false;           ///< for monitors: sees what open transactions wrote
    /// Where the schema is missing, or may not be used, the session has none: for what a server tells of itself.
    bool isSchemaOptional = false;
    /// Prefix of the user-level locks by which sessions of this target know each other, for Session::kill(): one
    /// process's own. None = empty.
    QByteArray mark = {};
    bool isConsole = false; ///< of a program that watches and ends sessions: it does not end this one
};

} // namespace lockscope
