// SPDX-License-Identifier: MIT
#include "demo.h"

#include "demoservice.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QProcess>
#include <QtCore/QTimer>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto kStartAgain = 12s;
constexpr int kEndMs = 5000;

} // namespace

Demo::~Demo()
{
    stop();
}

void Demo::start(const ServerUrl &url)
{
    m_url = url;
    for (const QString &name : demoServices())
        startService(name);
}

void Demo::startService(const QString &name)
{
    auto *service = new QProcess(this);
    service->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    service->setStandardOutputFile(QProcess::nullDevice());
    connect(service, &QProcess::finished, this, [this, service, name] {
        m_services.removeOne(service);
        service->deleteLater();
        QTimer::singleShot(kStartAgain, this, [this, name] {
            if (!m_url.user.isEmpty())
                startService(name);
        });
    });
    m_services.append(service);
    service->start(QCoreApplication::applicationFilePath(),
                   {QStringLiteral("--demo-service"), name, QStringLiteral("--url"), m_url.toString()});
}

/// The end of standard input is the signal to end, so services also end when this process dies.
void Demo::stop()
{
    m_url = {};
    const QList<QProcess *> services = std::exchange(m_services, {});
    for (QProcess *service : services) {
        service->disconnect(this);
        service->waitForStarted();
        service->closeWriteChannel();
    }
    for (QProcess *service : services) {
        if (!service->waitForFinished(kEndMs))
            service->kill();
        service->waitForFinished(kEndMs);
        delete service;
    }
}

} // namespace lockscope
