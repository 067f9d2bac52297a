// SPDX-License-Identifier: MIT
// What sessions of one program know each other by, also after the server has begun to count connections anew.
#include "enginetest.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;

namespace {

constexpr int kUnknownSession = 1094;
constexpr int kConnections = 30;

} // namespace

class TestSessionNumbers : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aLiveSessionIsNotEndedForALostOneThatHadItsConnectionsNumber();
    void aSessionThatIsEndedFreesItsNameAfterItsTransaction();

private:
    std::unique_ptr<Session> open();
};

std::unique_ptr<Session> TestSessionNumbers::open()
{
    SessionTarget target = targetFor(*m_server);
    target.mark = "test:";
    LockError error;
    auto session = Session::open(target, &error);
    if (!session)
        qFatal("%s", qPrintable(error.toString()));
    return session;
}

void TestSessionNumbers::aLiveSessionIsNotEndedForALostOneThatHadItsConnectionsNumber()
{
    std::vector<std::unique_ptr<Session>> lost;
    std::generate_n(std::back_inserter(lost), kConnections, [this] { return open(); });
    m_server->restart();
    std::vector<std::unique_ptr<Session>> living;
    const auto before = [&] { // whose number the server has given to the latest one
        return std::find_if(lost.begin(), lost.end(), [&](const auto &each) {
            return !living.empty() && each->connectionId() == living.back()->connectionId();
        });
    };
    while (before() == lost.end() && living.size() < kConnections)
        living.push_back(open());
    QVERIFY(before() != lost.end());
    const auto killer = open();

    const Reply refused = killer->kill((*before())->number());
    QVERIFY(refused.error);
    QCOMPARE(refused.error->code, kUnknownSession);
    QVERIFY(living.back()->run("SELECT 1", "test"));

    QVERIFY(killer->kill(living.back()->number()));
    QVERIFY(!living.back()->run("SELECT 1", "test"));
}

/// Whoever sees it free knows that nothing of the session can happen any more.
void TestSessionNumbers::aSessionThatIsEndedFreesItsNameAfterItsTransaction()
{
    constexpr int kDoublings = 17; // takes the server a while to roll back
    const auto isDropped = qScopeGuard([this] { m_observer->run("DROP TABLE many"); });
    m_observer->run("CREATE TABLE many (id INT NOT NULL) ENGINE = InnoDB");
    const auto session = open();
    QVERIFY(session->run("BEGIN; INSERT INTO many VALUES (1)", "test"));
    for (int i = 0; i < kDoublings; ++i)
        QVERIFY(session->run("INSERT INTO many SELECT * FROM many", "test"));
    SessionTarget target = targetFor(*m_server);
    target.readUncommitted = true;
    LockError error;
    const auto looking = Session::open(target, &error);
    QVERIFY(looking);
    QVERIFY(looking->run("SELECT COUNT(*) FROM many", "test").value().toInt() > 1);

    QVERIFY(open()->kill(session->number()));
    const auto name = Params().lockName("name", "test:" + QByteArray::number(session->number()));
    QVERIFY(eventually([&] { return !looking->run("engine/name_held", name).value().toBool(); }));
    QCOMPARE(looking->run("SELECT COUNT(*) FROM many", "test").value().toInt(), 0);
}

QTEST_GUILESS_MAIN(TestSessionNumbers)
#include "tst_sessionnumbers.moc"
