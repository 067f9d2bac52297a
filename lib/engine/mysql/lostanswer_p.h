// SPDX-License-Identifier: MIT
#pragma once

#include "mysqlserver_p.h"

#include <functional>

namespace lockscope::detail {

/// What is known of a packet whose answer was lost with its connection.
enum class Fate { Unknown, NotDone, Done };

/// Ends that connection, so that nothing of the packet can happen later, and asks what became of it. `ask` looks once
/// over `link`; Unknown: there was no answer. NotDone counts only when the other connection is known to have ended, and
/// only when the session that made sure of that says so.
Fate askAfterLostAnswer(EngineCore &core, ReconnectingSession &link, quint64 brokenSession,
                        const std::function<Fate()> &ask);
/// The same until it can be told, for 5 s.
Fate fateAfterLostAnswer(EngineCore &core, ReconnectingSession &link, quint64 brokenSession,
                         const std::function<Fate()> &ask);

} // namespace lockscope::detail
