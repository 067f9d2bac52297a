// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"
#include "lockscope/lockerror.h"
#include "lockscope/owner.h"
#include "terminal/exitcode.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// Writes to standard output and flushes. A reader that has gone ends the program quietly, as it ends other tools; any
/// other failure (a full disk) ends it with a sentence; both with the code `unwritten`.
void print(const QString &text, int unwritten = Failed);
void printLine(const QString &line, int unwritten = Failed);
void printJson(const QJsonObject &object, int unwritten = Failed);
void printJson(const QJsonArray &array);

/// "lockctl: <text>" to standard error.
void printError(const QString &text);
/// The same for an error, whatever the server's own words in it are, and the exit code for it.
int printError(const LockError &error);

/// Names and notes as a terminal may show them: what is not printable UTF-8 as \xHH, a backslash as \\.
QString printable(const QByteArray &bytes);
QString printable(const QString &text);

/// Columns padded to their widest cell; the last one is not padded. It is cut so that a line fits into `columns` (0:
/// not), but not to nothing.
QString table(const QStringList &header, const QList<QStringList> &rows, int columns = 0);

/// Locks as `list` shows them; `more` are lines of other kinds, cell by cell.
QString lockTable(const QList<LockRow> &locks, ServerTime now, const QList<QStringList> &more = {}, int columns = 0);

/// ISO 8601, UTC, milliseconds; null where there is none.
QJsonValue toJson(const std::optional<ServerTime> &time);
QJsonValue milliseconds(const std::optional<Microseconds> &duration);
QJsonValue number(const std::optional<quint64> &value);
QJsonValue textOrNull(const QString &text);
QJsonObject toJson(const Owner &owner);
/// Adds `resource` (as text) and `resourceHex` (exact).
void addResource(QJsonObject *object, const QByteArray &resource);
QJsonObject toJson(const LockRow &row, ServerTime now);
QJsonObject toJson(const Waiter &waiter, ServerTime now);

/// "26 s", "forever" for none, "-" for a time that is over.
QString remainingText(const std::optional<Microseconds> &remaining);
QString stateText(LockState state);
QString modeText(LockKind kind);
/// To standard error: why waiters of row locks are not known, and what grants it.
void warnAboutWaiters();

} // namespace lockscope::ctl
