// SPDX-License-Identifier: MIT
#include "child.h"

#include <QtCore/QCoreApplication>

#include <csignal>

#include <sys/prctl.h>
#include <unistd.h>

namespace lockscope::bench {

Child::Child(const Context &context, const QByteArray &resource, Duration ttl)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--url"), context.url.toString(), QStringLiteral("--child-wait"),
                     QString::fromUtf8(resource), QStringLiteral("--child-ttl"), QString::number(ttl.count())});
    if (!m_process.waitForStarted())
        qFatal("The child cannot be started: %ls", qUtf16Printable(m_process.errorString()));
}

Child::~Child()
{
    kill();
}

void Child::signal(int number) const
{
    ::kill(static_cast<pid_t>(m_process.processId()), number);
}

void Child::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

void waitAsChild(const Context &context, const QByteArray &resource, Duration ttl)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nothing is left behind when the benchmark is stopped
    LockEngine engine(engineConfig(context));
    LockRequest asked = request(resource, Forever);
    asked.ttl = ttl;
    asked.autoRenew = false;
    const auto held = expect(Outcome::Granted, engine.acquire(asked));
    while (held.outcome == Outcome::Granted) // for ever: the handle has to live
        ::pause();
    ::_exit(0);
}

} // namespace lockscope::bench
