// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "lockscope/lockengine.h"
#include "process/childcommand.h"
#include "process/supervisor.h"
#include "server/enginetarget.h"
#include "server/server.h"
#include "sources/storeaddress.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <sys/wait.h>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;
/// How long a cancelled request may take to leave the queue. When the server is gone the queue forgets us by itself.
constexpr auto kCancelTime = std::chrono::seconds(5);

struct RunArguments
{
    std::string resource;
    std::string mode = "unique";
    std::string note;
    Duration ttl = std::chrono::seconds(30);
    Duration wait = Forever;
    Duration holdAtLeast = Duration::zero();
    Duration killAfter = std::chrono::seconds(10);
};

/// One `lockctl run`: gets the lock on a thread of its own, so that signals are answered while it waits.
class Run
{
public:
    Run(EngineTarget target, const RunArguments &arguments, std::vector<std::string> words)
        : m_child(std::move(words)) // first: it forks, and nothing may have been started before
        , m_target(std::move(target))
        , m_killAfter(arguments.killAfter)
    {
        m_request.resource = QByteArray::fromStdString(arguments.resource);
        m_request.mode = arguments.mode == "pessimistic" ? Mode::Pessimistic : Mode::Unique;
        m_request.wantsToken = true;
        m_request.note = QByteArray::fromStdString(arguments.note);
        m_request.ttl = arguments.ttl;
        m_request.wait = arguments.wait;
        m_request.holdAtLeast = arguments.holdAtLeast;
        m_request.stop = m_stop.get_token();
        m_request.onReleaseRequested = [this](const QString &reason) {
            printError(u"somebody asks for %1: %2"_s.arg(name(), printable(reason)));
        };
        m_request.onLost = [this](LossReason reason) {
            m_loss = reason;
            m_isLost = true;
            m_inbox.wake();
        };
    }

    int execute();

private:
    void acquire();
    int waitForLock();
    int explain() const;
    int runCommand();
    int finish(int status);
    bool reportIfLost() const;
    QString name() const { return printable(m_request.resource); }

    ChildCommand m_child;
    SignalInbox m_inbox{SignalInbox::Children::AreRead}; // before the engine's threads, which inherit its signal mask
    Terminal m_terminal;
    const EngineTarget m_target;
    Duration m_killAfter;
    LockRequest m_request;
    std::stop_source m_stop;
    std::atomic<LossReason> m_loss{};
    std::atomic<bool> m_isLost = false;
    std::atomic<bool> m_isAnswered = false;
    AcquireResult m_result;
    std::unique_ptr<LockEngine> m_engine; // last: its threads use what stands above
};

void Run::acquire()
{
    if (auto error = openEngine(m_target, &m_engine))
        m_result.error = std::move(error);
    else
        m_result = m_engine->acquire(m_request);
    m_isAnswered = true;
    m_inbox.wake();
}

/// Returns the exit code of a run that ends here, or 0.
int Run::waitForLock()
{
    std::thread worker([this] { acquire(); });
    std::optional<std::chrono::milliseconds> limit;
    int cancelledBy = 0;
    while (!m_isAnswered) {
        const auto signal = m_inbox.wait(limit);
        if (signal == SIGTSTP)
            stopLikeCtrlZ();
        // Not waiting any longer for a server that does not answer: the process's end closes the connection, and
        // with it go the place in the queue and the presence.
        const bool isUrged = cancelledBy != 0 && ((signal && isEnding(*signal)) || (!signal && !m_isAnswered));
        if (isUrged)
            std::_Exit(Signalled + cancelledBy);
        if (signal && isEnding(*signal)) {
            cancelledBy = *signal;
            limit = kCancelTime;
            m_stop.request_stop();
        }
    }
    worker.join();
    if (cancelledBy == 0)
        return m_result.outcome == Outcome::Granted ? Done : explain();
    m_result.handle.release(); // granted at the very moment
    return Signalled + cancelledBy;
}

/// Why the lock is not held.
int Run::explain() const
{
    switch (m_result.outcome) {
    case Outcome::Busy:
        printError(u"%1 is held by somebody else."_s.arg(name()));
        return NotAcquired;
    case Outcome::TimedOut:
        printError(u"%1 was not free in time."_s.arg(name()));
        return NotAcquired;
    case Outcome::Deadlock:
        printError(u"%1: waiting for it would close a cycle of waiters; try again."_s.arg(name()));
        return NotAcquired;
    case Outcome::Cancelled:
        return NotAcquired;
    case Outcome::Unknown:
        printError(u"it is not known whether %1 was acquired; if it was, its TTL ends it."_s.arg(name()));
        return m_result.error ? printError(*m_result.error) : Unavailable;
    default:
        return printError(m_result.error.value_or(LockError()));
    }
}

bool Run::reportIfLost() const
{
    if (!m_isLost)
        return false;
    switch (m_loss.load()) {
    case LossReason::Expired:
        printError(u"lost %1: its time ran out before a renewal reached the server."_s.arg(name()));
        break;
    case LossReason::TakenOver:
        printError(u"lost %1: it was released by force or taken over, or the server has forgotten it (a restart or "
                   "failover without its data)."_s.arg(name()));
        break;
    case LossReason::MaxHoldReached:
        printError(u"lost %1: it was held for as long as is allowed."_s.arg(name()));
        break;
    case LossReason::SessionEnded:
        printError(u"lost %1: the server ended the session that held it."_s.arg(name()));
        break;
    case LossReason::TransactionEnded:
        printError(u"lost %1: the transaction that held its row has ended."_s.arg(name()));
        break;
    }
    return true;
}

int Run::runCommand()
{
    if (m_terminal.isForTheCommand())
        m_terminal.give(m_child.pid());
    const int error = m_child.start(m_request.resource, m_result.handle.token());
    if (error != 0) {
        m_terminal.takeBackFrom(m_child.pid());
        printError(QString::fromStdString(m_child.program()) + u": "_s + QString::fromLocal8Bit(std::strerror(error)));
        m_result.handle.release();
        return error == ENOENT ? kNotFound : kCannotRun;
    }
    bool isReported = false;
    Supervisor supervisor(m_child, m_inbox, m_terminal, m_killAfter);
    return finish(supervisor.watch([this, &isReported] { return isReported = isReported || reportIfLost(); }));
}

int Run::finish(int status)
{
    switch (m_result.handle.release()) {
    case ReleaseOutcome::Released:
        break;
    case ReleaseOutcome::NotHeld:
        if (!m_isLost)
            printError(u"%1 was lost before the command ended."_s.arg(name()));
        return Lost;
    case ReleaseOutcome::Unknown:
    case ReleaseOutcome::Failed:
        printError(u"%1 could not be released; its TTL ends it."_s.arg(name()));
        if (const auto error = m_result.handle.lastError())
            printError(*error);
        break;
    }
    if (m_isLost)
        return Lost;
    return WIFSIGNALED(status) ? Signalled + WTERMSIG(status) : WEXITSTATUS(status);
}

int Run::execute()
{
    if (m_child.pid() <= 0) {
        printError(u"no process can be started: %1"_s.arg(QString::fromLocal8Bit(std::strerror(m_child.error()))));
        return Failed;
    }
    const int code = waitForLock();
    if (code != Done)
        return code;
    if (reportIfLost())
        return Lost;
    return runCommand();
}

/// The command follows the first `--`; so may the resource, when it begins with a dash: `run -- -odd-name -- CMD`.
void separateCommand(Globals &globals, std::string &resource)
{
    auto &words = globals.commandWords;
    if (resource.empty() && words.size() > 1 && words[1] == "--") {
        resource = words.front();
        words.erase(words.begin(), words.begin() + 2);
    }
    if (resource.empty())
        throw CLI::RequiredError("RESOURCE");
    if (const std::string wrong = checkResource(resource); !wrong.empty())
        throw CLI::ValidationError("RESOURCE", wrong);
    if (words.empty() || words.front().empty())
        throw CLI::ValidationError("CMD", "put -- and the command after the options");
}

/// The parser does not know the command after the `--`.
class RunFormatter : public CLI::Formatter
{
public:
    std::string make_usage(const CLI::App * /*app*/, std::string /*name*/) const override
    {
        return "Usage: lockctl run [OPTIONS] RESOURCE -- CMD [ARGS...]\n";
    }
};

void checkMode(const std::string &mode, bool isOnStore)
{
    if (mode == "optimistic")
        throw CLI::ValidationError("--mode",
                                   "optimistic locks hold nothing while a command runs; use unique or pessimistic");
    if (mode != "unique" && mode != "pessimistic")
        throw CLI::ValidationError("--mode", "\"" + mode + "\" is not a mode; use unique or pessimistic");
    if (mode == "pessimistic" && isOnStore)
        throw CLI::ValidationError("--mode",
                                   "pessimistic is for MySQL and MariaDB; the other stores have leases alone");
}

/// Returns that of the TTL.
CLI::Option *addOptions(CLI::App &command, RunArguments &arguments)
{
    command.add_option("RESOURCE", arguments.resource, "The name to lock: 1-255 bytes, compared byte for byte")
        ->type_name("");
    command.add_option("--mode", arguments.mode, "unique (the default): a lease; pessimistic: a locked row")
        ->type_name("MODE");
    auto *ttl = addDurationOrForever(command, "--ttl", arguments.ttl,
                                     "How long the lock outlives a dead lockctl; renewed (30s, or --hold-at-least)");
    addDurationOrForever(command, "--wait", arguments.wait, "How long to wait for the lock; 0 tries once (forever)");
    command.add_option("--note", arguments.note, "Shown beside the lock")->type_name("TEXT");
    addDuration(command, "--hold-at-least", arguments.holdAtLeast,
                "Keep the lock for at least this long, so that a job that ends early is not started twice; no longer "
                "than --ttl (0)");
    addDuration(command, "--kill-after", arguments.killAfter,
                "After a loss: how long after SIGTERM to send SIGKILL (10s)");
    return ttl;
}

} // namespace

void addRun(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "run", "Run a command while holding a lock", "");
    command->formatter(std::make_shared<RunFormatter>());
    command->footer("CMD runs in a process group of its own with LOCKSCOPE_RESOURCE and LOCKSCOPE_TOKEN set; signals\n"
                    "are passed on to it. Exits with CMD's code (126 cannot run, 127 not found, 128+n signal n),\n"
                    "75 not acquired in time, 76 the lock was lost and CMD was ended.\n"
                    "Options for every command (--url, --password-file, --defaults-file): see lockctl --help.\n"
                    "Example:\n  lockctl run nightly-invoices --wait 0 --ttl 1m -- ./make-invoices --all");
    auto arguments = std::make_shared<RunArguments>();
    const auto *ttl = addOptions(*command, *arguments);
    command->callback([&globals, arguments, ttl] {
        separateCommand(globals, arguments->resource);
        checkMode(arguments->mode, isStore(namedUrl(globals)));
        if (ttl->empty())
            arguments->ttl = std::max(arguments->ttl, arguments->holdAtLeast);
        globals.action = [&globals, arguments] {
            int exitCode = Done;
            const auto target = findEngineTarget(globals, &exitCode);
            return target ? Run(*target, *arguments, globals.commandWords).execute() : exitCode;
        };
    });
}

} // namespace lockscope::ctl
