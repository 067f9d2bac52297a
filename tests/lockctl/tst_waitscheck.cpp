// SPDX-License-Identifier: MIT
// What `lockctl check` tells a monitoring system.
#include "server/leasefigures.h"
#include "session/runnames.h"
#include "text/waitscheck.h"

#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::ctl;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr ServerTime kNow{std::chrono::hours(480'000)};

/// Two wait for session 12, the longer one for 20 s; its transaction is 5 min old.
ServerWaits incident()
{
    ServerWaits waits;
    waits.clock.server = kNow;
    ServerSession holder;
    holder.id = 12;
    holder.user = u"a|b\n"_s;
    holder.host = u"a7"_s;
    holder.transaction = Transaction{421, u"RUNNING"_s, kNow - 5min, {}, 3, 1};
    waits.sessions.insert(12, holder);
    ServerObject row;
    row.name = "stock";
    waits.edges.append({13, 12, row, u"X"_s, kNow - 20s});
    waits.edges.append({14, 12, row, u"X"_s, kNow - 5s});
    return waits;
}

LockError lost(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::ConnectionLost;
    error.message = message;
    return error;
}

/// Has two leases, held for 10 min and for 2 h; somebody has waited for the first one for 40 s. Calls fail as they are
/// told.
class FailingSource : public LockSource
{
public:
    std::optional<LockError> open() override { return std::nullopt; }
    QString server() const override { return {}; }
    QString account() const override { return {}; }
    std::optional<LockError> leases(const std::stop_token &, const Take &take) override
    {
        if (failsAt == u"the first lease"_s)
            return lost(u"No lease."_s);
        take({leaseOf("nightly", 10min, 1)}, {kNow, std::chrono::steady_clock::now()});
        if (failsAt == u"the second lease"_s)
            return lost(u"Not all leases."_s);
        take({leaseOf("old", 2h, 0)}, {kNow, std::chrono::steady_clock::now()});
        return std::nullopt;
    }
    std::optional<LockError> heldLeases(const QByteArray &, const std::stop_token &, const Take &) override
    {
        return std::nullopt;
    }
    std::optional<LockError> others(int, LockSnapshot *) override { return std::nullopt; }
    std::optional<LockError> one(const LockKey &, std::optional<LockRow> *, SnapshotClock *) override
    {
        return std::nullopt;
    }
    std::optional<LockError> waiters(const LockKey &, QList<Waiter> *waiters) override
    {
        if (failsAt == u"the queue"_s)
            return lost(u"No queue."_s);
        Waiter waiter;
        waiter.since = waitsSince;
        waiters->append(waiter);
        return std::nullopt;
    }
    std::optional<LockError> keyLocks(const KeyWalk &, const std::stop_token &, KeyLocks *found) override
    {
        found->clock = {kNow, std::chrono::steady_clock::now()};
        if (failsAt == u"other programs"_s)
            return lost(u"No keys."_s);
        found->rows.append(leaseOf("job", 50h, 0));
        return std::nullopt;
    }
    QByteArray statement(const detail::LeaseId &, const detail::ReleaseNote &) const override { return {}; }
    ForcedRelease endLease(const detail::LeaseId &, const detail::ReleaseNote &) override { return {}; }

    QString failsAt;
    std::optional<ServerTime> waitsSince = kNow - 40s;

private:
    static LockRow leaseOf(const QByteArray &name, Microseconds held, int waiters)
    {
        LockRow row;
        row.key.resource = name;
        row.state = LockState::Held;
        row.acquiredAt = kNow - held;
        row.waiters = waiters;
        return row;
    }
};

} // namespace

class WaitsCheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWorstLimitDecides_data();
    void theWorstLimitDecides();
    void theLineIsReadByPlugins();
    void longLimitsAreNumbersToo();
    void programsGetAnObject();
    void whatCannotBeSeenIsNotInOrder();
    void otherProgramsKeysThatAreNotSeenAreNotInOrder();
    void aWaitOfUnknownLengthIsNotInOrder();
    void aSessionsWaitOfUnknownLengthIsNotInOrder();
    void aSessionThatWaitsForNobodyKnownIsNoBlocker();
    void whoWaitsForOtherProgramsLocksIsOnlyMentioned();
    void aLockThatDoesNotTellSinceWhenIsSaid_data();
    void aLockThatDoesNotTellSinceWhenIsSaid();
    void anErrorDoesNotHideWhatWasMeasured_data();
    void anErrorDoesNotHideWhatWasMeasured();
    void aPreparedTransactionHoldsTooWithoutASession();
    void whatALessonDoesToItselfIsNoFinding();
    void aLockInATableCountsAsHeld();
    void aLessonsOpenTransactionIsAFindingOnceAStrangerWaitsForIt();
};

void WaitsCheckTest::theWorstLimitDecides_data()
{
    QTest::addColumn<qint64>("maxWait");
    QTest::addColumn<qint64>("warn");
    QTest::addColumn<int>("maxQueue");
    QTest::addColumn<qint64>("maxHeld");
    QTest::addColumn<int>("state");
    QTest::newRow("within all") << qint64(30) << qint64(20) << 2 << qint64(300) << 0;
    QTest::newRow("warned") << qint64(30) << qint64(10) << 2 << qint64(300) << 1;
    QTest::newRow("waited too long") << qint64(19) << qint64(10) << 2 << qint64(300) << 2;
    QTest::newRow("too many") << qint64(30) << qint64(20) << 1 << qint64(300) << 2;
    QTest::newRow("held too long") << qint64(30) << qint64(20) << 2 << qint64(299) << 2;
}

void WaitsCheckTest::theWorstLimitDecides()
{
    QFETCH(qint64, maxWait);
    QFETCH(qint64, warn);
    QFETCH(int, maxQueue);
    QFETCH(qint64, maxHeld);
    QFETCH(int, state);
    const WaitLimits limits{.warn = std::chrono::seconds(warn),
                            .maxWait = std::chrono::seconds(maxWait),
                            .maxQueue = maxQueue,
                            .maxHeld = std::chrono::seconds(maxHeld)};
    QCOMPARE(int(checkWaits(incident(), limits).state), state);
}

void WaitsCheckTest::theLineIsReadByPlugins()
{
    const auto critical = checkWaits(incident(), {.warn = 10s, .maxWait = 15s, .maxQueue = 5, .maxHeld = 1min});
    QCOMPARE(
        critical.line,
        u"CRITICAL - 2 sessions wait, the longest for 20 s; session 12 a/b\\x0a@a7 blocks 2 of them; session 12 has "
        "been in its transaction for 5 min|wait=20.0s;10;15;0 queue=2;;5;0 held=300.0s;;60;0"_s);
    ServerWaits quiet;
    QCOMPARE(checkWaits(quiet, {.maxWait = 30s}).line,
             u"OK - nobody waits|wait=0.0s;;30;0 queue=0;;;0 held=0.0s;;;0"_s);
    QCOMPARE(unknownCheck(u"no\nserver | here"_s).line, u"UNKNOWN - no server / here"_s);
}

void WaitsCheckTest::longLimitsAreNumbersToo()
{
    const QString line = checkWaits(ServerWaits(), {.maxWait = 100ms, .maxHeld = 720h}).line;
    QVERIFY2(line.contains(u"wait=0.0s;;0.1;0"_s) && line.endsWith(u"held=0.0s;;2592000;0"_s), qPrintable(line));
}

void WaitsCheckTest::programsGetAnObject()
{
    const QJsonObject critical = checkWaits(incident(), {.maxWait = 15s}).json;
    QCOMPARE(critical[u"state"_s].toString(), u"critical"_s);
    QVERIFY(critical[u"text"_s].toString().startsWith(u"2 sessions wait, the longest for 20 s"_s));
    QCOMPARE(critical[u"waitMs"_s].toInteger(), 20'000);
    QCOMPARE(critical[u"queue"_s].toInt(), 2);
    QCOMPARE(critical[u"heldMs"_s].toInteger(), 300'000);
    QCOMPARE(critical[u"heldBy"_s].toInteger(), 12);
    QVERIFY(checkWaits(ServerWaits(), {.maxWait = 15s}).json[u"heldBy"_s].isNull());
    ServerWaits waiting = incident();
    ServerSession waiter;
    waiter.id = 13;
    waiter.transaction = Transaction{422, u"LOCK WAIT"_s, kNow - 10min, kNow - 20s, 1, 0}; // the row that it waits for
    waiting.sessions.insert(13, waiter);
    QCOMPARE(checkWaits(waiting, {.maxWait = 15s}).json[u"heldBy"_s].toInteger(), 12);
    const QJsonObject unknown = unknownCheck(u"no server"_s).json;
    QCOMPARE(unknown[u"state"_s].toString(), u"unknown"_s);
    QCOMPARE(unknown[u"text"_s].toString(), u"no server"_s);
    for (const QString &key : {u"waitMs"_s, u"queue"_s, u"heldMs"_s, u"heldBy"_s})
        QVERIFY2(unknown.contains(key) && unknown[key].isNull(), qPrintable(key));
}

void WaitsCheckTest::whatCannotBeSeenIsNotInOrder()
{
    ServerWaits waits;
    SourceStatus status;
    status.source = WaitSource::Transactions;
    status.state = SourceStatus::State::Missing;
    status.reason = u"No right."_s;
    status.remedy = u"GRANT PROCESS"_s;
    waits.sources.append(status);
    QCOMPARE(checkWaits(waits, {.maxWait = 30s}).line, u"UNKNOWN - transactions: No right. GRANT PROCESS"_s);
    waits.edges = incident().edges; // what is seen is bad enough
    waits.clock.server = kNow;
    QCOMPARE(checkWaits(waits, {.maxWait = 1s}).state, CheckState::Critical);
    waits.sources[0].source = WaitSource::Metadata;
    const auto partial = checkWaits(waits, {.maxWait = 1h});
    QCOMPARE(partial.state, CheckState::Ok);
    QVERIFY2(partial.line.contains(u"not seen: metadata locks"_s), qPrintable(partial.line));
}

void WaitsCheckTest::otherProgramsKeysThatAreNotSeenAreNotInOrder()
{
    const WaitLimits limits{.maxWait = 30s, .maxHeld = 1h};
    QCOMPARE(checkLeases({}, limits).state, CheckState::Ok);
    LeaseFigures unread;
    unread.othersUnreadable = 1;
    QCOMPARE(checkLeases(unread, limits).line,
             u"UNKNOWN - how old the locks of other programs are: this account may not read 1 key or folder"_s);
    LeaseFigures cut;
    cut.areOthersTooMany = true;
    QCOMPARE(checkLeases(cut, limits).state, CheckState::Unknown);
    LeaseFigures unseen;
    unseen.isOthersUnseen = true;
    QCOMPARE(checkLeases(unseen, limits).state, CheckState::Unknown);
    unread.held = 2h; // what is seen is bad enough
    const auto critical = checkLeases(unread, limits);
    QCOMPARE(critical.state, CheckState::Critical);
    QVERIFY2(critical.line.contains(u"; not seen: how old"_s), qPrintable(critical.line));
}

/// As of etcdctl's and of Go programs.
void WaitsCheckTest::aWaitOfUnknownLengthIsNotInOrder()
{
    FailingSource source;
    source.waitsSince.reset();
    const LeaseFigures figures = measureLeases(source, false);
    const CheckResult unknown = checkLeases(figures, {.warn = 10s, .maxWait = 1min});
    QCOMPARE(unknown.line,
             u"UNKNOWN - 1 request waits; not seen: how long 1 request has waited for nightly (--max-queue judges how "
             "many wait)|wait=U;10;60;0 queue=1;;;0 held=7200.0s;;;0"_s);
    QCOMPARE(unknown.json[u"state"_s].toString(), u"unknown"_s);
    QVERIFY(unknown.json[u"waitMs"_s].isNull());
    QCOMPARE(unknown.json[u"queue"_s].toInt(), 1);
    const CheckResult judged = checkLeases(figures, {.maxWait = 1min, .maxQueue = 1});
    QCOMPARE(judged.line,
             u"OK - 1 request waits; not seen: how long 1 request has waited for nightly|wait=U;;60;0 queue=1;;1;0 "
             "held=7200.0s;;;0"_s);
    LeaseFigures several = figures; // and what is seen is bad enough
    several.queue = 4;
    several.waitsUntold = 2;
    several.wait = 2min;
    several.waitsFor = "old";
    const CheckResult critical = checkLeases(several, {.maxWait = 1min});
    QVERIFY2(critical.line.startsWith(
                 u"CRITICAL - 4 requests wait, the longest for 2 min for old; not seen: how long "
                 "2 requests have waited, one of them for nightly (--max-queue judges how many wait)|wait=120.0s;"_s),
             qPrintable(critical.line));
    several.wait = 1s; // another one may have waited for longer
    QCOMPARE(checkLeases(several, {.maxWait = 1min}).state, CheckState::Unknown);
}

void WaitsCheckTest::aSessionsWaitOfUnknownLengthIsNotInOrder()
{
    ServerWaits waits = incident();
    waits.edges[0].since.reset();
    QCOMPARE(checkWaits(waits, {.maxWait = 1min}).state, CheckState::Ok); // who has gone waits no more
    waits.sessions[13].id = 13;
    const CheckResult unknown = checkWaits(waits, {.maxWait = 1min});
    QVERIFY2(unknown.line.startsWith(u"UNKNOWN - 2 sessions wait, the longest for 5.0 s; session 12 "_s)
                 && unknown.line.contains(u"; not seen: how long 1 session has waited (--max-queue "_s)
                 && unknown.line.contains(u"|wait=5.0s;"_s),
             qPrintable(unknown.line));
    QCOMPARE(checkWaits(waits, {.maxWait = 1min, .maxQueue = 2}).state, CheckState::Ok);
    waits.edges.append({13, 12, waits.edges[0].object, u"X"_s, kNow - 20s}); // it tells elsewhere
    QCOMPARE(checkWaits(waits, {.maxWait = 1min}).state, CheckState::Ok);
}

/// As behind LOCK TABLES, where no table tells of metadata locks.
void WaitsCheckTest::aSessionThatWaitsForNobodyKnownIsNoBlocker()
{
    ServerWaits waits;
    waits.clock.server = kNow;
    for (const quint64 id : {quint64(71), quint64(72)}) {
        waits.sessions[id].id = id;
        waits.sessions[id].user = u"app"_s;
        waits.sessions[id].host = u"a7"_s;
    }
    waits.lost = {{71, ServerLockKind::Metadata, kNow - 2s}};
    QCOMPARE(checkWaits(waits, {.maxWait = 1s}).line.section(u'|', 0, 0),
             u"CRITICAL - 1 session waits, the longest for 2.0 s; who blocks it is not known"_s);
    waits.lost.append({72, ServerLockKind::Metadata, kNow - 1s});
    QCOMPARE(checkWaits(waits, {.maxWait = 1s}).line.section(u'|', 0, 0),
             u"CRITICAL - 2 sessions wait, the longest for 2.0 s; who blocks them is not known"_s);
    waits.lost.removeLast();
    waits.edges.append({72, 71, {}, u"X"_s, kNow - 1s});
    QCOMPARE(checkWaits(waits, {.maxWait = 1s}).line.section(u'|', 0, 0),
             u"CRITICAL - 2 sessions wait, the longest for 2.0 s; session 71 app@a7 blocks 1 of them, and who blocks "
             "it is not known"_s);
}

/// Who stands by to lead waits on purpose, and can look like any other waiter.
void WaitsCheckTest::whoWaitsForOtherProgramsLocksIsOnlyMentioned()
{
    LeaseFigures figures;
    figures.othersQueue = 2;
    QCOMPARE(checkLeases(figures, {.maxWait = 1min, .maxQueue = 0, .maxHeld = 1h}).line,
             u"OK - nobody waits for a lease; 2 requests that wait for locks of other programs are not judged|"
             "wait=0.0s;;60;0 queue=0;;0;0 held=0.0s;;3600;0"_s);
}

void WaitsCheckTest::aLockThatDoesNotTellSinceWhenIsSaid_data()
{
    QTest::addColumn<int>("leases");
    QTest::addColumn<int>("others");
    QTest::addColumn<QString>("told");
    QTest::newRow("a lease") << 1 << 0 << u"since when 1 lease is held"_s;
    QTest::newRow("other programs' locks") << 0 << 2 << u"since when 2 locks of other programs are held"_s;
    QTest::newRow("both") << 2 << 1 << u"since when 2 leases are held, since when 1 lock of other programs is held"_s;
}

void WaitsCheckTest::aLockThatDoesNotTellSinceWhenIsSaid()
{
    QFETCH(int, leases);
    QFETCH(int, others);
    QFETCH(QString, told);
    LeaseFigures figures;
    figures.heldUntold = leases;
    figures.othersUntold = others;
    const CheckResult asked = checkLeases(figures, {.maxWait = 1min, .maxHeld = 1h});
    QCOMPARE(asked.line,
             u"OK - nobody waits for a lease; not seen: %1|wait=0.0s;;60;0 queue=0;;;0 held=U;;3600;0"_s.arg(told));
    QVERIFY(asked.json[u"heldMs"_s].isNull());
    QCOMPARE(checkLeases(figures, {.maxWait = 1min}).line,
             u"OK - nobody waits for a lease|wait=0.0s;;60;0 queue=0;;;0 held=U;;;0"_s);
}

void WaitsCheckTest::anErrorDoesNotHideWhatWasMeasured_data()
{
    QTest::addColumn<QString>("failsAt");
    QTest::addColumn<qint64>("maxHeld"); // in seconds
    QTest::addColumn<int>("state");
    QTest::addColumn<QString>("line"); // what it begins with
    const QString waiting = u"1 request waits, the longest for 40 s for nightly; "_s;
    QTest::newRow("nothing fails, and too old")
        << QString() << qint64(300) << 2 << u"CRITICAL - "_s + waiting + u"job"_s;
    QTest::newRow("nothing fails") << QString() << qint64(720'000) << 1 << u"WARNING - 1 request"_s;
    QTest::newRow("a queue, and another program's is too old")
        << u"the queue"_s << qint64(10'800) << 2 << u"CRITICAL - nobody waits for a lease; job has been held"_s;
    QTest::newRow("a queue") << u"the queue"_s << qint64(720'000) << 3 << u"UNKNOWN - No queue."_s;
    QTest::newRow("a later lease, and too old")
        << u"the second lease"_s << qint64(300) << 2 << u"CRITICAL - "_s + waiting + u"nightly"_s;
    QTest::newRow("a later lease") << u"the second lease"_s << qint64(720'000) << 1 << u"WARNING - "_s + waiting;
    QTest::newRow("other programs', and too old")
        << u"other programs"_s << qint64(300) << 2 << u"CRITICAL - "_s + waiting + u"old"_s;
    QTest::newRow("other programs'") << u"other programs"_s << qint64(720'000) << 1 << u"WARNING - "_s + waiting;
    QTest::newRow("the first of all") << u"the first lease"_s << qint64(300) << 3 << u"UNKNOWN - No lease."_s;
}

void WaitsCheckTest::anErrorDoesNotHideWhatWasMeasured()
{
    QFETCH(QString, failsAt);
    QFETCH(qint64, maxHeld);
    QFETCH(int, state);
    QFETCH(QString, line);
    FailingSource source;
    source.failsAt = failsAt;
    const WaitLimits limits{.warn = 30s, .maxWait = 1min, .maxHeld = std::chrono::seconds(maxHeld)};
    const CheckResult result = checkLeases(measureLeases(source, true), limits);
    QVERIFY2(int(result.state) == state && result.line.startsWith(line), qPrintable(result.line));
    const bool saysIt = result.line.contains(u"; not seen: "_s) || result.state == CheckState::Unknown;
    QCOMPARE(saysIt, !failsAt.isEmpty());
}

void WaitsCheckTest::aPreparedTransactionHoldsTooWithoutASession()
{
    ServerWaits waits;
    waits.clock.server = kNow;
    PreparedTransaction prepared;
    prepared.transaction = {421, u"RUNNING"_s, kNow - 5min, {}, 1, 1};
    prepared.xids = {{1, "x1", {}}};
    prepared.isTold = true;
    waits.prepared.insert(preparedNumber(421), prepared);
    WaitLimits limits;
    limits.maxHeld = Duration(299s);
    const CheckResult result = checkWaits(waits, limits);
    QCOMPARE(result.state, CheckState::Critical);
    QCOMPARE(result.json[u"heldBy"_s].toString(), u"transaction 421"_s);
    QVERIFY2(result.line.contains(u"transaction 421 prepared as XA 'x1' has been open for 5 min"_s),
             qPrintable(result.line));
}

/// It is said, and counts for nothing; what else waits does.
void WaitsCheckTest::whatALessonDoesToItselfIsNoFinding()
{
    const QString run = newRunName();
    ServerWaits waits = incident();
    for (const quint64 id : {12ULL, 13ULL, 14ULL}) {
        waits.sessions[id].id = id;
        waits.sessions[id].user = lessonUserName(run);
        waits.sessions[id].schema = lessonSchemaName(run);
    }
    for (WaitEdge &edge : waits.edges)
        edge.object.schema = lessonSchemaName(run);
    const WaitLimits limits{.warn = 1s, .maxWait = 2s, .maxQueue = 0, .maxHeld = 1min};
    QCOMPARE(
        checkWaits(waits, limits).line,
        u"OK - nobody waits; 2 sessions wait in lessons or the lab, on purpose; session 12 of a lesson or the lab has "
        "been in its transaction for 5 min, and holds nobody else up|wait=0.0s;1;2;0 queue=0;;0;0 "
        "held=0.0s;;60;0"_s);
    ServerObject row;
    row.schema = u"shop"_s;
    row.name = "stock";
    waits.edges.append({22, 21, row, u"X"_s, kNow - 3s});
    const CheckResult result = checkWaits(waits, limits);
    QCOMPARE(result.state, CheckState::Critical);
    QCOMPARE(result.json[u"queue"_s].toInt(), 1);
    QCOMPARE(result.json[u"waitMs"_s].toInteger(), 3'000);
    QVERIFY2(result.line.contains(u"1 session waits, the longest for 3.0 s; session 21 "_s), qPrintable(result.line));
}

void WaitsCheckTest::aLockInATableCountsAsHeld()
{
    TableLocks tables;
    tables.clock.server = kNow;
    TableLock lock;
    lock.table.schema = u"app"_s;
    lock.table.name = u"jobs"_s;
    lock.key = "a|b";
    lock.state = TableLockState::Held;
    lock.since = kNow - 10min;
    tables.locks = {lock, lock};
    tables.locks[1].state = TableLockState::Expired;
    tables.locks[1].since = kNow - 24h;
    const auto critical = checkWaits(incident(), {.maxWait = 1min, .maxHeld = 8min}, tables);
    QCOMPARE(int(critical.state), int(CheckState::Critical));
    QVERIFY2(critical.line.contains(u"; app.jobs a/b has been held for 10 min|"_s), qPrintable(critical.line));
    QCOMPARE(critical.json[u"heldBy"_s].toString(), u"app.jobs a|b"_s);
    tables.locks[0].since = kNow - 1min; // the transaction is older
    QCOMPARE(checkWaits(incident(), {.maxWait = 1min, .maxHeld = 8min}, tables).json[u"heldBy"_s].toInteger(), 12);
    tables.locks[0].since = kNow - 10min;
    tables.locks[0].table.isLookAlike = true; // it may be no lock at all
    tables.unread = {{u"app.stock"_s, true}};
    QCOMPARE(int(checkWaits(ServerWaits(), {.maxWait = 1min, .maxHeld = 8min}, tables).state), int(CheckState::Ok));
    tables.unread.append({u"app.shedlock"_s});
    const auto unknown = checkWaits(ServerWaits(), {.maxWait = 1min, .maxHeld = 8min}, tables);
    QCOMPARE(int(unknown.state), int(CheckState::Unknown));
    QVERIFY2(unknown.line.contains(u"app.shedlock"_s) && !unknown.line.contains(u"stock"_s), qPrintable(unknown.line));
    QCOMPARE(int(checkWaits(ServerWaits(), {.maxWait = 1min}, tables).state), int(CheckState::Ok));
    tables.unread.clear();
    tables.locks[1].state = TableLockState::Unknown; // as without the application's time zone
    const auto unjudged = checkWaits(ServerWaits(), {.maxWait = 1min, .maxHeld = 8min}, tables);
    QCOMPARE(int(unjudged.state), int(CheckState::Ok));
    QVERIFY2(unjudged.line.contains(u"; not seen: whether 1 lock of other programs is held ("_s),
             qPrintable(unjudged.line));
    QVERIFY(!checkWaits(ServerWaits(), {.maxWait = 1min}, tables).line.contains(u"not seen"_s));
    tables.locks[1].state = TableLockState::Held; // as where the table has only its end
    tables.locks[1].since.reset();
    const auto untold = checkWaits(ServerWaits(), {.maxWait = 1min, .maxHeld = 8min}, tables);
    QCOMPARE(untold.line,
             u"OK - nobody waits; not seen: since when 1 lock of other programs is held|wait=0.0s;;60;0 queue=0;;;0 "
             "held=U;;480;0"_s);
    QVERIFY(untold.json[u"heldMs"_s].isNull());
    tables.locks[1].state = TableLockState::Expired;
    tables.notes.append(u"app.x cannot be read"_s);
    const auto partial = checkWaits(ServerWaits(), {.maxWait = 1min, .maxHeld = 8min}, tables);
    QVERIFY2(partial.line.contains(u"; not seen: some lock tables of other programs|"_s), qPrintable(partial.line));
    tables.isScanCut = true;
    const auto cut = checkWaits(ServerWaits(), {.maxWait = 1min, .maxHeld = 8min}, tables);
    QCOMPARE(int(cut.state), int(CheckState::Unknown));
    QVERIFY2(cut.line.contains(u"--schema"_s), qPrintable(cut.line));
}

/// It may be forgotten, and keeps the server from purging: it is said.
void WaitsCheckTest::aLessonsOpenTransactionIsAFindingOnceAStrangerWaitsForIt()
{
    const QString run = newRunName();
    ServerWaits waits = incident();
    waits.edges.clear();
    waits.sessions[12].user = lessonUserName(run);
    waits.sessions[12].schema = lessonSchemaName(run);
    const WaitLimits limits{.maxWait = 30s, .maxHeld = 1min};
    const CheckResult quiet = checkWaits(waits, limits);
    QCOMPARE(quiet.line,
             u"OK - nobody waits; session 12 of a lesson or the lab has been in its transaction for 5 min, and holds "
             "nobody else up|wait=0.0s;;30;0 queue=0;;;0 held=0.0s;;60;0"_s);
    QVERIFY(quiet.json[u"heldBy"_s].isNull());
    ServerObject row;
    row.schema = lessonSchemaName(run);
    row.name = "t";
    waits.edges.append({22, 12, row, u"X"_s, kNow - 3s});
    const CheckResult result = checkWaits(waits, limits);
    QCOMPARE(result.state, CheckState::Critical);
    QCOMPARE(result.json[u"heldBy"_s].toInteger(), 12);
    QCOMPARE(result.json[u"queue"_s].toInt(), 1);
}

QTEST_GUILESS_MAIN(WaitsCheckTest)
#include "tst_waitscheck.moc"
