// SPDX-License-Identifier: MIT
#pragma once

#include "locks/lockjson.h"
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

/// One JSON array, written as its parts become known.
class JsonArrayPrinter
{
public:
    void add(const QJsonArray &part);
    void end();

private:
    bool m_isBegun = false;
};

/// "lockctl: <text>" to standard error.
void printError(const QString &text);
/// The same for an error, whatever the server's own words in it are, and the exit code for it.
int printError(const LockError &error);

/// Names and notes as a terminal may show them: what is not printable UTF-8 as \xHH, a backslash as \\.
QString printable(const QByteArray &bytes);
QString printable(const QString &text);
/// Each line as printable().
QString printableLines(const QString &text);

/// Columns padded to their widest cell; the last one is not padded. It is cut so that a line fits into `columns` (0:
/// not), but not to nothing.
QString table(const QStringList &header, const QList<QStringList> &rows, int columns = 0);

/// Locks as `list` shows them, part by part: the columns are as wide as the first two parts need.
class LockTablePrinter
{
public:
    /// 0 columns: as wide as it is.
    explicit LockTablePrinter(int columns)
        : m_columns(columns)
    {
    }
    void add(const QList<LockRow> &locks, ServerTime now);
    /// Lines of other kinds.
    void add(const QList<QStringList> &cells);
    void end();

private:
    const int m_columns;
    QList<QStringList> m_first; ///< not written yet
    QList<int> m_widths;        ///< empty: nothing was written yet
};

/// Locks as a table.
QString lockTable(const QList<LockRow> &locks, ServerTime now);

// As a saved list of the window has them too.
using lockscope::addResource;
using lockscope::milliseconds;
using lockscope::modeText;
using lockscope::number;
using lockscope::stateText;
using lockscope::textOrNull;
using lockscope::toJson;

/// "2026-11-26 03:12:04", in this machine's time zone, which has to be named once beside such times: see zoneName().
QString timeText(ServerTime time);
/// Of this machine, then: "CET", "UTC".
QString zoneName(ServerTime time);

/// "26 s", "forever" for none, "-" for a time that is over.
QString remainingText(const std::optional<Microseconds> &remaining);
/// To standard error: why waiters of row locks are not known, and what grants it.
void warnAboutWaiters();

} // namespace lockscope::ctl
