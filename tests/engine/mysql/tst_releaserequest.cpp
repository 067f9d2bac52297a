// SPDX-License-Identifier: MIT
// Asking a holder to release: it is told why, and nothing is taken from it.
#include "enginetest.h"

#include <QtTest/QTest>

#include <mutex>

using namespace lockscope;
using namespace lockscope::test;

namespace {

/// What a holder was told.
class Ear
{
public:
    std::function<void(const QString &)> listener()
    {
        return [this](const QString &reason) {
            const std::lock_guard lock(m_mutex);
            m_heard += reason;
        };
    }
    QStringList heard()
    {
        const std::lock_guard lock(m_mutex);
        return m_heard;
    }

private:
    std::mutex m_mutex;
    QStringList m_heard;
};

} // namespace

class TestReleaseRequest : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void theHolderIsToldAndKeepsItsLock_data();
    void theHolderIsToldAndKeepsItsLock();
    void whatNobodyHoldsIsNotHeld();
    void aRequestForAnEarlierHoldReachesNobody();
    void aRequestThatBecomesVisibleLaterIsHeard();
    void badRequestsAreRefusedBeforeAnyIo_data();
    void badRequestsAreRefusedBeforeAnyIo();
};

void TestReleaseRequest::theHolderIsToldAndKeepsItsLock_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::newRow("a lease") << Mode::Unique;
    QTest::newRow("a row") << Mode::Pessimistic;
}

void TestReleaseRequest::theHolderIsToldAndKeepsItsLock()
{
    QFETCH(Mode, mode);
    Ear asked;
    Ear other;
    LockEngine holder(configFor(*m_server));
    LockRequest request = requestFor("a", 0ms, Forever);
    request.mode = mode;
    request.onReleaseRequested = asked.listener();
    auto held = holder.acquire(request);
    QCOMPARE(held.outcome, Outcome::Granted);
    request.resource = "b";
    request.onReleaseRequested = other.listener();
    const auto neighbour = holder.acquire(request);
    LockEngine engine(configFor(*m_server));
    const QString reason = QStringLiteral("deploying — please let go, 'soon' \\ \"now\"");
    const auto result = engine.requestRelease("a", reason, mode);
    QCOMPARE(result.outcome, RequestOutcome::Asked);
    QCOMPARE(result.holder.session, holder.owner().session);
    QVERIFY(eventually([&] { return !asked.heard().isEmpty(); }));
    QCOMPARE(asked.heard(), QStringList{reason});
    QVERIFY(eventually([&] { return m_observer->value("SELECT COUNT(*) FROM lock_release_request").toInt() == 0; }));
    QCOMPARE(other.heard(), QStringList());
    QVERIFY(held.handle.isHeld());
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
}

void TestReleaseRequest::whatNobodyHoldsIsNotHeld()
{
    LockEngine engine(configFor(*m_server));
    for (const Mode mode : {Mode::Unique, Mode::Pessimistic}) {
        QCOMPARE(engine.requestRelease("never", QStringLiteral("why"), mode).outcome, RequestOutcome::NotHeld);
        LockRequest request = requestFor("a");
        request.mode = mode;
        engine.acquire(request).handle.release();
        QCOMPARE(engine.requestRelease("a", QStringLiteral("why"), mode).outcome, RequestOutcome::NotHeld);
    }
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_release_request").toInt(), 0);
}

void TestReleaseRequest::aRequestForAnEarlierHoldReachesNobody()
{
    Ear ear;
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0ms, Forever);
    request.onReleaseRequested = ear.listener();
    {
        auto first = engine.acquire(request);
        QCOMPARE(engine.requestRelease("a", QStringLiteral("the first")).outcome, RequestOutcome::Asked);
    }
    const auto second = engine.acquire(request);
    QCOMPARE(engine.requestRelease("a", QStringLiteral("the second")).outcome, RequestOutcome::Asked);
    QVERIFY(eventually([&] { return m_observer->value("SELECT COUNT(*) FROM lock_release_request").toInt() == 0; }));
    QVERIFY(eventually([&] { return !ear.heard().isEmpty(); }));
    QCOMPARE(ear.heard(), QStringList{QStringLiteral("the second")});
}

void TestReleaseRequest::aRequestThatBecomesVisibleLaterIsHeard()
{
    Ear ear;
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0ms, Forever);
    request.onReleaseRequested = ear.listener();
    const auto held = engine.acquire(request);
    Observer slow(*m_server);
    slow.run("BEGIN; INSERT INTO lock_release_request (at, session, mode, resource, number, reason) VALUES "
             "(UTC_TIMESTAMP(6), '"
             + engine.owner().session + "', 'unique', 'a', " + QByteArray::number(held.handle.token()) + ", 'early')");
    QCOMPARE(engine.requestRelease("a", QStringLiteral("late")).outcome, RequestOutcome::Asked);
    const bool isHeard = eventually([&] { return ear.heard().contains(QStringLiteral("late")); });
    slow.run("COMMIT");
    QVERIFY(isHeard);
    QVERIFY(eventually([&] { return ear.heard().contains(QStringLiteral("early")); }));
}

void TestReleaseRequest::badRequestsAreRefusedBeforeAnyIo_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::addColumn<QString>("reason");
    const QString why = QStringLiteral("why");
    QTest::newRow("no name") << QByteArray() << why;
    QTest::newRow("a name that is too long") << QByteArray(256, 'x') << why;
    QTest::newRow("a NUL byte") << QByteArray("a\0b", 3) << why;
    QTest::newRow("no reason") << QByteArray("a") << QString();
    QTest::newRow("a blank reason") << QByteArray("a") << QStringLiteral("  ");
    QTest::newRow("a reason that is too long") << QByteArray("a") << QString(1025, u'x');
}

void TestReleaseRequest::badRequestsAreRefusedBeforeAnyIo()
{
    QFETCH(QByteArray, resource);
    QFETCH(QString, reason);
    LockEngine engine(configFor(*m_server));
    m_observer->startLog();
    const auto result = engine.requestRelease(resource, reason);
    QCOMPARE(result.outcome, RequestOutcome::Failed);
    QCOMPARE(result.error->kind, LockError::Kind::BadRequest);
    QVERIFY(!result.error->message.isEmpty());
    QCOMPARE(m_observer->logged(), QStringList());
}

QTEST_GUILESS_MAIN(TestReleaseRequest)
#include "tst_releaserequest.moc"
