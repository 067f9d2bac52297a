// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

namespace lockscope::test {

/// Stops a process, and returns when all its threads have stopped: the signal is under way to each until that one has a
/// processor, and on a busy machine others act meanwhile. Fatal when there is no such process.
void freezeProcess(qint64 pid);
/// Lets it go on.
void thawProcess(qint64 pid);

} // namespace lockscope::test
