// SPDX-License-Identifier: MIT
#include "tablereleasecommand.h"

#include "actions/tablerelease.h"
#include "console/duration.h"
#include "server/server.h"
#include "server/tablelook.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/tabletext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

bool hasRow(const TableLocks &found, quint64 token)
{
    return std::any_of(found.locks.cbegin(), found.locks.cend(),
                       [token](const TableLock &lock) { return lock.fingerprint() == token; });
}

/// What stands before the point is the schema, but for a few names, which have several; to look there alone spares the
/// server a scan. `*found` is of the schema that has the row, else of the last one that has such a table.
std::optional<LockError> readTable(Session &session, const QString &table, quint64 token, TableLocks *found)
{
    TableReadOptions options;
    options.isFreeShown = true;
    options.table = table;
    for (qsizetype point = table.indexOf(u'.'); point > 0; point = table.indexOf(u'.', point + 1)) {
        options.schema = table.left(point);
        TableLocks here;
        if (auto error = readTableLocks(session, options, &here))
            return error;
        if (here.tables > 0)
            *found = std::move(here);
        if (hasRow(*found, token))
            return std::nullopt;
    }
    if (found->tables > 0)
        return std::nullopt;
    options.schema.clear();
    return readTableLocks(session, options, found);
}

int unreadable(const Globals &globals, const UnreadTable &table)
{
    const QString text =
        u"nothing was done: %1 cannot be read: %2"_s.arg(printable(table.place), printable(table.error->toString()));
    if (globals.json)
        printJson(QJsonObject{{u"outcome"_s, u"failed"_s}, {u"text"_s, text}, {u"rows"_s, 0}});
    printError(text);
    return exitCodeFor(*table.error);
}

/// The row that was shown. None after an error; then `*exitCode` is set.
std::optional<TableLock> findRow(const Globals &globals, Session &session, const TableReleaseArguments &arguments,
                                 ServerTime *now, int *exitCode)
{
    TableLocks found;
    if (const auto error = readTable(session, arguments.table, arguments.token, &found)) {
        *exitCode = printError(*error);
        return std::nullopt;
    }
    if (!found.unread.isEmpty() && found.unread.first().error) {
        *exitCode = unreadable(globals, found.unread.first());
        return std::nullopt;
    }
    warnAboutTables(found);
    *now = found.clock.server;
    const auto row = std::find_if(found.locks.cbegin(), found.locks.cend(), [&arguments](const TableLock &lock) {
        return lock.fingerprint() == arguments.token;
    });
    if (row != found.locks.cend())
        return *row;
    *exitCode = NothingDone;
    printError(found.tables == 0
                   ? u"nothing was done: there is no lock table %1 that this account can see."_s.arg(
                       printable(arguments.table))
                   : u"nothing was done: no row of %1 has the token %2; `lockctl list --all` shows what is there."_s
                         .arg(printable(arguments.table))
                         .arg(arguments.token));
    return std::nullopt;
}

QString heldText(const TableLock &lock, ServerTime now)
{
    QString text = stateText(lock.state);
    if (!lock.holder.isEmpty())
        text += u" by "_s + printable(lock.holder);
    return lock.since ? text + u" for "_s + formatCoarseDuration(now - *lock.since) : text;
}

int preview(const Globals &globals, Session &session, const TableReleaseOrder &order, ServerTime now)
{
    const TableLock &lock = order.lock;
    QString refusal;
    if (const auto error = lookUpTableRefusal(session, order, &refusal))
        return printError(*error);
    const QString statement = refusal.isEmpty() ? QString::fromUtf8(tableReleaseStatement(lock)) : QString();
    const int exitCode = refusal.isEmpty() ? Done : NothingDone;
    if (globals.json) {
        printJson(QJsonObject{{u"outcome"_s, u"preview"_s},
                              {u"lock"_s, toJson(lock, now)},
                              {u"refusal"_s, textOrNull(refusal)},
                              {u"warning"_s, textOrNull(lock.table.profile.release.warning)},
                              {u"statement"_s, textOrNull(statement)}});
        return exitCode;
    }
    printLine(u"%1 (%2): %3"_s.arg(tableLockName(lock), tableProfileText(lock), heldText(lock, now)));
    if (!refusal.isEmpty()) {
        printLine(u"Not released here: "_s + printable(refusal));
        return exitCode;
    }
    if (!lock.reason.isEmpty())
        printLine(u"Not known: "_s + printable(lock.reason));
    if (const QString warning = lock.table.profile.release.warning; !warning.isEmpty())
        printLine(u"Warning: "_s + printable(warning));
    printLine(u'\n' + printableLines(statement) + u';');
    return Done;
}

int report(const Globals &globals, const TableLock &lock, const TableReleaseReport &report)
{
    const bool isDone = report.outcome == TableReleaseReport::Outcome::Released;
    const bool isFailed = report.outcome == TableReleaseReport::Outcome::Failed;
    const QString text = tableLockName(lock) + u": "_s + printable(outcomeOf(report));
    if (globals.json)
        printJson(QJsonObject{{u"outcome"_s,
                               isDone         ? u"released"_s
                                   : isFailed ? u"failed"_s
                                              : u"nothing"_s},
                              {u"text"_s, printable(outcomeOf(report))},
                              {u"rows"_s, report.rows}});
    else if (isDone)
        printLine(u"Released "_s + tableLockName(lock) + u'.');
    if (!isDone)
        printError(text);
    if (report.error && report.error->kind == LockError::Kind::Contention)
        printError(u"`lockctl blockers` names the session that is in the way, while somebody waits for it."_s);
    if (!report.recordError.isEmpty())
        printError(printable(report.recordError));
    if (isFailed)
        return exitCodeFor(report.error.value_or(LockError()));
    return isDone ? Done : NothingDone;
}

} // namespace

int releaseTableRow(const Globals &globals, const TableReleaseArguments &arguments)
{
    int exitCode = Done;
    SessionTarget target;
    const auto link = linkToServer(globals, &exitCode, &target, LinkUse::Watch);
    if (!link)
        return exitCode;
    if (!isServerMeant(arguments.server, nameOf(target)))
        return NothingDone;
    LockError refused;
    Session *const session = link->session(&refused);
    if (!session)
        return printError(refused);
    ServerTime now;
    const auto lock = findRow(globals, *session, arguments, &now, &exitCode);
    if (!lock)
        return exitCode;
    const TableReleaseOrder order{*lock, AuditFile::operatorName(), arguments.reason, arguments.profile};
    if (arguments.dryRun)
        return preview(globals, *session, order, now);
    const ServerAccess access = ServerAccess::ofCommand(target.url, link->ownName(), !arguments.server.empty());
    if (const auto refusal = access.refusal())
        return printRefusal(*refusal);
    AuditFile audit;
    return report(globals, *lock, releaseTableLock(*session, order, access, &audit));
}

} // namespace lockscope::ctl
