#include "enginetest.h"

#include <QtTest/QTest>

namespace lockscope::test {

void EngineTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_server = &TestServer::instance();
}

void EngineTest::init()
{
    m_server->start(); // a test may have ended it
    resetTables(*m_server);
    m_observer = std::make_unique<Observer>(*m_server);
}

} // namespace lockscope::test
