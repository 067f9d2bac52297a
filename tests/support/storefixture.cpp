// SPDX-License-Identifier: MIT
#include "storefixture.h"

#include "freeze.h"
#include "locknews.h"

#include <QtCore/QDeadlineTimer>

namespace lockscope::test {

EngineConfig engineOn(std::shared_ptr<LockStore> store)
{
    EngineConfig engine;
    engine.service = QStringLiteral("test");
    engine.store = std::move(store);
    return engine;
}

LockRequest leaseRequest(const QByteArray &resource, Duration wait, Duration ttl)
{
    LockRequest request;
    request.resource = resource;
    request.wait = wait;
    request.ttl = ttl;
    return request;
}

QByteArray textOf(const AcquireResult &result)
{
    return QByteArray::fromStdString(outcomeText(result)).split(' ').constFirst()
        + (result.error ? ": " + result.error->toString().toUtf8() : QByteArray());
}

StoreWorker::StoreWorker(const QString &program, const QStringList &arguments)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(program, arguments);
    if (answer() != QLatin1String("ready"))
        qFatal("%s did not start: %s", qPrintable(program), qPrintable(m_process.errorString()));
}

StoreWorker::~StoreWorker()
{
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(10'000))
        m_process.kill();
    m_process.waitForFinished();
}

QString StoreWorker::ask(const QByteArray &command)
{
    send(command);
    return answer();
}

void StoreWorker::send(const QByteArray &command)
{
    m_process.write(command + '\n');
    m_process.waitForBytesWritten();
}

QString StoreWorker::answer()
{
    const QDeadlineTimer deadline(Patience);
    while (!m_process.canReadLine() && !deadline.hasExpired()) {
        if (!m_process.waitForReadyRead(int(deadline.remainingTime())) && m_process.state() == QProcess::NotRunning)
            break;
    }
    return QString::fromUtf8(m_process.readLine()).trimmed();
}

void StoreWorker::kill9()
{
    m_process.kill();
    m_process.waitForFinished();
}

void StoreWorker::freeze()
{
    freezeProcess(m_process.processId());
}

void StoreWorker::thaw()
{
    thawProcess(m_process.processId());
}

} // namespace lockscope::test
