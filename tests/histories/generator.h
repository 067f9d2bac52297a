// SPDX-License-Identifier: MIT
#pragma once

#include "history.h"

namespace lockscope::test {

/// The same history for the same seed, on every machine. `without`: names of kinds of moves that it does not have.
History generate(const QString &mode, quint64 seed, const QStringList &without = {}, const Rules &rules = {});

} // namespace lockscope::test
