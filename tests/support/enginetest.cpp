// SPDX-License-Identifier: MIT
#include "enginetest.h"

#include "strict.h"

namespace lockscope::test {

void EngineTest::initTestCase()
{
    m_server = &TestServer::instance();
}

void EngineTest::init()
{
    failOnWarnings(KilledOpeningWarning);
    m_server->start(); // a test may have ended it
    resetTables(*m_server);
    m_observer = std::make_unique<Observer>(*m_server);
}

} // namespace lockscope::test
