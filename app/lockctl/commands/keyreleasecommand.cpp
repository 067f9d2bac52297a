// SPDX-License-Identifier: MIT
#include "keyreleasecommand.h"

#include "actions/keyrelease.h"
#include "server/keylook.h"
#include "server/reachedsource.h"
#include "server/server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QString whatIsThere(const std::optional<LockRow> &lock)
{
    if (!lock || !lock->keyLock)
        return u"no lock of a known program is there, and what only perhaps is one (`list --all --perhaps`) is not "
               "released"_s;
    QStringList guards;
    for (const KeyHolder &holder : lock->keyLock->holders)
        guards.append(printable(holder.guard()));
    return u"it is held with the guard %1"_s.arg(guards.join(u", "_s));
}

int reportChanged(const Globals &globals, const KeyReleaseOrder &order, const std::optional<LockRow> &lock,
                  bool isKnown = true)
{
    if (globals.json)
        printJson(QJsonObject{{u"outcome"_s, u"changed"_s},
                              {u"guardNow"_s,
                               lock && lock->keyLock
                                   ? QJsonValue(QString::fromUtf8(lock->keyLock->holders.constFirst().guard()))
                                   : QJsonValue()}});
    printError(u"nothing was done: %1 is not held with the guard %2; %3."_s.arg(
        printable(order.key.resource), printable(order.guard),
        isKnown ? whatIsThere(lock) : u"what is there now cannot be read"_s));
    return NothingDone;
}

int preview(const Globals &globals, const KeyReleaseOrder &order, const KeyReleasePreview &seen)
{
    if (!seen.holder)
        return reportChanged(globals, order, seen.lock);
    const KeyConvention &convention = seen.lock->keyLock->convention;
    const QString statement = QString::fromUtf8(seen.statement);
    const int exitCode = seen.refusal.isEmpty() ? Done : NothingDone;
    if (globals.json) {
        printJson(QJsonObject{{u"outcome"_s, u"preview"_s},
                              {u"lock"_s, toJson(*seen.lock, seen.clock.server)},
                              {u"refusal"_s, textOrNull(seen.refusal)},
                              {u"warning"_s, textOrNull(convention.release.warning)},
                              {u"statement"_s, textOrNull(statement)}});
        return exitCode;
    }
    printLine(u"%1 (%2): held by %3"_s.arg(printable(order.key.resource), printable(convention.title),
                                           printable(seen.holder->text)));
    if (!seen.refusal.isEmpty()) {
        printLine(u"Not released here: "_s + printable(seen.refusal));
        return exitCode;
    }
    if (seen.lock->waiters)
        printLine(*seen.lock->waiters == 0 ? u"Nobody waits."_s : u"In its queue: %1."_s.arg(*seen.lock->waiters));
    if (!convention.release.warning.isEmpty())
        printLine(u"Warning: "_s + printable(convention.release.warning));
    printLine(u'\n' + printableLines(statement));
    return Done;
}

int report(const Globals &globals, const KeyReleaseOrder &order, const KeyReleaseReport &report)
{
    if (!report.recordError.isEmpty())
        printError(printable(report.recordError));
    if (report.outcome == ForcedRelease::Outcome::TargetChanged)
        return reportChanged(globals, order, report.lockNow, report.isNowKnown);
    if (report.outcome == ForcedRelease::Outcome::Failed) {
        const LockError error = report.error.value_or(LockError());
        if (!report.isRefused)
            return printError(error);
        printError(u"nothing was done: "_s + printable(error.toString()));
        return error.kind == LockError::Kind::BadRequest ? NothingDone : exitCodeFor(error);
    }
    if (globals.json)
        printJson(QJsonObject{{u"outcome"_s, u"released"_s}});
    else
        printLine(u"Released %1."_s.arg(printable(order.key.resource)));
    return Done;
}

} // namespace

int releaseKeyLock(const Globals &globals, const KeyReleaseArguments &arguments)
{
    int exitCode = Done;
    const auto target = findEngineTarget(globals, &exitCode);
    if (!target)
        return exitCode;
    if (!isServerMeant(arguments.server, nameOf(*target)))
        return NothingDone;
    ReachedSource reached;
    // A server that is not safe for our locks may have others'.
    if (const auto error = openSource(*target, SourceUse::Act, &reached)) {
        if (error->kind != LockError::Kind::UnsafeServer)
            return printError(*error);
        if (arguments.dryRun) // of a replica it is why nothing can be released there
            printError(*error);
    }
    LockSource &source = *reached.source;
    const auto kind = source.keyKind();
    if (!kind) {
        printError(u"--guard is for Redis, ZooKeeper and etcd: leases on this server have a --token."_s);
        return Usage;
    }
    lookForKeys(source);
    const KeyReleaseOrder order{
        {*kind, arguments.name}, arguments.guard, AuditFile::operatorName(), arguments.reason, arguments.isForLeader};
    if (arguments.dryRun) {
        KeyReleasePreview seen;
        if (const auto error = previewKeyRelease(source, order, &seen))
            return printError(*error);
        return preview(globals, order, seen);
    }
    const ServerAccess access = accessTo(*target, reached, !arguments.server.empty());
    if (const auto refusal = access.refusal())
        return printRefusal(*refusal);
    AuditFile audit;
    return report(globals, order, releaseKey(source, order, access, &audit));
}

} // namespace lockscope::ctl
