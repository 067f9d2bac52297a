// SPDX-License-Identifier: MIT
#include "actions/recordedkill.h"
#include "arguments.h"
#include "commands/endrun.h"
#include "process/supervisor.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/progressline.h"
#include "text/killtext.h"
#include "text/waitstext.h"

#include <algorithm>
#include <csignal>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

using Outcome = KillReport::Outcome;

constexpr auto kProgressInterval = std::chrono::milliseconds(250);

struct KillArguments : EndArguments
{
    std::vector<quint64> connections;
    std::optional<quint64> transaction;
    bool query = false;

    KillKind kind() const { return query ? KillKind::Query : KillKind::Connection; }
};

/// They are looked up whatever they hold.
WaitOptions optionsFor(const KillArguments &arguments)
{
    WaitOptions options;
    options.sessions = QSet<quint64>(arguments.connections.cbegin(), arguments.connections.cend());
    return options;
}

/// One run of the command.
class Killing
{
public:
    Killing(const Globals &globals, const KillArguments &arguments)
        : m_globals(globals)
        , m_arguments(arguments)
        , m_run(globals, arguments, optionsFor(arguments))
    {
    }

    int run();

private:
    bool plan();
    void addToPlan(quint64 connection);
    void notDone(quint64 connection, Outcome outcome, const QString &why);
    bool isAgreed();
    int act();
    KillReport end(Session &session, const Capabilities &capabilities, const KillOrder &order);
    bool isBrokenOff(std::chrono::milliseconds wait);
    KillReport follow(RecordedKill &kill, const KillOrder &order, KillReport report);
    void lookAfterwards();
    int finish();

    const Globals &m_globals;
    const KillArguments &m_arguments;
    EndRun m_run;
    AuditFile m_audit;
    QList<KillOrder> m_orders; ///< that can be carried out, as far as is known
    QJsonArray m_results;
    QList<quint64> m_accepted; ///< sessions that the server has ended
    int m_ended = 0;
    std::optional<SignalInbox> m_inbox; ///< while sessions are being ended
    std::optional<int> m_brokenOffBy;   ///< the signal
    std::optional<int> m_failure;       ///< the first exit code of what failed
};

KillOrder orderFor(const ServerWaits &waits, quint64 connection, const KillArguments &arguments)
{
    KillOrder order;
    order.target = KillTarget::of(waits, connection);
    order.kind = arguments.kind();
    order.operatorName = AuditFile::operatorName();
    order.reason = QString::fromStdString(arguments.reason);
    return order;
}

/// Why a poll could not say whether a session is there.
QString whyNotKnown(const ServerWaits &waits)
{
    const auto sessions = std::find_if(waits.sources.cbegin(), waits.sources.cend(),
                                       [](const SourceStatus &one) { return one.source == WaitSource::Sessions; });
    return sessions == waits.sources.cend() ? QString() : printable(sessions->reason);
}

void Killing::notDone(quint64 connection, Outcome outcome, const QString &why)
{
    KillReport report;
    report.outcome = outcome;
    report.error.emplace().message = why;
    m_results.append(killReportToJson(report, connection));
    printError(u"nothing was done to session %1: %2"_s.arg(connection).arg(why));
}

void Killing::addToPlan(quint64 connection)
{
    const ServerWaits &waits = m_run.poll().waits();
    const KillPreview preview = previewKill(waits, m_run.poll().capabilities(), connection, m_arguments.kind());
    if (!preview.session && !waits.isKnownGone(connection)) {
        notDone(connection, Outcome::Failed, u"whether it is still there cannot be told now. "_s + whyNotKnown(waits));
        m_failure = m_failure.value_or(Failed);
        return;
    }
    if (!preview.session) {
        notDone(connection, Outcome::AlreadyGone, u"it is gone."_s);
        return;
    }
    const KillOrder order = orderFor(waits, connection, m_arguments);
    if (m_arguments.transaction && order.target.transaction != m_arguments.transaction) {
        const auto now = order.target.transaction;
        notDone(connection, Outcome::TargetChanged,
                now ? u"its transaction is %1 now."_s.arg(*now) : u"it has no transaction."_s);
        return;
    }
    if (m_arguments.dryRun && m_globals.json)
        m_results.append(killPreviewToJson(preview, waits, connection));
    if (!m_globals.json)
        printLine(killPreviewLines(preview, waits, m_arguments.kind(), outputColumns()).join(u'\n') + u'\n');
    if (preview.refusal.isEmpty())
        m_orders.append(order);
    else if (!m_arguments.dryRun)
        notDone(connection, Outcome::Refused, preview.refusal);
}

/// False when there is nothing to do.
bool Killing::plan()
{
    for (const quint64 connection : m_arguments.connections)
        addToPlan(connection);
    if (m_orders.size() > 1 && !m_globals.json) {
        QList<quint64> sessions;
        for (const KillOrder &order : std::as_const(m_orders))
            sessions.append(order.target.session);
        const WaitForecast together = forecastKill(m_run.poll().waits(), sessions, m_arguments.kind());
        printLine(u"All %1 together:\n"_s.arg(sessions.size())
                  + forecastLines(together, m_run.poll().waits()).join(u'\n') + u'\n');
    }
    return !m_orders.isEmpty();
}

/// One is asked for; several need more than a yes.
bool Killing::isAgreed()
{
    if (m_orders.size() > 1)
        return m_run.isAgreed({}, u"This ends %1 sessions and cannot be undone."_s.arg(m_orders.size()));
    const QString question = u"%1 %2?"_s.arg(m_arguments.query ? u"End the statement of"_s : u"End session"_s,
                                             QString::number(m_orders.constFirst().target.session));
    return m_run.isAgreed(question, u"This ends a session and cannot be undone."_s);
}

/// Once a person wants the command to end, nothing more is sent.
bool Killing::isBrokenOff(std::chrono::milliseconds wait)
{
    const auto signal = m_inbox->wait(wait);
    if (signal == SIGTSTP)
        stopLikeCtrlZ();
    if (signal && isEnding(*signal))
        m_brokenOffBy = signal;
    return m_brokenOffBy.has_value();
}

/// Until the changes are undone, or the person has seen enough: the server goes on by itself.
KillReport Killing::follow(RecordedKill &kill, const KillOrder &order, KillReport report)
{
    ProgressLine progress;
    while (report.outcome == Outcome::RollingBack && !report.error) {
        progress.show(counted(qint64(report.rowsLeft), u"row is"_s, u"rows are"_s) + u" left to be undone"_s);
        if (isBrokenOff(kProgressInterval))
            break;
        report = kill.follow(order, report);
    }
    return report;
}

KillReport Killing::end(Session &session, const Capabilities &capabilities, const KillOrder &order)
{
    RecordedKill kill(session, capabilities, &m_audit);
    KillReport report = kill.act(order, m_run.access());
    if (report.outcome == Outcome::RollingBack)
        report = follow(kill, order, std::move(report));
    if (!report.recordError.isEmpty()) {
        printError(printable(report.recordError));
        m_failure = m_failure.value_or(Failed);
    }
    return report;
}

int Killing::act()
{
    int exitCode = Done;
    Capabilities capabilities;
    const auto session = m_run.openSession(&capabilities, &exitCode);
    if (!session)
        return exitCode;
    m_inbox.emplace(); // from here on Ctrl+C comes between two sessions, never between a kill and its record
    for (const KillOrder &order : std::as_const(m_orders)) {
        if (isBrokenOff(std::chrono::milliseconds::zero())) {
            notDone(order.target.session, Outcome::Refused, u"the command was interrupted first."_s);
            m_failure = Signalled + *m_brokenOffBy;
            continue;
        }
        const KillReport report = end(*session, capabilities, order);
        m_results.append(killReportToJson(report, order.target.session));
        const QString text =
            u"session %1: %2"_s.arg(QString::number(order.target.session), printable(outcomeOf(report, order.kind)));
        const bool isDone = report.outcome == Outcome::Ended || report.outcome == Outcome::RollingBack;
        if (!isDone)
            printError(text);
        else if (!m_globals.json)
            printLine(text);
        m_ended += isDone ? 1 : 0;
        if (isDone)
            m_accepted.append(order.target.session);
        if (report.outcome == Outcome::Failed)
            m_failure = m_failure.value_or(exitCodeFor(report.error.value_or(LockError())));
    }
    lookAfterwards();
    return finish();
}

void Killing::lookAfterwards()
{
    if (isBrokenOff(std::chrono::milliseconds::zero()))
        return;
    const auto after = m_run.lookAfterwards(forecastKill(m_run.poll().waits(), m_accepted, m_arguments.kind()));
    if (!after)
        return;
    for (QJsonValueRef result : m_results) {
        QJsonObject told = result.toObject();
        if (m_accepted.contains(quint64(told[u"connectionId"_s].toInteger()))) {
            told.insert(u"after"_s, *after);
            result = told;
        }
    }
}

int Killing::finish()
{
    if (m_globals.json && m_arguments.connections.size() == 1)
        printJson(m_results.first().toObject());
    else if (m_globals.json)
        printJson(m_results);
    return m_failure.value_or(m_ended > 0 ? Done : NothingDone);
}

int Killing::run()
{
    if (!m_run.mayAsk())
        return Usage;
    const QString error = m_arguments.dryRun ? QString() : m_audit.open();
    if (!error.isEmpty()) {
        printError(u"nothing was done: %1"_s.arg(error));
        return Failed;
    }
    int exitCode = Done;
    if (!m_run.reach(&exitCode))
        return exitCode;
    if (!plan())
        return finish();
    if (m_arguments.dryRun) {
        m_ended = int(m_orders.size());
        return finish();
    }
    return isAgreed() ? act() : NothingDone;
}

} // namespace

void addKill(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "kill",
                               "End a session that blocks others, if it is still the one that was looked at: shows who "
                               "goes on and what is undone, asks, and keeps a record on this machine",
                               "lockctl kill 12 --reason 'idle in a transaction since lunch' --dry-run");
    auto arguments = std::make_shared<KillArguments>();
    command->add_option("CONNECTION", arguments->connections, "Numbers of connections, as `blockers` shows them")
        ->required()
        ->type_name("")
        ->check(decimal(1));
    command->add_flag("--query", arguments->query, "Only the statement that it runs; a transaction stays open");
    auto *transaction = command->add_option("--transaction", arguments->transaction,
                                            "Only while it is in this transaction: transaction.id in blockers --json");
    transaction->type_name("ID")->check(decimal());
    addEndOptions(*command, *arguments,
                  "Do not ask; with several, or on a production server, only together with --server");
    command->callback([&globals, arguments, transaction] {
        if (!transaction->empty() && arguments->connections.size() > 1)
            throw CLI::ValidationError("--transaction", "it belongs to one connection");
        if (arguments->transaction && !isOwnNumber(*arguments->transaction))
            throw CLI::ValidationError("--transaction",
                                       "a transaction that only reads has no number of its own, and others may have "
                                       "this one; leave the option out");
        const bool isUnasked = arguments->yes && !arguments->dryRun;
        if (arguments->connections.size() > 1 && isUnasked && arguments->server.empty())
            throw CLI::ValidationError("--yes",
                                       "with several it needs --server: on another server these numbers are "
                                       "somebody else's");
        std::vector<quint64> once; // one that is named twice is one session
        for (const quint64 connection : std::exchange(arguments->connections, {})) {
            if (std::find(once.begin(), once.end(), connection) == once.end())
                once.push_back(connection);
        }
        arguments->connections = std::move(once);
        globals.action = [&globals, arguments] { return Killing(globals, *arguments).run(); };
    });
}

} // namespace lockscope::ctl
