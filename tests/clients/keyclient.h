// SPDX-License-Identifier: MIT
// A program that keeps its locks in a store, driven line by line.
#pragma once

#include <QtCore/QProcess>
#include <QtTest/QTest>

namespace lockscope::test {

class KeyClient
{
public:
    KeyClient(const QString &script, const QString &variable, const QString &value)
    {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        all.insert(variable, value);
        all.insert(QStringLiteral("NODE_PATH"), QStringLiteral(LOCKSCOPE_NODE_MODULES));
        m_process.setProcessEnvironment(all);
        m_process.setWorkingDirectory(QStringLiteral(LOCKSCOPE_CLIENTS));
        const bool isPython = script.endsWith(QLatin1String(".py")); // Debian's, whatever else is found first
        m_process.start(isPython ? QStringLiteral("/usr/bin/python3") : QStringLiteral("node"),
                        isPython ? QStringList{QStringLiteral("-I"), script} : QStringList{script});
    }
    ~KeyClient()
    {
        m_process.kill(); // after a failure it may still hold something
        m_process.waitForFinished();
    }
    KeyClient(const KeyClient &) = delete;
    KeyClient &operator=(const KeyClient &) = delete;

    /// The next that it says; what it complains of where it says nothing more.
    QByteArray line()
    {
        constexpr int patience = 120'000;
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(patience))
                return m_process.readAllStandardOutput() + m_process.readAllStandardError()
                    + m_process.errorString().toUtf8() + "\nWhat it needs is installed by: sh tests/run.sh --prepare";
        }
        return m_process.readLine().trimmed();
    }
    void goOn() { m_process.write("go on\n"); }

private:
    QProcess m_process;
};

} // namespace lockscope::test
