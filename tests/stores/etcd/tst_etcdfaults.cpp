// SPDX-License-Identifier: MIT
// Leases on etcd when processes die or freeze, and when members of the cluster do.
#include "etcdbench.h"
#include "freeze.h"
#include "locknews.h"
#include "packetproxy.h"
#include "stores/etcd/etcdwatches.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <malloc.h>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestEtcdFaults : public EtcdTest
{
    Q_OBJECT

private Q_SLOTS:
    void aDeadHoldersLeaseEndsWithItsTtl();
    void aHolderThatFrozePastItsTtlLosesIt();
    void leasesOutliveTheServersRestart();
    void aWaiterOutlivesTheServersRestart();
    void whatMayHaveBeenCarriedOutIsNotSentAgain();
    void aWaiterWhoseChangeOfTtlIsLostKeepsItsPlace();
    void aRenewalThatArrivesLateChangesNothing();
    void aRenewalWhoseAnswerIsLostCounts();
    void aSecondTryThatIsRefusedSaysNothingOfTheFirst();
    void aMemberThatIsMerelySlowIsNotLeft();
    void aMemberThatStaysSilentIsLeft();
    void aRenewalThatFailedIsTriedAgainSoon();
    void aQuestionAfterAnotherTtlIsHeard();
    void aServerThatIsAwayForLongEndsTheLease();
    void aReleaseOutlivesTheServersRestart();
    void aLostAnswerIsAskedFor();
    void aTryWhoseAnswerIsLostHoldsNothing();
    void aServerThatIsAwayIsUnavailable();
    void aQuestionThatCameWhileNobodyListenedIsHeard();
    void aRefusedUserSignsInOnceForEachTry();
    void watchesThatCannotBeginLeaveNothing();

private:
    /// One that waits for answers only briefly.
    std::unique_ptr<LockEngine> newImpatientEngine() const;
    std::unique_ptr<LockEngine> newEngineAt(const QString &socket) const;
    /// That of its etcd lease.
    std::chrono::seconds ttlOf(const detail::EtcdKey &key);

    const QTemporaryDir m_folder; ///< of networks
};

std::unique_ptr<LockEngine> TestEtcdFaults::newImpatientEngine() const
{
    EtcdConfig impatient = m_bench.config();
    impatient.answerTimeout = 300ms;
    impatient.connectTimeout = 300ms;
    return std::make_unique<LockEngine>(engineOn(std::make_shared<EtcdStore>(impatient)));
}

std::unique_ptr<LockEngine> TestEtcdFaults::newEngineAt(const QString &socket) const
{
    EtcdConfig config = m_bench.config();
    config.server.sockets = {socket};
    return std::make_unique<LockEngine>(engineOn(std::make_shared<EtcdStore>(config)));
}

std::chrono::seconds TestEtcdFaults::ttlOf(const detail::EtcdKey &key)
{
    const QJsonObject left = m_bench.eye().call("lease/timetolive", {{u"ID"_s, QString::number(key.lease)}});
    return std::chrono::seconds(detail::etcdNumber(left["grantedTTL"_L1]));
}

void TestEtcdFaults::aDeadHoldersLeaseEndsWithItsTtl()
{
    const auto worker = m_bench.newWorker();
    const QString answer = worker->ask("acquire r 2000 0");
    QVERIFY2(answer.startsWith(u"granted"_s), qPrintable(answer));
    const auto engine = m_bench.newEngine();
    QVERIFY(!engine->connectToServer());
    worker->kill9();
    QCOMPARE(textOf(engine->acquire(leaseRequest("r"))), QByteArray("busy")); // its time still counts
    const AcquireResult next = engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
}

void TestEtcdFaults::aHolderThatFrozePastItsTtlLosesIt()
{
    const auto worker = m_bench.newWorker();
    const QString answer = worker->ask("acquire r 2000 0");
    worker->freeze();
    const auto engine = m_bench.newEngine();
    const AcquireResult next = engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
    worker->thaw();
    QCOMPARE(worker->ask("held"), u"no"_s);
    QCOMPARE(worker->ask("lost"), u"expired"_s);
    QCOMPARE(worker->ask("release"), u"not held"_s);
    QVERIFY(next.handle.isHeld());
    QCOMPARE(worker->ask("acquire s 2000 0").section(u' ', 0, 0), u"granted"_s);
}

void TestEtcdFaults::leasesOutliveTheServersRestart()
{
    const auto engine = m_bench.newEngine();
    const auto other = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, 2min));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    m_bench.node().kill9();
    QVERIFY(!m_bench.node().start());
    QVERIFY(eventually([&] { return taken.handle.renew(2min) == RenewOutcome::Renewed; }));
    QVERIFY(eventually([&] { return textOf(other->acquire(leaseRequest("r"))) == "busy"; }));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(other->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestEtcdFaults::aWaiterOutlivesTheServersRestart()
{
    const auto engine = m_bench.newEngine();
    const auto other = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, 2min));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", 2min)); });
    QVERIFY(m_bench.haveJoined(1));
    const auto place = m_bench.queue("r").last();
    m_bench.node().kill9();
    QVERIFY(!m_bench.node().start());
    QCOMPARE(m_bench.queue("r").last().created, place.created);
    QVERIFY(eventually([&] { return taken.handle.renew(2min) == RenewOutcome::Renewed; }));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
    QCOMPARE(next.handle.token(), quint64(place.created));
}

void TestEtcdFaults::whatMayHaveBeenCarriedOutIsNotSentAgain()
{
    PacketProxy network(m_folder.filePath(u"j:1"_s), m_bench.url().sockets.first());
    const auto engine = newEngineAt(m_folder.filePath(u"j:1"_s));
    engine->acquire(leaseRequest("s", 0s, 1h)).handle.release(); // whose connection and etcd lease serve the next one
    network.keepBack("request_put");
    AcquireResult taken = engine->acquire(leaseRequest("r", 1min, 1h));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QVERIFY(network.hasKeptBack());
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    network.deliverLate();
    QVERIFY(eventually([&] { return m_bench.queue("r").isEmpty(); })); // nobody's key would block others
}

void TestEtcdFaults::aWaiterWhoseChangeOfTtlIsLostKeepsItsPlace()
{
    PacketProxy network(m_folder.filePath(u"w:1"_s), m_bench.url().sockets.first());
    const auto engine = m_bench.newEngine();
    const auto other = newEngineAt(m_folder.filePath(u"w:1"_s));
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    network.keepBack("ignore_value"); // who waits has a shorter TTL until its turn
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", 2min, 1h)); });
    const bool isKeptBack = eventually([&] { return network.hasKeptBack(); });
    const auto joined = m_bench.queue("r").last();
    const bool isMoved = eventually([&] { return ttlOf(m_bench.queue("r").last()) == 30s; });
    const auto moved = m_bench.queue("r").last();
    if (isKeptBack)
        network.deliverLate();
    const auto delivered = m_bench.queue("r").last();
    taken.handle.release();
    waiter.join();
    QVERIFY(isKeptBack && isMoved);
    QCOMPARE(textOf(next), QByteArray("granted"));
    QCOMPARE(moved.created, joined.created);
    QCOMPARE(delivered.modified, moved.modified);
    QCOMPARE(next.handle.token(), quint64(joined.created));
}

void TestEtcdFaults::aRenewalThatArrivesLateChangesNothing()
{
    PacketProxy network(m_folder.filePath(u"l:1"_s), m_bench.url().sockets.first());
    const auto engine = newEngineAt(m_folder.filePath(u"l:1"_s));
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    network.keepBack("ignore_value");
    QCOMPARE(taken.handle.renew(1min), RenewOutcome::Renewed); // at the second try
    QVERIFY(network.hasKeptBack());
    const auto before = m_bench.queue("r").first();
    network.deliverLate();
    QCOMPARE(m_bench.queue("r").first().modified, before.modified);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
}

void TestEtcdFaults::aRenewalWhoseAnswerIsLostCounts()
{
    std::atomic<int> asked = -1;
    std::atomic<int> lost = 0;
    const auto loseAnswer = [&](const QByteArray &piece, int from, int to) {
        int answering = from; // other connections have something to say meanwhile
        if (piece.contains("ignore_value"))
            asked = to;
        else if (asked.compare_exchange_strong(answering, -1)) // it has been carried out
            return ++lost == 0;
        return true;
    };
    const FaultyProxy network(m_folder.filePath(u"o:1"_s), m_bench.url().sockets.first(), loseAnswer);
    const auto engine = newEngineAt(m_folder.filePath(u"o:1"_s));
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, 1h));
    QCOMPARE(taken.handle.renew(1min), RenewOutcome::Renewed);
    QCOMPARE(lost.load(), 1);
    QCOMPARE(ttlOf(m_bench.queue("r").first()), 1min);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
}

void TestEtcdFaults::aSecondTryThatIsRefusedSaysNothingOfTheFirst()
{
    const QByteArray refusal = R"({"code": 7, "message": "etcdserver: permission denied"})";
    const QByteArray answer = "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: "
        + QByteArray::number(refusal.size()) + "\r\n\r\n" + refusal;
    std::atomic<int> asked = -1;
    std::atomic<bool> isLost = false;
    const auto loseAndRefuse = [&](const QByteArray &piece, int from, int to) {
        if (isLost && piece.endsWith('}')) { // the end of a question
            FaultyProxy::send(from, answer);
            return false;
        }
        if (piece.contains("ignore_value") && !isLost)
            asked = to;
        const bool isDone = !isLost && from == asked; // it has been carried out
        isLost = isLost || isDone;
        return !isDone;
    };
    const FaultyProxy network(m_folder.filePath(u"r:1"_s), m_bench.url().sockets.first(), loseAndRefuse);
    const auto engine = newEngineAt(m_folder.filePath(u"r:1"_s));
    LockRequest request = leaseRequest("r", 0s, 1h);
    request.autoRenew = false;
    AcquireResult taken = engine->acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(taken.handle.renew(1min), RenewOutcome::Failed);
    const auto error = taken.handle.lastError();
    QVERIFY(isLost);
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::ConnectionLost);
    QVERIFY(taken.handle.remaining() <= 1min);
}

/// Its connection serves again, as does that of the one which was asked beside it.
void TestEtcdFaults::aMemberThatIsMerelySlowIsNotLeft()
{
    std::atomic<int> asked = 0;
    const auto count = [&](const QByteArray &piece, int /*from*/, int /*to*/) {
        asked += int(piece.count("POST "));
        return true;
    };
    FaultyProxy slow(m_folder.filePath(u"m:1"_s), m_bench.url().sockets.first(), count);
    const FaultyProxy quick(m_folder.filePath(u"m:2"_s), m_bench.url().sockets.first());
    EtcdConfig config = m_bench.config();
    config.answerTimeout = Patience;
    config.server.sockets = QStringList{m_folder.filePath(u"m:1"_s)} + QStringList(4, m_folder.filePath(u"m:2"_s));
    std::atomic<int> moved = 0;
    detail::EtcdClient client(config);
    client.setOnMoved([&] { ++moved; });
    client.hurry(60s); // 5 s for each of them
    const auto ask = [&] { return !client.call("kv/range", detail::rangeOf("any")).error; };
    slow.setState(FaultyProxy::State::Stalled);
    QVERIFY(ask());
    QVERIFY(ask()); // of the quick one: the slow one's answer is still to come
    QCOMPARE(quick.accepted(), 1);
    slow.setState(FaultyProxy::State::Open);
    QVERIFY(eventually([&] { return ask() && asked > 1; }));
    QCOMPARE(slow.accepted(), 1);
    QCOMPARE(quick.accepted(), 1);
    QCOMPARE(moved.load(), 0); // so no watch was closed
}

void TestEtcdFaults::aMemberThatStaysSilentIsLeft()
{
    FaultyProxy silent(m_folder.filePath(u"s:1"_s), m_bench.url().sockets.first());
    EtcdConfig config = m_bench.config();
    config.answerTimeout = Patience;
    config.server.sockets = {m_folder.filePath(u"s:1"_s), m_bench.url().sockets.first()};
    std::atomic<int> moved = 0;
    detail::EtcdClient client(config);
    client.setOnMoved([&] { ++moved; });
    client.hurry(ShortTtl);
    silent.setState(FaultyProxy::State::Stalled);
    QVERIFY(eventually([&] { return !client.call("kv/range", detail::rangeOf("any")).error && client.member() == 1; }));
    QCOMPARE(moved.load(), 1);
}

void TestEtcdFaults::aRenewalThatFailedIsTriedAgainSoon()
{
    FaultyProxy network(m_folder.filePath(u"f:1"_s), m_bench.url().sockets.first());
    const auto engine = newEngineAt(m_folder.filePath(u"f:1"_s));
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, 1h));
    network.setState(FaultyProxy::State::Cut);
    QCOMPARE(taken.handle.renew(1min), RenewOutcome::Failed);
    QVERIFY(taken.handle.remaining() <= 1min); // it may have been carried out
    network.setState(FaultyProxy::State::Open);
    QVERIFY(eventually([&] { return taken.handle.remaining() > 30min; })); // or it would end, with the server there
}

void TestEtcdFaults::aQuestionAfterAnotherTtlIsHeard()
{
    const auto engine = m_bench.newEngine();
    std::atomic<int> heard = 0;
    LockRequest request = leaseRequest("r", 0s, 1h);
    request.onReleaseRequested = [&](const QString &) { ++heard; };
    AcquireResult taken = engine->acquire(request);
    const auto other = m_bench.newEngine();
    QCOMPARE(other->requestRelease("r", u"please"_s).outcome, RequestOutcome::Asked);
    QVERIFY(eventually([&] { return heard == 1; }));
    QCOMPARE(taken.handle.renew(2h), RenewOutcome::Renewed);
    QVERIFY(eventually([&] { return m_bench.eye().keys(m_bench.url().path.toUtf8() + '/').size() == 1; }));
    QCOMPARE(other->requestRelease("r", u"now"_s).outcome, RequestOutcome::Asked);
    QVERIFY(eventually([&] { return heard == 2; }));
}

void TestEtcdFaults::aServerThatIsAwayForLongEndsTheLease()
{
    const auto engine = m_bench.newEngine();
    LossNews news;
    LockRequest request = leaseRequest("r", 0s, ShortTtl);
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = engine->acquire(request);
    m_bench.node().kill9();
    QCOMPARE(news.wait(), std::string("expired")); // nobody else has it before the server is there again
    QVERIFY(!taken.handle.isHeld());
    QVERIFY(!m_bench.node().start());
    QCOMPARE(textOf(m_bench.newEngine()->acquire(leaseRequest("r", 1min))), QByteArray("granted"));
}

void TestEtcdFaults::aReleaseOutlivesTheServersRestart()
{
    const auto engine = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, 1h));
    m_bench.node().kill9();
    ReleaseOutcome outcome = ReleaseOutcome::Failed;
    std::thread release([&] { outcome = taken.handle.release(); });
    QVERIFY(!m_bench.node().start());
    release.join();
    QVERIFY2(outcome == ReleaseOutcome::Released || outcome == ReleaseOutcome::Unknown, outcomeText(outcome).c_str());
    const auto other = m_bench.newEngine();
    QVERIFY(eventually([&] { return textOf(other->acquire(leaseRequest("r"))) == "granted"; }));
}

/// The server carries out what it was sent before it froze, and answers too late.
void TestEtcdFaults::aLostAnswerIsAskedFor()
{
    const auto engine = newImpatientEngine();
    QVERIFY(eventually([&] { return !engine->connectToServer(); }));
    engine->acquire(leaseRequest("r")).handle.release(); // so that it has an etcd lease for the next one
    freezeProcess(m_bench.node().pid());
    AcquireResult taken;
    std::thread request([&] { taken = engine->acquire(leaseRequest("r", 1min)); });
    std::this_thread::sleep_for(1s); // longer than it waits for an answer
    thawProcess(m_bench.node().pid());
    request.join();
    if (taken.outcome != Outcome::Granted) // the first contact of a request may fail, and holds nothing then
        QVERIFY(eventually([&] { return m_bench.queue("r").isEmpty(); }));
    else
        QCOMPARE(m_bench.queue("r").size(), 1);
    taken.handle.release();
    QVERIFY(eventually([&] { return m_bench.queue("r").isEmpty(); }));
    QCOMPARE(textOf(m_bench.newEngine()->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestEtcdFaults::aTryWhoseAnswerIsLostHoldsNothing()
{
    const auto engine = newImpatientEngine();
    QVERIFY(eventually([&] { return !engine->connectToServer(); }));
    freezeProcess(m_bench.node().pid());
    const AcquireResult taken = engine->acquire(leaseRequest("r"));
    thawProcess(m_bench.node().pid());
    QVERIFY(taken.outcome == Outcome::Failed || taken.outcome == Outcome::Unknown);
    QCOMPARE(taken.error->kind, LockError::Kind::ConnectionLost);
    QVERIFY(eventually([&] { return m_bench.queue("r").isEmpty(); })); // also what was carried out later
}

void TestEtcdFaults::aServerThatIsAwayIsUnavailable()
{
    m_bench.node().stop();
    const auto engine = m_bench.newEngine();
    const AcquireResult refused = engine->acquire(leaseRequest("r", 1min));
    QVERIFY(!m_bench.node().start());
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::Unavailable);
    QVERIFY2(refused.error->message.contains(m_bench.url().toString()), qPrintable(refused.error->message));
    QCOMPARE(textOf(engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestEtcdFaults::aQuestionThatCameWhileNobodyListenedIsHeard()
{
    const auto engine = m_bench.newEngine();
    std::atomic<int> heard = 0;
    LockRequest request = leaseRequest("r", 0s, 1h); // whose renewals are rare
    request.onReleaseRequested = [&](const QString &) { ++heard; };
    const AcquireResult taken = engine->acquire(request);
    m_bench.node().kill9(); // and the stream with it
    QVERIFY(!m_bench.node().start());
    const auto other = m_bench.newEngine();
    QVERIFY(eventually([&] { return other->requestRelease("r", u"please"_s).outcome == RequestOutcome::Asked; }));
    QVERIFY(eventually([&] { return heard > 0; }));
    QVERIFY(taken.handle.isHeld());
}

/// This server knows no users.
void TestEtcdFaults::aRefusedUserSignsInOnceForEachTry()
{
    std::atomic<int> signedIn = 0;
    const auto count = [&](const QByteArray &piece, int /*from*/, int /*to*/) {
        signedIn += int(piece.count("/auth/authenticate"));
        return true;
    };
    const FaultyProxy network(m_folder.filePath(u"u:1"_s), m_bench.url().sockets.first(), count);
    EtcdConfig config = m_bench.config();
    config.server.sockets = {m_folder.filePath(u"u:1"_s)};
    config.server.user = u"locks"_s;
    config.password = u"wrong"_s;
    {
        LockEngine engine(engineOn(std::make_shared<EtcdStore>(config)));
        for (int tries = 0; tries < 2; ++tries) {
            const auto refused = engine.connectToServer();
            QVERIFY(refused);
            QCOMPARE(refused->kind, LockError::Kind::AccessDenied);
        }
    } // what its threads do, they have done by now
    QCOMPARE(signedIn.load(), 2);
}

void TestEtcdFaults::watchesThatCannotBeginLeaveNothing()
{
    constexpr int count = 1000;
    EtcdConfig config;
    config.server.sockets = {u"/nowhere/c:1"_s};
    config.server.user = u"locks"_s; // who cannot sign in
    detail::EtcdClient client(config);
    detail::EtcdWatches watches(client);
    QVERIFY(watches.open({}, [] {})->isOver());
    const std::size_t before = mallinfo2().uordblks;
    for (int i = 0; i < count; ++i)
        watches.open({}, [] {});
    QVERIFY(mallinfo2().uordblks < before + count * std::size_t(1000)); // a handle of libcurl's has more
}

QTEST_GUILESS_MAIN(TestEtcdFaults)
#include "tst_etcdfaults.moc"
