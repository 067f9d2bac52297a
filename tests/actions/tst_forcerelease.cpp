// SPDX-License-Identifier: MIT
// An operator ends somebody else's lease: only the one that was meant, on record, and the next waiter goes on.
#include "actions/forcerelease.h"
#include "actor.h"
#include "engine/unique/leaserelease_p.h"
#include "enginetest.h"
#include "locks/leasereader.h"
#include "session/reconnectingsession.h"
#include "sources/mysqlsource.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using Ended = ReleaseReport::Outcome;

class TestForceRelease : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup()
    {
        m_observer->run("DROP TRIGGER IF EXISTS slow"); // of those that make the server slow
        m_session.reset();
    }

    void aLeaseNobodyWaitsForBecomesFree();
    void theFirstWaiterGetsItAtOnceAndTheHolderLearns();
    void anOrphanIsReleasedToTheNext();
    void waitersThatDiedArePassedOver();
    void aTargetThatChangedIsLeftAlone_data();
    void aTargetThatChangedIsLeftAlone();
    void anOrderWithoutReasonOrNameIsRefused_data();
    void anOrderWithoutReasonOrNameIsRefused();
    void whatIsShownIsWhatRuns();
    void namesAndReasonsAreOnlyData_data();
    void namesAndReasonsAreOnlyData();
    void thePreviewSaysWhoGetsIt();
    void ofManyOperatorsOneReleases();
    void aForgedRowEndsNobodysSession_data();
    void aForgedRowEndsNobodysSession();
    void aReleaseWhoseAnswerIsLostIsRecordedAsItHappened();
    void aReleaseOfWhichNothingIsKnownIsRecordedSo();

private:
    ReleaseOrder orderFor(const QByteArray &resource, quint64 token) const;
    quint64 tokenOf(const QString &granted) const { return granted.section(QLatin1Char(' '), 1).toULongLong(); }

    ReleaseReport release(const ReleaseOrder &order);
    ReleaseReport releaseWhileItSleeps(quint64 token, const QByteArray &sleep);
    QString recordedOutcome() const;

    QTemporaryDir m_folder;
    AuditFile m_audit{m_folder.filePath(QStringLiteral("audit.jsonl"))};
    std::unique_ptr<Session> m_session;
};

void TestForceRelease::init()
{
    EngineTest::init();
    LockError error;
    m_session = Session::open(targetFor(*m_server), &error);
    QVERIFY2(m_session, qPrintable(error.toString()));
}

ReleaseOrder TestForceRelease::orderFor(const QByteArray &resource, quint64 token) const
{
    return {
        {LockKind::Lease, resource, 0}, token, QStringLiteral("alice@ops1"), QStringLiteral("stuck since the deploy")};
}

ReleaseReport TestForceRelease::release(const ReleaseOrder &order)
{
    ReconnectingSession link(targetFor(*m_server));
    MySqlSource source(link);
    return releaseByForce(source, order, ServerAccess::toAct(), &m_audit);
}

/// Of the last line of the record.
QString TestForceRelease::recordedOutcome() const
{
    QFile file(m_audit.path());
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray last = file.readAll().trimmed().split('\n').last();
    return QJsonDocument::fromJson(last).object().value(QLatin1String("outcome")).toString();
}

void TestForceRelease::aLeaseNobodyWaitsForBecomesFree()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const auto report = release(orderFor("a", held.handle.token()));
    QCOMPARE(report.outcome, Ended::Released);
    QVERIFY(!report.error);
    QVERIFY(!report.lockNow);
    bool isRecorded = false;
    ReleaseOrder order = orderFor("a", held.handle.token());
    QVERIFY(!detail::isEndRecorded(*m_session, {"a", 0, order.token}, {order.operatorName, order.reason}, &isRecorded));
    QVERIFY(isRecorded);
    order.reason = QStringLiteral("another's");
    QVERIFY(!detail::isEndRecorded(*m_session, {"a", 0, order.token}, {order.operatorName, order.reason}, &isRecorded));
    QVERIFY(!isRecorded);
    LockEngine other(configFor(*m_server));
    const auto next = other.acquire(requestFor("a"));
    QCOMPARE(next.outcome, Outcome::Granted);
    QVERIFY(next.handle.token() > held.handle.token());

    QList<Event> events;
    QVERIFY(!LeaseReader(*m_session).events({}, &events));
    QCOMPARE(events.size(), 1);
    QCOMPARE(events[0].kind, Event::Kind::ForceRelease);
    QCOMPARE(events[0].key.resource, "a");
    QCOMPARE(events[0].token, held.handle.token());
    QCOMPARE(events[0].owner.service, QStringLiteral("test"));
    QCOMPARE(events[0].operatorName, QStringLiteral("alice@ops1"));
    QCOMPARE(events[0].reason, QStringLiteral("stuck since the deploy"));
}

void TestForceRelease::theFirstWaiterGetsItAtOnceAndTheHolderLearns()
{
    Worker holder(*m_server);
    const quint64 token = tokenOf(holder.ask("acquire a 9000 0"));
    QVERIFY(token > 0);
    Worker first(*m_server);
    Worker second(*m_server);
    first.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->waiters("a"), 1, 30'000);
    second.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->waiters("a"), 2, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_observer->blocked() >= 2, 30'000);

    const auto report = release(orderFor("a", token));
    QCOMPARE(report.outcome, Ended::Released);
    QVERIFY(report.lockNow.has_value()); // granted with the release, not at the old lease's end
    QCOMPARE(report.lockNow->token, token + 1);
    QVERIFY(report.isNextNotified);
    QCOMPARE(tokenOf(first.answer()), token + 1);
    QCOMPARE(m_observer->waiters("a"), 1);
    QCOMPARE(holder.ask("lost"), QStringLiteral("taken over"));
    QCOMPARE(holder.ask("held"), QStringLiteral("no"));
    QCOMPARE(first.ask("release"), QStringLiteral("released"));
    QCOMPARE(tokenOf(second.answer()), token + 2);
}

void TestForceRelease::anOrphanIsReleasedToTheNext()
{
    Worker holder(*m_server);
    const quint64 token = tokenOf(holder.ask("acquire a 600000 0"));
    Worker waiter(*m_server);
    waiter.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->waiters("a"), 1, 30'000);
    holder.kill9();
    const auto report = release(orderFor("a", token));
    QCOMPARE(report.outcome, Ended::Released);
    QCOMPARE(tokenOf(waiter.answer()), token + 1);
}

void TestForceRelease::waitersThatDiedArePassedOver()
{
    Worker holder(*m_server);
    const quint64 token = tokenOf(holder.ask("acquire a 600000 0"));
    Worker dead(*m_server);
    Worker living(*m_server);
    dead.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->waiters("a"), 1, 30'000);
    living.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->waiters("a"), 2, 30'000);
    dead.kill9();
    // The server notices the end of the connection a moment later.
    LeaseReader reader(*m_session);
    QList<Waiter> queue;
    QVERIFY(eventually([&] { return !reader.waiters({LockKind::Lease, "a", 0}, &queue) && queue.size() == 1; }));
    QCOMPARE(release(orderFor("a", token)).outcome, Ended::Released);
    QCOMPARE(tokenOf(living.answer()), token + 1);
}

void TestForceRelease::aTargetThatChangedIsLeftAlone_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::addColumn<int>("offset");
    QTest::addColumn<bool>("isThere");
    QTest::newRow("an older token") << QByteArray("a") << -1 << true;
    QTest::newRow("a token to come") << QByteArray("a") << 1 << true;
    QTest::newRow("another case") << QByteArray("A") << 0 << false;
    QTest::newRow("a space more") << QByteArray("a ") << 0 << false;
    QTest::newRow("a name never locked") << QByteArray("b") << 0 << false;
}

void TestForceRelease::aTargetThatChangedIsLeftAlone()
{
    QFETCH(QByteArray, resource);
    QFETCH(int, offset);
    LockEngine engine(configFor(*m_server));
    engine.acquire(requestFor("a")).handle.release(); // so that there is an older token
    const auto held = engine.acquire(requestFor("a"));
    const quint64 token = held.handle.token() + quint64(qint64(offset));
    const auto report = release(orderFor(resource, token));
    QCOMPARE(report.outcome, Ended::TargetChanged);
    QVERIFY(!report.error);
    QTEST(report.lockNow.has_value(), "isThere");
    QVERIFY(held.handle.isHeld());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 1);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
}

void TestForceRelease::anOrderWithoutReasonOrNameIsRefused_data()
{
    QTest::addColumn<QString>("operatorName");
    QTest::addColumn<QString>("reason");
    const QString name = QStringLiteral("alice");
    QTest::newRow("no reason") << name << QString();
    QTest::newRow("only spaces") << name << QStringLiteral("  \t ");
    QTest::newRow("too long") << name << QString(MaxReasonCharacters + 1, QLatin1Char('x'));
    QTest::newRow("nobody") << QString() << QStringLiteral("stuck");
}

void TestForceRelease::anOrderWithoutReasonOrNameIsRefused()
{
    QFETCH(QString, operatorName);
    QFETCH(QString, reason);
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    ReleaseOrder order = orderFor("a", held.handle.token());
    order.operatorName = operatorName;
    order.reason = reason;
    const auto report = release(order);
    QCOMPARE(report.outcome, Ended::Failed);
    QVERIFY(report.error.has_value());
    QCOMPARE(report.error->kind, LockError::Kind::BadRequest);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 1);
}

void TestForceRelease::whatIsShownIsWhatRuns()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const ReleaseOrder order = orderFor("a", held.handle.token());
    const QString shown = QString::fromUtf8(releaseStatement(order, m_server->family()));
    m_observer->startLog();
    QCOMPARE(release(order).outcome, Ended::Released);
    const QString ran = m_observer->logged().join(QLatin1Char('\n'));
    const auto statements = shown.split(QLatin1String(";\n"));
    QVERIFY(statements.size() >= 5);
    for (const QString &statement : statements)
        QVERIFY2(ran.contains(statement.simplified()), qPrintable(statement + QStringLiteral(" not in ") + ran));
}

void TestForceRelease::namesAndReasonsAreOnlyData_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::addColumn<QString>("reason");
    const QString reason = QStringLiteral("stuck");
    QTest::newRow("a name that would end a text") << QByteArray("a'; DROP TABLE lock_lease; -- ") << reason;
    QTest::newRow("a name like a place") << QByteArray(":token :reason") << reason;
    QTest::newRow("bytes that are no text") << QByteArray("\xff\xfe\x01") << reason;
    QTest::newRow("255 bytes") << QByteArray(255, 'x') << reason;
    QTest::newRow("a reason that would end a text") << QByteArray("a") << QStringLiteral("it's \\ done\"; COMMIT; -- ");
    QTest::newRow("a reason like a place") << QByteArray("a") << QStringLiteral(":token");
    QTest::newRow("a reason beyond the first plane") << QByteArray("a") << QString::fromUtf8("\xf0\x9f\x94\x92 stuck");
}

void TestForceRelease::namesAndReasonsAreOnlyData()
{
    QFETCH(QByteArray, resource);
    QFETCH(QString, reason);
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor(resource));
    QCOMPARE(held.outcome, Outcome::Granted);
    ReleaseOrder order = orderFor(resource, held.handle.token());
    order.reason = reason;
    const auto report = release(order);
    QVERIFY2(report.outcome == Ended::Released, qPrintable(report.error ? report.error->toString() : QString()));
    QList<Event> events;
    QVERIFY(!LeaseReader(*m_session).events({}, &events));
    QCOMPARE(events.size(), 1);
    QCOMPARE(events[0].key.resource, resource);
    QCOMPARE(events[0].reason, reason);
}

void TestForceRelease::thePreviewSaysWhoGetsIt()
{
    LockEngine holder(configFor(*m_server));
    const auto held = holder.acquire(requestFor("a", 0s, 60s));
    Worker first(*m_server);
    Worker second(*m_server);
    first.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->waiters("a"), 1, 30'000);
    second.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->waiters("a"), 2, 30'000);
    ReconnectingSession link(targetFor(*m_server));
    MySqlSource source(link);
    ReleasePreview preview;
    QVERIFY(!previewRelease(source, {LockKind::Lease, "a", 0}, &preview));
    QVERIFY(preview.lock.has_value());
    QCOMPARE(preview.lock->token, held.handle.token());
    QCOMPARE(preview.lock->state, LockState::Held);
    QVERIFY(preview.lock->sessionAlive);
    QCOMPARE(preview.lock->waiters, 2);
    QCOMPARE(preview.queue.size(), 2);
    QCOMPARE(preview.queue[0].owner.pid, first.pid());
    QCOMPARE(preview.queue[0].position, 1);
    QCOMPARE(preview.queue[1].owner.pid, second.pid());
    QVERIFY(!previewRelease(source, {LockKind::Lease, "free", 0}, &preview));
    QVERIFY(!preview.lock.has_value());
    QVERIFY(preview.queue.isEmpty());
    first.kill9(); // they would wait on
    second.kill9();
}

void TestForceRelease::ofManyOperatorsOneReleases()
{
    constexpr int operators = 8;
    for (int round = 0; round < 20; ++round) {
        LockEngine engine(configFor(*m_server));
        const auto held = engine.acquire(requestFor("a"));
        QCOMPARE(held.outcome, Outcome::Granted);
        std::atomic<int> released = 0;
        std::atomic<int> changed = 0;
        std::vector<std::thread> threads;
        threads.reserve(operators);
        for (int i = 0; i < operators; ++i) {
            threads.emplace_back([&, order = orderFor("a", held.handle.token())] {
                AuditFile audit(m_audit.path());
                ReconnectingSession link(targetFor(*m_server));
                MySqlSource source(link);
                const auto report = releaseByForce(source, order, ServerAccess::toAct(), &audit);
                released += report.outcome == Ended::Released;
                changed += report.outcome == Ended::TargetChanged;
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(released.load(), 1);
        QCOMPARE(changed.load(), operators - 1);
        QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), round + 1);
    }
}

void TestForceRelease::aForgedRowEndsNobodysSession_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("another program's") << QByteArray("report");
    QTest::newRow("like an engine's") << QByteArray("ls:0123456789abcdef0123456789abcdef:1");
}

/// Who may write to the table names any user-level lock as that which the next holder waits for; those who do wait for
/// it are no engine's.
void TestForceRelease::aForgedRowEndsNobodysSession()
{
    QFETCH(QByteArray, name);
    Worker holder(*m_server);
    const quint64 token = tokenOf(holder.ask("acquire a 600000 0"));
    Worker waiter(*m_server);
    waiter.send("acquire a 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->blocked(), 1, 30'000);
    Actor owner(*m_server);
    owner.run("DO GET_LOCK('" + name + "', 0)");
    Actor stranger(*m_server);
    stranger.start("DO GET_LOCK('" + name + "', 60)");
    QTRY_COMPARE_WITH_TIMEOUT(m_observer->blocked(), 2, 30'000);
    m_observer->run("UPDATE lock_lease SET presence = '" + name + "' WHERE resource = 'a'");

    const auto report = release(orderFor("a", token));
    QCOMPARE(report.outcome, Ended::Released);
    QVERIFY(!report.isNextNotified);
    owner.run("DO RELEASE_ALL_LOCKS()");
    const Reply waited = stranger.finish();
    QVERIFY2(waited, qPrintable(waited.error.value_or(LockError()).toString()));
}

/// Of the lease "a", by somebody who waits 2 s for an answer, while the server does this in the release's transaction.
ReleaseReport TestForceRelease::releaseWhileItSleeps(quint64 token, const QByteArray &sleep)
{
    m_observer->run("CREATE TRIGGER slow AFTER INSERT ON lock_event FOR EACH ROW DO " + sleep);
    SessionTarget impatient = targetFor(*m_server);
    impatient.readTimeout = 2s;
    ReconnectingSession link(impatient);
    MySqlSource source(link);
    return releaseByForce(source, orderFor("a", token), ServerAccess::toAct(), &m_audit);
}

/// The connection breaks while the server is still at the transaction, which goes on and is committed.
void TestForceRelease::aReleaseWhoseAnswerIsLostIsRecordedAsItHappened()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const auto report = releaseWhileItSleeps(held.handle.token(), "SLEEP(3)");
    QVERIFY2(report.outcome == Ended::Released, qPrintable(report.error.value_or(LockError()).toString()));
    QVERIFY(report.isNextNotified); // for there is none
    QVERIFY(!report.lockNow);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 1);
    QCOMPARE(recordedOutcome(), QStringLiteral("released"));
}

/// The server is at it for longer than anybody asks, and so nobody else gets at the row. After 5 s of one SLEEP a
/// server looks whether its client is still there.
void TestForceRelease::aReleaseOfWhichNothingIsKnownIsRecordedSo()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const auto report = releaseWhileItSleeps(held.handle.token(), "SLEEP(4), SLEEP(4), SLEEP(4)");
    QCOMPARE(report.outcome, Ended::Failed);
    QCOMPARE(report.error->kind, LockError::Kind::ConnectionLost);
    QVERIFY2(recordedOutcome().startsWith(QLatin1String("not known")), qPrintable(recordedOutcome()));
}

QTEST_GUILESS_MAIN(TestForceRelease)
#include "tst_forcerelease.moc"
