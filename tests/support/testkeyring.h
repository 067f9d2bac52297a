// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>

namespace lockscope::test {

/// A session bus for this process and those that it starts, and on it, when wanted, a real keyring: an unlocked
/// gnome-keyring-daemon with files of its own. The keyring of whoever runs the test is out of reach from here on.
/// Make one before anything speaks to a keyring: a process keeps to the first bus that it found. Ends with the object.
class TestKeyring
{
public:
    TestKeyring();
    ~TestKeyring();
    TestKeyring(const TestKeyring &) = delete;
    TestKeyring &operator=(const TestKeyring &) = delete;

    /// Returns when it answers. Once only: whoever spoke to it does not recognise another one.
    void start();
    /// From here on nothing on the bus is a keyring, as before `start`.
    void stop();
    bool isRunning() const { return m_daemon.state() != QProcess::NotRunning; }

private:
    void startBus();

    QTemporaryDir m_folder;
    QProcess m_bus;
    QProcess m_daemon;
};

} // namespace lockscope::test
