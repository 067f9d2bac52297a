// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "lockscope/lockengine.h"
#include "server/enginetarget.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// Asks the holder of the lease of this name, and of the row where there are rows.
std::optional<LockError> askAll(LockEngine &engine, bool hasRows, const QByteArray &resource, const QString &reason,
                                QList<Owner> *asked)
{
    const QList<Mode> modes = hasRows ? QList{Mode::Unique, Mode::Pessimistic} : QList{Mode::Unique};
    for (const Mode mode : modes) {
        const auto result = engine.requestRelease(resource, reason, mode);
        if (result.outcome == RequestOutcome::Failed)
            return result.error;
        if (result.outcome == RequestOutcome::Asked)
            asked->append(result.holder);
    }
    return std::nullopt;
}

int tell(const Globals &globals, bool hasRows, const QString &name, const QList<Owner> &asked)
{
    QJsonArray holders;
    for (const Owner &holder : asked) {
        holders.append(toJson(holder));
        if (!globals.json)
            printLine(u"Asked %1; it hears of this within ten seconds."_s.arg(printable(holder.toString())));
    }
    if (globals.json)
        printJson(QJsonObject{{u"asked"_s, holders}});
    else if (asked.isEmpty())
        printLine(u"No %1 of the name %2 is held; what other programs hold: lockctl list --all."_s.arg(
            hasRows ? u"lease or row"_s : u"lease"_s, name));
    return asked.isEmpty() ? NothingDone : Done;
}

int ask(const Globals &globals, const std::string &resource, const std::string &reason)
{
    int exitCode = Done;
    const QByteArray name = QByteArray::fromStdString(resource);
    QList<Owner> asked;
    const auto target = findEngineTarget(globals, &exitCode);
    if (!target)
        return exitCode;
    std::unique_ptr<LockEngine> engine;
    const bool hasRows = target->store.isEmpty();
    auto error = openEngine(*target, &engine);
    if (!error)
        error = askAll(*engine, hasRows, name, QString::fromStdString(reason), &asked);
    return error ? printError(*error) : tell(globals, hasRows, printable(name), asked);
}

} // namespace

void addAsk(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "ask", "Ask the holder to release; nothing is taken away",
                               "lockctl ask invoices --reason 'deploying at noon'");
    auto resource = std::make_shared<std::string>();
    auto reason = std::make_shared<std::string>();
    addResource(*command, *resource);
    addReason(*command, *reason, "What the holder is told");
    command->callback([&globals, resource, reason] {
        globals.action = [&globals, resource, reason] { return ask(globals, *resource, *reason); };
    });
}

} // namespace lockscope::ctl
