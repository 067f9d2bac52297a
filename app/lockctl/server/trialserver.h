// SPDX-License-Identifier: MIT
#pragma once

#include "console/serveraccess.h"
#include "globals.h"
#include "privateserver/privateserver.h"
#include "session/session.h"

namespace lockscope::ctl {

/// Where a command may lock, wait and fail on purpose: the private server, which is started here when none runs and
/// ends with the last who uses it, or the one that was named, after a question; never one that is tagged as production.
class TrialServer
{
public:
    struct Place
    {
        SessionTarget target; ///< with the password
        ServerAccess access;
        bool isPrivate = false;
    };

    explicit TrialServer(const Globals &globals)
        : m_globals(globals)
    {
    }
    TrialServer(const TrialServer &) = delete;
    TrialServer &operator=(const TrialServer &) = delete;

    /// `question` has a place for the server. None after an error, or when the answer was no.
    std::optional<Place> find(const QString &question, bool isAgreed, int *exitCode);

private:
    std::optional<Place> findNamed(const QString &question, bool isAgreed, int *exitCode);

    const Globals &m_globals;
    PrivateServerUser m_user;
};

} // namespace lockscope::ctl
