// SPDX-License-Identifier: MIT
#include "sessionclient.h"

#include "enginefixture.h"
#include "freeze.h"

#include <QtCore/QDeadlineTimer>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

using namespace std::chrono_literals;

/// What a test expects of an answer says nothing of how long a process takes to load and to connect.
constexpr auto kStartTime = 90s;

} // namespace

SessionClient::SessionClient(const TestServer &server, const StoreSite *site, const QString &name, const QString &mode,
                             bool hasProxy, const QList<std::chrono::milliseconds> &ttls,
                             std::chrono::seconds answerTime)
    : m_name(name)
    , m_answerTime(answerTime)
{
    ServerUrl direct = server.url();
    direct.user = userOf(name);
    ServerUrl engine = direct;
    if (hasProxy) {
        openNetwork(site ? site->target() : direct.socket);
        engine.socket.clear();
        engine.host = u"127.0.0.1"_s;
        engine.port = m_proxy->port();
    }
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    if (site) {
        m_process.start(QStringLiteral(CONFORMANCE_SESSION_STORE),
                        {site->url(hasProxy ? m_proxy->port() : 0), direct.toString(),
                         QString::number(site->shortestTtl(ttls).count()), u"unique"_s});
    } else {
        m_process.start(QStringLiteral(CONFORMANCE_SESSION), {engine.toString(), direct.toString(), mode});
    }
    const auto ready = answer(u"ready"_s, kStartTime);
    if (!ready)
        qFatal("Session %ls did not start: %ls", qUtf16Printable(name), qUtf16Printable(m_process.errorString()));
    m_session = ready->toLatin1();
}

void SessionClient::openNetwork(const QString &target)
{
    m_proxy = std::make_unique<FaultyProxy>(target);
    if (!m_proxy->isListening())
        qFatal("Cannot listen on a port of this machine");
}

SessionClient::~SessionClient()
{
    if (m_process.state() != QProcess::NotRunning)
        kill9();
}

void SessionClient::send(const QString &owner, const QList<QByteArray> &words)
{
    QByteArray line = owner.toUtf8();
    for (const QByteArray &word : words)
        line += " x" + word.toHex(); // an x, for a word may be empty
    m_process.write(line + '\n');
    m_process.waitForBytesWritten();
}

void SessionClient::readLines()
{
    while (m_process.canReadLine()) {
        const QString line = QString::fromUtf8(m_process.readLine()).trimmed();
        m_answers[line.section(u' ', 0, 0)].enqueue(line.section(u' ', 1));
    }
}

std::optional<QString> SessionClient::answer(const QString &owner)
{
    return answer(owner, m_answerTime);
}

std::optional<QString> SessionClient::answer(const QString &owner, std::chrono::seconds time)
{
    const QDeadlineTimer deadline(time);
    while (!hasAnswer(owner)) {
        if (deadline.hasExpired() || m_process.state() == QProcess::NotRunning)
            return {};
        m_process.waitForReadyRead(int(deadline.remainingTime()));
    }
    return m_answers[owner].dequeue();
}

bool SessionClient::hasAnswer(const QString &owner)
{
    m_process.waitForReadyRead(0);
    readLines();
    return !m_answers[owner].isEmpty();
}

void SessionClient::kill9()
{
    m_process.kill();
    m_process.waitForFinished();
}

void SessionClient::freeze()
{
    m_frozen = true;
    freezeProcess(pid());
}

void SessionClient::thaw()
{
    m_frozen = false;
    thawProcess(pid());
}

bool SessionClient::end()
{
    if (m_frozen)
        thaw();
    if (m_proxy)
        m_proxy->setState(FaultyProxy::State::Open);
    m_process.closeWriteChannel();
    const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(60'000);
    return ended && m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0;
}

} // namespace lockscope::test
