// SPDX-License-Identifier: MIT
// An incident at night is recorded, and the next morning a person sees in the file what it was: who blocked whom, when,
// and what came of it.
#include "lockctlrunner.h"
#include "scriptedincident.h"
#include "smalldisk.h"
#include "waitstest.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kWaiters = ScriptedIncident::Waiters;

QDateTime now()
{
    return QDateTime::currentDateTimeUtc();
}

/// Of all nodes below.
int countOf(const QJsonArray &nodes)
{
    int count = 0;
    for (const auto &node : nodes)
        count += 1 + countOf(node[u"waiters"_s].toArray());
    return count;
}

/// The node of this session, wherever it is.
QJsonObject find(const QJsonArray &nodes, quint64 connection)
{
    for (const auto &node : nodes) {
        if (quint64(node[u"connectionId"_s].toInteger()) == connection)
            return node.toObject();
        if (const QJsonObject found = find(node[u"waiters"_s].toArray(), connection); !found.isEmpty())
            return found;
    }
    return {};
}

/// What of a tree does not move with time.
QJsonArray shapeOf(const QJsonArray &nodes)
{
    QList<QJsonObject> shapes;
    for (const auto &node : nodes) {
        QJsonObject shape;
        for (const QString &name : {u"connectionId"_s, u"kind"_s, u"resource"_s, u"frees"_s, u"user"_s, u"program"_s,
                                    u"statement"_s, u"waitersBehind"_s})
            shape.insert(name, node[name]);
        shape.insert(u"waiters"_s, shapeOf(node[u"waiters"_s].toArray()));
        shapes.append(shape);
    }
    std::sort(shapes.begin(), shapes.end(), [](const QJsonObject &a, const QJsonObject &b) {
        return a[u"connectionId"_s].toInteger() < b[u"connectionId"_s].toInteger();
    });
    QJsonArray array;
    for (const QJsonObject &shape : std::as_const(shapes))
        array.append(shape);
    return array;
}

} // namespace

class TestLockctlRecord : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aNightIsSeenTheNextMorning_data();
    void aNightIsSeenTheNextMorning();
    void aServerThatGoesAwayIsAGap();
    void anEndThatIsAskedForTwiceAtOnceClosesTheFile();
    void aFullDiskIsSaidAndNothingIsLost();
    void statementsAreLeftOutOnDemand();
    void whatCannotBeRecordedIsSaid();

private:
    CtlRunner ctl() const;
    QString file() const { return m_home->filePath(u"night.lockscope"_s); }
    std::unique_ptr<QProcess> startRecording(const QStringList &more = {}) const;
    QJsonArray blockers(const QDateTime &at = {}) const;
    /// Until what was recorded last is so; when that was.
    QDateTime recordedUntil(const std::function<bool(const QJsonArray &)> &condition) const;

    std::unique_ptr<QTemporaryDir> m_home;
};

void TestLockctlRecord::init()
{
    WaitsTest::init();
    m_home = std::make_unique<QTemporaryDir>();
}

CtlRunner TestLockctlRecord::ctl() const
{
    CtlRunner runner(m_used->url().toString());
    runner.set("XDG_DATA_HOME", m_home->path());
    return runner;
}

std::unique_ptr<QProcess> TestLockctlRecord::startRecording(const QStringList &more) const
{
    auto recording = ctl().start(QStringList{u"record"_s, u"--out"_s, file(), u"--interval"_s, u"200ms"_s} + more);
    if (!recording->waitForReadyRead(Patience / std::chrono::milliseconds(1)))
        qWarning("%s", recording->readAllStandardError().constData());
    return recording;
}

QJsonArray TestLockctlRecord::blockers(const QDateTime &at) const
{
    QStringList words{u"blockers"_s, u"--json"_s, u"--recording"_s, file()};
    if (at.isValid())
        words += {u"--at"_s, at.toString(Qt::ISODateWithMs)};
    return ctl().run(words).array();
}

QDateTime TestLockctlRecord::recordedUntil(const std::function<bool(const QJsonArray &)> &condition) const
{
    const bool isSo = eventually([&] { return condition(blockers()); });
    if (!isSo)
        qWarning("not recorded: %s", QJsonDocument(blockers()).toJson().constData());
    return now();
}

void TestLockctlRecord::aNightIsSeenTheNextMorning_data()
{
    QTest::addColumn<bool>("tellsMost");
    QTest::newRow("a server that tells most") << true;
    QTest::newRow("a server as it is installed") << false;
}

void TestLockctlRecord::aNightIsSeenTheNextMorning()
{
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    m_observer->run(
        "CREATE TABLE shop.shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL, "
        "locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), locked_by VARCHAR(255) NOT NULL)");
    m_observer->run(
        "INSERT INTO shop.shedlock VALUES ('report', UTC_TIMESTAMP(3) + INTERVAL 1 HOUR, UTC_TIMESTAMP(3), 'a7')");
    m_observer->run("CREATE TABLE shop.HangfireDistributedLock (Resource NVARCHAR(100) NOT NULL, CreatedAt DATETIME(6) "
                    "NOT NULL)"); // without a key
    m_observer->run("INSERT INTO shop.HangfireDistributedLock VALUES ('poller', UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE), "
                    "('poller', UTC_TIMESTAMP(6) - INTERVAL 2 MINUTE)");
    const auto recording = startRecording();
    const QDateTime quiet = now();
    ScriptedIncident incident(*m_used);
    QVERIFY(incident.begin());
    recordedUntil([](const QJsonArray &roots) { return countOf(roots) == kWaiters + 1; });
    QVERIFY(incident.goOn());
    const QDateTime worst = recordedUntil([&](const QJsonArray &roots) {
        return !find(roots, incident.alter()).isEmpty() && !find(roots, incident.waiterForName()).isEmpty();
    });
    const QJsonArray live = ctl().run({u"blockers"_s, u"--json"_s}).array();
    const QJsonArray then = blockers(worst);
    QCOMPARE(shapeOf(then), shapeOf(live));

    QVERIFY(incident.end());
    const QDateTime over = recordedUntil([](const QJsonArray &roots) { return roots.isEmpty(); });
    ::kill(pid_t(recording->processId()), SIGTERM);
    const CtlResult ended = CtlRunner::finish(*recording);
    QVERIFY2(ended.exitCode == 0 && ended.out.contains("looks recorded"), ended.text());

    // The next morning: the server may be gone.
    QCOMPARE(blockers(quiet), QJsonArray());
    QCOMPARE(blockers(worst), then);
    QCOMPARE(blockers(over), QJsonArray());
    const QJsonObject root = find(then, incident.idle());
    QCOMPARE(root[u"waitersBehind"_s].toInt(), kWaiters + 1);
    const CtlResult list =
        ctl().run({u"list"_s, u"--all"_s, u"--recording"_s, file(), u"--at"_s, worst.toString(Qt::ISODateWithMs)});
    QVERIFY2(list.exitCode == 0 && list.out.contains("nightly") && list.out.contains("shop.stock")
                 && list.out.contains("shop.shedlock report")
                 && list.out.count("shop.HangfireDistributedLock poller") == 2,
             list.text());

    const QJsonObject report = ctl().run({u"recording"_s, u"report"_s, file(), u"--json"_s}).object();
    const QJsonArray incidents = report[u"incidents"_s].toArray();
    const QString blocker = u"session %1 "_s.arg(incident.idle());
    const auto isQueue = [&](const QJsonValue &one) {
        return one[u"kind"_s] == u"queue"_s && one[u"blocker"_s].toString().startsWith(blocker);
    };
    const auto queue = std::find_if(incidents.cbegin(), incidents.cend(), isQueue);
    QVERIFY2(queue != incidents.cend(), QJsonDocument(report).toJson());
    QCOMPARE((*queue)[u"waiting"_s].toInt(), kWaiters + 1); // not who waits for a name
    QVERIFY(!find((*queue)[u"blockers"_s].toArray(), incident.idle()).isEmpty());
    const auto hasQueue = [&](const QDateTime &from, const QDateTime &to) {
        const QJsonArray part = ctl()
                                    .run({u"recording"_s, u"report"_s, file(), u"--json"_s, u"--from"_s,
                                          from.toString(Qt::ISODateWithMs), u"--to"_s, to.toString(Qt::ISODateWithMs)})
                                    .object()[u"incidents"_s]
                                    .toArray();
        return std::any_of(part.cbegin(), part.cend(), isQueue);
    };
    QVERIFY(hasQueue(quiet, over) && !hasQueue(quiet.addSecs(-60), quiet));
    const CtlResult markdown = ctl().run({u"recording"_s, u"report"_s, file()});
    QVERIFY2(markdown.out.contains("Who blocked whom") && markdown.out.contains("sessions waited"), markdown.text());
    QVERIFY2(ctl().run({u"recording"_s, u"info"_s, file()}).out.contains("Incident"), markdown.text());
}

void TestLockctlRecord::aServerThatGoesAwayIsAGap()
{
    TestServer server;
    m_used = &server;
    const auto recording = startRecording();
    server.kill9();
    QVERIFY(eventually([&] {
        return !ctl().run({u"recording"_s, u"info"_s, file(), u"--json"_s}).object()[u"gaps"_s].toArray().isEmpty();
    }));
    ::kill(pid_t(recording->processId()), SIGINT);
    const CtlResult ended = CtlRunner::finish(*recording);
    QVERIFY2(ended.exitCode == 0 && ended.err.contains("nothing is recorded at present"), ended.text());
    const CtlResult then =
        ctl().run({u"blockers"_s, u"--recording"_s, file(), u"--at"_s, now().addSecs(5).toString(Qt::ISODateWithMs)});
    QVERIFY2(then.err.contains("nothing was seen at that time"), then.text());
    m_used = m_server;
}

/// As `timeout` does, by which a recording may be ended: to the program, and to its group.
void TestLockctlRecord::anEndThatIsAskedForTwiceAtOnceClosesTheFile()
{
    const auto recording = startRecording();
    ::kill(pid_t(recording->processId()), SIGINT);
    ::kill(pid_t(recording->processId()), SIGTERM);
    const CtlResult ended = CtlRunner::finish(*recording);
    QVERIFY2(ended.exitCode == 0, ended.text());
    QVERIFY(!QFile::exists(file() + u"-wal"_s));
}

void TestLockctlRecord::aFullDiskIsSaidAndNothingIsLost()
{
    SmallDisk disk(qint64(4) * 1024 * 1024);
    const QString path = disk.path(u"night.lockscope"_s);
    const auto recording = ctl().start({u"record"_s, u"--out"_s, path, u"--interval"_s, u"200ms"_s});
    disk.setChild(pid_t(recording->processId()));
    QVERIFY(recording->waitForReadyRead(Patience / std::chrono::milliseconds(1)));
    QByteArray said;
    const auto says = [&](const char *text) {
        return eventually([&] {
            recording->waitForReadyRead(100);
            said += recording->readAllStandardError();
            return said.contains(text);
        });
    };
    const auto info = [&] { return ctl().run({u"recording"_s, u"info"_s, path, u"--json"_s}).object(); };
    disk.fill();
    QVERIFY2(says("nothing is recorded at present: ") && said.contains("cannot be written: "), said);
    QVERIFY2(!disk.isMounted() || said.contains("full"), said);
    const int kept = info()[u"looks"_s].toInt();
    QVERIFY(kept > 0);
    QCOMPARE(info()[u"damage"_s], QJsonValue());
    disk.makeRoom();
    QVERIFY2(says("recording goes on."), said);
    QVERIFY(eventually([&] { return info()[u"looks"_s].toInt() > kept; }));
    const QJsonArray gaps = info()[u"gaps"_s].toArray();
    const QByteArray told = QJsonDocument(gaps).toJson(); // a busy machine has others too
    QCOMPARE(told.count("cannot be written"), 1);

    said.clear();
    disk.fill();
    QVERIFY2(says("nothing is recorded at present: "), said);
    const int before = info()[u"looks"_s].toInt();
    ::kill(pid_t(recording->processId()), SIGTERM);
    const CtlResult ended = CtlRunner::finish(*recording);
    QVERIFY2(ended.exitCode == 1 && ended.err.contains("cannot be written: "), ended.text());
    disk.makeRoom();
    QCOMPARE(info()[u"looks"_s].toInt(), before);
    QCOMPARE(info()[u"damage"_s], QJsonValue());
}

void TestLockctlRecord::statementsAreLeftOutOnDemand()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 4711 WHERE id = 5"));
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 4712 WHERE id = 5");
    lookUntilBlocked(waiter, holder);
    const CtlResult recorded =
        ctl().run({u"record"_s, u"--out"_s, file(), u"--for"_s, u"300ms"_s, u"--statements"_s, u"none"_s, u"--json"_s});
    QVERIFY2(recorded.exitCode == 0 && recorded.object()[u"looks"_s].toInt() >= 1, recorded.text());
    const CtlResult shown = ctl().run({u"blockers"_s, u"--json"_s, u"--recording"_s, file()});
    QVERIFY2(shown.out.contains("(not recorded)") && !shown.out.contains("UPDATE"), shown.text());
    holder.run("ROLLBACK");
    waiter.finish();
}

void TestLockctlRecord::whatCannotBeRecordedIsSaid()
{
    const CtlResult text = ctl().run({u"recording"_s, u"info"_s, CtlRunner::program()});
    QVERIFY2(text.exitCode == 1 && text.err.contains("is not a recording"), text.text());
    const CtlResult folder = ctl().run({u"record"_s, u"--out"_s, m_home->filePath(u"none/x"_s), u"--for"_s, u"1s"_s});
    QVERIFY2(folder.exitCode == 1 && folder.err.contains("cannot be written"), folder.text());
    for (const QStringList &wrong : {QStringList{u"--max-size"_s, u"1M"_s},
                                     {u"--statements"_s, u"all"_s},
                                     {u"--interval"_s, u"1ms"_s},
                                     {u"--keep"_s, u"1s"_s}}) {
        const CtlResult refused = ctl().run(QStringList{u"record"_s, u"--out"_s, file()} + wrong);
        QVERIFY2(refused.exitCode == 64, refused.text());
    }
    QVERIFY(!QFileInfo::exists(file()));
    QCOMPARE(ctl().run({u"list"_s, u"--at"_s, u"03:12"_s}).exitCode, 64);
    QCOMPARE(ctl().run({u"record"_s, u"--out"_s, file(), u"--for"_s, u"200ms"_s}).exitCode, 0);
    const CtlResult time = ctl().run({u"list"_s, u"--recording"_s, file(), u"--at"_s, u"soon"_s});
    QVERIFY2(time.exitCode == 64 && time.err.contains("is no time"), time.text());
    const CtlResult early = ctl().run({u"list"_s, u"--recording"_s, file(), u"--at"_s, u"2001-01-01T00:00:00"_s});
    QVERIFY2(early.exitCode == 1 && early.err.contains("begins at"), early.text());
}

QTEST_GUILESS_MAIN(TestLockctlRecord)
#include "tst_lockctlrecord.moc"
