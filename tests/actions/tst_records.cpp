// SPDX-License-Identifier: MIT
// What an operator did is on record, with the server that it was done to: in the file of this machine, and on the
// server where that has the tables.
#include "lockctlrunner.h"
#include "waitstest.h"

#include "actions/bulkrelease.h"
#include "actions/recordedkill.h"
#include "sources/mysqlsource.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

namespace {

using Result = KillReport::Outcome;

} // namespace

class TestRecords : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aReleaseNamesTheServerThatTheEnvironmentNames();
    void aKillIsOnTheServersRecordToo();
    void aServersRecordThatCannotBeWrittenIsTold();
    void aServerWithoutTheTablesNeedsNone();
    void theEndOfTheUndoingIsRecorded();
    void onAServerThatIsOpenReadOnlyNothingIsDone();

private:
    KillOrder orderFor(const Actor &actor, quint64 rowsChanged = 1);
    KillReport record(const KillOrder &order);
    QList<QJsonObject> audit() const;

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<AuditFile> m_audit;
};

void TestRecords::init()
{
    EngineTest::init();
    m_home = std::make_unique<QTemporaryDir>();
    m_audit = std::make_unique<AuditFile>(m_home->filePath(QStringLiteral("lockscope/audit.jsonl")));
    useServer(false);
    m_observer->run("ALTER TABLE shop.stock MODIFY id INT AUTO_INCREMENT");
}

KillOrder TestRecords::orderFor(const Actor &actor, quint64 rowsChanged)
{
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(actor.id());
        return session && session->transaction && session->transaction->rowsChanged >= rowsChanged;
    });
    KillOrder order = WaitsTest::orderFor(waits, actor);
    order.reason = QStringLiteral("stuck since the deploy");
    return order;
}

KillReport TestRecords::record(const KillOrder &order)
{
    return RecordedKill(*m_session, m_reader->capabilities(), m_audit.get()).act(order, ServerAccess::toAct());
}

QList<QJsonObject> TestRecords::audit() const
{
    QList<QJsonObject> lines;
    QFile file(m_audit->path());
    if (file.open(QIODevice::ReadOnly)) {
        while (!file.atEnd())
            lines.append(QJsonDocument::fromJson(file.readLine()).object());
    }
    return lines;
}

void TestRecords::aReleaseNamesTheServerThatTheEnvironmentNames()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("%2")); // which is nothing but a name
    CtlRunner ctl(m_server->url().toString());          // as LOCKSCOPE_URL
    ctl.set("XDG_DATA_HOME", m_home->path());
    const auto released =
        ctl.run({QStringLiteral("release"), QStringLiteral("%2"), QStringLiteral("--token"),
                 QString::number(held.handle.token()), QStringLiteral("--reason"), QStringLiteral("moved")});
    QVERIFY2(released.exitCode == 0, released.text());
    QCOMPARE(audit().size(), 2);
    QCOMPARE(audit()[0].value(QLatin1String("outcome")).toString(), QStringLiteral("to be done"));
    QCOMPARE(audit()[1].value(QLatin1String("outcome")).toString(), QStringLiteral("released"));
    for (const QJsonObject &line : audit()) {
        QCOMPARE(line.value(QLatin1String("server")).toString(), m_server->url().toString());
        QCOMPARE(line.value(QLatin1String("account")).toString(), QStringLiteral("root@localhost"));
        QCOMPARE(line.value(QLatin1String("target")).toString(),
                 QStringLiteral("lease %2, token ") + QString::number(held.handle.token()));
    }
}

void TestRecords::aKillIsOnTheServersRecordToo()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1"));
    const KillReport report = record(orderFor(holder));
    QVERIFY2(report.recordError.isEmpty(), qPrintable(report.recordError));
    const auto events = m_observer->rows("SELECT kind, resource, operator, reason, account, owner FROM lock_event");
    QCOMPARE(events.size(), 1);
    QCOMPARE(events[0].value(0).toString(), QStringLiteral("kill"));
    QCOMPARE(events[0].value(1).toByteArray(), "session " + QByteArray::number(holder.id()));
    QCOMPARE(events[0].value(2).toString(), QStringLiteral("ada@ops1"));
    const QString reason = events[0].value(3).toString(); // a busy server may still be at the undoing
    const QString outcome = audit()[1].value(QLatin1String("outcome")).toString();
    QCOMPARE(reason, QStringLiteral("stuck since the deploy (KILL CONNECTION %1: %2)").arg(holder.id()).arg(outcome));
    QCOMPARE(events[0].value(4).toString(), QStringLiteral("root@localhost"));
    const Owner owner = Owner::fromJson(events[0].value(5).toByteArray());
    QCOMPARE(owner.service, QStringLiteral("root"));
    QCOMPARE(owner.host, QStringLiteral("localhost"));
    QVERIFY(audit()[0].value(QLatin1String("server")).toString().startsWith(m_server->url().toString()));
    QCOMPARE(audit()[0].value(QLatin1String("account")).toString(), QStringLiteral("root@localhost"));
    QCOMPARE(audit()[0].value(QLatin1String("outcome")).toString(), QStringLiteral("to be done"));
    QVERIFY(audit()[0].value(QLatin1String("statement")).toString().contains(QLatin1String("KILL CONNECTION")));
    QVERIFY2(report.outcome == Result::Ended ? outcome == QLatin1String("ended")
                                             : outcome.endsWith(QLatin1String("to be undone")),
             qPrintable(outcome));
}

void TestRecords::aServersRecordThatCannotBeWrittenIsTold()
{
    m_observer->run("CREATE TRIGGER full BEFORE INSERT ON lock_event FOR EACH ROW "
                    "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no room'");
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1"));
    const KillReport report = record(orderFor(holder));
    m_observer->run("DROP TRIGGER full");
    QVERIFY(report.outcome == Result::Ended || report.outcome == Result::RollingBack);
    QVERIFY2(report.recordError.contains(QLatin1String("no room")), qPrintable(report.recordError));
}

void TestRecords::aServerWithoutTheTablesNeedsNone()
{
    SessionTarget target = targetFor(*m_server);
    for (const QString &schema : {QStringLiteral("shop"), QString()}) {
        target.url.schema = schema;
        LockError error;
        m_session = Session::open(target, &error);
        QVERIFY2(m_session, qPrintable(error.toString()));
        m_reader = std::make_unique<WaitsReader>(*m_session);
        Actor holder(*m_server);
        QVERIFY(holder.run("BEGIN"));
        QVERIFY(holder.run("UPDATE shop.stock SET n = n + 1"));
        const KillReport report = record(orderFor(holder));
        QVERIFY(report.outcome == Result::Ended || report.outcome == Result::RollingBack);
        QVERIFY2(report.recordError.isEmpty(), qPrintable(report.recordError));
        QVERIFY(eventually([&] { return m_observer->value("SELECT n FROM shop.stock").toInt() == 0; }));
        m_reader.reset();
    }
    QVERIFY(m_observer->rows("SELECT kind FROM lock_event").isEmpty());
}

void TestRecords::theEndOfTheUndoingIsRecorded()
{
    quint64 rows = 9;
    const auto grow = [this, &rows](quint64 until) {
        for (; rows < until; rows *= 2)
            m_observer->run("INSERT INTO shop.stock (n) SELECT 0 FROM shop.stock");
    };
    look(); // after which the server's capabilities are known
    RecordedKill kill(*m_session, m_reader->capabilities(), m_audit.get());
    KillOrder order;
    KillReport report;
    qsizetype before = 0;
    for (quint64 wanted = 100'000; wanted < 4'000'000; wanted *= 4) { // a slow client finds few rows undone already
        grow(wanted);
        Actor holder(*m_server);
        QVERIFY(holder.run("BEGIN"));
        QVERIFY(holder.run("UPDATE shop.stock SET n = 1"));
        before = audit().size();
        order = orderFor(holder, wanted);
        report = kill.act(order, ServerAccess::toAct());
        if (report.outcome == Result::RollingBack)
            break;
    }
    QCOMPARE(report.outcome, Result::RollingBack);
    QCOMPARE(audit().size(), before + 2);
    QVERIFY(
        audit()[before + 1].value(QLatin1String("outcome")).toString().endsWith(QLatin1String("rows to be undone")));
    QVERIFY(eventually([&] {
        report = kill.follow(order, report);
        return report.outcome == Result::Ended;
    }));
    QVERIFY2(report.recordError.isEmpty(), qPrintable(report.recordError));
    kill.follow(order, report); // is not told twice
    QCOMPARE(audit().size(), before + 3);
    QCOMPARE(audit()[before + 2].value(QLatin1String("outcome")).toString(), QStringLiteral("ended"));
    QCOMPARE(audit()[before + 2].value(QLatin1String("target")), audit()[before].value(QLatin1String("target")));
}

/// Whoever calls: it is not the window that decides.
void TestRecords::onAServerThatIsOpenReadOnlyNothingIsDone()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1"));
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    LockKey key;
    key.resource = "a";
    const ReleaseOrder release{key, held.handle.token(), QStringLiteral("ada"), QStringLiteral("stuck")};
    ReconnectingSession link(targetFor(*m_server));
    MySqlSource source(link);
    ReleasePlan plan;
    QVERIFY(!BulkRelease(source).plan({"a", {}}, &plan));
    for (const ServerAccess &access : {ServerAccess(), ServerAccess::toLook(true)}) {
        const auto killed =
            RecordedKill(*m_session, m_reader->capabilities(), m_audit.get()).act(orderFor(holder), access);
        QCOMPARE(killed.outcome, Result::Refused);
        QCOMPARE(killed.error->message, access.refusal()->message);
        QCOMPARE(releaseByForce(source, release, access, m_audit.get()).error->message, access.refusal()->message);
        const auto released = BulkRelease(source).act(plan, access, release.operatorName, release.reason);
        QCOMPARE(released.left, 1);
        QCOMPARE(released.firstError->message, access.refusal()->message);
    }
    QVERIFY(audit().isEmpty());
    QVERIFY(held.handle.isHeld());
    QVERIFY(holder.run("ROLLBACK"));
}

QTEST_GUILESS_MAIN(TestRecords)
#include "tst_records.moc"
