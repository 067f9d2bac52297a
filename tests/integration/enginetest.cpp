#include "enginetest.h"

#include <QtTest/QTest>

namespace lockscope::test {

void EngineTest::initTestCase()
{
    m_server = &TestServer::instance();
}

void EngineTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); // it holds for one function
    m_server->start(); // a test may have ended it
    resetTables(*m_server);
    m_observer = std::make_unique<Observer>(*m_server);
}

} // namespace lockscope::test
