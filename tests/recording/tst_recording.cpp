// SPDX-License-Identifier: MIT
// What recordings keep: every value that a page or a command shows, no password, and what a person looks for in them.
#include "locks/tablerows.h"
#include "recording/incidents.h"
#include "recording/recordeddeadlocks.h"
#include "recordmaker.h"
#include "tablelockmaker.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

using Kind = RecordedMark::Kind;

Owner owner()
{
    return {u"billing"_s, u"a7"_s, 812, u"3"_s, "00112233445566778899aabbccddeeff", "0123456789abcdef"};
}

LockSnapshot locksOfAllKinds()
{
    LockRow lease;
    lease.key = {LockKind::Lease, QByteArray("a\0\xff", 3), 2, 0};
    lease.state = LockState::Orphan;
    lease.owner = owner();
    lease.connectionId = 17;
    lease.token = std::numeric_limits<quint64>::max();
    lease.note = "\xfe note";
    lease.acquiredAt = kNow - 90s;
    lease.expiresAt = kNow + 3us;
    lease.ttl = 30s;
    lease.waiters = 2;
    LockRow version;
    version.key = {LockKind::Version, "v", 0, 5};
    version.state = LockState::Open;
    version.waiters.reset();
    version.attempts = Attempts{7, kNow, {10, 2}, 3, kNow - 1h, kNow - 1s, AttemptCounts{1, 1}};
    LockSnapshot locks;
    locks.rows = {lease, version};
    locks.counts.add(LockState::Orphan);
    locks.counts.add(LockState::Open);
    locks.counts.waiting = 2;
    locks.counts.isWaitingKnown = false;
    return locks;
}

ServerWaits waitsOfAllKinds()
{
    ServerWaits waits;
    waits.clock.server = kNow;
    waits.identity = u"db1:3306 since …"_s;
    waits.sources.append({WaitSource::Sessions, SourceStatus::State::Partial, u"why"_s, u"GRANT"_s, true, 4, true});
    ServerSession session;
    session.id = 12;
    session.user = u"ada"_s;
    session.host = u"10.0.0.1:5000"_s;
    session.schema = u"shop"_s;
    session.program = u"mysqlsh"_s;
    session.osPid = 4711;
    session.command = u"Sleep"_s;
    session.state = u"x"_s;
    session.commandSince = kNow - 5s;
    session.statement = {Statement::Source::Last, "UPDATE stock SET n = 'ä'", true};
    session.history = {{"SELECT 1", false}, {"UPDATE stock SET n = 2", true}};
    session.statementNumber = 99;
    session.transaction = Transaction{421, u"RUNNING"_s, kNow - 60s, kNow - 1s, 3, 2, true};
    session.owner = owner();
    session.protection = Protection::Replication;
    waits.sessions.insert(12, session);
    waits.locks = {{row("5"), u"X"_s, true, 12, Age{AgeOf::Transaction, kNow - 60s}, 7},
                   {row("5"), u"X"_s, false, 34, {}, {}}};
    waits.edges = {{34, 12, row("5"), u"X,REC_NOT_GAP"_s, kNow - 3s, true, LockOrigin{1, 2}},
                   {35, preparedNumber(77), row("6"), u"S"_s, {}, false, {}}};
    waits.lost = {{36, ServerLockKind::User, kNow - 2s, true}};
    waits.prepared.insert(preparedNumber(77),
                          {Transaction{77, u"ACTIVE"_s, kNow, {}, 1, 1, false}, 5, true, {Xid{1, "x1", "b"}}, true});
    return waits;
}

RecordedLook lookOfAllKinds()
{
    RecordedLook look;
    look.hasTables = true;
    look.locks = locksOfAllKinds();
    look.waits = waitsOfAllKinds();
    look.queues.insert(look.locks.rows.first()->key,
                       {{1, owner(), "n", 5, u"a@b"_s, kNow - 1s, 30s}, {2, owner(), {}, {}, {}, {}, {}}});
    TableLock table;
    table.table.schema = u"shop"_s;
    table.table.name = u"shedlock"_s;
    table.table.profile.id = u"shedlock"_s;
    table.table.profile.title = u"ShedLock"_s;
    table.table.profile.clock = TableClock::Application;
    table.key = "nightly";
    table.table.columns = {{u"name"_s, {}}, {u"locked_by"_s, {}}};
    table.table.isLookAlike = true;
    table.values = {QByteArray("nightly"), std::nullopt};
    table.holder = "a7";
    table.state = TableLockState::Held;
    table.until = kNow + 60s;
    look.tables.locks = {table};
    look.tables.locks[0].unread = u"It is locked by another session. (error 1205)"_s;
    LockError locked;
    locked.kind = LockError::Kind::Contention;
    locked.code = 1205;
    locked.message = u"It is locked by another session."_s;
    look.tables.unread = {{u"shop.shedlock"_s, true, locked}, {u"shop.t_lock"_s, false, {}, true}};
    look.tables.notes = {u"there are too many"_s};
    look.tables.serverTables = 12'000;
    look.tables.isScanCut = true;
    look.capabilities.version = u"10.11.19-MariaDB"_s;
    look.capabilities.mayProcess = true;
    look.capabilities.killProcedure = "rds_kill";
    return look;
}

bool hasPassword(const RecordedItems &items)
{
    return std::any_of(items.cbegin(), items.cend(), [](const QByteArray &item) { return item.contains("hunter2"); });
}

QByteArray unpacked(const QByteArray &body)
{
    QByteArray bytes;
    return unpack(body, &bytes) ? bytes : "hunter2 UPDATE"; // never taken for clean
}

Deadlock deadlock()
{
    Deadlock made;
    made.at = u"2026-11-26 01:22:39"_s;
    made.victim = 2;
    made.text = "LATEST DETECTED DEADLOCK …";
    PrintedLock lock{421,  12,    u"shop"_s, u"stock"_s,           u"PRIMARY"_s, u"X"_s,
                     true, false, true,      {"\x80\0\0\x05", {}}, u"5:3:2"_s};
    made.sides = {{1, 421, 12, u"web-1 app"_s, 3s, u"UPDATE stock SET n = 1"_s, true, {lock}, {}},
                  {2, 422, 13, u"web-2 app"_s, 2s, u"UPDATE stock SET n = 2"_s, false, {}, {lock}}};
    made.columns[u"shop"_s][u"stock"_s].insert(u"PRIMARY"_s, {{u"id"_s, u"int"_s, true}});
    return made;
}

} // namespace

class TestRecording : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingOfALookComesBack();
    void locksOfOneNameAreAllKept_data();
    void locksOfOneNameAreAllKept();
    void timesThatAreComputedAnewDoNotCountAsChanges();
    void noPasswordIsKept_data();
    void noPasswordIsKept();
    void ofAUrlAllButItsPasswordIsKept();
    void aWordThatIsNoPasswordHidesNothing();
    void statementsAreLeftOutOrHashed();
    void deadlocksEventsAndActsComeBack();
    void latencyComesBack();
    void incidentsAreFound();
    void theLastLookHasAllThatItFound();
    void deadlocksOfAMomentAreAnInbox();
    void whatCannotBeSeenOfDeadlocksIsKept();
    void aMissingServerIsAGap();
};

void TestRecording::everythingOfALookComesBack()
{
    const RecordedLook look = lookOfAllKinds();
    StatementKeeper keeper(StatementKeeping::Keep);
    const RecordedLook read = lookOf(itemsOf(look, &keeper), kNow);
    QCOMPARE(read.hasTables, true);
    QVERIFY(read.locks.rows == look.locks.rows);
    QVERIFY(read.locks.counts == look.locks.counts);
    QVERIFY(read.queues == look.queues);
    QVERIFY(read.tables.locks == look.tables.locks);
    QCOMPARE(read.tables.locks.first().fingerprint(), look.tables.locks.first().fingerprint());
    QCOMPARE(read.tables.unread.size(), 2);
    QVERIFY(read.tables.unread[0].isLookAlike && !read.tables.unread[0].isPartly);
    QCOMPARE(read.tables.unread[0].error->toString(), look.tables.unread[0].error->toString());
    QCOMPARE(read.tables.unread[0].error->code, 1205);
    QVERIFY(read.tables.unread[1].isPartly && !read.tables.unread[1].error);
    QCOMPARE(read.tables.notes, look.tables.notes);
    QVERIFY(read.tables.serverTables == 12'000 && read.tables.isScanCut);
    QCOMPARE(read.tables.clock.server, kNow);
    QCOMPARE(read.waits.clock.server, kNow);
    QCOMPARE(read.waits.identity, look.waits.identity);
    QVERIFY(read.waits.sources == look.waits.sources);
    QVERIFY(read.waits.sessions == look.waits.sessions);
    QVERIFY(read.waits.prepared == look.waits.prepared);
    QVERIFY(read.waits.lost == look.waits.lost);
    QCOMPARE(read.waits.locks.size(), 2);
    for (const ServerLock &lock : look.waits.locks)
        QVERIFY(read.waits.locks.contains(lock));
    QCOMPARE(read.waits.edges.size(), 2);
    for (const WaitEdge &edge : look.waits.edges) {
        const auto same = [&edge](const WaitEdge &one) {
            return one.waiter == edge.waiter && one.blocker == edge.blocker && one.object == edge.object
                && one.mode == edge.mode && one.since == edge.since && one.isInferred == edge.isInferred
                && one.origin == edge.origin;
        };
        QVERIFY(std::any_of(read.waits.edges.cbegin(), read.waits.edges.cend(), same));
    }
    QCOMPARE(read.capabilities.version, look.capabilities.version);
    QCOMPARE(read.capabilities.mayProcess, true);
    QCOMPARE(read.capabilities.killProcedure, QByteArray("rds_kill"));
}

void TestRecording::locksOfOneNameAreAllKept_data()
{
    QTest::addColumn<TableLock>("one");
    QTest::addColumn<TableLock>("other");
    TableLock one = tableLock("a");
    TableLock other = one;
    other.values[1] = other.holder = "b2";
    QTest::newRow("a table without a unique key") << one << other;
    one = other = tableLock("a b c");
    one.values = {QByteArray("a b"), QByteArray("c")};
    other.values = {QByteArray("a"), QByteArray("b c")};
    QTest::newRow("keys of several columns") << one << other;
}

void TestRecording::locksOfOneNameAreAllKept()
{
    QFETCH(const TableLock, one);
    QFETCH(const TableLock, other);
    RecordedLook look;
    look.tables.locks = {one, other};
    const RecordedItems items = itemsOf(look);
    const QList<TableLock> read = lookOf(items, kNow).tables.locks;
    QCOMPARE(read.size(), 2);
    for (const TableLock &lock : {one, other}) {
        const auto isIt = [&lock](const TableLock &each) {
            return each.key == lock.key && each.values == lock.values && each.holder == lock.holder;
        };
        QCOMPARE(std::count_if(read.cbegin(), read.cend(), isIt), 1);
    }
    const auto rows = tableRows(read, {});
    QCOMPARE(rows.size(), 2);
    QVERIFY(rows[0]->key != rows[1]->key);
    look.tables.locks = {one};
    const RecordedItems alone = itemsOf(look); // as it is in every recording
    for (auto it = alone.cbegin(); it != alone.cend(); ++it)
        QCOMPARE(items.value(it.key()), it.value());
}

void TestRecording::timesThatAreComputedAnewDoNotCountAsChanges()
{
    SteadyTimes times;
    StatementKeeper keeper(StatementKeeping::Keep);
    RecordedLook look = lookOfAllKinds();
    times.settle(&look.waits);
    const RecordedItems before = itemsOf(look, &keeper);
    RecordedLook next = lookOfAllKinds();
    next.waits.sessions[12].commandSince = kNow - 5s + 1s; // MySQL: to the second
    next.waits.edges[0].since = kNow - 3s + 1'234us;       // MariaDB: to the microsecond
    next.waits.locks[0].age->since -= 300us;
    times.settle(&next.waits);
    QVERIFY(itemsOf(next, &keeper) == before);
    next.waits.sessions[12].commandSince = kNow - 2s; // another statement
    times.settle(&next.waits);
    QVERIFY(itemsOf(next, &keeper) != before);
}

void TestRecording::noPasswordIsKept_data()
{
    QTest::addColumn<QByteArray>("statement");
    const QList<QByteArray> statements{"SET PASSWORD FOR ada = 'hunter2'",
                                       "CREATE USER ada IDENTIFIED BY 'hunter2'",
                                       "alter user `o'brien` identified by \"hunter2\"",
                                       "CHANGE MASTER TO /* don't */ MASTER_PASSWORD='hunter2', MASTER_USER='r'",
                                       "UPDATE users SET passwd = 'hunter2' WHERE id = 5",
                                       "UPDATE users SET pwd = 'hunter2' WHERE id = 5",
                                       "SELECT * FROM users WHERE `user_pass` = 'hunter2'",
                                       "UPDATE users SET Pass='hunter2'",
                                       "UPDATE users SET userPass = 'hunter2'",
                                       "UPDATE boxes SET mailpass = 'hunter2'",
                                       "UPDATE users SET passHash = 'hunter2'",
                                       "INSERT INTO keys (passphrase) VALUES ('hunter2')",
                                       "UPDATE doors SET passcode = 'hunter2'",
                                       "UPDATE nutzer SET passwort = 'hunter2'",
                                       "SELECT * FROM users WHERE password = SHA2('hunter2",
                                       "SELECT AES_ENCRYPT(n, 'hunter2') FROM t",
                                       "CREATE SERVER s OPTIONS (USER 'a', PASSWORD 'hunter2')",
                                       "INSERT INTO feeds VALUES ('mysql://ada:hunter2@db1:3306/shop')",
                                       "/* https://ada:p@ss/hunter2@a7/ */ SELECT 1",
                                       "INSERT INTO feeds VALUES ('amqp://ada:hunter2",
                                       "SELECT 'redis://:hunter2@a:1', 'amqp://ada:hunter2@b'"};
    for (const QByteArray &statement : statements)
        QTest::newRow(statement.constData()) << statement;
}

void TestRecording::noPasswordIsKept()
{
    QFETCH(QByteArray, statement);
    for (const auto keeping : {StatementKeeping::Keep, StatementKeeping::Hash, StatementKeeping::None}) {
        StatementKeeper keeper(keeping);
        RecordedLook look = lookOfAllKinds();
        look.waits.sessions[12].statement.text = statement;
        look.waits.sessions[12].history[0].text = statement;
        QVERIFY(!hasPassword(itemsOf(look, &keeper)));
        Deadlock met = deadlock();
        met.sides[0].statement = QString::fromUtf8(statement);
        met.text = "SESSION 1\n" + statement;
        QVERIFY(!unpacked(toBody(met, &keeper)).contains("hunter2"));
        AuditLine act;
        act.statement = QString::fromUtf8(statement);
        QVERIFY(!unpacked(toBody(act, &keeper)).contains("hunter2"));
    }
    StatementKeeper keeper(StatementKeeping::Keep);
    QVERIFY(statement.startsWith(keeper.kept(statement).left(6))); // what it is remains to be seen
}

void TestRecording::ofAUrlAllButItsPasswordIsKept()
{
    StatementKeeper keeper(StatementKeeping::Keep);
    QCOMPARE(keeper.kept("UPDATE feeds SET url='mysql://ada:hunter2@db1:3306/shop' WHERE id=5"),
             "UPDATE feeds SET url='mysql://ada:…@db1:3306/shop' WHERE id=5");
    QCOMPARE(keeper.keptReport("SELECT 'redis://:hunter2@a', 'amqp://ada:hunter2@b'"),
             "SELECT 'redis://:…@a', 'amqp://ada:…@b'");
    for (const QByteArray statement : {"SELECT 'https://db1:8080/shop'", "SELECT 'ftp://ada@a7/'", "SELECT a://b"})
        QCOMPARE(keeper.kept(statement), statement);
}

void TestRecording::aWordThatIsNoPasswordHidesNothing()
{
    StatementKeeper keeper(StatementKeeping::Keep);
    for (const QByteArray statement : {"UPDATE passengers SET n = 1", "SELECT bypass FROM compass WHERE id = 2"})
        QCOMPARE(keeper.kept(statement), statement);
}

void TestRecording::statementsAreLeftOutOrHashed()
{
    StatementKeeper none(StatementKeeping::None);
    StatementKeeper hash(StatementKeeping::Hash);
    StatementKeeper keep(StatementKeeping::Keep);
    QCOMPARE(none.kept("UPDATE t SET n = 1"), QByteArray("(not recorded)"));
    QCOMPARE(keep.kept("UPDATE t SET n = 1"), QByteArray("UPDATE t SET n = 1"));
    QVERIFY(!hash.kept("UPDATE t SET n = 1").contains("UPDATE"));
    QCOMPARE(hash.kept("UPDATE t SET n = 1"), hash.kept("update  t set n = 25"));
    QVERIFY(hash.kept("UPDATE t SET n = 1") != hash.kept("UPDATE u SET n = 1"));
    QCOMPARE(hash.kept(""), QByteArray());
}

void TestRecording::deadlocksEventsAndActsComeBack()
{
    StatementKeeper keeper(StatementKeeping::Keep);
    const Deadlock made = deadlock();
    const Deadlock read = deadlockOf(toBody(made, &keeper));
    QCOMPARE(read.at, made.at);
    QCOMPARE(read.victim, 2);
    QCOMPARE(read.text, made.text);
    QCOMPARE(read.sides.size(), 2);
    QVERIFY(read.sides[0].holds == made.sides[0].holds);
    QVERIFY(read.sides[1].waitsFor == made.sides[1].waitsFor);
    QCOMPARE(read.sides[0].active, 3s);
    QCOMPARE(read.keyOf(read.sides[0].holds[0]), made.keyOf(made.sides[0].holds[0]));
    StatementKeeper none(StatementKeeping::None);
    QCOMPARE(deadlockOf(toBody(made, &none)).text, QByteArray());
    QVERIFY(!unpacked(toBody(made, &none)).contains("UPDATE"));

    const Event event{5,    kNow,    Event::Kind::ForceRelease, "force_release", {LockKind::Lease, "r", 1, 0},
                      1204, owner(), u"ada@laptop"_s,           u"stuck"_s,      u"ops@10.0.%"_s};
    QVERIFY(eventOf(toBody(event)) == event);
    AuditLine act;
    act.at = QDateTime::fromMSecsSinceEpoch(1'700'000'000'123).toUTC();
    act.operatorName = u"ada@laptop"_s;
    act.target = u"session 12"_s;
    act.statement = u"KILL CONNECTION 12"_s;
    act.outcome = u"ended"_s;
    QVERIFY(actOf(toBody(act, &keeper)) == act);
    QCOMPARE(actOf(toBody(act, &keeper)).at.toString(Qt::ISODateWithMs), u"2023-11-14T22:13:20.123Z"_s);
    Alarm alarm;
    alarm.subject = {AlarmKind::Queue, 12, row("5"), LockKey{LockKind::Lease, "r", 0, 0}};
    alarm.waiting = 11;
    alarm.owner = owner();
    QVERIFY(alarmOf(toBody(alarm)) == alarm);
}

void TestRecording::latencyComesBack()
{
    LatencySeries series;
    Histogram histogram;
    histogram.add(3ms, 5);
    histogram.add(700us);
    const LatencyKey key{"unique", "acquire", "granted", kNow};
    series.histograms[key] = histogram;
    series.uses[{"acquire", u"billing"_s, "orders/", kNow}] = {histogram, {}};
    LatencySeries read;
    addLatency(toBody(series), &read);
    QVERIFY(read.histograms == series.histograms);
    QCOMPARE(read.uses.size(), size_t(1));
    QVERIFY(read.uses.begin()->second.granted == histogram);
    QVERIFY(read.programs.contains(u"billing"_s));
    QCOMPARE(toBody(LatencySeries()), QByteArray());
}

void TestRecording::incidentsAreFound()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    for (int second = 0; second < 120; ++second) {
        // Two short ones, and one that grows and ends.
        const int waiting = second == 5 ? 1 : second >= 40 && second < 60 ? second - 39 : 0;
        RecordedNews news = newsAt(second, waiting);
        for (WaitEdge &edge : news.look.waits.edges)
            edge.since = kNow + std::chrono::seconds(waiting == 1 ? second : 40);
        if (second == 80)
            news.deadlocks.append(deadlock());
        recorder.take(news);
    }
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const auto incidents = incidentsOf(*recording, recording->info().from, recording->info().to + 1s);
    const auto queue = longestQueue(incidents);
    QVERIFY(queue);
    QCOMPARE(queue->from, kNow + 40s);
    QCOMPARE(queue->waiting, 20);
    QCOMPARE(queue->worst, kNow + 59s);
    QCOMPARE(queue->longest, 19s);
    const auto isDeadlock = [](const Incident &one) { return one.deadlock && one.deadlock->victim == 2; };
    QCOMPARE(std::count_if(incidents.cbegin(), incidents.cend(), isDeadlock), 1);
    const auto isQueue = [](const Incident &one) { return one.kind == Incident::Kind::Queue; };
    QCOMPARE(std::count_if(incidents.cbegin(), incidents.cend(), isQueue), 1);
}

void TestRecording::theLastLookHasAllThatItFound()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    recorder.take(newsAt(0, 0));
    RecordedNews last = newsAt(1, 0);
    last.deadlocks.append(deadlock());
    recorder.take(last);
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const auto incidents = incidentsOf(*recording, recording->info().from, recording->info().to);
    QCOMPARE(incidents.size(), 1);
    QCOMPARE(incidents[0].worst, recording->info().to);
}

void TestRecording::deadlocksOfAMomentAreAnInbox()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    for (int second = 0; second < 6; ++second) {
        RecordedNews news = newsAt(second, 0);
        if (second == 1 || second == 3) {
            news.deadlocks.append(deadlock());
            news.deadlocks.last().at = u"2026-11-26 01:22:%1"_s.arg(40 + second);
        }
        news.deadlocksMissed = second == 3 ? 4 : 0;
        recorder.take(news);
    }
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    RecordedDeadlocks deadlocks;
    const auto shapesAt = [&](int second) {
        return deadlocks.until(*recording, kNow + std::chrono::seconds(second))->shapes();
    };
    QCOMPARE(shapesAt(0).size(), 0);
    QVERIFY(deadlocks.until(*recording, kNow)->isRead());
    QCOMPARE(shapesAt(2).value(0).count, quint64(1));
    QCOMPARE(deadlocks.until(*recording, kNow + 2s)->missedSince(), quint64(0));
    const DeadlockInboxPtr last = deadlocks.until(*recording, kNow + 3s);
    QCOMPARE(last->shapes().size(), 1);
    QCOMPARE(last->shapes()[0].count, quint64(2));
    QCOMPARE(last->shapes()[0].first, u"2026-11-26 01:22:41"_s);
    QCOMPARE(last->shapes()[0].latest.at, u"2026-11-26 01:22:43"_s);
    QCOMPARE(last->missedSince(), quint64(4));
    QCOMPARE(deadlocks.until(*recording, kNow + 5s), last); // nothing came
    QCOMPARE(shapesAt(1).value(0).count, quint64(1));
}

void TestRecording::whatCannotBeSeenOfDeadlocksIsKept()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    for (int second = 0; second < 6; ++second) {
        RecordedNews news = newsAt(second, 0);
        news.deadlockSight = second < 2 ? DeadlockSight::Nothing
            : second < 4                ? DeadlockSight::NotHowMany
                                        : DeadlockSight::All;
        if (second < 2)
            news.whyNoDeadlocks = u"The account may not."_s;
        if (second == 3)
            news.deadlocks.append(deadlock());
        recorder.take(news);
    }
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    RecordedDeadlocks deadlocks;
    const auto at = [&](int second) { return deadlocks.until(*recording, kNow + std::chrono::seconds(second)); };
    QVERIFY(at(1)->isCounted());
    QCOMPARE(deadlocks.refusal(), u"The account may not."_s);
    QVERIFY(!at(2)->isCounted());
    QCOMPARE(deadlocks.refusal(), QString());
    QVERIFY(!at(3)->isCounted());
    QVERIFY(at(5)->isCounted());
    at(0);
    QCOMPARE(deadlocks.refusal(), u"The account may not."_s);
}

void TestRecording::aMissingServerIsAGap()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    recorder.take(newsAt(0, 0));
    LockError gone;
    gone.message = u"The server does not answer."_s;
    recorder.miss(gone);
    recorder.miss(gone);
    recorder.take(newsAt(60, 0));
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const auto gaps = recording->marks(kNow, kNow + 1h, {Kind::Unreachable, Kind::Reachable});
    QCOMPARE(gaps.size(), 2);
    QVERIFY(gaps[0].body.contains("does not answer"));
    QVERIFY2(gaps[0].at - kNow < 1ms, "it begins after the last look, not where the failure was noticed");
    QVERIFY(!recording->at(kNow)->isGap);
    QVERIFY(recording->at(kNow + 30s)->isGap);
    QVERIFY(!recording->at(kNow + 60s)->isGap);
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
