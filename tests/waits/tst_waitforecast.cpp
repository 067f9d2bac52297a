// SPDX-License-Identifier: MIT
// Who goes on when sessions end: what the queue of a lock gives, no more.
#include "waits/waitforecast.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr ServerTime kNow{std::chrono::hours(500'000)};

ServerObject object(ServerLockKind kind, const QByteArray &name)
{
    ServerObject made;
    made.kind = kind;
    made.scope = kind == ServerLockKind::Metadata ? QStringLiteral("TABLE") : QString();
    made.name = name;
    return made;
}

/// Edges as servers tell them, put together by hand.
class Incident
{
public:
    Incident &wait(quint64 waiter, const QList<quint64> &blockers, const ServerObject &what, const QString &mode,
                   std::chrono::seconds waited = 10s)
    {
        for (const quint64 blocker : blockers)
            waits.edges.append({waiter, blocker, what, mode, kNow - waited});
        return *this;
    }
    /// Each behind all before it.
    Incident &queue(quint64 holder, quint64 first, int count, const QByteArray &row)
    {
        for (int i = 0; i < count; ++i) {
            QList<quint64> blockers{holder};
            for (int before = 0; before < i; ++before)
                blockers.append(first + quint64(before));
            wait(first + quint64(i), blockers, object(ServerLockKind::Record, row), QStringLiteral("X"),
                 std::chrono::seconds(count - i));
        }
        return *this;
    }

    ServerWaits waits;
};

} // namespace

class TestWaitForecast : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theQueueSaysWhoGoesOn_data();
    void theQueueSaysWhoGoesOn();
    void theLongestWaitComesFirst();
    void whatIsNotSeenIsNotForetold_data();
    void whatIsNotSeenIsNotForetold();
};

void TestWaitForecast::theQueueSaysWhoGoesOn_data()
{
    QTest::addColumn<Incident>("incident");
    QTest::addColumn<QList<quint64>>("ended");
    QTest::addColumn<int>("atOnce");
    QTest::addColumn<int>("later");
    QTest::addColumn<int>("stay");
    const auto row = object(ServerLockKind::Record, "5");
    const auto table = object(ServerLockKind::Metadata, "stock");
    const auto name = object(ServerLockKind::User, "job");
    const QString x = QStringLiteral("X");
    const QString s = QStringLiteral("S");
    const QString gap = QStringLiteral("X,GAP,INSERT_INTENTION");
    const QString exclusive = QStringLiteral("EXCLUSIVE");
    const QString read = QStringLiteral("SHARED_READ");
    using Ids = QList<quint64>;

    QTest::newRow("one row, 20 wait") << Incident().queue(1, 2, 20, "5") << Ids{1} << 1 << 19 << 0;
    QTest::newRow("two rows of one transaction")
        << Incident().queue(1, 10, 11, "7").queue(1, 30, 11, "9") << Ids{1} << 2 << 20 << 0;
    QTest::newRow("a waiter in the middle") << Incident().queue(1, 2, 5, "5") << Ids{3} << 0 << 0 << 3;
    QTest::newRow("shared locks") << Incident().wait(2, {1}, row, s).wait(3, {1}, row, s).wait(4, {1, 2, 3}, row, x)
                                  << Ids{1} << 2 << 1 << 0;
    QTest::newRow("inserts into one gap")
        << Incident().wait(2, {1}, row, gap).wait(3, {1}, row, gap) << Ids{1} << 2 << 0 << 0;
    QTest::newRow("edges among the waiters left out")
        << Incident().wait(2, {1}, row, x).wait(3, {1}, row, x).wait(4, {1}, row, x) << Ids{1} << 1 << 2 << 0;
    QTest::newRow("a user-level lock") << Incident().wait(2, {1}, name, exclusive).wait(3, {1}, name, exclusive)
                                       << Ids{1} << 1 << 1 << 0;
    const Incident alter = Incident()
                               .wait(4, {1, 2}, table, exclusive)
                               .wait(5, {4}, table, read)
                               .wait(6, {4}, table, read)
                               .wait(7, {4}, table, read);
    QTest::newRow("readers behind an ALTER, one of two readers before it") << alter << Ids{1} << 0 << 0 << 4;
    QTest::newRow("both of them") << alter << Ids{1, 2} << 1 << 3 << 0;
    QTest::newRow("the ALTER") << alter << Ids{4} << 3 << 0 << 0;
    QTest::newRow("two that want a table for themselves")
        << Incident().wait(2, {1}, table, exclusive).wait(3, {1}, table, exclusive) << Ids{1} << 1 << 1 << 0;
    const Incident twice = Incident().wait(3, {1, 2}, row, x).wait(4, {1, 2, 3}, row, x);
    QTest::newRow("two holders, one ends") << twice << Ids{1} << 0 << 0 << 2;
    QTest::newRow("two holders, both end") << twice << Ids{2, 1} << 1 << 1 << 0;
    QTest::newRow("holder and first waiter") << Incident().queue(1, 2, 4, "5") << Ids{1, 2} << 1 << 2 << 0;
    QTest::newRow("a ring is broken") << Incident().wait(1, {2}, row, x).wait(2, {1}, name, exclusive) << Ids{1} << 1
                                      << 0 << 0;
    QTest::newRow("nobody that is known") << Incident().queue(1, 2, 2, "5") << Ids{99} << 0 << 0 << 0;
    Incident lost = Incident().wait(2, {1}, row, x);
    lost.waits.lost.append({2, ServerLockKind::Record, kNow, true});
    QTest::newRow("a prepared transaction holds it too") << lost << Ids{1} << 0 << 0 << 1;
}

void TestWaitForecast::theQueueSaysWhoGoesOn()
{
    QFETCH(Incident, incident);
    QFETCH(QList<quint64>, ended);
    incident.waits.clock.server = kNow;
    const WaitForecast told = forecast(incident.waits, ended);
    QTEST(int(told.atOnce.size()), "atOnce");
    QTEST(int(told.later.size()), "later");
    QTEST(int(told.stay.size()), "stay");
}

void TestWaitForecast::theLongestWaitComesFirst()
{
    Incident incident = Incident().queue(1, 2, 3, "5");
    incident.waits.clock.server = kNow;
    const WaitForecast told = forecast(incident.waits, {1});
    QCOMPARE(told.atOnce, QList<quint64>{2});
    QCOMPARE(told.later, (QList<quint64>{3, 4}));
    QCOMPARE(told.waited, Microseconds(6s));
    QCOMPARE(forecast(incident.waits, {3}).stay, QList<quint64>{4});
}

void TestWaitForecast::whatIsNotSeenIsNotForetold_data()
{
    using State = SourceStatus::State;
    QTest::addColumn<WaitSource>("source");
    QTest::addColumn<State>("state");
    QTest::addColumn<bool>("isWhole");
    QTest::newRow("MariaDB's row locks") << WaitSource::RowWaits << State::Partial << true;
    QTest::newRow("without PROCESS") << WaitSource::Transactions << State::Missing << false;
    QTest::newRow("row locks without the performance schema") << WaitSource::RowWaits << State::Missing << true;
    QTest::newRow("switched off") << WaitSource::Metadata << State::Off << false;
    QTest::newRow("broken off") << WaitSource::UserLocks << State::Failed << false;
    QTest::newRow("metadata without the performance schema") << WaitSource::Metadata << State::Missing << true;
    QTest::newRow("no last statements") << WaitSource::Statements << State::Missing << true;
}

void TestWaitForecast::whatIsNotSeenIsNotForetold()
{
    QFETCH(WaitSource, source);
    QFETCH(SourceStatus::State, state);
    ServerWaits waits;
    QVERIFY(forecast(waits, {1}).isWhole);
    SourceStatus &status = waits.sources.emplace_back();
    status.source = source;
    status.state = state;
    QTEST(forecast(waits, {1}).isWhole, "isWhole");
    status.isCut = true; // more than the cap
    QCOMPARE(forecast(waits, {1}).isWhole, source == WaitSource::Statements);
    waits = {};
    waits.lost.append({2, ServerLockKind::Record, kNow});
    QVERIFY(!forecast(waits, {1}).isWhole);
}

QTEST_GUILESS_MAIN(TestWaitForecast)
#include "tst_waitforecast.moc"
