// SPDX-License-Identifier: MIT
// A program ends leases of others through the engine: those that it read, on record, and the next waiter goes on.
#include "badselections.h"
#include "enginetest.h"
#include "lab/faultyproxy.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <future>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Ended = ForcedRelease::Outcome;
using Names = QList<QByteArray>;

namespace {

const QString kOperator = u"janitor"_s;
const QString kReason = u"the rack is gone"_s;
constexpr auto kPrefix = "shop:"; // of engines

Names namesOf(const HeldLeases &held)
{
    Names names;
    for (const HeldLease &lease : held.leases)
        names += lease.resource;
    return names;
}

quint64 tokenOf(const QString &granted)
{
    return granted.section(u' ', 1).toULongLong();
}

} // namespace

class TestHeldLeases : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aLeaseIsToldWithAllThatItsHolderSaid();
    void aPrefixMeansTheNamesThatBeginWithIt();
    void namesAreThoseOfTheEnginesOwnPrefix();
    void anOwnerMeansOneEngine();
    void whatIsNotHeldIsNotTold();
    void thousandsAreReadInPages();
    void theNextWaiterGetsItAtOnceAndTheHolderLearns();
    void anEnginesOwnLeaseIsLostAtOnce();
    void aLostAnswerIsAskedFor();
    void onlyWhatWasReadIsReleased();
    void everyReleaseIsOnRecord();
    void itStopsBetweenTwo();
    void aBrokenConnectionIsOpenedAgain();
    void whatFailsIsCountedAndTold();
    void theRestIsLeftWhenTheServerIsAway();
    void ofManyEnginesOneReleases();
    void badSelectionsAreRefusedBeforeAnyIo_data();
    void badSelectionsAreRefusedBeforeAnyIo();
    void badOrdersAreRefusedBeforeAnyIo_data();
    void badOrdersAreRefusedBeforeAnyIo();

private:
    ForcedReleases release(const HeldLeases &held, const std::stop_token &stop = {}, const ForcedProgress &told = {})
    {
        return m_janitor->forceRelease(held.leases, kOperator, kReason, stop, told);
    }
    std::vector<LockHandle> hold(LockEngine &engine, const Names &names);
    int events() { return m_observer->value("SELECT COUNT(*) FROM lock_event WHERE kind = 'force_release'").toInt(); }

    std::unique_ptr<LockEngine> m_janitor;
};

void TestHeldLeases::init()
{
    m_janitor.reset();
    EngineTest::init();
    m_janitor = std::make_unique<LockEngine>(configFor(*m_server));
}

std::vector<LockHandle> TestHeldLeases::hold(LockEngine &engine, const Names &names)
{
    std::vector<LockHandle> handles;
    for (const QByteArray &name : names)
        handles.push_back(std::move(engine.acquire(requestFor(name)).handle));
    if (!std::all_of(handles.begin(), handles.end(), [](const LockHandle &handle) { return handle.isHeld(); }))
        qFatal("a lock was not granted");
    return handles;
}

void TestHeldLeases::aLeaseIsToldWithAllThatItsHolderSaid()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("x/a", 0s, Forever);
    request.note = "nightly";
    const auto a = engine.acquire(request);
    Worker crashed(*m_server);
    const quint64 token = tokenOf(crashed.ask("acquire x/b 600000 0"));
    const qint64 pid = crashed.pid();
    crashed.kill9();
    HeldLeases held;
    QVERIFY(eventually([&] { // the server notices the end of a connection a moment later
        held = m_janitor->heldLeases({.prefix = "x/"});
        return held.leases.size() == 2 && !held.leases[1].isSessionAlive;
    }));
    QVERIFY(!held.error);
    QCOMPARE(held.leases[0].resource, "x/a");
    QCOMPARE(held.leases[0].token, a.handle.token());
    QCOMPARE(held.leases[0].owner.session, engine.owner().session);
    QCOMPARE(held.leases[0].note, "nightly");
    QVERIFY(held.leases[0].isSessionAlive);
    QVERIFY(held.leases[0].acquiredAt.has_value());
    QVERIFY(!held.leases[0].expiresAt.has_value());
    QCOMPARE(held.leases[1].token, token);
    QCOMPARE(held.leases[1].owner.pid, pid);
    QCOMPARE(*held.leases[1].expiresAt - *held.leases[1].acquiredAt, Duration(10min));
}

void TestHeldLeases::aPrefixMeansTheNamesThatBeginWithIt()
{
    const Names meant{"a%_", "a%_b", QByteArray("a%_").leftJustified(255, '\xff')};
    const Names others{"a%b", "aX_", "A%_", "a%"};
    LockEngine engine(configFor(*m_server));
    const auto handles = hold(engine, meant + others);
    const HeldLeases held = m_janitor->heldLeases({.prefix = "a%_"});
    QCOMPARE(namesOf(held), meant);
    QCOMPARE(release(held).released, meant.size());
    QVERIFY(m_janitor->heldLeases({.prefix = "a%_"}).leases.isEmpty());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), others.size());
}

void TestHeldLeases::namesAreThoseOfTheEnginesOwnPrefix()
{
    EngineConfig config = configFor(*m_server);
    config.namePrefix = kPrefix;
    LockEngine engine(config);
    LockEngine other(configFor(*m_server));
    const auto own = hold(engine, {"x/a", "y"});
    const auto others = hold(other, {"x/a", "shop", "shop;x/a"});
    const HeldLeases held = engine.heldLeases({.prefix = "x"});
    QCOMPARE(namesOf(held), Names{"x/a"});
    QCOMPARE(namesOf(engine.heldLeases({.session = engine.owner().session})), (Names{"x/a", "y"}));
    QVERIFY(engine.heldLeases({.session = other.owner().session}).leases.isEmpty());
    QCOMPARE(engine.forceRelease(held.leases, kOperator, kReason).released, 1);
    QCOMPARE(namesOf(other.heldLeases({.prefix = "shop:"})), Names{"shop:y"});
    QCOMPARE(namesOf(other.heldLeases({.prefix = "x"})), Names{"x/a"}); // another lock of the same name
}

void TestHeldLeases::anOwnerMeansOneEngine()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    LockRequest impostor = requestFor("c");
    impostor.note = engine.owner().session; // a note and an owner's key are only text
    impostor.ownerKey = "\"session\":\"" + engine.owner().session + '"';
    const auto handles = hold(engine, {"a", "b"});
    const auto c = other.acquire(impostor);
    const HeldLeases held = m_janitor->heldLeases({.session = engine.owner().session});
    QCOMPARE(namesOf(held), (Names{"a", "b"}));
    QCOMPARE(release(held).released, 2);
    QVERIFY(c.handle.isHeld());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 1);
}

void TestHeldLeases::whatIsNotHeldIsNotTold()
{
    LockEngine engine(configFor(*m_server));
    LockRequest kept = requestFor("x/kept");
    kept.holdAtLeast = 20s;
    QCOMPARE(engine.acquire(kept).handle.release(), ReleaseOutcome::Released);
    QCOMPARE(engine.acquire(requestFor("x/free")).handle.release(), ReleaseOutcome::Released);
    LockRequest row = requestFor("x/row");
    row.mode = Mode::Pessimistic;
    const auto rowLock = engine.acquire(row);
    QVERIFY(rowLock.handle.isHeld());
    QVERIFY(m_janitor->heldLeases({.prefix = "x/"}).leases.isEmpty());
    QVERIFY(m_janitor->heldLeases({.session = engine.owner().session}).leases.isEmpty());
}

void TestHeldLeases::thousandsAreReadInPages()
{
    constexpr int kRows = 3400; // every second one is held
    m_observer->run("INSERT INTO lock_lease (resource, token, presence, expires_at, acquired_at, owner) "
                    "SELECT CONCAT('n', LPAD(n, 6, '0')), n, IF(n % 2, 'p', '-'), UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, "
                    "UTC_TIMESTAMP(6), '{}' FROM (SELECT ROW_NUMBER() OVER () AS n FROM "
                    "information_schema.collations a, information_schema.collations b LIMIT "
                    + QByteArray::number(kRows) + ") AS numbers");
    QVERIFY(!m_janitor->connectToServer());
    m_observer->startLog();
    const HeldLeases held = m_janitor->heldLeases({.prefix = "n"});
    QCOMPARE(held.leases.size(), kRows / 2);
    QCOMPARE(m_observer->logged().filter(u"LIMIT 500"_s).size(), 7);
    QCOMPARE(m_janitor->heldLeases({.prefix = "n0000"}).leases.size(), 50);
    QCOMPARE(release(m_janitor->heldLeases({.prefix = "n0000"})).released, 50);
    QCOMPARE(m_janitor->heldLeases({.prefix = "n"}).leases.size(), kRows / 2 - 50);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(m_janitor->heldLeases({.prefix = "n"}, stop.get_token()).leases.isEmpty());
}

void TestHeldLeases::theNextWaiterGetsItAtOnceAndTheHolderLearns()
{
    Worker holder(*m_server);
    const quint64 token = tokenOf(holder.ask("acquire a 9000 0"));
    QVERIFY(token > 0);
    Worker waiter(*m_server);
    waiter.send("acquire a 600000 60000");
    QVERIFY(eventually([this] { return m_observer->waiters("a") == 1 && m_observer->blocked() >= 1; }));
    const HeldLeases held = m_janitor->heldLeases({.prefix = "a"});
    QList<ForcedRelease> told;
    const auto report = release(held, {}, [&](const HeldLease &lease, const ForcedRelease &done) {
        QCOMPARE(lease.token, token);
        told += done;
    });
    QCOMPARE(report.released, 1);
    QCOMPARE(report.notNotified, 0);
    QCOMPARE(told.size(), 1);
    QCOMPARE(told[0].outcome, Ended::Released);
    QVERIFY(told[0].isNextNotified);
    QCOMPARE(m_observer->value("SELECT token FROM lock_lease").toULongLong(), token + 1); // granted with the release
    QCOMPARE(tokenOf(waiter.answer()), token + 1);
    QCOMPARE(holder.ask("lost"), u"taken over"_s);
    QCOMPARE(holder.ask("held"), u"no"_s);
}

void TestHeldLeases::anEnginesOwnLeaseIsLostAtOnce()
{
    std::promise<LossReason> lost;
    LockRequest request = requestFor("a", 0s, Forever);
    request.onLost = [&lost](LossReason reason) { lost.set_value(reason); };
    const auto held = m_janitor->acquire(request);
    QCOMPARE(held.outcome, Outcome::Granted);
    QCOMPARE(release(m_janitor->heldLeases({.session = m_janitor->owner().session})).released, 1);
    QVERIFY(!held.handle.isHeld());
    LockEngine other(configFor(*m_server));
    const auto next = other.acquire(requestFor("a"));
    QCOMPARE(next.outcome, Outcome::Granted);
    QCOMPARE(m_janitor->acquire(requestFor("a")).outcome, Outcome::Busy); // it is not entered again
    QCOMPARE(lost.get_future().get(), LossReason::TakenOver);
}

void TestHeldLeases::aLostAnswerIsAskedFor()
{
    const QTemporaryDir folder;
    EngineConfig config = configFor(*m_server);
    FaultyProxy network(folder.filePath(u"s"_s), config.server.socket);
    QVERIFY(network.isListening());
    config.server.socket = folder.filePath(u"s"_s);
    LockEngine far(config);
    LockEngine engine(configFor(*m_server));
    const auto handles = hold(engine, {"a"});
    const HeldLeases held = far.heldLeases({.prefix = "a"});
    network.setState(FaultyProxy::State::Slow); // the release is on record long before its answer is here
    auto releasing = std::async(std::launch::async, [&] { return far.forceRelease(held.leases, kOperator, kReason); });
    const bool isDone = eventually([this] { return events() == 1; });
    network.setState(FaultyProxy::State::Reset);
    const auto report = releasing.get();
    QVERIFY(isDone);
    QVERIFY2(report.released == 1, report.firstError ? qPrintable(report.firstError->toString()) : "told as changed");
    QCOMPARE(events(), 1);
}

void TestHeldLeases::onlyWhatWasReadIsReleased()
{
    LockEngine engine(configFor(*m_server));
    auto handles = hold(engine, {"x/a", "x/b", "x/c"});
    const HeldLeases held = m_janitor->heldLeases({.prefix = "x/"});
    QCOMPARE(held.leases.size(), 3);
    handles[1].release();
    handles[2].release();
    const auto later = hold(engine, {"x/c", "x/d"}); // the same name and holder, and yet another lease
    const auto report = release(held);
    QCOMPARE(report.released, 1);
    QCOMPARE(report.changed, 2);
    QCOMPARE(report.failed + report.left, 0);
    QVERIFY(!report.firstError);
    QCOMPARE(namesOf(m_janitor->heldLeases({.prefix = "x/"})), (Names{"x/c", "x/d"}));
    QCOMPARE(events(), 1);
    QCOMPARE(release(held).changed, 3);
    QCOMPARE(release({}).released, 0);
}

void TestHeldLeases::everyReleaseIsOnRecord()
{
    LockEngine engine(configFor(*m_server));
    const Names names{"x/a", "x/'\\", "x/\xff"};
    const auto handles = hold(engine, names);
    const QString who = QString(MaxOperatorCharacters, u'ü');
    const QString why = u"\"'; DROP TABLE lock_lease; -- "_s + QString(MaxReasonCharacters - 31, u'ß');
    QCOMPARE(m_janitor->forceRelease(m_janitor->heldLeases({.prefix = "x/"}).leases, who, why).released, 3);
    const auto rows = m_observer->rows("SELECT resource, token, operator, reason FROM lock_event WHERE kind = "
                                       "'force_release' ORDER BY id");
    QCOMPARE(rows.size(), 3);
    for (const auto &row : rows) {
        QVERIFY(names.contains(row.value(0).toByteArray()));
        QVERIFY(row.value(1).toULongLong() > 0);
        QCOMPARE(row.value(2).toString(), who);
        QCOMPARE(row.value(3).toString(), why);
    }
}

void TestHeldLeases::itStopsBetweenTwo()
{
    LockEngine engine(configFor(*m_server));
    const auto handles = hold(engine, {"x/0", "x/1", "x/2", "x/3", "x/4"});
    std::stop_source stop;
    Names told;
    const auto report = release(m_janitor->heldLeases({.prefix = "x/"}), stop.get_token(),
                                [&](const HeldLease &lease, const ForcedRelease &) {
                                    told += lease.resource;
                                    if (told.size() == 2)
                                        stop.request_stop();
                                });
    QCOMPARE(told, (Names{"x/0", "x/1"}));
    QCOMPARE(report.released, 2);
    QCOMPARE(report.left, 3);
    QCOMPARE(m_janitor->heldLeases({.prefix = "x/"}).leases.size(), 3);
}

void TestHeldLeases::aBrokenConnectionIsOpenedAgain()
{
    LockEngine engine(configFor(*m_server));
    const auto handles = hold(engine, {"x/0", "x/1", "x/2"});
    const auto killAll = [this] { // also the holder's: its leases stay
        for (const auto &row : m_observer->rows("SELECT id FROM information_schema.processlist WHERE db = 'lockscope' "
                                                "AND id <> CONNECTION_ID()"))
            m_observer->kill(row.value(0).toByteArray());
        QVERIFY(eventually([this] { // a killed one is listed for a moment
            return m_observer->value("SELECT COUNT(*) FROM information_schema.processlist WHERE command = 'Killed'")
                == 0;
        }));
    };
    QVERIFY(!m_janitor->heldLeases({.prefix = "x/"}).error);
    killAll();
    const HeldLeases held = m_janitor->heldLeases({.prefix = "x/"});
    QVERIFY2(!held.error, held.error ? qPrintable(held.error->toString()) : "");
    QCOMPARE(held.leases.size(), 3);
    const auto report = release(held, {}, [&](const HeldLease &, const ForcedRelease &) { killAll(); });
    QVERIFY2(report.released == 3, report.firstError ? qPrintable(report.firstError->toString()) : "");
    QCOMPARE(events(), 3);
}

void TestHeldLeases::whatFailsIsCountedAndTold()
{
    LockEngine engine(configFor(*m_server));
    const auto handles = hold(engine, {"x/a", "x/b"});
    const HeldLeases held = m_janitor->heldLeases({.prefix = "x/"});
    m_observer->run("CREATE TRIGGER full BEFORE INSERT ON lock_event FOR EACH ROW "
                    "IF NEW.resource = 'x/a' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no room'; END IF");
    const auto report = release(held);
    m_observer->run("DROP TRIGGER full");
    QCOMPARE(report.failed, 1);
    QCOMPARE(report.released, 1);
    QVERIFY(report.firstError);
    QVERIFY2(report.firstError->toString().contains(u"no room"_s), qPrintable(report.firstError->toString()));
    QCOMPARE(namesOf(m_janitor->heldLeases({.prefix = "x/"})), Names{"x/a"});
}

void TestHeldLeases::theRestIsLeftWhenTheServerIsAway()
{
    Worker holder(*m_server);
    QVERIFY(holder.ask("acquire x/a 600000 0").startsWith(u"granted"_s));
    Worker another(*m_server);
    QVERIFY(another.ask("acquire x/b 600000 0").startsWith(u"granted"_s));
    const HeldLeases held = m_janitor->heldLeases({.prefix = "x/"});
    QCOMPARE(held.leases.size(), 2);
    holder.kill9();
    another.kill9();
    m_server->stop();
    const auto report = release(held);
    QCOMPARE(report.released, 0);
    QCOMPARE(report.failed, 1);
    QCOMPARE(report.left, 1);
    QVERIFY(report.firstError);
    QCOMPARE(report.firstError->kind, LockError::Kind::ConnectionLost); // of the first try: it may have been done
    QVERIFY(m_janitor->heldLeases({.prefix = "x/"}).error);
    m_server->start();
    QCOMPARE(release(held).released, 2);
}

void TestHeldLeases::ofManyEnginesOneReleases()
{
    LockEngine engine(configFor(*m_server));
    const auto handles = hold(engine, {"x/a", "x/b", "x/c"});
    const HeldLeases held = m_janitor->heldLeases({.prefix = "x/"});
    std::atomic<int> released = 0;
    std::atomic<int> changed = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            LockEngine one(configFor(*m_server));
            const auto report = one.forceRelease(held.leases, kOperator, kReason);
            released += int(report.released);
            changed += int(report.changed);
        });
    }
    threads.clear();
    QCOMPARE(released.load(), 3);
    QCOMPARE(changed.load(), 21);
    QCOMPARE(events(), 3);
}

void TestHeldLeases::badSelectionsAreRefusedBeforeAnyIo_data()
{
    addBadSelections(QByteArray(kPrefix).size());
}

void TestHeldLeases::badSelectionsAreRefusedBeforeAnyIo()
{
    QFETCH(LeaseSelection, selection);
    QFETCH(QString, says);
    EngineConfig config = configFor(*m_server);
    config.namePrefix = kPrefix;
    LockEngine engine(config);
    m_observer->startLog();
    const HeldLeases held = engine.heldLeases(selection);
    QCOMPARE(m_observer->logged(), QStringList());
    QVERIFY(held.leases.isEmpty());
    QVERIFY(held.error);
    QCOMPARE(held.error->kind, LockError::Kind::BadRequest);
    QVERIFY2(held.error->message.contains(says), qPrintable(held.error->message));
}

void TestHeldLeases::badOrdersAreRefusedBeforeAnyIo_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::addColumn<quint64>("token");
    QTest::addColumn<QString>("who");
    QTest::addColumn<QString>("why");
    QTest::addColumn<QString>("says");
    const quint64 token = 7;
    const QByteArray name("a");
    QTest::newRow("no reason") << name << token << kOperator << QString() << u"reason"_s;
    QTest::newRow("a blank reason") << name << token << kOperator << u" \t"_s << u"reason"_s;
    QTest::newRow("a reason of 1025") << name << token << kOperator << QString(1025, u'x') << u"too long"_s;
    QTest::newRow("no operator") << name << token << QString() << kReason << u"operator's name"_s;
    QTest::newRow("a blank operator") << name << token << u" "_s << kReason << u"operator's name"_s;
    QTest::newRow("an operator of 256") << name << token << QString(256, u'x') << kReason << u"too long"_s;
    QTest::newRow("no token") << name << quint64(0) << kOperator << kReason << u"token"_s;
    QTest::newRow("no name") << QByteArray() << token << kOperator << kReason << u"empty"_s;
    QTest::newRow("256 bytes") << QByteArray(256, 'x') << token << kOperator << kReason << u"256 bytes"_s;
    QTest::newRow("NUL") << QByteArray("\0", 1) << token << kOperator << kReason << u"NUL"_s;
}

void TestHeldLeases::badOrdersAreRefusedBeforeAnyIo()
{
    QFETCH(QByteArray, resource);
    QFETCH(quint64, token);
    QFETCH(QString, who);
    QFETCH(QString, why);
    QFETCH(QString, says);
    const HeldLease good{.resource = "good", .token = 1};
    const HeldLease bad{.resource = resource, .token = token};
    m_observer->startLog();
    const auto report = m_janitor->forceRelease({good, bad}, who, why);
    QCOMPARE(m_observer->logged(), QStringList());
    QCOMPARE(report.left, 2);
    QCOMPARE(report.released + report.changed + report.failed, 0);
    QVERIFY(report.firstError);
    QCOMPARE(report.firstError->kind, LockError::Kind::BadRequest);
    QVERIFY2(report.firstError->message.contains(says), qPrintable(report.firstError->message));
}

QTEST_GUILESS_MAIN(TestHeldLeases)
#include "tst_heldleases.moc"
