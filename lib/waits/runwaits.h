// SPDX-License-Identifier: MIT
// Lessons and the lab let their own sessions wait for each other on purpose: nobody is to be called for that.
#pragma once

#include "serverwaits.h"

namespace lockscope {

/// Sessions, and what stands for prepared transactions, that are busy with their own run alone: those that hold each
/// other up within one run, and those of lessons that hold nobody up. As soon as somebody else is among those who wait
/// for each other, none of them is.
///
/// A name that anybody may give himself must hide nothing. A lesson's session has an account that its run has made and
/// that may use the run's schema alone; who can make such an account needs no disguise. One of the lab has the account
/// that the lab was given, so there its schema tells: both sides of a wait have to use it as the same user, and what is
/// waited for has to lie in it or be a lock by name. A session that waits for a table of somebody else's is told,
/// whoever holds that, and whatever schema that one says it uses.
///
/// Pure; any thread. Costs nothing where there is no run.
QSet<quint64> sessionsOfRuns(const ServerWaits &waits);

} // namespace lockscope
