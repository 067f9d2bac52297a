// SPDX-License-Identifier: MIT
// Who blocks whom as lockctl prints it: for a terminal of any width, and for programs.
#include "locks/serverrows.h"
#include "terminal/columns.h"
#include "terminal/output.h"
#include "text/blockingtree.h"
#include "text/killtext.h"
#include "text/serverlocks.h"
#include "text/waitsjson.h"
#include "text/waitstext.h"
#include "waitparts.h"

#include <QtTest/QtTest>

#include <algorithm>

using namespace lockscope;
using lockscope::test::row;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr ServerTime kNow{std::chrono::hours(480'000)};

ServerObject definition()
{
    ServerObject object;
    object.kind = ServerLockKind::Metadata;
    object.scope = u"TABLE"_s;
    object.schema = u"shop"_s;
    object.name = "stock";
    return object;
}

ServerObject userLock(const QByteArray &name)
{
    ServerObject object;
    object.kind = ServerLockKind::User;
    object.name = name;
    return object;
}

ServerSession client(quint64 id, const QByteArray &statement, bool isIdle = false)
{
    ServerSession session;
    session.id = id;
    session.user = u"app"_s;
    session.host = u"10.0.0.5"_s;
    session.schema = u"app"_s;
    session.program = u"billing"_s;
    session.command = isIdle ? u"Sleep"_s : u"Query"_s;
    session.commandSince = kNow - (isIdle ? 2min : 20s);
    session.statement = {isIdle ? Statement::Source::Last : Statement::Source::Running, statement};
    return session;
}

void add(ServerWaits *waits, const ServerSession &session)
{
    waits->sessions.insert(session.id, session);
}

/// An idle transaction holds a row; three wait for it, an ALTER for its table, a reader behind that. Somebody waits for
/// the lock of a migration tool, and two for each other.
ServerWaits incident()
{
    ServerWaits waits;
    waits.clock.server = kNow;
    waits.sources.append({WaitSource::Sessions, SourceStatus::State::Complete, {}, {}, false, 0});
    ServerSession holder = client(12, "UPDATE stock SET n = n - 1 WHERE id = 5", true);
    holder.transaction = Transaction{421, u"RUNNING"_s, kNow - 5min, {}, 3, 1};
    add(&waits, holder);
    for (quint64 waiter = 13; waiter <= 15; ++waiter) {
        add(&waits, client(waiter, "UPDATE stock\n   SET n = 0\n WHERE id = 5"));
        waits.edges.append({waiter, 12, row("5"), u"X,REC_NOT_GAP"_s, kNow - 20s});
        for (quint64 before = 13; before < waiter; ++before)
            waits.edges.append({waiter, before, row("5"), u"X,REC_NOT_GAP"_s, kNow - 20s});
    }
    add(&waits, client(16, "ALTER TABLE stock ADD note TEXT"));
    waits.edges.append({16, 12, definition(), u"EXCLUSIVE"_s, kNow - 10s});
    add(&waits, client(17, "SELECT * FROM stock"));
    waits.edges.append({17, 16, definition(), u"SHARED_READ"_s, kNow - 5s});
    add(&waits, client(20, "DO 1", true));
    waits.edges.append({21, 20, userLock("6939591962871035475"), u"EXCLUSIVE"_s, kNow - 3s, true});
    waits.edges.append({30, 31, userLock("a"), {}, kNow - 2s});
    waits.edges.append({31, 30, userLock("b"), {}, kNow - 2s});
    waits.lost.append({40, ServerLockKind::Metadata, kNow - 1s});
    return waits;
}

QStringList draw(const ServerWaits &waits, int columns, bool isColoured = false, int waiters = 50)
{
    return ctl::blockingTree(waits, buildWaitGraph(waits, kNow), kNow, {columns, isColoured, waiters});
}

QJsonArray json(const ServerWaits &waits)
{
    return ctl::blockersToJson(waits, buildWaitGraph(waits, kNow), kNow);
}

/// The node of this session, wherever it is.
QJsonObject find(const QJsonArray &nodes, qint64 connection)
{
    for (const auto &node : nodes) {
        if (node[u"connectionId"_s].toInteger() == connection)
            return node.toObject();
        if (const QJsonObject found = find(node[u"waiters"_s].toArray(), connection); !found.isEmpty())
            return found;
    }
    return {};
}

int widest(const QStringList &lines)
{
    int columns = 0;
    for (const QString &line : lines)
        columns = qMax(columns, ctl::columnsOf(line));
    return columns;
}

} // namespace

class BlockingTreeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nobodyIsSaidToStayWhoseBlockerIsNotTold();
    void whoInsertsOneKeyIsToExpectOneErrorOrTheOther();
    void aKillWhoseAnswerWasLostIsUnknown();
    void anIncidentIsReadInEightyColumns();
    void aWideTerminalPutsASessionOnALine();
    void coloursAreAddedOnRequestOnly();
    void noLineIsWiderThanTheTerminal_data();
    void noLineIsWiderThanTheTerminal();
    void aLongQueueIsCounted();
    void theStatementThatTookTheLockIsTold();
    void aDeepChainStaysOnTheScreen();
    void hostileTextReachesNoTerminal();
    void theJsonHasTheFieldsOfTheContract();
    void aRingIsANodeOfItsOwn();
    void whoWaitsForTheUnknownSaysSo();
    void aLeaseIsNotTakenForAUserLevelLock();
    void whatIsHeldIsListed();
};

void BlockingTreeTest::anIncidentIsReadInEightyColumns()
{
    const QString text = draw(incident(), 80).join(u'\n');
    const QString expected = uR"(12  app@10.0.0.5 (billing)  blocks row shop.stock PRIMARY (5) and 1 lock more
│  idle 2 min in a transaction of 5 min  1 row changed
│  frees 2 at once, up to 3 later, 1 min of waiting
│  ran last: UPDATE stock SET n = n - 1 WHERE id = 5
├─ ×3  app@10.0.0.5 (billing)  wait up to 20 s for row shop.stock PRIMARY (5)
│     X,REC_NOT_GAP  runs: UPDATE stock SET n = 0 WHERE id = 5
│     13 14 15
└─ 16  app@10.0.0.5 (billing)  waits 10 s for metadata of shop.stock  EXCLUSIVE
   │  1 queues behind it  runs: ALTER TABLE stock ADD note TEXT
   └─ 17  app@10.0.0.5 (billing)  waits 5.0 s for metadata of shop.stock
         SHARED_READ  runs: SELECT * FROM stock
)"_s;
    QVERIFY2(text.startsWith(expected), qPrintable(text));
    for (const QString &part : {u"GET_LOCK 6939591962871035475 (Rails migrations of app)"_s, u"by its statement"_s,
                                u"ring of 2 that wait for each other"_s, u"40  gone"_s,
                                u"waits for a metadata lock whose holder the server does not name"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u'\n' + text));
}

void BlockingTreeTest::aWideTerminalPutsASessionOnALine()
{
    const ServerWaits waits = incident();
    const WaitGraph graph = buildWaitGraph(waits, kNow);
    const auto lines = draw(waits, 300);
    QCOMPARE(lines.size(), graph.nodes.size() - 1); // three equal waiters have one, and one for their numbers
    QVERIFY(lines[0].contains(u"frees 2 at once, up to 3 later"_s) && lines[0].contains(u"UPDATE stock"_s));
}

void BlockingTreeTest::coloursAreAddedOnRequestOnly()
{
    QVERIFY(!draw(incident(), 80).join(u'\n').contains(u'\x1b'));
    QString text = draw(incident(), 80, true).join(u'\n');
    QVERIFY(text.contains(u"\x1b[1m12\x1b[0m"_s));
    text.remove(QRegularExpression(u"\x1b\\[[0-9]*m"_s));
    QCOMPARE(text, draw(incident(), 80).join(u'\n'));
}

void BlockingTreeTest::noLineIsWiderThanTheTerminal_data()
{
    QTest::addColumn<int>("columns");
    for (const int columns : {20, 40, 60, 80, 120, 200})
        QTest::addRow("%d", columns) << columns;
}

void BlockingTreeTest::noLineIsWiderThanTheTerminal()
{
    QFETCH(int, columns);
    ServerWaits waits = incident();
    waits.sessions[13].statement.text = "UPDATE stock SET note = '" + QByteArray("库存").repeated(200) + "'";
    waits.sessions[14].user = QString(200, u'u');
    QVERIFY(widest(draw(waits, columns)) <= columns);
}

void BlockingTreeTest::aLongQueueIsCounted()
{
    ServerWaits waits;
    for (quint64 waiter = 2; waiter < 1002; ++waiter)
        waits.edges.append({waiter, 1, row("5"), u"X"_s, kNow - 1s});
    const auto lines = draw(waits, 120, false, 50);
    QCOMPARE(lines.size(), 52);
    QCOMPARE(lines.last(), u"└─ and 950 waiters more"_s);
    QCOMPARE(json(waits)[0][u"waiters"_s].toArray().size(), 1000);
}

void BlockingTreeTest::theStatementThatTookTheLockIsTold()
{
    ServerWaits waits = incident();
    ServerSession &holder = waits.sessions[12];
    holder.history = {{"UPDATE stock SET n = 0\nWHERE id = 5", true}, {holder.statement.text, false}};
    const QString text = draw(waits, 80).join(u'\n');
    QVERIFY2(text.contains(u"│  ran last: UPDATE stock SET n = n - 1 WHERE id = 5\n"
                           "│  took the lock by: UPDATE stock SET n = 0 WHERE id = 5\n"_s),
             qPrintable(text));
    const QJsonArray history = find(json(waits), 12)[u"history"_s].toArray();
    QCOMPARE(history.size(), 2);
    QVERIFY(history[0][u"tookLock"_s].toBool() && !history[1][u"tookLock"_s].toBool());
}

void BlockingTreeTest::aDeepChainStaysOnTheScreen()
{
    ServerWaits waits;
    for (quint64 waiter = 2; waiter <= 300; ++waiter)
        waits.edges.append({waiter, waiter - 1, userLock(QByteArray::number(waiter)), {}, kNow - 1s});
    const auto lines = draw(waits, 80);
    QVERIFY(widest(lines) <= 80);
    QVERIFY2(lines.last().contains(u"GET_LOCK 300"_s), qPrintable(lines.last()));
}

void BlockingTreeTest::hostileTextReachesNoTerminal()
{
    ServerWaits waits = incident();
    const QString hostile = u"\x1b[2J\n`'\"\\\u202e"_s;
    ServerSession &session = waits.sessions[12];
    session.user = session.host = session.program = hostile;
    session.statement.text = "SELECT '\x1b]0;x\x07\xff" + QByteArray(qsizetype(64) * 1024, 'x');
    for (WaitEdge &edge : waits.edges) {
        edge.object.name = hostile.toUtf8() + '\xff';
        edge.mode = hostile;
    }
    const QString text = draw(waits, 80).join(u'\n');
    for (const QChar c : {QChar(0x1b), QChar(0x07), QChar(0x202e)})
        QVERIFY(!text.contains(c));
    QVERIFY(text.contains(u"\\x1b[2J\\x0a`'\"\\\\\\xe2\\x80\\xae"_s));
    QVERIFY(text.contains(u'…'));
    QCOMPARE(find(json(waits), 12)[u"user"_s].toString(), hostile);
    QCOMPARE(QByteArray::fromHex(find(json(waits), 21)[u"resourceHex"_s].toString().toLatin1()),
             hostile.toUtf8() + '\xff');
}

void BlockingTreeTest::theJsonHasTheFieldsOfTheContract()
{
    const QJsonArray roots = json(incident());
    const QJsonObject root = roots[0].toObject();
    QCOMPARE(root[u"connectionId"_s].toInteger(), 12);
    QCOMPARE(root[u"kind"_s].toString(), u"row"_s);
    QCOMPARE(root[u"resource"_s].toString(), u"shop.stock PRIMARY (5)"_s);
    QCOMPARE(root[u"frees"_s].toInt(), 5);
    QCOMPARE(root[u"freesAtOnce"_s].toInt(), 2); // the ALTER wants another lock
    QCOMPARE(root[u"blocksDirectly"_s].toInt(), 4);
    QCOMPARE(root[u"waitersBehind"_s].toInt(), 5);
    QCOMPARE(find(roots, 13)[u"blocksDirectly"_s].toInt(), 0);
    QCOMPARE(find(roots, 13)[u"waitersBehind"_s].toInt(), 2);
    QCOMPARE(root[u"waitedMs"_s].toInteger(), 75'000); // of all that it frees
    QCOMPARE(root[u"transaction"_s][u"id"_s].toInteger(), 421);
    QCOMPARE(root[u"statement"_s][u"source"_s].toString(), u"last"_s);
    QCOMPARE(root[u"waiters"_s].toArray().size(), 4);

    const QJsonObject waiter = find(roots, 17);
    QCOMPARE(waiter[u"kind"_s].toString(), u"metadata"_s);
    QCOMPARE(waiter[u"resource"_s].toString(), u"shop.stock"_s);
    QCOMPARE(waiter[u"mode"_s].toString(), u"SHARED_READ"_s);
    QCOMPARE(waiter[u"waitedMs"_s].toInteger(), 5'000); // its own
    QCOMPARE(waiter[u"waiters"_s].toArray().size(), 0);
    QVERIFY(find(roots, 16)[u"waiters"_s].toArray().contains(QJsonValue(waiter)));

    const QJsonObject migration = find(roots, 21);
    QCOMPARE(migration[u"kind"_s].toString(), u"user"_s);
    QCOMPARE(migration[u"resource"_s].toString(), u"6939591962871035475"_s);
    QCOMPARE(migration[u"takenBy"_s].toString(), u"Rails migrations of app"_s);
    QCOMPARE(migration[u"isInferred"_s].toBool(), true);
    QCOMPARE(migration[u"isGone"_s].toBool(), true);
}

void BlockingTreeTest::aRingIsANodeOfItsOwn()
{
    const QJsonArray roots = json(incident());
    const auto ring = std::find_if(roots.begin(), roots.end(),
                                   [](const QJsonValue &root) { return root.toObject().contains(u"ring"_s); });
    QVERIFY(ring != roots.end());
    QVERIFY((*ring)[u"connectionId"_s].isNull());
    QCOMPARE((*ring)[u"ring"_s].toArray(), QJsonArray({30, 31}));
    QCOMPARE((*ring)[u"waiters"_s].toArray().size(), 2);
    QCOMPARE(find(roots, 30)[u"resource"_s].toString(), u"a"_s);
    QCOMPARE(find(roots, 31)[u"resource"_s].toString(), u"b"_s);
}

void BlockingTreeTest::whoWaitsForTheUnknownSaysSo()
{
    const QJsonObject lost = find(json(incident()), 40);
    QCOMPARE(lost[u"isHolderKnown"_s].toBool(), false);
    QCOMPARE(lost[u"kind"_s].toString(), u"metadata"_s);
    QVERIFY(lost[u"resource"_s].isNull());
    QCOMPARE(lost[u"waitedMs"_s].toInteger(), 1'000);
    QVERIFY(lost.contains(u"takenBy"_s) && lost[u"takenBy"_s].isNull());
}

void BlockingTreeTest::aLeaseIsNotTakenForAUserLevelLock()
{
    ServerWaits waits;
    ServerObject lease = userLock("orders/42");
    lease.scope = u"LEASE"_s;
    waits.edges.append({61, 60, lease, u"EXCLUSIVE"_s, kNow - 3s});
    lease.name.clear(); // its table may not be read
    waits.edges.append({63, 62, lease, u"EXCLUSIVE"_s, kNow - 3s});
    const QString text = draw(waits, 80).join(u'\n');
    QVERIFY2(text.contains(u"waits 3.0 s for lease orders/42"_s) && text.contains(u"blocks a lease"_s),
             qPrintable(text));
    QVERIFY2(!text.contains(u"GET_LOCK"_s), qPrintable(text));
    const QJsonObject named = find(json(waits), 61);
    QCOMPARE(named[u"kind"_s].toString(), u"lease"_s);
    QCOMPARE(named[u"resource"_s].toString(), u"orders/42"_s);
    QVERIFY(named.contains(u"takenBy"_s) && named[u"takenBy"_s].isNull());
    const QJsonObject unnamed = find(json(waits), 63);
    QCOMPARE(unnamed[u"kind"_s].toString(), u"lease"_s);
    for (const QString &key : {u"resource"_s, u"resourceHex"_s, u"takenBy"_s})
        QVERIFY2(unnamed.contains(key) && unnamed[key].isNull(), qPrintable(key));
}

void BlockingTreeTest::whatIsHeldIsListed()
{
    ServerWaits waits = incident();
    waits.locks.append({definition(), u"SHARED_WRITE"_s, true, 12, Age{AgeOf::Transaction, kNow - 5min}});
    waits.locks.append({definition(), u"EXCLUSIVE"_s, false, 16, {}});
    waits.locks.append({userLock("6939591962871035475"), u"EXCLUSIVE"_s, true, 20, Age{AgeOf::Lock, kNow - 1min}});
    waits.locks.append({userLock("own"), {}, true, 50, {}});
    ServerSession own = client(50, {});
    own.protection = Protection::Own;
    add(&waits, own);
    waits.sessions[12].osPid = 4711;
    const auto held = heldLocks(waits);
    const QJsonArray array = ctl::serverLocksToJson(held, waits, kNow);
    QStringList kinds;
    for (const auto &lock : array)
        kinds.append(lock[u"kind"_s].toString());
    QCOMPARE(kinds, QStringList({u"row"_s, u"metadata"_s, u"user"_s}));
    QCOMPARE(array[0][u"connectionId"_s].toInteger(), 12);
    QCOMPARE(array[0][u"resource"_s].toString(), u"shop.stock PRIMARY (5)"_s);
    QCOMPARE(array[0][u"waiters"_s].toInt(), 3);
    QVERIFY(array[0][u"acquiredAt"_s].isNull()); // the transaction's age is not the lock's
    QCOMPARE(array[0][u"ageMs"_s].toInteger(), 300'000);
    QCOMPARE(array[1][u"waiters"_s].toInt(), 2); // an ALTER, and who stands behind it
    QCOMPARE(array[2][u"takenBy"_s].toString(), u"Rails migrations of app"_s);
    QVERIFY(!array[2][u"acquiredAt"_s].isNull());
    LockRow ofEngine;
    ofEngine.key.kind = LockKind::Row;
    ofEngine.connectionId = 12;
    QCOMPARE(ctl::serverLocksToJson(withoutLeases(held, {ofEngine}), waits, kNow).size(), 2);

    const QList<QStringList> cells = ctl::serverLockCells(held, waits, kNow);
    const QString text = ctl::table(QStringList(cells.constFirst().size()), cells);
    const QStringList lines = text.split(u'\n');
    QVERIFY2(lines[1].contains(u"< 5 min"_s) && lines[1].contains(u"12 app@10.0.0.5 (billing, pid 4711)  3 rows"_s),
             qPrintable(text));
    for (const QString &line : {lines[1], lines[2]}) // of its rows and of a definition
        QVERIFY2(line.endsWith(u"3 rows locked, 1 changed; ran last: UPDATE stock SET n = n - 1 WHERE id = 5"_s),
                 qPrintable(line));
    QVERIFY2(lines[2].contains(u"SHARED_WRITE; 3 rows"_s), qPrintable(lines[2])); // a session may hold it in several
    QVERIFY2(lines[3].endsWith(u"Rails migrations of app; ran last: DO 1"_s), qPrintable(lines[3]));
    QVERIFY(draw(waits, 200).first().contains(u"app@10.0.0.5 (billing, pid 4711)"_s));
    QVERIFY(!draw(waits, 80).join(u'\n').contains(u"4711"_s)); // there is no room to spare
}

/// Without the performance schema MySQL tells who waits for a row, and not for whom.
void BlockingTreeTest::nobodyIsSaidToStayWhoseBlockerIsNotTold()
{
    ServerWaits waits;
    QCOMPARE(ctl::forecastLines(forecast(waits, {12}), waits), QStringList{u"Nobody goes on."_s});
    waits.sessions.insert(15, client(15, "UPDATE stock SET n = 1"));
    waits.lost.append({15, ServerLockKind::Record, kNow});
    const QString lines = ctl::forecastLines(forecast(waits, {12}), waits).join(u'\n');
    QVERIFY2(lines.startsWith(u"It is not known who goes on"_s) && lines.contains(u"15 app@10.0.0.5"_s),
             qPrintable(lines));
    WaitForecast kept;
    kept.stay = {14, 15};
    kept.kept = {15};
    const QString stay = ctl::forecastLines(kept, {}).join(u'\n');
    QVERIFY2(stay.contains(u"what they wait for is kept: 15"_s) && stay.contains(u"blocked by others: 14"_s),
             qPrintable(stay));
    KillPreview preview;
    preview.forecast = forecast(waits, {12});
    QCOMPARE(ctl::killPreviewToJson(preview, waits, 12)[u"isFreedKnown"_s].toBool(true), false);
    preview.forecast.isWhole = true;
    QCOMPARE(ctl::killPreviewToJson(preview, waits, 12)[u"isFreedKnown"_s].toBool(), true);
    preview.isFreedIfUnheld = true;
    QCOMPARE(ctl::killPreviewToJson(preview, waits, 12)[u"isFreedKnown"_s].toBool(true), false);
    preview.isFreedIfUnheld = false;
    preview.isFreedIfOwn = true;
    QCOMPARE(ctl::killPreviewToJson(preview, waits, 12)[u"isFreedKnown"_s].toBool(true), false);
}

void BlockingTreeTest::whoInsertsOneKeyIsToExpectOneErrorOrTheOther()
{
    KillPreview preview;
    preview.session.emplace();
    preview.deadlocks = 2;
    const QString lines = ctl::killPreviewLines(preview, {}, KillKind::Connection, 80).join(u'\n');
    QVERIFY2(lines.contains(u"At least 2 waiters have to expect an error: 1213 (deadlock), or 1062 (duplicate key) if "
                            "the row of that key comes back."_s),
             qPrintable(lines));
}

void BlockingTreeTest::aKillWhoseAnswerWasLostIsUnknown()
{
    KillReport report;
    report.error.emplace().kind = LockError::Kind::ConnectionLost;
    QCOMPARE(ctl::killReportToJson(report, 12)[u"outcome"_s].toString(), u"failed"_s); // nothing was sent
    report.statement = "KILL CONNECTION 12";
    QCOMPARE(ctl::killReportToJson(report, 12)[u"outcome"_s].toString(), u"unknown"_s);
}

QTEST_GUILESS_MAIN(BlockingTreeTest)
#include "tst_blockingtree.moc"
