#include "enginetest.h"

#include <QtTest/QTest>

namespace lockscope::test {

void EngineTest::initTestCase()
{
    m_server = &TestServer::instance();
}

void EngineTest::init()
{
    // Holds for one function. A connection that is killed while it opens makes Qt's driver warn.
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!MySQL: Unable to set the client character set)")));
    m_server->start(); // a test may have ended it
    resetTables(*m_server);
    m_observer = std::make_unique<Observer>(*m_server);
}

} // namespace lockscope::test
