// SPDX-License-Identifier: MIT
#include "terminal.h"

#include "console/visibletext.h"
#include "output.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <iostream>
#include <string>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

Terminal::Terminal()
    : m_fd(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY))
{
}

Terminal::~Terminal()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

bool Terminal::isOurs() const
{
    return exists() && ::tcgetpgrp(m_fd) == ::getpgrp();
}

bool Terminal::isForTheCommand() const
{
    return isOurs() && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
}

void Terminal::give(pid_t group) const
{
    if (exists())
        ::tcsetpgrp(m_fd, group);
}

void Terminal::takeBackFrom(pid_t group) const
{
    if (exists() && ::tcgetpgrp(m_fd) == group)
        ::tcsetpgrp(m_fd, ::getpgrp());
}

namespace {

std::string answerTo(const QString &question)
{
    print(visibleLines(question));
    std::string answer;
    std::getline(std::cin, answer);
    return answer;
}

} // namespace

bool mayAsk(bool json, const QString &done)
{
    if (!json && Terminal().isForTheCommand())
        return true;
    printError(u"%1: add --yes, or --dry-run to see what would be %2."_s.arg(
        json ? u"--json cannot ask"_s : u"there is no terminal to ask on"_s, done));
    return false;
}

bool isAnsweredYes(const QString &question)
{
    const std::string answer = answerTo(question);
    return answer == "y" || answer == "Y" || answer == "yes";
}

bool isAnswered(const QString &question, const QString &answer)
{
    return answerTo(question) == answer.toStdString();
}

} // namespace lockscope::ctl
