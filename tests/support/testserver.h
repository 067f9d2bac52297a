// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"
#include "session/statement.h"

#include <QtCore/QStringList>
#include <QtCore/QTemporaryDir>

#include <chrono>
#include <memory>

namespace lockscope::test {

/// A real server for integration tests: its own data folder, socket only, gone with the process.
///
/// MariaDB from the system; with LOCKSCOPE_TEST_MYSQL=<folder> the `mysqld` of a Debian tree unpacked there, run
/// through chroot (needs root). A server that cannot be started ends the test with its own words: nothing is skipped.
/// The user is root without password; the database "lockscope" exists and is empty.
/// Thread: the one that made it, which must live as long as the server (the kernel ends the server with it).
class TestServer
{
public:
    /// The server of this test executable, started on first use and stopped with the QCoreApplication.
    static TestServer &instance();

    /// A server of one's own, e.g. TestServer({"--log-bin", "--binlog-format=STATEMENT"}).
    explicit TestServer(QStringList serverOptions = {});
    ~TestServer();
    TestServer(const TestServer &) = delete;
    TestServer &operator=(const TestServer &) = delete;

    ServerUrl url() const;
    Family family() const { return m_family; }
    bool isRunning() const { return m_pid > 0; }
    qint64 pid() const { return m_pid; }

    /// Starts on the data that is there and returns when the server answers. Nothing happens when it runs.
    void start();
    /// Shuts down cleanly and returns when the process is gone.
    void stop();
    /// Stops (when it runs) and starts.
    void restart();
    /// SIGKILL; returns when the process is gone. start() then recovers.
    void kill9();
    /// SIGSTOP and SIGCONT.
    void freeze();
    void thaw();
    /// For the next start.
    void setOptions(QStringList serverOptions);
    /// Moves the server's clock by so much against this machine's. The first time restarts the server.
    void setClock(std::chrono::seconds ahead);
    /// Writes a file that the server can read, for an option such as --ssl-cert. Returns its path as the server sees
    /// it.
    QString put(const QString &name, const QByteArray &content) const;
    /// The error log so far.
    QString log() const;

private:
    void install();
    void makeData();
    QString keptData() const;
    void waitUntilAnswering();
    void waitUntilGone();
    QStringList environment() const;
    QStringList command() const;

    Family m_family = Family::MariaDb;
    QString m_root;       ///< of the chroot; empty for MariaDB
    QString m_folder;     ///< seen from outside
    QString m_serverPath; ///< the same folder as the server sees it
    QStringList m_options;
    QStringList m_clockVariables; ///< of the environment, where the clock can be moved
    QTemporaryDir m_temporary;
    std::unique_ptr<QTemporaryDir> m_inside; ///< m_folder, where it lies in the chroot
    qint64 m_pid = 0;
};

} // namespace lockscope::test
