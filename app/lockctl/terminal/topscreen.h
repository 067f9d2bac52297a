// SPDX-License-Identifier: MIT
#pragma once

#include "terminal.h"

#include <QtCore/QStringList>

#include <optional>

#include <termios.h>

namespace lockscope::ctl {

/// The terminal as a screen that is drawn anew, with keys that need no Enter. Whatever ends the program, a crash too,
/// the terminal is left as it was; only SIGKILL and SIGSTOP leave no time for that. One at a time.
class TopScreen
{
public:
    struct Size
    {
        int rows = 0;
        int columns = 0;
    };

    /// `terminal` must live as long.
    explicit TopScreen(const Terminal &terminal);
    ~TopScreen();
    TopScreen(const TopScreen &) = delete;
    TopScreen &operator=(const TopScreen &) = delete;

    /// Once more when somebody else has set the terminal since.
    void enter();
    void leave();
    bool isOn() const { return m_isOn; }

    static Size size();
    /// At most as many lines as there are rows; the rest becomes empty. In one write, and none where nothing changed.
    void draw(const QStringList &lines);
    /// What was typed; empty where nothing was. Arrows, Page Up, Page Down, Home and End are k, j, b, f, g and G. Only
    /// while the terminal is ours.
    QByteArray keys() const;
    /// The terminal was closed.
    bool isGone() const;

private:
    void setRaw();

    const Terminal &m_terminal;
    termios m_before{};
    bool m_isTerminal = false;
    bool m_isOn = false;
    QByteArray m_drawn;
};

} // namespace lockscope::ctl
