// SPDX-License-Identifier: MIT
// A job runs by one at a time, and once it was done, never again.
#include "enginetest.h"

#include "lockscope/once.h"

#include <QtTest/QTest>

#include <future>
#include <stdexcept>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Kind = LockError::Kind;

Q_DECLARE_METATYPE(lockscope::LockRequest)

namespace {

bool succeeds(LockHandle &)
{
    return true;
}

bool fails(LockHandle &)
{
    return false;
}

LockRequest waiting(Duration wait, Duration ttl = 30s)
{
    LockRequest request;
    request.wait = wait;
    request.ttl = ttl;
    return request;
}

const Job kMail{"mail", "42"};

} // namespace

class TestOnce : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasDoneIsNotDoneAgain();
    void aRepeatedCallSendsOneRead();
    void withoutAMemoryItRunsAgain();
    void whatWasNotDoneMayBeTriedAgain();
    void whatTheWorkThrowsPassesThrough();
    void whoComesMeanwhileIsRefused_data();
    void whoComesMeanwhileIsRefused();
    void whoWaitsFindsItDone();
    void whoWaitsForAFailureDoesIt();
    void aWaitEndsByTimeOrByItsToken();
    void ofManyCallersOneDoesIt();
    void aHolderThatFrozePastItsTtlCannotRecord();
    void aLostLeaseIsNotRecorded_data();
    void aLostLeaseIsNotRecorded();
    void aTakeoverUnderWayIsWaitedFor();
    void aRecordThatIsThereTellsWhose_data();
    void aRecordThatIsThereTellsWhose();
    void aLostAnswerIsAskedFor_data();
    void aLostAnswerIsAskedFor();
    void aLockedSchemaIsWaitedFor();
    void aServerThatIsAwayLeavesTheRecordUnknown();
    void everyJobHasItsName_data();
    void everyJobHasItsName();
    void namesAreOnlyBytes();
    void badInputIsRefusedBeforeAnyIo_data();
    void badInputIsRefusedBeforeAnyIo();

private:
    int records() { return m_observer->value("SELECT COUNT(*) FROM lock_done").toInt(); }
    int held() { return m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(); }
    QVariantList waitingInsert();
};

void TestOnce::whatWasDoneIsNotDoneAgain()
{
    LockEngine engine(configFor(*m_server));
    quint64 token = 0;
    const auto first = once(engine, kMail, [&](LockHandle &handle) {
        token = handle.token();
        return handle.resource() == "once:mail:42";
    });
    QCOMPARE(first.outcome, OnceOutcome::Done);
    QVERIFY(first.hasRun);
    QCOMPARE(first.token, token);
    QVERIFY(!first.error);
    LockEngine other(configFor(*m_server));
    for (LockEngine *again : {&engine, &other}) {
        const auto second = once(*again, kMail, [](LockHandle &) -> bool { qFatal("it ran again"); });
        QCOMPARE(second.outcome, OnceOutcome::AlreadyDone);
        QVERIFY(!second.hasRun);
        QCOMPARE(second.token, token);
        const auto at = m_observer->value("SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', done_at) FROM lock_done");
        QCOMPARE(second.doneAt.value().time_since_epoch().count(), at.toLongLong());
    }
    const QByteArray owner = m_observer->value("SELECT owner FROM lock_done").toByteArray();
    QCOMPARE(Owner::fromJson(owner).session, engine.owner().session);
    QCOMPARE(once(engine, {"mail", "43"}, succeeds).outcome, OnceOutcome::Done);
    QCOMPARE(held(), 0);
}

void TestOnce::aRepeatedCallSendsOneRead()
{
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false;
    LockEngine engine(config);
    QCOMPARE(once(engine, kMail, succeeds).outcome, OnceOutcome::Done);
    m_observer->startLog();
    QCOMPARE(once(engine, kMail, succeeds).outcome, OnceOutcome::AlreadyDone);
    const QStringList packets = m_observer->logged().filter(u"lock_"_s);
    QVERIFY2(packets.size() == 1 && packets[0].startsWith(u"SELECT"_s), qPrintable(packets.join(u'\n')));
}

void TestOnce::withoutAMemoryItRunsAgain()
{
    LockEngine engine(configFor(*m_server));
    quint64 last = 0;
    for (int i = 0; i < 3; ++i) {
        const auto result = oneAtATime(engine, kMail, succeeds);
        QCOMPARE(result.outcome, OnceOutcome::Done);
        QVERIFY(result.token > last);
        last = result.token;
    }
    QCOMPARE(oneAtATime(engine, kMail, fails).outcome, OnceOutcome::NotDone);
    QCOMPARE(records(), 0);
    QCOMPARE(held(), 0);
}

void TestOnce::whatWasNotDoneMayBeTriedAgain()
{
    LockEngine engine(configFor(*m_server));
    const auto result = once(engine, kMail, fails);
    QCOMPARE(result.outcome, OnceOutcome::NotDone);
    QVERIFY(result.hasRun);
    QCOMPARE(records(), 0);
    QCOMPARE(once(engine, kMail, succeeds).outcome, OnceOutcome::Done);
}

void TestOnce::whatTheWorkThrowsPassesThrough()
{
    LockEngine engine(configFor(*m_server));
    const auto throws = [](LockHandle &) -> bool { throw std::runtime_error("no paper"); };
    for (const auto run : {once, oneAtATime}) {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, run(engine, kMail, throws, {}));
        QCOMPARE(held(), 0);
        QCOMPARE(records(), 0);
    }
    QCOMPARE(once(engine, kMail, succeeds).outcome, OnceOutcome::Done);
}

void TestOnce::whoComesMeanwhileIsRefused_data()
{
    QTest::addColumn<bool>("remembers");
    QTest::newRow("once") << true;
    QTest::newRow("one at a time") << false;
}

/// Also from inside its own work, where the same thread would re-enter a plain lock.
void TestOnce::whoComesMeanwhileIsRefused()
{
    QFETCH(bool, remembers);
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    QList<OnceOutcome> inside;
    const auto run = remembers ? once : oneAtATime;
    const auto result = run(engine, kMail,
                            [&](LockHandle &) {
                                for (LockEngine *asked : {&engine, &other})
                                    inside << once(*asked, kMail, succeeds).outcome
                                           << oneAtATime(*asked, kMail, succeeds).outcome;
                                return true;
                            },
                            {});
    QCOMPARE(result.outcome, OnceOutcome::Done);
    QCOMPARE(inside, QList<OnceOutcome>(4, OnceOutcome::Running));
}

void TestOnce::whoWaitsFindsItDone()
{
    LockEngine engine(configFor(*m_server));
    Worker other(*m_server);
    other.send("once mail 42 30000 0");
    QCOMPARE(other.answer(), u"working"_s);
    OnceResult result;
    std::jthread waiter([&] { result = once(engine, kMail, succeeds, waiting(Patience)); });
    QVERIFY(eventually([this] { return m_observer->waiters("once:mail:42") == 1; }));
    QCOMPARE(other.ask("true"), u"done"_s);
    waiter.join();
    QCOMPARE(result.outcome, OnceOutcome::AlreadyDone);
    QVERIFY(!result.hasRun);
    QCOMPARE(held(), 0);
}

void TestOnce::whoWaitsForAFailureDoesIt()
{
    LockEngine engine(configFor(*m_server));
    Worker other(*m_server);
    other.send("once mail 42 5000 0");
    QCOMPARE(other.answer(), u"working"_s);
    OnceResult result;
    std::jthread waiter([&] { result = once(engine, kMail, succeeds, waiting(Patience)); });
    QVERIFY(eventually([this] { return m_observer->waiters("once:mail:42") == 1; }));
    other.kill9(); // in the middle of the work
    waiter.join();
    QCOMPARE(result.outcome, OnceOutcome::Done);
    QCOMPARE(records(), 1);
}

void TestOnce::aWaitEndsByTimeOrByItsToken()
{
    LockEngine engine(configFor(*m_server));
    std::stop_source stop;
    stop.request_stop();
    LockRequest cancelled = waiting(Patience);
    cancelled.stop = stop.get_token();
    const auto result = oneAtATime(engine, kMail, [&](LockHandle &) {
        return once(engine, kMail, succeeds, waiting(50ms)).outcome == OnceOutcome::TimedOut
            && once(engine, kMail, succeeds, cancelled).outcome == OnceOutcome::Cancelled;
    });
    QCOMPARE(result.outcome, OnceOutcome::Done);
    QCOMPARE(records(), 0);
}

void TestOnce::ofManyCallersOneDoesIt()
{
    constexpr int kJobs = 12;
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    std::array<std::atomic<int>, kJobs> runs{};
    std::array<std::atomic<int>, kJobs> inside{};
    std::atomic<int> done = 0;
    std::atomic<int> already = 0;
    std::atomic<int> overlaps = 0;
    const auto call = [&](int caller) {
        for (int i = 0; i < kJobs; ++i) {
            const auto result = once(
                caller % 2 ? engine : other, {"job", QByteArray::number(i)},
                [&](LockHandle &) {
                    overlaps += inside[std::size_t(i)]++ > 0;
                    std::this_thread::yield();
                    --inside[std::size_t(i)];
                    return ++runs[std::size_t(i)] > 2; // the first two fail
                },
                waiting(Patience));
            done += result.outcome == OnceOutcome::Done;
            already += result.outcome == OnceOutcome::AlreadyDone;
        }
    };
    std::vector<std::thread> callers;
    for (int i = 0; i < 10; ++i)
        callers.emplace_back(call, i);
    for (std::thread &caller : callers)
        caller.join();
    QCOMPARE(overlaps.load(), 0);
    QCOMPARE(done.load(), kJobs);
    QCOMPARE(already.load(), 7 * kJobs);
    for (const auto &count : runs)
        QCOMPARE(count.load(), 3);
    QCOMPARE(records(), kJobs);
}

void TestOnce::aHolderThatFrozePastItsTtlCannotRecord()
{
    Worker frozen(*m_server);
    Worker successor(*m_server);
    frozen.send("once mail 42 500 0");
    QCOMPARE(frozen.answer(), u"working"_s);
    frozen.freeze();
    successor.send("once mail 42 30000 30000");
    QCOMPARE(successor.answer(), u"working"_s); // the lease ended while its holder stood still
    frozen.thaw();
    QCOMPARE(frozen.ask("true"), u"lost"_s);
    QCOMPARE(records(), 0);
    QCOMPARE(successor.ask("true"), u"done"_s);
    QCOMPARE(records(), 1);
    QCOMPARE(frozen.ask("once mail 42 500 0"), u"alreadydone"_s);
}

void TestOnce::aLostLeaseIsNotRecorded_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::newRow("freed") << QByteArray("UPDATE lock_lease SET presence = '-'");
    QTest::newRow("taken over") << QByteArray("UPDATE lock_lease SET presence = 'other', token = token + 1");
    QTest::newRow("removed") << QByteArray("DELETE FROM lock_lease");
}

void TestOnce::aLostLeaseIsNotRecorded()
{
    QFETCH(QByteArray, change);
    LockEngine engine(configFor(*m_server));
    for (const auto run : {once, oneAtATime}) {
        m_observer->run("DELETE FROM lock_lease");
        const auto result = run(engine, kMail,
                                [&](LockHandle &) {
                                    m_observer->run(change);
                                    return true;
                                },
                                {});
        QCOMPARE(result.outcome, OnceOutcome::Lost);
        QVERIFY(result.hasRun);
        QCOMPARE(records(), 0);
    }
    m_observer->run("DELETE FROM lock_lease");
    const auto released = once(engine, kMail, [](LockHandle &handle) {
        const LockHandle mine = std::move(handle); // against the rules, and gone before the record
        return true;
    });
    QCOMPARE(released.outcome, OnceOutcome::Lost);
}

/// Otherwise the successor could look for a record before it is there, and run the job again beside it.
void TestOnce::aTakeoverUnderWayIsWaitedFor()
{
    LockEngine engine(configFor(*m_server));
    Observer successor(*m_server);
    OnceResult result;
    std::atomic<bool> isWorking = false;
    std::atomic<bool> goOn = false;
    std::thread holder([&] {
        result = once(engine, kMail, [&](LockHandle &) {
            isWorking = true;
            return eventually([&] { return goOn.load(); });
        });
    });
    QVERIFY(eventually([&] { return isWorking.load(); }));
    successor.run("BEGIN");
    successor.run("UPDATE lock_lease SET presence = 'other', token = token + 1");
    goOn = true;
    const QByteArray waits = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
    QVERIFY(eventually([&] { return m_observer->rows(waits).value(0).value(1).toInt() == 1; }));
    successor.run("COMMIT");
    holder.join();
    QCOMPARE(result.outcome, OnceOutcome::Lost);
    QCOMPARE(records(), 0);
}

/// The connection that waits to write the record.
QVariantList TestOnce::waitingInsert()
{
    QVariantList found;
    eventually([&] {
        found = m_observer
                    ->rows("SELECT id FROM information_schema.processlist WHERE info LIKE 'INSERT INTO lock_done%' "
                           "AND id <> CONNECTION_ID()")
                    .value(0);
        return !found.isEmpty();
    });
    if (found.isEmpty())
        qFatal("no record is waiting");
    return found;
}

void TestOnce::aRecordThatIsThereTellsWhose_data()
{
    QTest::addColumn<quint64>("offset");
    QTest::addColumn<OnceOutcome>("outcome");
    QTest::newRow("its own") << quint64(0) << OnceOutcome::Done;
    QTest::newRow("another's") << quint64(1) << OnceOutcome::Lost;
}

void TestOnce::aRecordThatIsThereTellsWhose()
{
    QFETCH(quint64, offset);
    QFETCH(OnceOutcome, outcome);
    LockEngine engine(configFor(*m_server));
    const auto sessions = [this] {
        QSet<qulonglong> ids;
        for (const QVariantList &row : m_observer->rows("SELECT id FROM information_schema.processlist"))
            ids.insert(row.first().toULongLong());
        return ids;
    };
    QSet<qulonglong> before;
    const OnceResult result = once(engine, kMail, [&](LockHandle &handle) {
        m_observer->run("INSERT INTO lock_done (biz_type, biz_id, token, done_at) VALUES ('mail', '42', "
                        + QByteArray::number(handle.token() + offset) + ", UTC_TIMESTAMP(6))");
        before = sessions();
        return true;
    });
    QVERIFY2(result.outcome == outcome, qPrintable(result.error ? result.error->toString() : QString()));
    QCOMPARE(records(), 1);
    QVERIFY(sessions().contains(before)); // none was ended
}

void TestOnce::aLostAnswerIsAskedFor_data()
{
    QTest::addColumn<int>("offset");
    QTest::addColumn<OnceOutcome>("outcome");
    QTest::newRow("not written: written now") << -1 << OnceOutcome::Done;
    QTest::newRow("written") << 0 << OnceOutcome::Done;
    QTest::newRow("written by a successor") << 1 << OnceOutcome::Lost;
}

void TestOnce::aLostAnswerIsAskedFor()
{
    QFETCH(int, offset);
    QFETCH(OnceOutcome, outcome);
    LockEngine engine(configFor(*m_server));
    Observer blocker(*m_server);
    OnceResult result;
    std::atomic<bool> isWorking = false;
    std::atomic<bool> goOn = false;
    std::thread thread([&] {
        result = once(engine, kMail, [&](LockHandle &) {
            isWorking = true;
            return eventually([&] { return goOn.load(); });
        });
    });
    QVERIFY(eventually([&] { return isWorking.load(); }));
    const quint64 token = m_observer->value("SELECT token FROM lock_lease").toULongLong();
    blocker.run("LOCK TABLES lock_done WRITE");
    goOn = true;
    m_observer->run("KILL " + waitingInsert().first().toByteArray());
    if (offset >= 0)
        blocker.run("INSERT INTO lock_done (biz_type, biz_id, token, done_at) VALUES ('mail', '42', "
                    + QByteArray::number(token + quint64(offset)) + ", UTC_TIMESTAMP(6))");
    blocker.run("UNLOCK TABLES");
    thread.join();
    QVERIFY2(result.outcome == outcome, qPrintable(result.error ? result.error->toString() : QString()));
    QVERIFY(result.hasRun);
    QCOMPARE(result.token, token);
    QCOMPARE(records(), 1);
}

void TestOnce::aLockedSchemaIsWaitedFor()
{
    LockEngine engine(configFor(*m_server));
    Observer backup(*m_server);
    backup.run("LOCK TABLES lock_meta WRITE");
    const auto done = [](LockHandle &) { return true; };
    QCOMPARE(once(engine, kMail, done).outcome, OnceOutcome::Running); // what its request says too: not now
    LockRequest patient;
    patient.wait = Forever;
    m_observer->startLog();
    auto waiting = std::async(std::launch::async, [&] { return once(engine, kMail, done, patient); });
    const QByteArray asked = "SELECT COUNT(*) FROM mysql.general_log WHERE argument LIKE '%lock_meta%' AND argument "
                             "NOT LIKE '%general_log%'";
    const bool hasAsked = eventually([&] { return m_observer->value(asked).toInt() >= 2; });
    backup.run("UNLOCK TABLES");
    m_observer->logged(); // no more
    QCOMPARE(waiting.get().outcome, OnceOutcome::Done);
    QVERIFY(hasAsked);
}

void TestOnce::aServerThatIsAwayLeavesTheRecordUnknown()
{
    LockEngine engine(configFor(*m_server));
    const auto away = once(engine, kMail, [this](LockHandle &) {
        m_server->kill9();
        return true;
    });
    m_server->start();
    QCOMPARE(away.outcome, OnceOutcome::Unknown);
    QVERIFY(away.hasRun);
    QVERIFY(away.error);
    m_observer = std::make_unique<Observer>(*m_server);
    QCOMPARE(records(), 0);
}

void TestOnce::everyJobHasItsName_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("plain") << QByteArray("mail") << QByteArray("42") << QByteArray("once:mail:42");
    QTest::newRow("a colon in the id") << QByteArray("a") << QByteArray("b:c") << QByteArray("once:a:b:c");
    QTest::newRow("a colon in the type") << QByteArray("a:b") << QByteArray("c") << QByteArray("once=3:a:b:c");
    QTest::newRow("a type like a length") << QByteArray("3:a") << QByteArray("b:c") << QByteArray("once=3:3:a:b:c");
    QTest::newRow("only colons") << QByteArray(":") << QByteArray(":") << QByteArray("once=1::::");
    QTest::newRow("the longest") << QByteArray(64, ':') << QByteArray(180, 'x')
                                 << QByteArray("once=64:") + QByteArray(64, ':') + ':' + QByteArray(180, 'x');
}

void TestOnce::everyJobHasItsName()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, id);
    QFETCH(QByteArray, name);
    QCOMPARE(jobResource({type, id}), name);
    QVERIFY(name.size() <= MaxResourceBytes);
    LockEngine engine(configFor(*m_server));
    QCOMPARE(once(engine, {type, id}, succeeds).outcome, OnceOutcome::Done);
    // However a text of colons and letters is cut in two, each pair has a name of its own.
    const QByteArray whole = type + ':' + id + ":1:a:b";
    QSet<QByteArray> names;
    for (qsizetype cut = 1; cut < whole.size(); ++cut) {
        names.insert(jobResource({whole.left(cut), whole.mid(cut)}));
        if (whole[cut] == ':' && cut + 1 < whole.size())
            names.insert(jobResource({whole.left(cut), whole.mid(cut + 1)}));
    }
    const auto splits = whole.size() - 1 + whole.mid(1, whole.size() - 2).count(':');
    QCOMPARE(names.size(), splits);
}

void TestOnce::namesAreOnlyBytes()
{
    LockEngine engine(configFor(*m_server));
    const QList<Job> jobs{{"a", "1"},    {"A", "1"},           {"a ", "1"},         {"a", "1 "},
                          {"\xff", "1"}, {"a", "'; DROP -- "}, {"a", ":token :id"}, {"\xc3\xa4", "\\"}};
    for (const Job &job : jobs)
        QCOMPARE(once(engine, job, succeeds).outcome, OnceOutcome::Done);
    for (const Job &job : jobs)
        QCOMPARE(once(engine, job, succeeds).outcome, OnceOutcome::AlreadyDone);
    QCOMPARE(records(), jobs.size());
}

void TestOnce::badInputIsRefusedBeforeAnyIo_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<LockRequest>("request");
    QTest::addColumn<bool>("hasWork");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QByteArray &type, const QByteArray &id, const QString &says) {
        QTest::newRow(name) << type << id << LockRequest() << true << says;
    };
    row("no type", {}, "1", u"no type"_s);
    row("no id", "a", {}, u"no id"_s);
    row("65 bytes of type", QByteArray(65, 'x'), "1", u"65 bytes; at most 64"_s);
    row("181 bytes of id", "a", QByteArray(181, 'x'), u"181 bytes; at most 180"_s);
    row("NUL in the type", QByteArray("a\0b", 3), "1", u"type contains a NUL"_s);
    row("NUL in the id", "a", QByteArray("\0", 1), u"id contains a NUL"_s);
    LockRequest request;
    QTest::newRow("no work") << QByteArray("a") << QByteArray("1") << request << false << u"no work"_s;
    request.mode = Mode::Pessimistic;
    QTest::newRow("a row lock") << QByteArray("a") << QByteArray("1") << request << true << u"Unique"_s;
    request = waiting(-1s);
    QTest::newRow("negative wait") << QByteArray("a") << QByteArray("1") << request << true << u"between 0 and"_s;
    request = waiting(0s, 0s);
    QTest::newRow("no TTL") << QByteArray("a") << QByteArray("1") << request << true << u"TTL"_s;
}

void TestOnce::badInputIsRefusedBeforeAnyIo()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, id);
    QFETCH(LockRequest, request);
    QFETCH(bool, hasWork);
    QFETCH(QString, says);
    EngineConfig nowhere = configFor(*m_server);
    nowhere.server.socket = u"/nonexistent/socket"_s; // any I/O would say so instead
    LockEngine engine(nowhere);
    for (const auto run : {once, oneAtATime}) {
        const auto result = run(engine, {type, id}, hasWork ? JobWork(succeeds) : JobWork(), request);
        QCOMPARE(result.outcome, OnceOutcome::Failed);
        QVERIFY(!result.hasRun);
        QCOMPARE(result.error->kind, Kind::BadRequest);
        QVERIFY2(result.error->message.contains(says), qPrintable(result.error->message));
    }
}

QTEST_GUILESS_MAIN(TestOnce)
#include "tst_once.moc"
