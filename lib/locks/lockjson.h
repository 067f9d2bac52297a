// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

#include <QtCore/QJsonObject>

namespace lockscope {

// Locks as JSON, the same in lockctl and in what the window saves and copies.

/// ISO 8601, UTC, milliseconds; null where there is none.
QJsonValue toJson(const std::optional<ServerTime> &time);
QJsonValue milliseconds(const std::optional<Microseconds> &duration);
QJsonValue number(const std::optional<quint64> &value);
QJsonValue textOrNull(const QString &text);
QJsonObject toJson(const Owner &owner);
/// Adds `resource` (as text) and `resourceHex` (exact).
void addResource(QJsonObject *object, const QByteArray &resource);
QJsonObject toJson(const LockRow &row, ServerTime now);
QJsonObject toJson(const TableLock &lock, ServerTime now);
QJsonObject toJson(const Waiter &waiter, ServerTime now);

QString stateText(LockState state);
QString stateText(TableLockState state);
/// "ShedLock", "looks like ShedLock"
QString profileText(const TableLock &lock);
QString modeText(LockKind kind);
QString kindText(LockKind kind);

} // namespace lockscope
