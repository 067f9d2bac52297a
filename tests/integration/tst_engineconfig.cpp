// What an application sets for its engine: the prefix of its names, and the listener of its measurements.
#include "enginetest.h"

#include "engine/once.h"
#include "engine/optimistic.h"

#include <QtTest/QTest>

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
    void theListenerIsToldWhatHappened();

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

QTEST_GUILESS_MAIN(TestEngineConfig)
#include "tst_engineconfig.moc"
