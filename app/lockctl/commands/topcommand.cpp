// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/duration.h"
#include "server/server.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/toppicture.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <limits>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::ctl {

namespace {

using Clock = PollPace::Clock;

constexpr auto kTick = 1000ms;     ///< ages are redrawn this often
constexpr auto kPatience = 2000ms; ///< a poll that takes longer is mentioned
constexpr Duration kLongestInterval = 1h;

struct TopArguments
{
    Duration interval = 1s;
    WaitOptions options;
    bool once = false;
};

/// One run at a terminal.
class Top
{
public:
    Top(SessionTarget target, const TopArguments &arguments)
        : m_screen(m_terminal)
        , m_poller(std::move(target), arguments.options,
                   std::chrono::ceil<std::chrono::milliseconds>(arguments.interval), m_inbox)
    {
    }

    int run();

private:
    bool isInFront() const { return m_picture && m_terminal.isOurs(); }
    void poll();
    void pollWhenDue();
    void show();
    QStringList notes();
    std::chrono::milliseconds timeToWait() const;
    void onSignal(int signal);
    void onKeys(const QByteArray &keys);
    void scroll(char key);
    void onPolled(const TopPoll &poll);

    SignalInbox m_inbox; // before the thread that polls, which inherits its signal mask
    Terminal m_terminal;
    TopScreen m_screen;
    TopPoller m_poller;
    std::optional<TopPicture> m_picture; ///< none before the first poll
    std::optional<PollPace> m_pace;      ///< as of the last poll
    Clock::time_point m_beganAt;
    Clock::time_point m_seenAt;
    QString m_error;        ///< of the last poll
    qsizetype m_scroll = 0; ///< the first line of the tree on the screen
    bool m_isPaused = false;
    bool m_isHurried = false; ///< a poll is wanted also while paused
    std::optional<int> m_exitCode;
};

int Top::run()
{
    poll();
    while (!m_exitCode) {
        pollWhenDue();
        show();
        const auto signal = m_inbox.wait(timeToWait(), isInFront() ? STDIN_FILENO : -1);
        if (signal)
            onSignal(*signal);
        else if (isInFront())
            onKeys(m_screen.keys());
        if (m_screen.isGone() && !m_exitCode)
            m_exitCode = Signalled + SIGHUP;
        if (const auto poll = m_poller.take(); poll && !m_exitCode)
            onPolled(*poll);
    }
    m_screen.leave();
    if (m_poller.isPolling())
        std::_Exit(*m_exitCode); // nobody waits for a server that is silent
    return *m_exitCode;
}

void Top::poll()
{
    m_isHurried = false;
    m_beganAt = Clock::now();
    m_poller.poll();
}

/// In the background nobody looks.
void Top::pollWhenDue()
{
    const bool isWanted = !m_isPaused || m_isHurried;
    if (isInFront() && isWanted && !m_poller.isPolling() && Clock::now() >= m_pace->next())
        poll();
}

void Top::show()
{
    if (!isInFront())
        return;
    if (!m_screen.isOn())
        m_screen.enter();
    m_screen.draw(m_picture->lines(TopScreen::size(), notes(), isOutputColoured(), &m_scroll));
}

/// In whole seconds: it is redrawn once a second.
QString text(Clock::duration time)
{
    return time < 10s ? u"%1 s"_s.arg(std::chrono::floor<std::chrono::seconds>(time).count())
                      : formatDuration(std::chrono::duration_cast<Microseconds>(time));
}

QStringList Top::notes()
{
    const auto now = Clock::now();
    QStringList state;
    if (m_isPaused)
        state.append(u"paused"_s);
    if (m_poller.isPolling() && now - m_beganAt >= kPatience)
        state.append(u"no answer for %1"_s.arg(text(now - m_beganAt)));
    else if (!m_error.isEmpty() && !m_isPaused && m_pace->next() > now)
        state.append(u"tried again in %1"_s.arg(text(*m_pace->next() - now)));
    else if (!m_error.isEmpty() && !m_isPaused)
        state.append(u"tried again now"_s);
    if (state.isEmpty() && m_error.isEmpty())
        return {};
    QStringList lines{u"This is %1 old: %2"_s.arg(text(now - m_seenAt), state.join(u", "_s))};
    if (!m_error.isEmpty())
        lines.append(m_error);
    return lines;
}

std::chrono::milliseconds Top::timeToWait() const
{
    if (!isInFront() || (m_isPaused && !m_isHurried))
        return kTick;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*m_pace->next() - Clock::now());
    return left > 0ms && left < kTick ? left : kTick;
}

void Top::onSignal(int signal)
{
    if (isEnding(signal)) {
        m_exitCode = Signalled + signal;
    } else if (signal == SIGTSTP) {
        m_screen.leave();
        stopLikeCtrlZ();
    } else if (signal == SIGCONT && m_screen.isOn() && isInFront()) {
        m_screen.enter(); // it was stopped without a word, and the shell has set its terminal
    }
}

void Top::onKeys(const QByteArray &keys)
{
    for (const char key : keys) {
        if (key == 'q')
            m_exitCode = Done;
        if (key == 'p')
            m_isPaused = !m_isPaused;
        if (key == ' ') {
            m_isHurried = true;
            m_pace->hurry();
        }
        scroll(key);
    }
}

/// As less(1) does; the picture bounds it.
void Top::scroll(char key)
{
    const qsizetype page = qMax(1, TopScreen::size().rows / 2);
    switch (key) {
    case 'j':
        ++m_scroll;
        break;
    case 'k':
        --m_scroll;
        break;
    case 'f':
        m_scroll += page;
        break;
    case 'b':
        m_scroll -= page;
        break;
    case 'g':
        m_scroll = 0;
        break;
    case 'G':
        m_scroll = std::numeric_limits<qsizetype>::max() / 2; // a line further down adds to it
        break;
    default:
        break;
    }
}

void Top::onPolled(const TopPoll &poll)
{
    m_pace = poll.pace;
    if (!poll.error) {
        m_picture.emplace(poll);
        m_seenAt = Clock::now();
        m_error.clear();
        return;
    }
    m_error = printable(poll.error->toString());
    if (m_picture && !isPermanent(*poll.error))
        return;
    m_screen.leave();
    m_exitCode = printError(*poll.error);
}

int once(const Globals &globals, const WaitOptions &options)
{
    int exitCode = Done;
    WaitsPoll poll(options);
    if (!pollServer(globals, &poll, &exitCode))
        return exitCode;
    const TopPicture picture({std::nullopt, poll.server().pace(), poll.target(), poll.capabilities(), poll.waits()});
    print(picture.lines(outputColumns()).join(u'\n') + u'\n');
    return Done;
}

int top(const Globals &globals, const TopArguments &arguments)
{
    if (globals.json) {
        printError(u"top is for people: programs use `lockctl blockers --json`."_s);
        return Usage;
    }
    const bool isScreen = Terminal().isForTheCommand() && qEnvironmentVariable("TERM") != u"dumb"_s;
    if (arguments.once || !isScreen)
        return once(globals, arguments.options);
    int exitCode = Done;
    auto target = findServer(globals, &exitCode);
    if (!target)
        return exitCode;
    return Top(std::move(*target), arguments).run();
}

} // namespace

void addTop(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(
        app, "top",
        "Who blocks whom, live in a terminal: q quits, p pauses, Space refreshes now, arrows scroll. One plain "
        "picture where there is no terminal. Needs no lock tables and writes nothing",
        "lockctl top --interval 500ms");
    auto arguments = std::make_shared<TopArguments>();
    addDuration(
        *command, "--interval", arguments->interval,
        "Time between polls, from 200ms to 1h; longer where polls are slow: they take at most a tenth of the time")
        ->default_str("1s");
    command->add_flag("--once", arguments->once, "One plain picture, and end");
    addWithout(*command, arguments->options);
    command->callback([&globals, arguments] {
        if (arguments->interval < WaitsPoll::MinInterval || arguments->interval > kLongestInterval)
            throw CLI::ValidationError("--interval", "it is from 200ms to 1h");
        globals.action = [&globals, arguments] { return top(globals, *arguments); };
    });
}

} // namespace lockscope::ctl
