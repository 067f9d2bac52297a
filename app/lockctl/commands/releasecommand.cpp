// SPDX-License-Identifier: MIT
#include "actions/forcerelease.h"
#include "arguments.h"
#include "bulkreleasecommand.h"
#include "console/auditfile.h"
#include "keyreleasecommand.h"
#include "server/reachedsource.h"
#include "server/server.h"
#include "tablereleasecommand.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

struct ReleaseArguments
{
    std::string resource;
    quint64 token = 0;
    std::string guard;
    bool isForLeader = false;
    std::string prefix;
    std::string session;
    std::string table;
    std::string profile;
    std::string reason;
    std::string server;
    bool dryRun = false;
    bool yes = false;
};

bool isTarget(const std::optional<LockRow> &lock, quint64 token)
{
    return lock && lock->token == token && lock->state != LockState::Kept;
}

QString whatIsThere(const std::optional<LockRow> &lock)
{
    return lock ? u"it is held by %1 with token %2"_s.arg(printable(lock->owner.toString())).arg(lock->token)
                : u"no lease of that name is held"_s;
}

/// Of what has no lease.
QString whereToLook(const LockSource &source)
{
    return source.keyKind() ? u"other programs' locks: --guard"_s
                            : u"locks in other programs' tables: --table; the server's own, such as GET_LOCK: lockctl "
                              "blockers, lockctl kill"_s;
}

int reportChanged(const Globals &globals, const ReleaseOrder &order, const std::optional<LockRow> &lock,
                  const LockSource &source)
{
    if (globals.json)
        printJson(
            QJsonObject{{u"outcome"_s, u"changed"_s}, {u"tokenNow"_s, lock ? number(lock->token) : QJsonValue()}});
    printError(u"nothing was done: %1 is not held with token %2; %3."_s.arg(
        printable(order.key.resource), QString::number(order.token),
        lock ? whatIsThere(lock) : u"%1 (%2)"_s.arg(whatIsThere(lock), whereToLook(source))));
    return NothingDone;
}

/// Of one whose session is alive.
QString holderWarning(const LockRow &lock)
{
    return isOfOtherProgram(lock)
        ? u"Another program holds it: it is told nothing of this and works on, so it and whoever gets the lock "
          "next may both work."_s
        : u"The holder's session is alive: it may be working now, and learns of this at its next renewal."_s;
}

int preview(const Globals &globals, const ReleaseOrder &order, const ReleasePreview &seen, const LockSource &source)
{
    if (!isTarget(seen.lock, order.token))
        return reportChanged(globals, order, seen.lock, source);
    const QString statement = QString::fromUtf8(releaseStatement(order, source));
    const QString script = QString::fromUtf8(source.script());
    if (globals.json) {
        QJsonArray queue;
        for (const Waiter &waiter : seen.queue)
            queue.append(toJson(waiter, seen.clock.server));
        printJson(QJsonObject{{u"outcome"_s, u"preview"_s},
                              {u"lock"_s, toJson(*seen.lock, seen.clock.server)},
                              {u"waiters"_s, queue},
                              {u"statement"_s, statement},
                              {u"script"_s, textOrNull(script)}});
        return Done;
    }
    printLine(u"Would release %1, held by %2 with token %3."_s.arg(
        printable(order.key.resource), printable(seen.lock->owner.toString()), QString::number(order.token)));
    printLine(seen.queue.isEmpty()
                  ? u"Nobody waits: it would be free."_s
                  : u"Next is %1, first of %2."_s.arg(printable(seen.queue.constFirst().owner.toString()))
                        .arg(seen.queue.size()));
    if (seen.lock->sessionAlive)
        printLine(holderWarning(*seen.lock));
    printLine(u'\n' + statement + (script.isEmpty() ? QString() : u"\n\n"_s + script));
    return Done;
}

int reportReleased(const Globals &globals, const ReleaseOrder &order, const ReleaseReport &report)
{
    if (globals.json) {
        const auto next = report.lockNow;
        printJson(
            QJsonObject{{u"outcome"_s, u"released"_s}, {u"tokenNow"_s, next ? number(next->token) : QJsonValue()}});
    } else if (report.isNextNotified) {
        printLine(u"Released %1; now %2."_s.arg(printable(order.key.resource), whatIsThere(report.lockNow)));
    } else {
        printLine(u"Released %1."_s.arg(printable(order.key.resource)));
    }
    if (!report.isNextNotified) // the row names it, but it does not work under the lock yet
        printError(u"the next holder could not be woken, and takes the lock when it notices: within 15 s."_s);
    return Done;
}

int release(const Globals &globals, const ReleaseArguments &arguments)
{
    ReleaseOrder order;
    order.key.resource = QByteArray::fromStdString(arguments.resource);
    order.token = arguments.token;
    order.operatorName = AuditFile::operatorName();
    order.reason = QString::fromStdString(arguments.reason);

    int exitCode = Done;
    const auto target = findEngineTarget(globals, &exitCode);
    if (!target)
        return exitCode;
    if (!isServerMeant(arguments.server, nameOf(*target)))
        return NothingDone;
    ReachedSource reached;
    if (const auto error = openSource(*target, SourceUse::Act, &reached))
        return printError(*error);
    if (arguments.dryRun) {
        ReleasePreview seen;
        if (const auto error = previewRelease(*reached.source, order.key, &seen))
            return printError(*error);
        return preview(globals, order, seen, *reached.source);
    }
    const ServerAccess access = accessTo(*target, reached, !arguments.server.empty());
    if (const auto refusal = access.refusal())
        return printRefusal(*refusal);
    AuditFile audit;
    const ReleaseReport report = releaseByForce(*reached.source, order, access, &audit);
    if (!report.recordError.isEmpty())
        printError(printable(report.recordError));
    switch (report.outcome) {
    case ReleaseReport::Outcome::Released:
        return reportReleased(globals, order, report);
    case ReleaseReport::Outcome::TargetChanged:
        return reportChanged(globals, order, report.lockNow, *reached.source);
    case ReleaseReport::Outcome::Failed:
        break;
    }
    return printError(report.error.value_or(LockError()));
}

int releaseMany(const Globals &globals, const ReleaseArguments &arguments)
{
    return bulkRelease(
        globals,
        {.selection = {QByteArray::fromStdString(arguments.prefix), QByteArray::fromStdString(arguments.session)},
         .operatorName = AuditFile::operatorName(),
         .reason = QString::fromStdString(arguments.reason),
         .server = arguments.server,
         .dryRun = arguments.dryRun,
         .yes = arguments.yes});
}

int releaseRow(const Globals &globals, const ReleaseArguments &arguments)
{
    return releaseTableRow(globals,
                           {.table = QString::fromStdString(arguments.table),
                            .token = arguments.token,
                            .profile = QString::fromStdString(arguments.profile),
                            .reason = QString::fromStdString(arguments.reason),
                            .server = arguments.server,
                            .dryRun = arguments.dryRun});
}

int releaseGuarded(const Globals &globals, const ReleaseArguments &arguments)
{
    return releaseKeyLock(globals,
                          {.name = QByteArray::fromStdString(arguments.resource),
                           .guard = QByteArray::fromStdString(arguments.guard),
                           .reason = QString::fromStdString(arguments.reason),
                           .server = arguments.server,
                           .dryRun = arguments.dryRun,
                           .isForLeader = arguments.isForLeader});
}

CLI::Option *addSelection(CLI::App &command, const std::string &name, std::string &value,
                          QByteArray LeaseSelection::*part, const std::string &help)
{
    const auto check = [part](std::string &text) {
        LeaseSelection selection;
        selection.*part = QByteArray::fromStdString(text);
        const auto wrong = BulkRelease::check(selection);
        return wrong ? wrong->message.toStdString() : std::string();
    };
    return command.add_option(name, value, help)->check(CLI::Validator(check, std::string(), name));
}

} // namespace

void addRelease(CLI::App &app, Globals &globals)
{
    auto *command =
        addCommand(app, "release",
                   "End somebody else's lease, if it still has this token, or with --prefix or --owner all "
                   "that are held now; the next waiter gets the lock. With --table end a lock that another "
                   "program keeps in its table, with --guard one that it keeps in Redis, ZooKeeper or etcd. "
                   "Recorded with your name and reason",
                   "lockctl release invoices --token 42 --reason 'host a7 is gone' --dry-run");
    auto arguments = std::make_shared<ReleaseArguments>();
    auto *resource = addResource(*command, arguments->resource)->required(false);
    auto *token = addToken(*command, arguments->token);
    auto *guard = command
                      ->add_option("--guard", arguments->guard,
                                   "Of another program's lock in Redis, ZooKeeper or etcd: only while it is held with "
                                   "this, which `list --all` has as TOKEN: the value, HOLDER=VALUE or a number")
                      ->type_name("V")
                      ->excludes(token);
    command
        ->add_flag("--change-leader", arguments->isForLeader,
                   "With --guard: also a lock whose end makes another process the leader")
        ->needs(guard);
    auto *prefix = addSelection(*command, "--prefix", arguments->prefix, &LeaseSelection::prefix,
                                "Every lease whose name begins with this")
                       ->type_name("P");
    auto *session = addSelection(*command, "--owner", arguments->session, &LeaseSelection::session,
                                 "Every lease of one process: owner.session in `list --json`")
                        ->type_name("SESSION");
    auto *table = command
                      ->add_option("--table", arguments->table,
                                   "The row with this token of another program's lock table, as `list --all` names it: "
                                   "SCHEMA.TABLE")
                      ->type_name("T");
    command
        ->add_option("--profile", arguments->profile,
                     "With --table: this program's it is, though its name is not; `list --all` shows such a table as "
                     "one that \"looks like\" the program's")
        ->type_name("NAME")
        ->needs(table);
    addReason(*command, arguments->reason, "Why; kept with the event");
    command->add_flag("--dry-run", arguments->dryRun, "Only show what would be done, and the statement");
    auto *yes = command->add_flag("--yes", arguments->yes, "With --prefix or --owner: do not ask");
    addServerName(*command, arguments->server);
    command->callback([&globals, arguments, resource, token, guard, prefix, session, table, yes] {
        const auto isGiven = [](const CLI::Option *option) { return option->empty() ? 0 : 1; };
        const bool isMany = isGiven(prefix) + isGiven(session) > 0;
        const int meant = isGiven(resource) + isGiven(prefix) + isGiven(session) + isGiven(table);
        if (meant == 0)
            throw CLI::RequiredError("RESOURCE, --prefix, --owner or --table");
        if (meant > 1 || (isMany && isGiven(token) > 0))
            throw CLI::ValidationError(
                "release", "RESOURCE with --token, --table with --token, --prefix and --owner exclude each other");
        const bool isGuarded = isGiven(guard) > 0;
        if (isGuarded && isGiven(resource) == 0)
            throw CLI::ValidationError("--guard", "it goes with RESOURCE, the name of the key or the node");
        if (!isMany && !isGuarded && isGiven(token) == 0)
            throw CLI::RequiredError("--token or --guard");
        if (!isMany && isGiven(yes) > 0)
            throw CLI::ValidationError("--yes", "one lock with its token is released without a question");
        if (isMany && arguments->yes && !arguments->dryRun && arguments->server.empty())
            throw CLI::ValidationError("--yes",
                                       "with --prefix or --owner it needs --server: on another server these are "
                                       "somebody else's locks");
        const bool isRow = isGiven(table) > 0;
        globals.action = [&globals, arguments, isGuarded, isMany, isRow] {
            return isRow    ? releaseRow(globals, *arguments)
                : isMany    ? releaseMany(globals, *arguments)
                : isGuarded ? releaseGuarded(globals, *arguments)
                            : release(globals, *arguments);
        };
    });
}

} // namespace lockscope::ctl
