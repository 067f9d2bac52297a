// SPDX-License-Identifier: MIT
// The copy of all leases that is kept by what changed: it always holds what a reading of the whole table holds.
#include "enginetest.h"

#include "locks/leasemirror.h"
#include "locks/leasereader.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestLeaseMirror : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void holdsWhatTheTableHolds_data();
    void holdsWhatTheTableHolds();
    void aPartThatHasGrownIsAskedInMore();
    void aGrantThatWasSeenLateIsFound();
    void aHolderThatDiesIsSeen();
    void aConnectionThatEndsIsSeenAtOnce();
    void aNameThatIsFreedAloneIsSeenInItsTurn();
    void aProcessThatConnectsAgainIsSeen();
    void aSlowGrantIsFoundInAnyPart();
    void aQueueThatChangesIsCounted();
    void readsNoMoreThanItsLimit();
    void anotherQuestionStartsOver();
    void whatEndsByTheClockIsExpired();

private:
    void add(int first, int count, const QByteArray &acquired = "UTC_TIMESTAMP(6)");
    std::unique_ptr<Observer> hold(int first, int count);
    QList<SharedLockRow> all();
    void readWhole(LeaseMirror *mirror);
    void update(LeaseMirror *mirror);
    /// How many statements that read tables an update takes.
    int readsOfUpdate(LeaseMirror *mirror);

    std::unique_ptr<Session> m_session;
};

void TestLeaseMirror::init()
{
    EngineTest::init();
    LockError error;
    m_session = Session::open(forReading(targetFor(*m_server)), &error);
    QVERIFY2(m_session, qPrintable(error.toString()));
}

void TestLeaseMirror::cleanup()
{
    m_session.reset();
}

/// Names of several lengths and slots, in the table's order.
void TestLeaseMirror::add(int first, int count, const QByteArray &acquired)
{
    for (int i = first; i < first + count; ++i)
        m_observer->run(
            "INSERT INTO lock_lease (resource, slot, token, presence, acquired_at, expires_at, ttl_us, owner) "
            "VALUES ('job/"
            + QByteArray::number(i / 2) + "', " + QByteArray::number(i % 2) + ", 1, 'gone:" + QByteArray::number(i)
            + "', " + acquired + ", UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, 3600000000, '{\"service\":\"Batch\"}')");
}

/// A connection with the names of leases that add() made.
std::unique_ptr<Observer> TestLeaseMirror::hold(int first, int count)
{
    auto holder = std::make_unique<Observer>(*m_server);
    for (int i = first; i < first + count; ++i)
        holder->run("DO GET_LOCK('gone:" + QByteArray::number(i) + "', 0)");
    return holder;
}

QList<SharedLockRow> TestLeaseMirror::all()
{
    LockSnapshot snapshot;
    const auto error = LeaseReader(*m_session).list({10'000, {}}, &snapshot);
    if (error)
        qWarning("%s", qPrintable(error->toString()));
    return snapshot.rows;
}

void TestLeaseMirror::readWhole(LeaseMirror *mirror)
{
    while (!mirror->isFilled())
        QVERIFY(!mirror->read(0ms));
}

void TestLeaseMirror::update(LeaseMirror *mirror)
{
    const auto error = mirror->read(0ms);
    QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
}

int TestLeaseMirror::readsOfUpdate(LeaseMirror *mirror)
{
    const auto reads = [this] {
        return m_session->run("SHOW SESSION STATUS LIKE 'Com_select'", "test").set(-1).rows.value(0).value(1).toInt();
    };
    const int begin = reads();
    update(mirror);
    return reads() - begin;
}

void TestLeaseMirror::holdsWhatTheTableHolds_data()
{
    QTest::addColumn<int>("partRows");
    QTest::addColumn<int>("holdersAPass");
    QTest::newRow("one part") << 10'000 << 10'000;
    QTest::newRow("parts of three rows") << 3 << 10'000;
    QTest::newRow("parts of three rows, their holders in turns") << 3 << 5;
}

void TestLeaseMirror::holdsWhatTheTableHolds()
{
    QFETCH(const int, partRows);
    QFETCH(const int, holdersAPass);
    static const QByteArrayList changes{
        "UPDATE lock_lease SET expires_at = UTC_TIMESTAMP(6) + INTERVAL 2 HOUR WHERE ",
        "UPDATE lock_lease SET presence = '-' WHERE ",
        "UPDATE lock_lease SET presence = 'gone:x', token = token + 1, acquired_at = UTC_TIMESTAMP(6) WHERE ",
        "UPDATE lock_lease SET kept = 1 WHERE ",
        "UPDATE lock_lease SET queue = CONCAT(queue, 'ls:gone\\t1\\t\\t0\\t\\t{}\\n') WHERE ",
        "DELETE FROM lock_lease WHERE "};
    QRandomGenerator random(20240607);
    add(0, 60);
    const auto holder = hold(0, 40);
    LeaseMirror mirror(*m_session, partRows, holdersAPass);
    readWhole(&mirror);
    QVERIFY(mirror.rows() == all());
    int next = 60;
    for (int round = 0; round < 12; ++round) {
        for (int i = 0; i < 5; ++i)
            m_observer->run(changes[random.bounded(int(changes.size()))] + "resource = 'job/"
                            + QByteArray::number(random.bounded(next / 2))
                            + "' AND slot = " + QByteArray::number(random.bounded(2)));
        add(next, 2);
        next += 2;
        update(&mirror);
        QVERIFY(mirror.rows() == all());
        QCOMPARE(mirror.counts().total(), all().size());
    }
}

/// Names that begin alike all come into one part, whose digests would take ever longer.
void TestLeaseMirror::aPartThatHasGrownIsAskedInMore()
{
    constexpr int partRows = 2000; // as few as an answer that was late leaves
    add(0, 70);
    LeaseMirror mirror(*m_session, partRows);
    readWhole(&mirror);
    const int before = readsOfUpdate(&mirror);
    m_observer->run("INSERT INTO lock_lease (resource, slot, token, presence, acquired_at, expires_at, ttl_us, owner) "
                    "SELECT CONCAT('grown/', a.resource, a.slot, b.resource, b.slot), 0, 1, 'gone', a.acquired_at, "
                    "a.expires_at, a.ttl_us, a.owner FROM lock_lease AS a, lock_lease AS b");
    update(&mirror); // in which they are seen
    update(&mirror);
    const int after = readsOfUpdate(&mirror);
    QVERIFY2(after >= before + 2, qPrintable(QStringLiteral("%1, then %2").arg(before).arg(after)));
    QCOMPARE(mirror.rows().size(), 70 + 70 * 70);
}

void TestLeaseMirror::aGrantThatWasSeenLateIsFound()
{
    add(0, 4);
    LeaseMirror mirror(*m_session, 3);
    readWhole(&mirror);
    add(4, 1, "UTC_TIMESTAMP(6) - INTERVAL 1 HOUR"); // its statement waited, or the clock was set
    update(&mirror);
    update(&mirror);
    QVERIFY(mirror.rows() == all());
    QCOMPARE(mirror.rows().size(), 5);
}

void TestLeaseMirror::aHolderThatDiesIsSeen()
{
    add(0, 3);
    Observer holder(*m_server);
    holder.run("DO GET_LOCK('gone:1', 0)");
    LeaseMirror mirror(*m_session);
    readWhole(&mirror);
    QCOMPARE(mirror.rows()[1]->state, LockState::Held);
    holder.run("DO RELEASE_LOCK('gone:1')");
    update(&mirror);
    QCOMPARE(mirror.rows()[1]->state, LockState::Orphan);
    QVERIFY(!mirror.rows()[1]->connectionId);
}

/// Not only where it is asked for each lease who holds its name.
void TestLeaseMirror::aConnectionThatEndsIsSeenAtOnce()
{
    add(0, 24);
    const auto stays = hold(0, 8);
    auto ends = hold(8, 14); // and nobody has the last two
    LeaseMirror mirror(*m_session, 3, 2);
    readWhole(&mirror);
    update(&mirror);
    QVERIFY(mirror.rows() == all());
    QCOMPARE(mirror.counts().held, 22);
    ends.reset();
    QTRY_VERIFY(m_observer->value("SELECT IS_USED_LOCK('gone:8')").isNull());
    update(&mirror);
    QVERIFY(mirror.rows() == all());
    QCOMPARE(mirror.counts().held, 8);
    QCOMPARE(mirror.counts().orphan, 16);
}

void TestLeaseMirror::aNameThatIsFreedAloneIsSeenInItsTurn()
{
    constexpr int kLeases = 24;
    add(0, kLeases);
    const auto holder = hold(0, kLeases);
    LeaseMirror mirror(*m_session, 3, 2);
    readWhole(&mirror);
    for (const int freed : {0, 13, kLeases - 1}) {
        holder->run("DO RELEASE_LOCK('gone:" + QByteArray::number(freed) + "')");
        for (int pass = 0; pass < kLeases / 2 && mirror.rows() != all(); ++pass)
            update(&mirror);
        QVERIFY(mirror.rows() == all());
    }
    QCOMPARE(mirror.counts().orphan, 3);
}

void TestLeaseMirror::aProcessThatConnectsAgainIsSeen()
{
    add(0, 24);
    LeaseMirror mirror(*m_session, 3, 2);
    readWhole(&mirror);
    QCOMPARE(mirror.counts().orphan, 24);
    const auto holder = hold(0, 24);
    update(&mirror);
    QVERIFY(mirror.rows() == all());
    QCOMPARE(mirror.counts().held, 24);
}

/// Its time is before the last reading, and it is neither in the first part nor in the last.
void TestLeaseMirror::aSlowGrantIsFoundInAnyPart()
{
    add(0, 24);
    const auto holder = hold(0, 25);
    LeaseMirror mirror(*m_session, 3, 2);
    readWhole(&mirror);
    m_observer->run(
        "UPDATE lock_lease SET presence = 'gone:24', token = 2, acquired_at = acquired_at - INTERVAL 1 HOUR "
        "WHERE resource = 'job/4' AND slot = 1");
    m_observer->run("DELETE FROM lock_lease WHERE resource = 'job/5'");
    update(&mirror);
    QVERIFY(mirror.rows() == all());
    m_observer->run("INSERT INTO lock_lease (resource, slot, presence, acquired_at) "
                    "VALUES ('job/5', 1, 'gone:24', UTC_TIMESTAMP(6) - INTERVAL 1 HOUR)");
    for (int pass = 0; pass < 3; ++pass) // the digest with the holder is another one
        update(&mirror);
    QVERIFY(mirror.rows() == all());
}

void TestLeaseMirror::aQueueThatChangesIsCounted()
{
    add(0, 3);
    const QByteArray name = "ls:" + QByteArray(32, 'a') + ":1";
    m_observer->run("UPDATE lock_lease SET queue = '" + name + "\\t1\\t\\t0\\t\\t{}\\n' WHERE resource = 'job/1'");
    Observer waiter(*m_server);
    waiter.run("DO GET_LOCK('" + name + "', 0)");
    LeaseMirror mirror(*m_session, 2);
    readWhole(&mirror);
    QCOMPARE(mirror.rows()[2]->waiters, std::optional(1));
    QCOMPARE(mirror.counts().waiting, 1);
    waiter.run("DO RELEASE_LOCK('" + name + "')"); // it dies, and nobody writes that
    update(&mirror);
    QCOMPARE(mirror.rows()[2]->waiters, std::optional(0));
}

void TestLeaseMirror::readsNoMoreThanItsLimit()
{
    add(0, 40);
    LeaseMirror mirror(*m_session, 7);
    mirror.setLimit(10);
    readWhole(&mirror);
    QVERIFY(mirror.isLimited());
    QCOMPARE(mirror.rows().size(), 10);
    QCOMPARE(mirror.counts().total(), 40);
    m_observer->run("UPDATE lock_lease SET presence = '-' WHERE resource = '" + mirror.rows()[0]->key.resource
                    + "' AND slot = 0");
    update(&mirror);
    QCOMPARE(mirror.rows().size(), 9);
    mirror.setLimit(1000);
    readWhole(&mirror);
    QVERIFY(!mirror.isLimited());
    QVERIFY(mirror.rows() == all());
}

void TestLeaseMirror::anotherQuestionStartsOver()
{
    add(0, 40);
    LeaseMirror mirror(*m_session, 7);
    readWhole(&mirror);
    mirror.setContains("JOB/1");
    QVERIFY(!mirror.read(0ms));
    readWhole(&mirror);
    QCOMPARE(mirror.rows().size(), 22); // 1 and 10 to 19, two slots each
    mirror.setContains({});
    QVERIFY(!mirror.read(0ms));
    readWhole(&mirror);
    QCOMPARE(mirror.rows().size(), 40);
}

void TestLeaseMirror::whatEndsByTheClockIsExpired()
{
    add(0, 2);
    m_observer->run("UPDATE lock_lease SET expires_at = UTC_TIMESTAMP(6) + INTERVAL 100000 MICROSECOND WHERE slot = 0");
    LeaseMirror mirror(*m_session);
    readWhole(&mirror);
    QTRY_VERIFY(!mirror.read(0ms) && mirror.rows()[0]->state == LockState::Expired);
    QCOMPARE(mirror.rows()[1]->state, LockState::Orphan);
    QCOMPARE(mirror.counts().expired, 1);
}

QTEST_GUILESS_MAIN(TestLeaseMirror)
#include "tst_leasemirror.moc"
