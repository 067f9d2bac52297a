// SPDX-License-Identifier: MIT
// From snapshots to list updates: filter, order, what is marked as new and what stays as it vanishes.
#include "locks/locklist.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

using TimePoint = LockListBuilder::TimePoint;
constexpr TimePoint kStart{std::chrono::hours(1)};

LockRow row(const QByteArray &resource, LockState state = LockState::Held, quint64 token = 1)
{
    LockRow made;
    made.key.resource = resource;
    made.state = state;
    made.token = token;
    return made;
}

LockSnapshot snapshot(const QList<LockRow> &rows)
{
    LockSnapshot made;
    QList<LockRow> sorted = rows;
    std::sort(sorted.begin(), sorted.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    made.rows = shared(sorted);
    for (const LockRow &entry : rows)
        made.counts.add(entry.state);
    return made;
}

QByteArrayList names(const LockListUpdate &update)
{
    QByteArrayList list;
    for (const LockItem &item : update.items)
        list += item.row->key.resource;
    return list;
}

} // namespace

class TestLockList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstSnapshotMarksNothingAsNew();
    void aNewLockIsMarked();
    void aLockInNewHandsIsMarked();
    void aVanishedLockStaysForAMoment();
    void aGhostThatIsTakenAgainIsALockAgain();
    void withoutGhostTimeNothingStays();
    void aCutListMarksNothing();
    void anotherQuestionToTheServerMarksNothing();
    void aFilterHidesWithoutGhosts();
    void filterFindsInEveryField_data();
    void filterFindsInEveryField();
    void facetsAddUp();
    void sortsByEveryColumn_data();
    void sortsByEveryColumn();
    void groupsCountWhatTheFilterShows();
    void aGroupCountsWhoWaitsForSeveralHoldersOnce();
    void aGroupThatIsLookedIntoHidesTheOthers();
    void rowsThatAreTheSameKeepTheirPlace();
    void equalRowsStayInTheOrderOfTheirNames();
    void numbersInNamesStandByTheirValue();
    void locksOfOneNameOnSeveralServersAreSeveral();
    void eachServerHasItsOwnTime();
    void aServerThatComesOrGoesMarksNothing();
};

void TestLockList::theFirstSnapshotMarksNothingAsNew()
{
    LockListBuilder builder;
    const auto update = builder.build(snapshot({row("a"), row("b")}), {}, kStart);
    QCOMPARE(names(update), QByteArrayList({"a", "b"}));
    QVERIFY(!update.items[0].appearedAt && !update.items[1].appearedAt);
    QCOMPARE(update.diff.inserted, QList<int>({0, 1}));
    QCOMPARE(update.shown, 2);
}

void TestLockList::aNewLockIsMarked()
{
    LockListBuilder builder;
    builder.build(snapshot({row("a")}), {}, kStart);
    const auto update = builder.build(snapshot({row("a"), row("b")}), {}, kStart + 1s);
    QVERIFY(!update.items[0].appearedAt);
    QCOMPARE(update.items[1].appearedAt, std::optional(kStart + 1s));
    const auto later = builder.build(snapshot({row("a"), row("b")}), {}, kStart + 2s);
    QVERIFY2(later.diff.isEmpty(), "the mark is not renewed by the next poll");
}

void TestLockList::aLockInNewHandsIsMarked()
{
    LockListBuilder builder;
    builder.build(snapshot({row("a", LockState::Held, 1)}), {}, kStart);
    const auto update = builder.build(snapshot({row("a", LockState::Held, 2)}), {}, kStart + 1s);
    QCOMPARE(update.items[0].appearedAt, std::optional(kStart + 1s));
    QCOMPARE(update.diff.changed, QList<int>({0}));
}

void TestLockList::aVanishedLockStaysForAMoment()
{
    LockListBuilder builder;
    const LockView view;
    builder.build(snapshot({row("a"), row("b")}), view, kStart);
    QVERIFY(!builder.nextGhostEnd(view));
    const auto gone = builder.build(snapshot({row("b")}), view, kStart + 1s);
    QCOMPARE(names(gone), QByteArrayList({"a", "b"}));
    QCOMPARE(gone.items[0].vanishedAt, std::optional(kStart + 1s));
    QCOMPARE(gone.shown, 1);
    QCOMPARE(builder.nextGhostEnd(view), std::optional(kStart + 3s));
    const auto still = builder.build(snapshot({row("b")}), view, kStart + 2s);
    QCOMPARE(names(still), QByteArrayList({"a", "b"}));
    const auto later = builder.build(snapshot({row("b")}), view, kStart + 3s);
    QCOMPARE(names(later), QByteArrayList({"b"}));
    QVERIFY(!builder.nextGhostEnd(view));
}

void TestLockList::aGhostThatIsTakenAgainIsALockAgain()
{
    LockListBuilder builder;
    builder.build(snapshot({row("a")}), {}, kStart);
    builder.build(snapshot({}), {}, kStart + 1s);
    const auto back = builder.build(snapshot({row("a", LockState::Held, 2)}), {}, kStart + 2s);
    QCOMPARE(names(back), QByteArrayList({"a"}));
    QVERIFY(!back.items[0].vanishedAt);
    QCOMPARE(back.diff.changed, QList<int>({0}));
    const auto later = builder.build(snapshot({row("a", LockState::Held, 2)}), {}, kStart + 5s);
    QCOMPARE(names(later), QByteArrayList({"a"}));
}

void TestLockList::withoutGhostTimeNothingStays()
{
    LockListBuilder builder;
    LockView view;
    view.ghostTime = 0ms;
    builder.build(snapshot({row("a")}), view, kStart);
    QVERIFY(builder.build(snapshot({}), view, kStart + 1s).items.isEmpty());
}

void TestLockList::aCutListMarksNothing()
{
    LockListBuilder builder;
    LockSnapshot cut = snapshot({row("a")});
    cut.counts.held = 54'414;
    builder.build(cut, {}, kStart);
    cut.rows = {row("b")};
    const auto update = builder.build(cut, {}, kStart + 1s);
    QCOMPARE(names(update), QByteArrayList({"b"}));
    QVERIFY2(!update.items[0].appearedAt, "b may have been there all the time, outside the list");
    QCOMPARE(update.counts.held, 54'414);
}

void TestLockList::anotherQuestionToTheServerMarksNothing()
{
    LockListBuilder builder;
    builder.build(snapshot({row("a")}), {}, kStart);
    LockSnapshot filtered = snapshot({row("b")});
    filtered.contains = "b";
    const auto update = builder.build(filtered, {}, kStart + 1s);
    QCOMPARE(names(update), QByteArrayList({"b"}));
    QVERIFY(!update.items[0].appearedAt);
}

void TestLockList::aFilterHidesWithoutGhosts()
{
    LockListBuilder builder;
    builder.build(snapshot({row("a"), row("b")}), {}, kStart);
    LockView view;
    view.filter = QStringLiteral("B");
    const auto hidden = builder.build(snapshot({row("a"), row("b")}), view, kStart + 1s);
    QCOMPARE(names(hidden), QByteArrayList({"b"}));
    const auto shown = builder.build(snapshot({row("a"), row("b")}), {}, kStart + 2s);
    QVERIFY2(!shown.items[0].appearedAt, "a lock that the filter hid is not new");
}

void TestLockList::filterFindsInEveryField_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<bool>("isFound");
    QTest::newRow("in the resource") << "ORDERS" << true;
    QTest::newRow("in the service") << "bill" << true;
    QTest::newRow("in the host") << "a7" << true;
    QTest::newRow("in the pid") << "812" << true;
    QTest::newRow("in the note") << "refund" << true;
    QTest::newRow("nowhere") << "nightly" << false;
    QTest::newRow("not as a pattern") << "o.*s" << false;
}

void TestLockList::filterFindsInEveryField()
{
    QFETCH(QString, filter);
    LockRow lock = row("orders/42");
    lock.owner = {QStringLiteral("billing"), QStringLiteral("a7"), 812, QStringLiteral("3"), "00"};
    lock.note = "Refund of May";
    LockView view;
    view.filter = filter;
    LockListBuilder builder;
    QTEST(!builder.build(snapshot({lock}), view, kStart).items.isEmpty(), "isFound");
}

void TestLockList::facetsAddUp()
{
    LockRow waited = row("w");
    waited.waiters = 2;
    const auto all = snapshot({row("h"), row("o", LockState::Orphan), row("x", LockState::Expired), waited});
    LockListBuilder builder;
    LockView view;
    view.facets = LockFacet::Orphan;
    QCOMPARE(names(builder.build(all, view, kStart)), QByteArrayList({"o"}));
    view.facets = LockFacet::Orphan | LockFacet::Waited;
    QCOMPARE(names(builder.build(all, view, kStart)), QByteArrayList({"o", "w"}));
    view.facets = {};
    QCOMPARE(builder.build(all, view, kStart).shown, 4);
}

void TestLockList::sortsByEveryColumn_data()
{
    QTest::addColumn<LockSort>("sort");
    QTest::addColumn<QByteArrayList>("ascending");
    QTest::newRow("resource") << LockSort::Resource << QByteArrayList({"a", "b", "c"});
    QTest::newRow("state: what needs a person first") << LockSort::State << QByteArrayList({"b", "c", "a"});
    QTest::newRow("owner") << LockSort::Owner << QByteArrayList({"c", "b", "a"});
    QTest::newRow("process: pids as numbers") << LockSort::Process << QByteArrayList({"b", "a", "c"});
    QTest::newRow("held for: the latest grant first") << LockSort::HeldFor << QByteArrayList({"c", "b", "a"});
    QTest::newRow("time left: without end last") << LockSort::Remaining << QByteArrayList({"b", "c", "a"});
    QTest::newRow("token: as a number") << LockSort::Token << QByteArrayList({"b", "a", "c"});
    QTest::newRow("waiters") << LockSort::Waiters << QByteArrayList({"c", "a", "b"});
}

void TestLockList::sortsByEveryColumn()
{
    QFETCH(LockSort, sort);
    QFETCH(QByteArrayList, ascending);
    LockRow a = row("a", LockState::Held, 10);
    LockRow b = row("b", LockState::Orphan, 9);
    LockRow c = row("c", LockState::Expired, 11);
    a.owner = {QStringLiteral("z"), QStringLiteral("h"), 10, {}, {}};
    b.owner = {QStringLiteral("y"), QStringLiteral("h"), 9, {}, {}};
    c.owner = {QStringLiteral("x"), QStringLiteral("h"), 100, {}, {}};
    a.acquiredAt = ServerTime(1s);
    b.acquiredAt = ServerTime(2s);
    c.acquiredAt = ServerTime(3s);
    b.expiresAt = ServerTime(4s);
    c.expiresAt = ServerTime(5s);
    a.waiters = 1;
    b.waiters = 2;
    LockListBuilder builder;
    LockView view;
    view.sort = sort;
    QCOMPARE(names(builder.build(snapshot({a, b, c}), view, kStart)), ascending);
    view.descending = true;
    std::reverse(ascending.begin(), ascending.end());
    QCOMPARE(names(builder.build(snapshot({a, b, c}), view, kStart)), ascending);
}

void TestLockList::numbersInNamesStandByTheirValue()
{
    const QByteArrayList sorted{
        "a", "a1", "a01b", "a1b", "a2", "a10", "a10b2", "a10b10", "a18446744073709551616", "b/9/1", "b/9/x", "b/10"};
    QList<LockRow> rows;
    for (const QByteArray &name : sorted)
        rows.append(row(name));
    std::sort(rows.begin(), rows.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    QCOMPARE(names(LockListBuilder().build(snapshot(rows), {}, kStart)), sorted);
}

void TestLockList::groupsCountWhatTheFilterShows()
{
    LockListBuilder builder;
    LockView view;
    view.grouping = LockGrouping::Resource;
    LockRow waited = row("jobs/7");
    waited.waiters = 3;
    const LockSnapshot all = snapshot({row("orders/1"), row("orders/2"), waited, row("x", LockState::Orphan)});
    QCOMPARE(builder.build(all, view, kStart).groups,
             (QList<LockGroup>{
                 {QStringLiteral("jobs"), 1, 3}, {QStringLiteral("orders"), 2, 0}, {QStringLiteral("x"), 1, 0}}));
    view.facets = LockFacet::Orphan;
    QCOMPARE(builder.build(all, view, kStart).groups, (QList<LockGroup>{{QStringLiteral("x"), 1, 0}}));
    QVERIFY(builder.build(all, {}, kStart).groups.isEmpty());
}

void TestLockList::aGroupCountsWhoWaitsForSeveralHoldersOnce()
{
    LockGroupCounter counter(LockGrouping::Kind);
    for (quint64 session = 1; session <= 3; ++session) {
        LockRow row;
        row.key = {LockKind::Metadata, "shop.stock", 0, session};
        row.waiters = session == 2 ? 2 : 1;
        counter.add(row);
    }
    LockRow other;
    other.key = {LockKind::Metadata, "shop.orders", 0, 1};
    other.waiters = 1;
    counter.add(other);
    QCOMPARE(counter.groups().size(), 1);
    QCOMPARE(counter.groups().first().locks, 4);
    QCOMPARE(counter.groups().first().waiting, 3);
}

void TestLockList::aGroupThatIsLookedIntoHidesTheOthers()
{
    LockListBuilder builder;
    LockView view;
    view.grouping = LockGrouping::Resource;
    view.within = QStringLiteral("orders");
    const auto update = builder.build(snapshot({row("jobs/7"), row("orders/1")}), view, kStart);
    QCOMPARE(names(update), QByteArrayList({"orders/1"}));
    QCOMPARE(update.groups.size(), 2);
    const auto next = builder.build(snapshot({row("jobs/7"), row("jobs/8"), row("orders/1")}), view, kStart + 1s);
    QVERIFY(next.diff.isEmpty());
}

/// Whatever comes, goes or changes: the list that is kept in order is the one that sorting all of it would make.
void TestLockList::rowsThatAreTheSameKeepTheirPlace()
{
    LockListBuilder kept;
    LockView view;
    view.sort = LockSort::Token;
    view.descending = true;
    view.ghostTime = 0ms;
    view.filter = QStringLiteral("-waiters:>1");
    QMap<QByteArray, SharedLockRow> rows;
    quint32 seed = 1;
    const auto random = [&seed](quint32 below) { return (seed = seed * 1664525 + 1013904223) / 65536 % below; };
    for (int round = 0; round < 200; ++round) {
        for (int i = 0; i < 4; ++i) {
            const QByteArray name = QByteArray::number(random(40));
            LockRow made = row(name, LockState::Held, random(9));
            made.waiters = int(random(3));
            if (random(4) == 0)
                rows.remove(name);
            else
                rows.insert(name, made);
        }
        LockSnapshot snapshot;
        snapshot.rows = rows.values();
        snapshot.counts.held = rows.size();
        const TimePoint now = kStart + std::chrono::seconds(round);
        LockListBuilder fresh;
        QCOMPARE(names(kept.build(snapshot, view, now)), names(fresh.build(snapshot, view, now)));
    }
}

void TestLockList::equalRowsStayInTheOrderOfTheirNames()
{
    LockListBuilder builder;
    LockView view;
    view.sort = LockSort::Token;
    view.descending = true;
    QCOMPARE(names(builder.build(snapshot({row("a"), row("b"), row("c")}), view, kStart)),
             QByteArrayList({"a", "b", "c"}));
}

void TestLockList::locksOfOneNameOnSeveralServersAreSeveral()
{
    LockRow here = row("a");
    LockRow there = row("a");
    there.key.server = 2;
    LockSnapshot all = snapshot({here, there, row("b")});
    all.clocks[2] = {};
    LockListBuilder builder;
    LockView view;
    view.servers = {{0, QStringLiteral("db1")}, {2, QStringLiteral("cache1")}};
    QCOMPARE(names(builder.build(all, view, kStart)), QByteArrayList({"a", "a", "b"}));
    view.sort = LockSort::Server;
    const auto sorted = builder.build(all, view, kStart);
    QCOMPARE(sorted.items[0].row->key.server, 2); // cache1 before db1
    view.filter = QStringLiteral("server:=cache1");
    QCOMPARE(builder.build(all, view, kStart).shown, 1);
    view.filter = QStringLiteral("-server:cache");
    QCOMPARE(names(builder.build(all, view, kStart)), QByteArrayList({"a", "b"}));
    view.filter.clear();
    view.grouping = LockGrouping::Server;
    const auto groups = builder.build(all, view, kStart).groups;
    QCOMPARE(groups.size(), 2);
    QCOMPARE(groups[0].name, QStringLiteral("db1"));
    QCOMPARE(groups[0].locks, 2);
    view.within = QStringLiteral("cache1");
    QCOMPARE(builder.build(all, view, kStart).shown, 1);
}

void TestLockList::eachServerHasItsOwnTime()
{
    const ServerTime now{std::chrono::hours(400'000)};
    LockRow here = row("here");
    LockRow there = row("there");
    there.key.server = 1;
    here.acquiredAt = now - 1min;
    there.acquiredAt = now - 1min;
    LockSnapshot all = snapshot({here, there});
    all.clock.server = now;
    all.clocks[1].server = now + 1h; // its clock is ahead
    LockListBuilder builder;
    LockView view;
    view.filter = QStringLiteral("held:>30m");
    QCOMPARE(names(builder.build(all, view, kStart)), QByteArrayList({"there"}));
}

/// Its locks are neither new nor free: they came into sight, or went out of it.
void TestLockList::aServerThatComesOrGoesMarksNothing()
{
    LockRow there = row("there");
    there.key.server = 1;
    const LockSnapshot one = snapshot({row("here")});
    LockSnapshot two = snapshot({row("here"), there});
    two.clocks[1] = {};
    LockListBuilder builder;
    builder.build(one, {}, kStart);
    const auto joined = builder.build(two, {}, kStart);
    QCOMPARE(joined.shown, 2);
    QVERIFY(!joined.items[0].appearedAt && !joined.items[1].appearedAt);
    const auto left = builder.build(one, {}, kStart + 1s);
    QCOMPARE(names(left), QByteArrayList({"here"})); // no ghost
    builder.build(two, {}, kStart + 2s);
    two.rows.append(SharedLockRow(row("zz")));
    QVERIFY(builder.build(two, {}, kStart + 3s).items.last().appearedAt);
}

QTEST_GUILESS_MAIN(TestLockList)
#include "tst_locklist.moc"
