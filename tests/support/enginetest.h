// SPDX-License-Identifier: MIT
#pragma once

#include "enginefixture.h"

#include <QtCore/QObject>

namespace lockscope::test {

/// A test on a real server: any warning fails it, and each of its functions begins with a server that runs, with empty
/// lock tables and a connection for looking behind the engine's back. A class that needs more calls these first.
class EngineTest : public QObject
{
    Q_OBJECT

protected Q_SLOTS:
    void initTestCase();
    void init();

protected:
    TestServer *m_server = nullptr;
    std::unique_ptr<Observer> m_observer;
};

} // namespace lockscope::test
