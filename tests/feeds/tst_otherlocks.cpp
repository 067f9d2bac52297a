// SPDX-License-Identifier: MIT
// What others hold, as rows of the list and as its counts.
#include "feeds/otherlocks.h"

#include <QtTest/QTest>

using namespace lockscope;

class TestOtherLocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoWaitsForSeveralHoldersIsCountedOnce();
};

/// An ALTER waits for everybody who uses the table, and is one request all the same.
void TestOtherLocks::whoWaitsForSeveralHoldersIsCountedOnce()
{
    constexpr quint64 alter = 9;
    constexpr quint64 writer = 3;
    ServerWaits waits;
    ServerObject table;
    table.kind = ServerLockKind::Metadata;
    table.scope = QStringLiteral("TABLE");
    table.schema = QStringLiteral("shop");
    table.name = "stock";
    ServerObject record;
    record.schema = QStringLiteral("shop");
    record.name = "stock";
    record.record = "5";
    for (const quint64 session : {quint64(1), quint64(2), writer, alter})
        waits.sessions[session].id = session;
    for (const quint64 holder : {quint64(1), quint64(2), writer}) {
        waits.locks.append({table, QStringLiteral("SHARED_WRITE"), true, holder, {}});
        waits.edges.append({alter, holder, table, QStringLiteral("EXCLUSIVE"), {}});
    }
    waits.edges.append({writer, 1, record, QStringLiteral("X"), {}});
    OtherLocks others;
    others.setWaits(std::make_shared<const ServerWaits>(waits));
    QVERIFY(others.update({}));
    int waiters = 0;
    for (const LockRow &row : others.rows())
        waiters += row.waiters.value_or(0);
    QCOMPARE(waiters, 4); // as each lock has them
    LockCounts counts;
    others.addTo(&counts);
    QCOMPARE(counts.waiting, 2);
}

QTEST_APPLESS_MAIN(TestOtherLocks)
#include "tst_otherlocks.moc"
