// SPDX-License-Identifier: MIT
#pragma once

#include "eventually.h"
#include "lockscope/lockengine.h"

#include <QtCore/QProcess>

namespace lockscope::test {

using namespace std::chrono_literals;

/// An engine of its own on a store of its own.
EngineConfig engineOn(std::shared_ptr<LockStore> store);
LockRequest leaseRequest(const QByteArray &resource, Duration wait = Duration::zero(), Duration ttl = 30s);
/// "granted", "busy", … and why.
QByteArray textOf(const AcquireResult &result);

/// A process with an engine on a store, which workercommands.h drives. Ends with the object.
class StoreWorker
{
public:
    StoreWorker(const QString &program, const QStringList &arguments);
    ~StoreWorker();

    /// Sends a command and waits for its answer; empty when none came in time.
    QString ask(const QByteArray &command);
    void send(const QByteArray &command);
    QString answer();
    void kill9();
    void freeze();
    void thaw();

private:
    QProcess m_process;
};

} // namespace lockscope::test
