// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "process/interruption.h"
#include "recording/recorder.h"
#include "server/server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/waitstext.h"

#include <condition_variable>
#include <mutex>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::ctl {

namespace {

using Clock = PollPace::Clock;

constexpr Duration kLongestInterval = 1h;
constexpr double kMegabyte = 1e6;

struct RecordArguments
{
    RecordingOptions options;
    std::string out;
    Duration time = Forever;
    Duration interval = RecordingPoll::DefaultInterval;
    Duration keep = Forever;
};

/// "512M", "2G": in units of 1024.
std::optional<qint64> bytesOf(const std::string &text)
{
    QString digits = QString::fromStdString(text);
    qint64 unit = qint64{1024} * 1024;
    if (digits.endsWith(u'G'))
        unit *= 1024;
    else if (!digits.endsWith(u'M'))
        return std::nullopt;
    digits.chop(1);
    bool isNumber = false;
    const qint64 number = digits.toUInt(&isNumber);
    const bool isPlain = isNumber && QString::number(number) == digits;
    if (!isPlain || number > RecordingOptions::MaxBytes / unit || number * unit < RecordingOptions::MinBytes)
        return std::nullopt;
    return number * unit;
}

/// One recording, from the first look to the signal or the time that ends it.
class RecordRun
{
public:
    RecordRun(const Globals &globals, const RecordArguments &arguments)
        : m_globals(globals)
        , m_arguments(arguments)
        , m_poll(std::chrono::ceil<std::chrono::milliseconds>(arguments.interval))
    {
    }

    int run();

private:
    bool begin(int *exitCode);
    /// False: that was the last.
    bool look();
    bool wait(std::optional<Clock::time_point> until);
    void report(const std::optional<LockError> &error);
    int end();

    Interruption m_interruption; // before any thread
    const Globals &m_globals;
    const RecordArguments &m_arguments;
    RecordingPoll m_poll;
    std::optional<Recorder> m_recorder;
    QString m_reported; ///< said already
    int m_exitCode = Done;
};

bool RecordRun::begin(int *exitCode)
{
    RecordedNews first;
    const auto target = reachServer(m_globals, exitCode, [&](const SessionTarget &to) {
        m_poll.setTarget(to);
        return m_poll.poll(&first);
    });
    if (!target)
        return false;
    QString error;
    auto writer = RecordingWriter::open(m_arguments.options, target->url.toString(), &error);
    if (!writer) {
        printError(printable(error));
        *exitCode = Failed;
        return false;
    }
    m_recorder.emplace(m_arguments.options, std::move(writer));
    m_recorder->take(first);
    if (!m_globals.json)
        printLine(u"Recording %1 to %2; Ctrl+C ends it."_s.arg(printable(target->url.toString()),
                                                               printable(m_arguments.options.path)));
    return true;
}

int RecordRun::run()
{
    int exitCode = Done;
    if (!begin(&exitCode))
        return exitCode;
    const auto end = m_arguments.time == Forever ? std::nullopt : std::optional(Clock::now() + m_arguments.time);
    while (!m_interruption.token().stop_requested() && m_poll.pace().next() && (!end || Clock::now() < *end)) {
        const auto next = *m_poll.pace().next();
        const bool isLast = end && next >= *end;
        if (wait(isLast ? *end : next) && !isLast && !look())
            break;
    }
    return this->end();
}

bool RecordRun::look()
{
    const auto error = m_recorder->look(&m_poll);
    if (m_recorder->status().isOver) // the end says why
        return false;
    report(error);
    if (!error || !isPermanent(*error))
        return true;
    m_exitCode = exitCodeFor(*error);
    return false;
}

/// Each new trouble once: hours of it are to be read the next morning.
void RecordRun::report(const std::optional<LockError> &error)
{
    const QString trouble = error ? error->toString() : m_recorder->status().failure;
    if (trouble == m_reported)
        return;
    printError(trouble.isEmpty() ? u"recording goes on."_s
                                 : u"nothing is recorded at present: "_s + printable(trouble));
    m_reported = trouble;
}

/// False: it is to end.
bool RecordRun::wait(std::optional<Clock::time_point> until)
{
    std::mutex mutex;
    std::condition_variable_any over;
    std::unique_lock lock(mutex);
    over.wait_until(lock, m_interruption.token(), *until, [] { return false; });
    return !m_interruption.token().stop_requested();
}

int RecordRun::end()
{
    const QString failure = m_recorder->end();
    const RecorderStatus &status = m_recorder->status();
    if (m_globals.json)
        printJson(QJsonObject{{u"file"_s, m_arguments.options.path},
                              {u"looks"_s, status.looks},
                              {u"unkept"_s, status.unkept},
                              {u"deadlocks"_s, status.deadlocks},
                              {u"bytes"_s, status.bytes}});
    else
        printLine(u"%1 recorded, %2, %3 MB in %4."_s.arg(
            counted(status.looks, u"look"_s, u"looks"_s), counted(status.deadlocks, u"deadlock"_s, u"deadlocks"_s),
            QString::number(double(status.bytes) / kMegabyte, 'f', 1), printable(m_arguments.options.path)));
    if (failure.isEmpty())
        return m_exitCode;
    printError(printable(failure));
    return Failed;
}

} // namespace

void addRecord(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "record",
                               "Keeps what this server's locks do in a file: locks, waits, deadlocks, latency, events "
                               "and what was done, until "
                               "Ctrl+C. Needs no lock tables and writes nothing to the server. See `recording`, `list "
                               "--at` and `blockers --at`",
                               "lockctl record --out night.lockscope --keep 24h");
    auto arguments = std::make_shared<RecordArguments>();
    command->add_option("--out", arguments->out, "The file, for its owner alone; one that is there is gone on with")
        ->type_name("FILE")
        ->required();
    addDuration(*command, "--for", arguments->time, "End after this long");
    addDuration(
        *command, "--interval", arguments->interval,
        "Time between looks, from 200ms to 1h; longer where looks are slow: they take at most a tenth of the time")
        ->default_str("1s");
    command
        ->add_option_function<std::string>(
            "--statements",
            [arguments](const std::string &text) {
                const auto keeping = keepingNamed(QString::fromStdString(text));
                if (!keeping)
                    throw CLI::ValidationError("--statements", "\"" + text + "\" is none of keep, hash, none");
                arguments->options.statements = *keeping;
            },
            "Of the text of statements, keep it (without what may name a password), keep only which are the same, or "
            "nothing: keep, hash, none")
        ->type_name("WHAT")
        ->default_str("keep");
    command
        ->add_option_function<std::string>(
            "--max-size",
            [arguments](const std::string &text) {
                const auto bytes = bytesOf(text);
                if (!bytes)
                    throw CLI::ValidationError("--max-size", "it is from 4M to 16G");
                arguments->options.maxBytes = *bytes;
            },
            "The oldest goes where the file would be larger: 4M to 16G")
        ->type_name("SIZE")
        ->default_str("1G");
    addDuration(*command, "--keep", arguments->keep, "What is older goes too; at least 1m");
    command->callback([&globals, arguments] {
        if (arguments->interval < RecordingPoll::MinInterval || arguments->interval > kLongestInterval)
            throw CLI::ValidationError("--interval", "it is from 200ms to 1h");
        if (arguments->keep < 1min)
            throw CLI::ValidationError("--keep", "it is 1m at least");
        if (arguments->keep != Forever)
            arguments->options.keep = arguments->keep;
        arguments->options.path = QString::fromStdString(arguments->out);
        globals.action = [&globals, arguments] { return RecordRun(globals, *arguments).run(); };
    });
}

} // namespace lockscope::ctl
