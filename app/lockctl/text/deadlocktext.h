// SPDX-License-Identifier: MIT
#pragma once

#include "deadlocks/deadlockinbox.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// When, who waited for whom and with what, who was rolled back, why, and what ends such deadlocks.
QStringList deadlockLines(const Deadlock &deadlock);
/// How many were not seen; empty: none.
QString notCapturedLine(const DeadlockNews &news);

/// The latest of a shape, and how many there were.
QStringList shapeLines(const DeadlockShape &shape);
QJsonObject toJson(const DeadlockShape &shape);

/// `deadlock` is null where there is none that is new.
QJsonObject toJson(const DeadlockNews &news);

} // namespace lockscope::ctl
