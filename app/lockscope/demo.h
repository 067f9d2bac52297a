// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <QtCore/QObject>

class QProcess;

namespace lockscope {

/// The simulated services beside the window: several processes of this program, each a real user of the engine. One of
/// them kills itself now and then; any that is gone is started again after a while. GUI thread only.
class Demo : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    ~Demo() override;

    void start(const ServerUrl &url);
    /// Tells all services to end and waits for them, a few seconds at most.
    void stop();
    bool isRunning() const { return !m_services.isEmpty(); }

private:
    void startService(const QString &name);

    ServerUrl m_url;
    QList<QProcess *> m_services; ///< children
};

} // namespace lockscope
