// SPDX-License-Identifier: MIT
#pragma once

#include "eventually.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>

#include <memory>

namespace lockscope::test {

/// Waits for a whole line of output.
inline QByteArray nextLine(QProcess &process)
{
    while (!process.canReadLine()) {
        if (!process.waitForReadyRead(60'000))
            return "no line came: " + process.readAll() + process.readAllStandardError();
    }
    return process.readLine().trimmed();
}

/// What one lockctl did.
struct CtlResult
{
    int exitCode = -1; ///< -1: ended by a signal, or did not end
    QByteArray out;
    QByteArray err;

    QJsonArray array() const { return QJsonDocument::fromJson(out).array(); }
    QJsonObject object() const { return QJsonDocument::fromJson(out).object(); }
    /// For QVERIFY2.
    QByteArray text() const { return "exit code " + QByteArray::number(exitCode) + "\n" + out + err; }
};

/// Runs the built lockctl in an environment of its own.
class CtlRunner
{
public:
    explicit CtlRunner(const QString &url = {})
        : m_environment(QProcessEnvironment::systemEnvironment())
    {
        m_environment.remove(QStringLiteral("LOCKSCOPE_PASSWORD"));
        set("LOCKSCOPE_URL", url);
    }

    void set(const char *name, const QString &value) { m_environment.insert(QString::fromLatin1(name), value); }
    static QString program() { return QStringLiteral(LOCKSCOPE_LOCKCTL); }

    /// A running lockctl; ended by SIGKILL when the test leaves it.
    std::unique_ptr<QProcess> start(const QStringList &words) const { return startProgram(program(), words); }

    std::unique_ptr<QProcess> startProgram(const QString &path, const QStringList &words) const
    {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(m_environment);
        process->start(path, words, QIODevice::ReadOnly);
        process->waitForStarted();
        return process;
    }

    CtlResult run(const QStringList &words) const { return finish(*start(words)); }
    /// `script` with lockctl as $0.
    CtlResult shell(const QString &script) const
    {
        return finish(*startProgram(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), script, program()}));
    }

    static CtlResult finish(QProcess &process)
    {
        CtlResult result;
        if (process.state() != QProcess::NotRunning)
            process.waitForFinished(120'000);
        if (process.state() == QProcess::NotRunning && process.exitStatus() == QProcess::NormalExit)
            result.exitCode = process.exitCode();
        result.out = process.readAllStandardOutput();
        result.err = process.readAllStandardError();
        return result;
    }

private:
    QProcessEnvironment m_environment;
};

} // namespace lockscope::test
