// SPDX-License-Identifier: MIT
// What an application sets for its engine: the prefix of its names, and the listener of its measurements.
#include "optimisticfixture.h"

#include "lockscope/lockhelpers.h"
#include "lockscope/once.h"

#include <QtCore/QLoggingCategory>
#include <QtTest/QTest>

#include <atomic>
#include <mutex>

using namespace lockscope;
using namespace lockscope::test;

class TestEngineConfig : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfTwoApplicationsAreTwoLocks_data();
    void namesOfTwoApplicationsAreTwoLocks();
    void jobsOfTwoApplicationsAreTwoJobs();
    void versionsOfTwoApplicationsAreTwo();
    void prefixAndNameShareTheLength_data();
    void prefixAndNameShareTheLength();
    void aNameTooLongForThePrefixIsRefusedByEveryCallAndSendsNothing();
    void theListenerIsToldWhatHappened();
    void aServerThatMayForgetACommitIsWarnedOf();

private:
    EngineConfig configOf(const QByteArray &prefix) const
    {
        EngineConfig config = configFor(*m_server);
        config.namePrefix = prefix;
        return config;
    }
};

void TestEngineConfig::namesOfTwoApplicationsAreTwoLocks_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<int>("stripes");
    QTest::addColumn<QByteArray>("told");
    QTest::addColumn<QByteArray>("statement");
    const QByteArray rows = "SELECT COUNT(*) FROM lock_row WHERE resource IN ('billing/%', 'mail/%')";
    QTest::newRow("leases") << Mode::Unique << 0 << QByteArray("a")
                            << QByteArray("SELECT COUNT(*) FROM lock_lease WHERE resource IN ('billing/%', 'mail/%')");
    QTest::newRow("rows") << Mode::Pessimistic << 0 << QByteArray("a") << rows;
    QTest::newRow("stripes") << Mode::Pessimistic << 1 << QByteArray("stripe 0 of 1") << rows;
}

void TestEngineConfig::namesOfTwoApplicationsAreTwoLocks()
{
    QFETCH(Mode, mode);
    QFETCH(int, stripes);
    QFETCH(QByteArray, told);
    QFETCH(QByteArray, statement);
    LockEngine billing(configOf("billing/"));
    LockEngine mail(configOf("mail/"));
    LockEngine again(configOf("mail/"));
    LockRequest request = requestFor("a");
    request.mode = mode;
    request.stripes = stripes;
    const auto one = billing.acquire(request);
    const auto two = mail.acquire(request);
    QCOMPARE(one.outcome, Outcome::Granted);
    QCOMPARE(two.outcome, Outcome::Granted);
    QCOMPARE(two.handle.resource(), told);
    QCOMPARE(again.acquire(request).outcome, Outcome::Busy);
    QCOMPARE(mail.acquire(request).outcome, Outcome::Granted); // re-entrant
    QCOMPARE(m_observer->value(statement.replace("%", told)).toInt(), 2);
}

void TestEngineConfig::jobsOfTwoApplicationsAreTwoJobs()
{
    LockEngine billing(configOf("billing/"));
    LockEngine mail(configOf("mail/"));
    int runs = 0;
    const auto work = [&](LockHandle &) {
        ++runs;
        return true;
    };
    QCOMPARE(once(billing, {"report", "1"}, work).outcome, OnceOutcome::Done);
    QCOMPARE(once(mail, {"report", "1"}, work).outcome, OnceOutcome::Done);
    QCOMPARE(once(mail, {"report", "1"}, work).outcome, OnceOutcome::AlreadyDone);
    QCOMPARE(runs, 2);
}

void TestEngineConfig::versionsOfTwoApplicationsAreTwo()
{
    LockEngine billing(configOf("billing/"));
    LockEngine mail(configOf("mail/"));
    OptimisticStore one(billing);
    OptimisticStore two(mail);
    const auto before = two.read("a");
    QCOMPARE(before.snapshot.resource, QByteArray("a"));
    QCOMPARE(one.commit(one.read("a").snapshot).outcome, CommitOutcome::Committed);
    QCOMPARE(two.commit(before.snapshot).outcome, CommitOutcome::Committed);
    QCOMPARE(two.commit(before.snapshot).outcome, CommitOutcome::Conflict);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_version WHERE resource IN ('billing/a', 'mail/a')").toInt(),
             2);
}

void TestEngineConfig::prefixAndNameShareTheLength_data()
{
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<int>("nameBytes");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("just fits") << QByteArray(64, 'p') << 191 << Outcome::Granted;
    QTest::newRow("the name is too long") << QByteArray(64, 'p') << 192 << Outcome::Failed;
    QTest::newRow("the prefix is too long") << QByteArray(65, 'p') << 1 << Outcome::Failed;
    QTest::newRow("the prefix has a NUL byte") << QByteArray("p\0p", 3) << 1 << Outcome::Failed;
    QTest::newRow("no name behind the prefix") << QByteArray("p") << 0 << Outcome::Failed;
}

void TestEngineConfig::prefixAndNameShareTheLength()
{
    QFETCH(QByteArray, prefix);
    QFETCH(int, nameBytes);
    QFETCH(Outcome, outcome);
    LockEngine engine(configOf(prefix));
    const auto result = engine.acquire(requestFor(QByteArray(nameBytes, 'n')));
    QCOMPARE(result.outcome, outcome);
    if (outcome == Outcome::Failed)
        QCOMPARE(result.error->kind, LockError::Kind::BadRequest);
}

void TestEngineConfig::aNameTooLongForThePrefixIsRefusedByEveryCallAndSendsNothing()
{
    std::atomic<int> measured = 0;
    EngineConfig config = configOf(QByteArray(64, 'p'));
    config.onMeasured = [&](const Measurement &) { ++measured; };
    LockEngine engine(config);
    OptimisticStore store(engine);
    const QByteArray name(192, 'n');
    const Job job{QByteArray(32, 't'), QByteArray(170, 'i')};
    const LockRequest request = requestFor(name);
    const auto work = [](LockHandle &) { return true; };
    m_observer->startLog();
    QVERIFY(!LockEngine::check(request)); // knows no prefix
    const std::vector<std::pair<const char *, std::optional<LockError>>> told{
        {"validate", engine.validate(request)},
        {"acquire", engine.acquire(request).error},
        {"acquireAsync", engine.acquireAsync(request).takeResult().error},
        {"acquireAny", engine.acquireAny({"before", name}, request).error},
        {"acquireAll", acquireAll(engine, {"before", name}, request).error},
        {"withLock", withLock(engine, request, [](LockHandle &) {}).error},
        {"requestRelease", engine.requestRelease(name, QStringLiteral("now")).error},
        {"once", once(engine, job, work).error},
        {"oneAtATime", oneAtATime(engine, job, work).error},
        {"read", store.read(name).error},
        {"commit", store.commit({name}).error},
        {"run", store.run(name, nothingElse).error},
    };
    QCOMPARE(m_observer->logged(), QStringList());
    for (const auto &[call, error] : told) {
        QVERIFY2(error && error->kind == LockError::Kind::BadRequest, call);
        QVERIFY2(error->message.contains(QLatin1String("namePrefix")), qPrintable(error->message));
    }
    QCOMPARE(measured.load(), 0);
    QVERIFY(store.statistics().resources.empty());

    LockRequest stripe = requestFor(name); // whose own name is not stored
    stripe.mode = Mode::Pessimistic;
    stripe.stripes = 1;
    QCOMPARE(engine.acquire(stripe).outcome, Outcome::Granted);
    makeStock(*m_observer); // names in an application's table have no prefix
    QCOMPARE(OptimisticStore(engine, stock()).read(name).outcome, ReadOutcome::NotFound);
}

void TestEngineConfig::theListenerIsToldWhatHappened()
{
    std::mutex mutex;
    QStringList told;
    EngineConfig config = configOf("app/");
    config.onMeasured = [&](const Measurement &one) {
        const std::lock_guard lock(mutex);
        told += QStringLiteral("%1 %2 %3%4")
                    .arg(QLatin1String(nameOf(one.mode)), QLatin1String(nameOf(one.ending)),
                         QLatin1String(one.resource), QLatin1String(one.duration > Duration::zero() ? "" : " no time"));
    };
    {
        LockEngine engine(config);
        LockEngine other(configOf("app/"));
        auto held = engine.acquire(requestFor("a"));
        engine.acquire(requestFor("a")).handle.release(); // re-entrant: the server is not asked
        held.handle.release();
        const auto taken = other.acquire(requestFor("a"));
        QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Busy);
        QCOMPARE(engine.acquire(requestFor("")).outcome, Outcome::Failed); // refused as it is
        LockRequest row = requestFor("r");
        row.mode = Mode::Pessimistic;
        engine.acquire(row).handle.release();
        OptimisticStore store(engine);
        const auto before = store.read("v").snapshot;
        store.commit(before);
        store.commit(before);
    }
    QCOMPARE(
        told,
        (QStringList{QStringLiteral("unique granted a"), QStringLiteral("unique  a"), QStringLiteral("unique busy a"),
                     QStringLiteral("pessimistic granted r"), QStringLiteral("pessimistic  r"),
                     QStringLiteral("optimistic committed v"), QStringLiteral("optimistic conflict v")}));
}

void TestEngineConfig::aServerThatMayForgetACommitIsWarnedOf()
{
    const auto restore = qScopeGuard([this] {
        m_observer->run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        QLoggingCategory::setFilterRules(QString());
    });
    m_observer->run("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); // but for this one:
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("innodb_flush_log_at_trx_commit .* token")));
    {
        LockEngine engine(configFor(*m_server));
        QVERIFY(!engine.connectToServer());
        QVERIFY(!engine.connectToServer()); // told once
    }
    QLoggingCategory::setFilterRules(QStringLiteral("lockscope.engine.warning=false"));
    LockEngine silent(configFor(*m_server));
    QVERIFY(!silent.connectToServer());
}

QTEST_GUILESS_MAIN(TestEngineConfig)
#include "tst_engineconfig.moc"
