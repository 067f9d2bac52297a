// SPDX-License-Identifier: MIT
// Prepared transactions are ended by an operator: only the one that was seen, only without a session, and on record.
#include "waitstest.h"

#include "actions/preparedend.h"
#include "console/auditlog.h"

#include <QtCore/QFile>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

using Ended = PreparedReport::Outcome;

class TestPreparedEnd : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void itEndsAsItWasOrdered_data();
    void itEndsAsItWasOrdered();
    void anotherOneOfTheSameNameStays();
    void whatASessionHasStays();
    void whoMayNotKnowIsNotToldThatNothingIsThere();
    void whatHasEndedIsGone();
    void whatBrokeOffIsNotKnown();
    void withoutOperatorModeNothingIsDone();
    void whatIsNotRecordedIsNotDone();
    void ofSeveralTheNameAloneCounts();

protected Q_SLOTS:
    void init();
    void cleanup();

private:
    std::unique_ptr<Actor> prepare(const QByteArray &xid, int row);
    void leave(std::unique_ptr<Actor> owner);
    PreparedOrder orderFor(const ServerWaits &waits, const Xid &xid, PreparedFate fate = PreparedFate::Rollback) const;
    PreparedReport end(const PreparedOrder &order, const ServerAccess &access = ServerAccess::toAct());
    QByteArray record() const;
    int prepared() { return int(Actor(*m_used).run("XA RECOVER").set(-1).rows.size()); }

    QTemporaryDir m_folder;
};

void TestPreparedEnd::init()
{
    WaitsTest::init();
    QFile::remove(m_folder.filePath(QStringLiteral("audit")));
}

void TestPreparedEnd::cleanup()
{
    WaitsTest::cleanup();
    Actor cleaner(*m_used);
    QVERIFY(eventually([&] {
        for (const char *xid : {"'one'", "'two'"})
            cleaner.run(QByteArray("XA ROLLBACK ") + xid); // refused while its session is ending
        return cleaner.run("XA RECOVER").set(-1).rows.isEmpty();
    }));
}

std::unique_ptr<Actor> TestPreparedEnd::prepare(const QByteArray &xid, int row)
{
    auto owner = std::make_unique<Actor>(*m_used);
    const QByteArray update = "UPDATE shop.stock SET n = 7 WHERE id = " + QByteArray::number(row);
    bool isDone = m_used->family() == Family::MariaDb || owner->run("SET xa_detach_on_prepare = OFF");
    for (const QByteArray &sql : {"XA START " + xid, update, "XA END " + xid, "XA PREPARE " + xid})
        isDone = isDone && owner->run(sql);
    if (!isDone)
        qFatal("The transaction is not prepared.");
    return owner;
}

void TestPreparedEnd::leave(std::unique_ptr<Actor> owner)
{
    const QByteArray isConnected =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + QByteArray::number(owner->id());
    owner.reset();
    if (!eventually([&] { return m_observer->value(isConnected).toInt() == 0; }))
        qFatal("The session does not end.");
}

PreparedOrder TestPreparedEnd::orderFor(const ServerWaits &waits, const Xid &xid, PreparedFate fate) const
{
    quint64 number = 0;
    for (auto it = waits.prepared.cbegin(); it != waits.prepared.cend(); ++it) {
        if (it->xids.contains(xid))
            number = it.key();
    }
    return {PreparedTarget::of(waits, number, xid), fate, QStringLiteral("ada@ops1"), QStringLiteral("left over")};
}

PreparedReport TestPreparedEnd::end(const PreparedOrder &order, const ServerAccess &access)
{
    AuditFile audit(m_folder.filePath(QStringLiteral("audit")));
    return endPrepared(*m_session, m_reader->capabilities(), order, access, &audit);
}

QByteArray TestPreparedEnd::record() const
{
    QFile file(m_folder.filePath(QStringLiteral("audit")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestPreparedEnd::itEndsAsItWasOrdered_data()
{
    QTest::addColumn<PreparedFate>("fate");
    QTest::addColumn<int>("left");
    QTest::newRow("commit") << PreparedFate::Commit << 7;
    QTest::newRow("rollback") << PreparedFate::Rollback << 0;
}

void TestPreparedEnd::itEndsAsItWasOrdered()
{
    QFETCH(PreparedFate, fate);
    leave(prepare("'one'", 5));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 1; });
    const PreparedOrder order = orderFor(waits, {1, "one", {}}, fate);
    QVERIFY(order.target.transaction != 0);
    const PreparedReport report = end(order);
    QVERIFY2(report.outcome == Ended::Ended, qPrintable(outcomeOf(report)));
    QCOMPARE(report.recordError, QString());
    QVERIFY(report.statement.endsWith(preparedCommand(order)));
    QCOMPARE(prepared(), 0);
    QTEST(m_observer->value("SELECT n FROM shop.stock WHERE id = 5").toInt(), "left");
    const QByteArray lines = record();
    QCOMPARE(lines.count('\n'), 2);
    QVERIFY(lines.left(lines.indexOf('\n')).contains("to be done"));
    QVERIFY(lines.contains("\"ended\"") && lines.contains(preparedCommand(order)));
}

/// It ended, and the application has begun another one under its name.
void TestPreparedEnd::anotherOneOfTheSameNameStays()
{
    leave(prepare("'one'", 5));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 1; });
    const PreparedOrder order = orderFor(waits, {1, "one", {}});
    QVERIFY(Actor(*m_used).run("XA ROLLBACK 'one'"));
    leave(prepare("'one'", 6));
    const PreparedReport report = end(order);
    QCOMPARE(report.outcome, Ended::TargetChanged);
    QVERIFY(report.error);
    QCOMPARE(prepared(), 1);
    QVERIFY(record().contains("nothing was done"));
}

void TestPreparedEnd::whatASessionHasStays()
{
    const auto owner = prepare("'one'", 5);
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 1; });
    QVERIFY(!preparedRefusal(*waits.prepared.constBegin()).isEmpty());
    PreparedOrder order = orderFor(waits, {1, "one", {}});
    QCOMPARE(end(order).outcome, Ended::TargetChanged);
    order.target.transaction = 0; // nothing but the name
    QCOMPARE(end(order).outcome, Ended::TargetChanged);
    QCOMPARE(prepared(), 1);
}

void TestPreparedEnd::whoMayNotKnowIsNotToldThatNothingIsThere()
{
    if (m_used->family() == Family::MariaDb)
        QSKIP("On MariaDB everybody may know the names.");
    const auto owner = prepare("'one'", 5);
    lookAs(userWith("watcher", {"PROCESS ON *.*"}));
    const ServerWaits waits = lookUntil([](const ServerWaits &) { return true; });
    const PreparedReport report = end(orderFor(waits, {1, "one", {}}));
    QCOMPARE(report.outcome, Ended::TargetChanged);
    QVERIFY2(outcomeOf(report).contains(QLatin1String("or a session has it")), qPrintable(outcomeOf(report)));
    QCOMPARE(prepared(), 1);
}

void TestPreparedEnd::whatHasEndedIsGone()
{
    PreparedOrder order = orderFor(look(), {1, "one", {}});
    QCOMPARE(end(order).outcome, Ended::AlreadyGone);
}

/// The server has the statement, and ends the transaction though nobody hears of it.
void TestPreparedEnd::whatBrokeOffIsNotKnown()
{
    PreparedReport report;
    report.error.emplace().kind = LockError::Kind::ConnectionLost;
    QVERIFY2(outcomeOf(report).startsWith(QLatin1String("not known, it may have ended: ")),
             qPrintable(outcomeOf(report)));
    report.error->kind = LockError::Kind::NoPermission;
    QVERIFY2(outcomeOf(report).startsWith(QLatin1String("failed: ")), qPrintable(outcomeOf(report)));
}

void TestPreparedEnd::withoutOperatorModeNothingIsDone()
{
    leave(prepare("'one'", 5));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 1; });
    PreparedOrder order = orderFor(waits, {1, "one", {}});
    QCOMPARE(end(order, ServerAccess()).outcome, Ended::Refused);
    QCOMPARE(record(), QByteArray());
    order.reason.clear();
    QCOMPARE(end(order).outcome, Ended::Refused);
    QCOMPARE(prepared(), 1);
}

void TestPreparedEnd::whatIsNotRecordedIsNotDone()
{
    leave(prepare("'one'", 5));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 1; });
    AuditFile audit(QStringLiteral("/proc/no/audit"));
    const PreparedReport report = endPrepared(*m_session, m_reader->capabilities(), orderFor(waits, {1, "one", {}}),
                                              ServerAccess::toAct(), &audit);
    QCOMPARE(report.outcome, Ended::Refused);
    QCOMPARE(prepared(), 1);
}

void TestPreparedEnd::ofSeveralTheNameAloneCounts()
{
    leave(prepare("'one'", 5));
    leave(prepare("'two'", 6));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 2; });
    const PreparedOrder order = orderFor(waits, {1, "two", {}});
    QCOMPARE(order.target.transaction, quint64(0));
    QCOMPARE(end(order).outcome, Ended::Ended);
    QCOMPARE(prepared(), 1);
    QVERIFY(Actor(*m_used).run("XA ROLLBACK 'one'"));
}

QTEST_GUILESS_MAIN(TestPreparedEnd)
#include "tst_preparedend.moc"
