// SPDX-License-Identifier: MIT
// An operator ends many leases at once: those that were planned, each as one force release, and nothing else.
#include "actions/bulkrelease.h"
#include "badselections.h"
#include "enginetest.h"
#include "sources/mysqlsource.h"

#include <QtCore/QFile>
#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestBulkRelease : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aPrefixMeansTheNamesThatBeginWithIt_data();
    void aPrefixMeansTheNamesThatBeginWithIt();
    void anOwnerMeansOneEngine();
    void thousandsAreReadInPages();
    void onlyThePlannedIsReleased();
    void everyReleaseIsOnRecordAndWakesTheNext();
    void whatIsNotHeldIsNotPlanned();
    void itStopsBetweenTwo();
    void whatIsDoneIsOnRecordAfterASecond();
    void aBrokenConnectionIsOpenedAgain();
    void whatFailsIsCountedAndTold();
    void badInputIsRefusedBeforeAnyIo_data();
    void badInputIsRefusedBeforeAnyIo();

private:
    ReleasePlan planOf(const LeaseSelection &selection);
    BulkReport act(const ReleasePlan &plan, const std::stop_token &stop = {},
                   const BulkRelease::Progress &progress = {});
    QList<QByteArray> held();
    QByteArrayList lastLines(qsizetype count);

    std::unique_ptr<ReconnectingSession> m_link;
    std::unique_ptr<MySqlSource> m_source;
};

void TestBulkRelease::init()
{
    EngineTest::init();
    m_link = std::make_unique<ReconnectingSession>(targetFor(*m_server));
    m_source = std::make_unique<MySqlSource>(*m_link);
}

ReleasePlan TestBulkRelease::planOf(const LeaseSelection &selection)
{
    ReleasePlan plan;
    if (const auto error = BulkRelease(*m_source).plan(selection, &plan))
        qFatal("%s", qPrintable(error->toString()));
    return plan;
}

BulkReport TestBulkRelease::act(const ReleasePlan &plan, const std::stop_token &stop,
                                const BulkRelease::Progress &progress)
{
    return BulkRelease(*m_source).act(plan, ServerAccess::toAct(), u"alice@ops1"_s, u"the rack is gone"_s, stop,
                                      progress);
}

QList<QByteArray> TestBulkRelease::held()
{
    QList<QByteArray> names;
    for (const auto &row : m_observer->rows("SELECT resource FROM lock_lease WHERE presence <> '-' "
                                            "ORDER BY resource"))
        names += row.value(0).toByteArray();
    return names;
}

/// Of this machine's record.
QByteArrayList TestBulkRelease::lastLines(qsizetype count)
{
    QFile record(AuditFile::defaultPath());
    const QByteArrayList lines =
        record.open(QIODevice::ReadOnly) ? record.readAll().trimmed().split('\n') : QByteArrayList();
    if (lines.size() < count)
        qFatal("The record has %lld lines.", static_cast<long long>(lines.size()));
    return lines.last(count);
}

void TestBulkRelease::aPrefixMeansTheNamesThatBeginWithIt_data()
{
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<QList<QByteArray>>("names");
    QTest::addColumn<QList<QByteArray>>("others");
    using Names = QList<QByteArray>;
    QTest::newRow("a word") << QByteArray("ord") << Names{"ord", "ord ", "orders/1", "ord\xff\xff"}
                            << Names{"Orders", "or", "orc\xff", "ore", "xord"};
    QTest::newRow("wildcards are bytes") << QByteArray("a%_") << Names{"a%_", "a%_b"} << Names{"a%b", "ab_", "abc"};
    QTest::newRow("quotes") << QByteArray("a'\\") << Names{"a'\\", "a'\\'; --"} << Names{"a'", "a\\"};
    QTest::newRow("a place") << QByteArray(":last") << Names{":last", ":lasting"} << Names{":las", "x"};
    QTest::newRow("no text") << QByteArray("\xff") << Names{"\xff", QByteArray(255, '\xff')} << Names{"\xfe\xff"};
    QTest::newRow("the longest") << QByteArray(255, 'x') << Names{QByteArray(255, 'x')} << Names{QByteArray(254, 'x')};
}

void TestBulkRelease::aPrefixMeansTheNamesThatBeginWithIt()
{
    QFETCH(QByteArray, prefix);
    QFETCH(QList<QByteArray>, names);
    QFETCH(QList<QByteArray>, others);
    LockEngine engine(configFor(*m_server));
    std::vector<LockHandle> handles;
    for (const QByteArray &name : names + others)
        handles.push_back(std::move(engine.acquire(requestFor(name)).handle));
    std::sort(names.begin(), names.end());
    std::sort(others.begin(), others.end());
    const ReleasePlan plan = planOf({prefix, {}});
    QList<QByteArray> planned;
    for (const LockRow &lock : plan.locks)
        planned += lock.key.resource;
    QCOMPARE(planned, names);
    const BulkReport report = act(plan);
    QCOMPARE(report.released, names.size());
    QCOMPARE(report.changed + report.failed + report.left, 0);
    QVERIFY(!report.firstError);
    QCOMPARE(held(), others);
}

void TestBulkRelease::anOwnerMeansOneEngine()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    LockRequest impostor = requestFor("c");
    impostor.note = engine.owner().session; // a note and an owner's key are only text
    impostor.ownerKey = "\"session\":\"" + engine.owner().session + '"';
    const auto a = engine.acquire(requestFor("a"));
    const auto b = engine.acquire(requestFor("b"));
    const auto c = other.acquire(impostor);
    const auto report = act(planOf({{}, engine.owner().session}));
    QCOMPARE(report.released, 2);
    QCOMPARE(held(), QList<QByteArray>{"c"});
    QVERIFY(planOf({{}, engine.owner().session}).locks.isEmpty());
}

void TestBulkRelease::thousandsAreReadInPages()
{
    constexpr int kRows = 1700; // held, a third of it by the owner in question, beside free ones
    const QByteArray session(32, 'a');
    Owner owner;
    owner.session = session;
    m_observer->run("INSERT INTO lock_lease (resource, token, presence, expires_at, acquired_at, owner) "
                    "SELECT CONCAT('n', LPAD(n, 6, '0')), n, IF(n % 2, 'p', '-'), UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, "
                    "UTC_TIMESTAMP(6), IF(n % 3, '{}', x'"
                    + owner.toJson().toHex()
                    + "') FROM (SELECT ROW_NUMBER() OVER () AS n FROM information_schema.collations a, "
                      "information_schema.collations b LIMIT "
                    + QByteArray::number(2 * kRows) + ") AS numbers");
    m_observer->startLog();
    const ReleasePlan plan = planOf({{}, session});
    const QStringList packets = m_observer->logged().filter(u"LIMIT 500"_s);
    QCOMPARE(packets.size(), 7); // 3,400 rows
    QCOMPARE(plan.locks.size(),
             m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence = 'p' AND token % 3 = 0").toInt());
    for (const LockRow &lock : plan.locks)
        QCOMPARE(lock.owner.session, session);
    QCOMPARE(planOf({"n", {}}).locks.size(), kRows);
    QCOMPARE(planOf({"n0000", {}}).locks.size(), 50);
    QCOMPARE(act(planOf({"n0000", {}})).released, 50);
    QCOMPARE(planOf({"n", {}}).locks.size(), kRows - 50);
}

void TestBulkRelease::onlyThePlannedIsReleased()
{
    LockEngine engine(configFor(*m_server));
    auto a = engine.acquire(requestFor("x/a"));
    auto b = engine.acquire(requestFor("x/b"));
    auto c = engine.acquire(requestFor("x/c"));
    const ReleasePlan plan = planOf({"x/", {}});
    QCOMPARE(plan.locks.size(), 3);
    b.handle.release();
    c.handle.release();
    const auto again = engine.acquire(requestFor("x/c")); // the same name and holder, and yet another lease
    const auto late = engine.acquire(requestFor("x/d"));
    const auto report = act(plan);
    QCOMPARE(report.released, 1);
    QCOMPARE(report.changed, 2);
    QCOMPARE(report.failed, 0);
    QVERIFY(again.handle.isHeld());
    QCOMPARE(held(), (QList<QByteArray>{"x/c", "x/d"}));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 1);
    QCOMPARE(act(plan).changed, 3);
}

void TestBulkRelease::everyReleaseIsOnRecordAndWakesTheNext()
{
    Worker holder(*m_server);
    QVERIFY(holder.ask("acquire x/a 600000 0").startsWith(u"granted"_s));
    LockEngine engine(configFor(*m_server));
    const auto b = engine.acquire(requestFor("x/b"));
    Worker waiter(*m_server);
    waiter.send("acquire x/a 30000 60000");
    QVERIFY(eventually([this] { return m_observer->waiters("x/a") == 1 && m_observer->blocked() >= 1; }));
    const ReleasePlan plan = planOf({"x/", {}});
    QCOMPARE(plan.locks[0].waiters, 1);
    QCOMPARE(plan.locks[1].waiters, 0);
    const auto report = act(plan);
    QCOMPARE(report.released, 2);
    QCOMPARE(report.notNotified, 0);
    QVERIFY(waiter.answer().startsWith(u"granted"_s));
    const auto events = m_observer->rows("SELECT resource, kind, operator, reason FROM lock_event ORDER BY id");
    QCOMPARE(events.size(), 2);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(events[i].value(0).toByteArray(), plan.locks[i].key.resource);
        QCOMPARE(events[i].value(1).toString(), u"force_release"_s);
        QCOMPARE(events[i].value(2).toString(), u"alice@ops1"_s);
        QCOMPARE(events[i].value(3).toString(), u"the rack is gone"_s);
    }
    const QByteArrayList lines = lastLines(4); // both before, and both after it
    for (int i = 0; i < 4; ++i) {
        const QByteArray &line = lines[i];
        QVERIFY2(line.contains(i % 2 == 0 ? "lease x/a" : "lease x/b") && line.contains("the rack is gone"), line);
        QVERIFY2(line.contains(i < 2 ? R"("to be done")" : R"("released")"), line);
    }
}

void TestBulkRelease::whatIsNotHeldIsNotPlanned()
{
    LockEngine engine(configFor(*m_server));
    LockRequest kept = requestFor("x/kept");
    kept.holdAtLeast = 20s;
    engine.acquire(kept).handle.release();
    engine.acquire(requestFor("x/free")).handle.release();
    LockRequest row = requestFor("x/row");
    row.mode = Mode::Pessimistic;
    row.wantsToken = true;
    const auto rowLock = engine.acquire(row);
    QVERIFY(planOf({"x/", {}}).locks.isEmpty());
    QVERIFY(planOf({{}, engine.owner().session}).locks.isEmpty());
}

void TestBulkRelease::itStopsBetweenTwo()
{
    LockEngine engine(configFor(*m_server));
    std::vector<LockHandle> handles;
    for (int i = 0; i < 5; ++i)
        handles.push_back(std::move(engine.acquire(requestFor("x/" + QByteArray::number(i))).handle));
    std::stop_source stop;
    QList<QByteArray> told;
    const auto report =
        act(planOf({"x/", {}}), stop.get_token(), [&](const ReleaseOrder &order, const ForcedRelease &) {
            told += order.key.resource;
            if (told.size() == 2)
                stop.request_stop();
        });
    QCOMPARE(told, (QList<QByteArray>{"x/0", "x/1"}));
    QCOMPARE(report.released, 2);
    QCOMPARE(report.left, 3);
    QCOMPARE(held().size(), 3);
    const QByteArrayList lines = lastLines(5);
    for (int i = 0; i < 5; ++i)
        QVERIFY2(lines[i].contains(i < 2 ? R"("released")" : R"("nothing was done: it was left")"), lines[i]);
    ReleasePlan none;
    QVERIFY(!BulkRelease(*m_source).plan({"x/", {}}, &none, stop.get_token()));
    QVERIFY(none.locks.isEmpty());
}

void TestBulkRelease::whatIsDoneIsOnRecordAfterASecond()
{
    LockEngine engine(configFor(*m_server));
    std::vector<LockHandle> handles;
    for (int i = 0; i < 3; ++i)
        handles.push_back(std::move(engine.acquire(requestFor("x/" + QByteArray::number(i))).handle));
    QByteArrayList written; // when the second one of three is through
    act(planOf({"x/", {}}), {}, [&](const ReleaseOrder &order, const ForcedRelease &) {
        if (order.key.resource == "x/0")
            std::this_thread::sleep_for(1100ms); // what a slow server takes
        if (order.key.resource == "x/1")
            written = lastLines(2);
    });
    QCOMPARE(written.size(), 2);
    QVERIFY2(written[0].contains(R"("released")"), written[0]);
    QVERIFY2(written[1].contains(R"("released")"), written[1]);
}

void TestBulkRelease::aBrokenConnectionIsOpenedAgain()
{
    LockEngine engine(configFor(*m_server));
    std::vector<LockHandle> handles;
    for (int i = 0; i < 3; ++i)
        handles.push_back(std::move(engine.acquire(requestFor("x/" + QByteArray::number(i))).handle));
    const auto report = act(planOf({"x/", {}}), {}, [this](const ReleaseOrder &, const ForcedRelease &) {
        m_observer->run("KILL " + QByteArray::number(m_link->connectionId()));
    });
    QVERIFY2(report.released == 3, qPrintable(report.firstError ? report.firstError->toString() : QString()));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 3);
}

void TestBulkRelease::whatFailsIsCountedAndTold()
{
    LockEngine engine(configFor(*m_server));
    const auto a = engine.acquire(requestFor("x/a"));
    const auto b = engine.acquire(requestFor("x/b"));
    const ReleasePlan plan = planOf({"x/", {}});
    m_observer->run("CREATE TRIGGER full BEFORE INSERT ON lock_event FOR EACH ROW "
                    "IF NEW.resource = 'x/a' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no room'; END IF");
    const auto report = act(plan);
    m_observer->run("DROP TRIGGER full");
    QCOMPARE(report.failed, 1);
    QCOMPARE(report.released, 1);
    QVERIFY(report.firstError);
    QVERIFY2(report.firstError->toString().contains(u"no room"_s), qPrintable(report.firstError->toString()));
    QCOMPARE(held(), QList<QByteArray>{"x/a"});
}

void TestBulkRelease::badInputIsRefusedBeforeAnyIo_data()
{
    addBadSelections();
}

void TestBulkRelease::badInputIsRefusedBeforeAnyIo()
{
    QFETCH(LeaseSelection, selection);
    QFETCH(QString, says);
    SessionTarget nowhere = targetFor(*m_server);
    nowhere.url.socket = u"/nonexistent/socket"_s; // any I/O would say so instead
    ReconnectingSession link(nowhere);
    MySqlSource source(link);
    ReleasePlan plan;
    const auto error = BulkRelease(source).plan(selection, &plan);
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::BadRequest);
    QVERIFY2(error->message.contains(says), qPrintable(error->message));
    plan.locks.append(LockRow());
    for (const auto &[name, reason] : {std::pair(u""_s, u"stuck"_s), std::pair(u"alice"_s, u" "_s)}) {
        const auto report = BulkRelease(source).act(plan, ServerAccess::toAct(), name, reason);
        QCOMPARE(report.left, 1);
        QCOMPARE(report.failed, 0);
        QCOMPARE(report.firstError.value().kind, LockError::Kind::BadRequest);
    }
}

QTEST_GUILESS_MAIN(TestBulkRelease)
#include "tst_bulkrelease.moc"
