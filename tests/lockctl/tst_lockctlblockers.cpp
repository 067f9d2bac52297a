// SPDX-License-Identifier: MIT
// What a person at a shell does when an application stands still: see who blocks whom, end the right session, and no
// other, and be told by monitoring before.
#include "actor.h"
#include "atterminal.h"
#include "deadlockmaker.h"
#include "enginetest.h"

#include <QtCore/QTemporaryDir>
#include <QtCore/QTemporaryFile>
#include <QtCore/QThread>
#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// InnoDB tells nothing new to who asks more often, in milliseconds.
constexpr int kInnoDbKeeps = 120;
constexpr int kWaiters = 10;

QStringList tellingOptions()
{
    return {u"--performance-schema=ON"_s, u"--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON"_s,
            u"--performance-schema-consumer-events-statements-current=ON"_s};
}

QString text(quint64 number)
{
    return QString::number(number);
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

} // namespace

class LockctlBlockersTest : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void anIncidentIsShownAndResolved_data();
    void anIncidentIsShownAndResolved();
    void aQuietServerNeedsNoTablesAndNothingIsWritten();
    void whatIsSwitchedOffIsNotAskedFor();
    void whoIsNotLookedUpIsNotCalledGone();
    void whatIsNotReadIsNotDenied();
    void whatTheServerHoldsIsInTheListOfAll();
    void theLatestDeadlockIsTold();
    void deadlocksAreFollowed();
    void aChosenTransactionThatIsOverIsLeftAlone();
    void aStatementIsEndedAndItsSessionStays();
    void anIdleSessionHasNoStatementToEnd();
    void withoutARecordNothingIsDone();
    void withoutTheRightToKillNothingIsDone();
    void whatAUserMayNotSeeIsNamedWithItsRemedy();
    void whatIsRefusedIsSaidFirst();
    void hostileNamesReachNoTerminal();
    void whoAsksWithoutATerminalIsRefused();
    void theQuestionIsAnsweredAtTheTerminal();
    void severalNeedTheNameOfTheServer();
    void aScriptThatEndsSeveralNamesTheServer();
    void aKillSaysWhatBecameOfTheWaiters_data() { anIncidentIsShownAndResolved_data(); }
    void aKillSaysWhatBecameOfTheWaiters();
    void monitoringIsTold();
    void aSilentServerIsGivenUp();
    void aFrozenServerIsUnknownToMonitoring();

private:
    void useServer(bool tellsMost);
    CtlRunner ctl(const QString &user = u"root"_s) const;
    QString url(const QString &user = u"root"_s) const;
    /// Looks until `condition` holds of the roots.
    QJsonArray lookUntil(const std::function<bool(const QJsonArray &)> &condition) const;
    bool isThere(quint64 connection) { return isThere(QList<quint64>{connection}); }
    bool isThere(const QList<quint64> &connections);
    /// An idle transaction that holds row 5.
    std::unique_ptr<Actor> holder();
    std::unique_ptr<Actor> waiter(const QByteArray &sql = "UPDATE shop.stock SET n = n + 1 WHERE id = 5");
    QList<QJsonObject> audit() const;
    /// A rollback has two lines, its beginning and its end.
    QSet<QString> auditedTargets() const;
    void makeUser(const QByteArray &name, const QList<QByteArray> &grants);

    std::unique_ptr<TestServer> m_telling; ///< MariaDB with what it leaves out by default
    TestServer *m_used = nullptr;
    std::unique_ptr<QTemporaryDir> m_home;
};

void LockctlBlockersTest::initTestCase()
{
    EngineTest::initTestCase();
    m_telling = std::make_unique<TestServer>(tellingOptions());
}

void LockctlBlockersTest::init()
{
    EngineTest::init();
    m_home = std::make_unique<QTemporaryDir>();
    useServer(true);
}

void LockctlBlockersTest::useServer(bool tellsMost)
{
    m_used = tellsMost ? m_telling.get() : m_server;
    m_observer = std::make_unique<Observer>(*m_used);
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (1,0),(2,0),(3,0),(4,0),(5,0),(6,0),(7,0),(8,0),(9,0)");
}

QString LockctlBlockersTest::url(const QString &user) const
{
    ServerUrl url = m_used->url();
    url.schema = u"absent"_s; // nothing here needs one
    url.user = user;
    return url.toString();
}

CtlRunner LockctlBlockersTest::ctl(const QString &user) const
{
    CtlRunner runner(url(user));
    runner.set("XDG_DATA_HOME", m_home->path());
    return runner;
}

QJsonArray LockctlBlockersTest::lookUntil(const std::function<bool(const QJsonArray &)> &condition) const
{
    QJsonArray roots;
    const bool isSeen = eventually([&] {
        QThread::msleep(kInnoDbKeeps);
        const auto result = ctl().run({u"blockers"_s, u"--json"_s});
        if (result.exitCode != 0)
            qFatal("%s", result.text().constData());
        roots = result.array();
        return condition(roots);
    });
    if (!isSeen)
        qWarning("%s", qPrintable(u"not seen: "_s + QString::fromUtf8(QJsonDocument(roots).toJson())));
    return roots;
}

bool LockctlBlockersTest::isThere(const QList<quint64> &connections)
{
    QStringList numbers;
    for (const quint64 connection : connections)
        numbers.append(text(connection));
    const QVariant found = m_observer->value("SELECT COUNT(*) FROM information_schema.processlist WHERE id IN ("
                                             + numbers.join(u',').toLatin1() + ")");
    return found.toInt() == connections.size();
}

std::unique_ptr<Actor> LockctlBlockersTest::holder()
{
    auto actor = std::make_unique<Actor>(*m_used);
    if (!actor->run("BEGIN") || !actor->run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"))
        qFatal("The row cannot be locked.");
    return actor;
}

std::unique_ptr<Actor> LockctlBlockersTest::waiter(const QByteArray &sql)
{
    auto actor = std::make_unique<Actor>(*m_used);
    actor->start(sql);
    return actor;
}

QList<QJsonObject> LockctlBlockersTest::audit() const
{
    QList<QJsonObject> lines;
    QFile file(m_home->filePath(u"lockscope/audit.jsonl"_s));
    if (file.open(QIODevice::ReadOnly)) {
        while (!file.atEnd())
            lines.append(QJsonDocument::fromJson(file.readLine()).object());
    }
    return lines;
}

QSet<QString> LockctlBlockersTest::auditedTargets() const
{
    QSet<QString> targets;
    for (const QJsonObject &line : audit())
        targets.insert(line[u"target"_s].toString());
    return targets;
}

void LockctlBlockersTest::makeUser(const QByteArray &name, const QList<QByteArray> &grants)
{
    m_observer->run("DROP USER IF EXISTS '" + name + "'@'localhost'");
    m_observer->run("CREATE USER '" + name + "'@'localhost'");
    for (const QByteArray &grant : grants)
        m_observer->run("GRANT " + grant + " TO '" + name + "'@'localhost'");
}

void LockctlBlockersTest::anIncidentIsShownAndResolved_data()
{
    QTest::addColumn<bool>("tellsMost");
    QTest::newRow("as it is by default") << false;
    QTest::newRow("with all it can tell") << true;
}

void LockctlBlockersTest::anIncidentIsShownAndResolved()
{
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    const auto idle = holder();
    std::vector<std::unique_ptr<Actor>> waiters;
    QList<quint64> others;
    for (int i = 0; i < kWaiters; ++i) {
        waiters.push_back(waiter());
        others.append(waiters.back()->id());
    }
    lookUntil([&](const QJsonArray &roots) { return find(roots, idle->id())[u"frees"_s].toInt() == kWaiters; });
    const auto alter = waiter("ALTER TABLE shop.stock ADD COLUMN extra INT, ALGORITHM=COPY");
    lookUntil([&](const QJsonArray &roots) { return !find(roots, alter->id()).isEmpty(); });
    const auto writer = waiter("UPDATE shop.stock SET n = 7 WHERE id = 9");
    Actor migration(*m_used);
    QVERIFY(migration.run("SELECT GET_LOCK('Flyway--1695041341', 0)")); // of the schema shop
    const auto second = waiter("SELECT GET_LOCK('Flyway--1695041341', 600)");
    others << alter->id() << writer->id() << migration.id() << second->id();

    const bool tells = tellsMost || m_used->family() == Family::MySql;
    const int least = kWaiters + (tells ? 2 : 1); // whom the writer waits for is known to no other source
    const QJsonArray roots = lookUntil([&](const QJsonArray &now) {
        return !find(now, second->id()).isEmpty() && find(now, idle->id())[u"frees"_s].toInt() >= least;
    });
    const QJsonObject root = find(roots, idle->id());
    QCOMPARE(roots[0][u"connectionId"_s].toInteger(), qint64(idle->id()));
    QCOMPARE(root[u"kind"_s].toString(), u"row"_s);
    QVERIFY(root[u"resource"_s].toString().startsWith(u"shop.stock PRIMARY"_s));
    QCOMPARE(root[u"isIdle"_s].toBool(), true);
    QVERIFY(root[u"waitedMs"_s].toInteger() > 0);
    QCOMPARE(find(roots, alter->id())[u"kind"_s].toString(), u"metadata"_s);
    const QJsonObject migrates = find(roots, migration.id());
    QCOMPARE(migrates[u"waiters"_s][0][u"connectionId"_s].toInteger(), qint64(second->id()));
    QCOMPARE(migrates[u"kind"_s].toString(), u"user"_s);

    const auto shown = ctl().run({u"blockers"_s});
    QVERIFY2(shown.out.startsWith(text(idle->id()).toLatin1() + "  root@localhost"), shown.text());
    QVERIFY2(shown.out.contains(" in a transaction of ") && shown.out.contains(" at once, up to "), shown.text());
    QVERIFY2(shown.out.toLower().contains("get_lock flyway--1695041341 (flyway"), shown.text()); // MySQL folds it
    if (tells)
        QVERIFY2(shown.out.contains("ran last: UPDATE shop.stock SET n = n + 1 WHERE id = 5"), shown.text());
    else
        QVERIFY2(shown.err.contains("metadata locks: "), shown.text());

    const QStringList words{u"kill"_s, text(idle->id()), u"--reason"_s, u"idle since lunch"_s};
    const auto dry = ctl().run(words + QStringList{u"--dry-run"_s});
    QVERIFY2(dry.exitCode == 0 && dry.out.contains(" on at once: ") && dry.out.contains(" later, one after the other"),
             dry.text());
    QVERIFY2(dry.out.contains("KILL CONNECTION") && dry.out.contains("1 changed; undoing them takes less than 1 s"),
             dry.text());
    QVERIFY2(dry.out.indexOf(" on at once: ") < dry.out.indexOf("KILL CONNECTION"), dry.text()); // who first, then how
    QVERIFY(isThere(idle->id()) && audit().isEmpty());

    const auto killed = ctl().run(words + QStringList{u"--yes"_s, u"--json"_s});
    QVERIFY2(killed.exitCode == 0, killed.text());
    QVERIFY2(killed.object()[u"outcome"_s].toString() == u"ended"_s, killed.text());
    for (const auto &one : waiters)
        QVERIFY(one->finish());
    QVERIFY(alter->finish());
    QVERIFY(writer->finish());
    QVERIFY(!isThere(idle->id()));
    QVERIFY(isThere(others)); // nobody else was ended
    QVERIFY(second->isBusy());
    QCOMPARE(m_observer->value("SELECT n FROM shop.stock WHERE id = 5").toInt(), kWaiters);

    QVERIFY(!audit().isEmpty());
    const QJsonObject line = audit().last(); // the end of what was undone may have one of its own
    QCOMPARE(line[u"reason"_s].toString(), u"idle since lunch"_s);
    QVERIFY(line[u"target"_s].toString().startsWith(u"session %1 of root@"_s.arg(idle->id())));
    QVERIFY(line[u"statement"_s].toString().contains(u"KILL CONNECTION"_s));
    QCOMPARE(line[u"outcome"_s].toString(), u"ended"_s);
    const auto record = ctl().run({u"audit"_s, u"--json"_s, u"--server"_s, u"ROOT@"_s});
    QVERIFY2(record.exitCode == 0 && record.array().size() == 1, record.text()); // lines of one act are one
    QJsonObject act = record.array().first().toObject();
    act[u"at"_s] = line[u"at"_s]; // when it was begun
    QCOMPARE(act, line);
    QVERIFY(ctl().run({u"audit"_s}).out.contains("idle since lunch"));
    QVERIFY(ctl().run({u"audit"_s, u"--server"_s, u"elsewhere"_s}).err.contains("is about a server"));
    QVERIFY(ctl().run({u"audit"_s}).out.contains("root@localhost"));
    const auto again = ctl().run(words + QStringList{u"--yes"_s});
    QVERIFY2(again.exitCode == 3, again.text());

    const auto ended = ctl().run({u"kill"_s, text(migration.id()), u"--reason"_s, u"stuck"_s, u"--yes"_s});
    QVERIFY2(ended.exitCode == 0, ended.text());
    QCOMPARE(second->finish().value().toInt(), 1);
    QVERIFY(!isThere(migration.id()));
    others.removeOne(migration.id());
    QVERIFY(isThere(others));
    QCOMPARE(auditedTargets().size(), 2);
    lookUntil([](const QJsonArray &now) { return now.isEmpty(); });
}

void LockctlBlockersTest::aQuietServerNeedsNoTablesAndNothingIsWritten()
{
    const QVariant before = m_observer->value("SELECT COUNT(*) FROM information_schema.tables");
    lookUntil([](const QJsonArray &now) { return now.isEmpty(); }); // sessions of the test before are gone
    m_observer->startLog();
    const auto result = ctl().run({u"blockers"_s});
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.out, QByteArray("Nobody waits.\n"));
    QCOMPARE(ctl().run({u"blockers"_s, u"--json"_s}).out, QByteArray("[]\n"));
    QCOMPARE(ctl().run({u"list"_s, u"--all"_s, u"--json"_s}).out, QByteArray("[]\n"));
    const QStringList logged = m_observer->logged();
    QVERIFY(!logged.isEmpty());
    static const QRegularExpression writes(
        u"^\\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|KILL|LOCK|SET GLOBAL)"_s,
        QRegularExpression::CaseInsensitiveOption);
    for (const QString &statement : logged)
        QVERIFY2(!writes.match(statement).hasMatch(), qPrintable(statement));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM information_schema.tables"), before);
}

void LockctlBlockersTest::whatIsSwitchedOffIsNotAskedFor()
{
    const auto logged = [this](const QStringList &words) {
        m_observer->startLog();
        const auto result = ctl().run(words);
        return result.exitCode == 0 ? m_observer->logged().join(u'\n') : QString::fromUtf8(result.text());
    };
    for (const QStringList &command : {QStringList{u"blockers"_s}, QStringList{u"top"_s, u"--once"_s}}) {
        const QStringList without{u"--without"_s, u"metadata"_s, u"--without"_s, u"user"_s};
        QVERIFY(logged(command).contains(u"m.lock_duration"_s));
        const QString less = logged(command + without);
        QVERIFY2(less.contains(u"innodb_trx"_s) && !less.contains(u"m.lock_duration"_s), qPrintable(less));
        const auto wrong = ctl().run(command + QStringList{u"--without"_s, u"rows"_s});
        QVERIFY2(wrong.exitCode == 64 && wrong.err.contains("transactions, row, metadata"), wrong.text());
    }
}

void LockctlBlockersTest::whoIsNotLookedUpIsNotCalledGone()
{
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &roots) { return !find(roots, waits->id()).isEmpty(); });
    const QStringList words{u"blockers"_s, u"--without"_s, u"sessions"_s};
    const auto shown = ctl().run(words);
    QVERIFY2(shown.out.contains(text(idle->id()).toLatin1() + "  not looked up") && !shown.out.contains("gone"),
             shown.text());
    const auto json = ctl().run(words + QStringList{u"--json"_s});
    QVERIFY2(!find(json.array(), idle->id())[u"isGone"_s].toBool(), json.text());
}

/// What nobody asked for is not said to be so.
void LockctlBlockersTest::whatIsNotReadIsNotDenied()
{
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &roots) { return !find(roots, waits->id()).isEmpty(); });
    const auto noStatements = ctl().run({u"blockers"_s, u"--without"_s, u"statements"_s});
    QVERIFY2(!noStatements.out.contains("has run nothing yet"), noStatements.text());
    const auto noRows = ctl().run({u"blockers"_s, u"--without"_s, u"row"_s});
    QVERIFY2(!noRows.out.contains("does not name"), noRows.text());
}

void LockctlBlockersTest::whatTheServerHoldsIsInTheListOfAll()
{
    const auto idle = holder();
    const auto waits = waiter();
    Actor named(*m_used);
    QVERIFY(named.run("SELECT GET_LOCK('prisma_migrate', 0)"));
    lookUntil([&](const QJsonArray &roots) { return !find(roots, waits->id()).isEmpty(); });
    const auto result = ctl().run({u"list"_s, u"--all"_s, u"--json"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    QHash<QString, QJsonObject> byKind;
    for (const auto &lock : result.array()) {
        if (!byKind.contains(lock[u"kind"_s].toString()))
            byKind.insert(lock[u"kind"_s].toString(), lock.toObject());
    }
    QCOMPARE(byKind[u"row"_s][u"connectionId"_s].toInteger(), qint64(idle->id()));
    QCOMPARE(byKind[u"row"_s][u"waiters"_s].toInt(), 1);
    QCOMPARE(byKind[u"metadata"_s][u"resource"_s].toString(), u"shop.stock"_s);
    QCOMPARE(byKind[u"user"_s][u"resource"_s].toString(), u"prisma_migrate"_s);
    QCOMPARE(byKind[u"user"_s][u"takenBy"_s].toString(), u"Prisma Migrate"_s);
    QCOMPARE(byKind[u"user"_s][u"connectionId"_s].toInteger(), qint64(named.id()));
    for (const auto &lock : result.array())
        QVERIFY(lock[u"token"_s].isNull() && lock[u"state"_s].toString() == u"held"_s);
    const auto table = ctl().run({u"list"_s, u"--all"_s});
    QVERIFY2(table.out.contains("Prisma Migrate") && table.out.contains("shop.stock"), table.text());
}

void LockctlBlockersTest::theLatestDeadlockIsTold()
{
    QVERIFY(makeDeadlock(*m_observer, *m_used, 5, 7));
    const auto shown = ctl().run({u"deadlocks"_s});
    QCOMPARE(shown.exitCode, 0);
    for (const QByteArray &part : {QByteArray("a deadlock of 2 transactions"),
                                   QByteArray(", rolled back: UPDATE shop.stock SET n = n + 1 WHERE id = "),
                                   QByteArray("waits for  shop.stock PRIMARY 7 (X,REC_NOT_GAP), held by "),
                                   QByteArray("Why: they locked the same rows in different orders")})
        QVERIFY2(shown.out.contains(part), shown.out.constData());
    const auto found = ctl().run({u"deadlocks"_s, u"--json"_s});
    const QJsonObject deadlock = QJsonDocument::fromJson(found.out).object().value("deadlock"_L1).toObject();
    QCOMPARE(deadlock.value("cause"_L1).toString(), u"order"_s);
    QCOMPARE(deadlock.value("waits"_L1).toArray().size(), 2);

    makeUser("blind", {});
    QCOMPARE(ctl(u"blind"_s).run({u"deadlocks"_s}).exitCode, 77);

    m_observer->run("SET GLOBAL innodb_print_all_deadlocks = ON");
    for (int i = 0; i < 2; ++i)
        QVERIFY(makeDeadlock(*m_observer, *m_used, 5, 7));
    m_observer->run("SET GLOBAL innodb_print_all_deadlocks = OFF");
    QTemporaryFile log;
    QVERIFY(log.open() && log.write(m_used->log().toUtf8()) > 0 && log.flush());
    const CtlRunner nowhere(u"mysql://root@localhost/?socket=%2Fnowhere"_s);
    const auto inLog = nowhere.run({u"deadlocks"_s, u"--log"_s, log.fileName()});
    QVERIFY2(inLog.exitCode == 0 && inLog.out.contains("  The last of 2 like it"), inLog.text());
    QCOMPARE(nowhere.run({u"--json"_s, u"deadlocks"_s, u"--log"_s, log.fileName()}).array()[0][u"count"_s].toInt(), 2);
    const auto none = nowhere.run({u"deadlocks"_s, u"--log"_s, u"/nowhere"_s});
    QVERIFY2(none.exitCode == 1 && none.err.contains("/nowhere cannot be read: No such file"), none.text());
    QCOMPARE(nowhere.run({u"deadlocks"_s, u"--log"_s, u"/"_s}).exitCode, 1);
}

void LockctlBlockersTest::deadlocksAreFollowed()
{
    const auto follower = ctl().start({u"deadlocks"_s, u"--follow"_s, u"--json"_s});
    const auto nextNews = [&] {
        eventually(
            [&] { return follower->canReadLine() || !follower->waitForReadyRead(int(Patience.count()) * 1000); });
        return QJsonDocument::fromJson(follower->readLine()).object();
    };
    QVERIFY(nextNews().contains("notCaptured"_L1)); // what was before
    quint64 notCaptured = 0;
    for (const int row : {3, 4}) {
        QVERIFY(makeDeadlock(*m_observer, *m_used, row, 9));
        QJsonObject deadlock;
        while (deadlock.isEmpty()) { // between counting and reading the text there may be a document without one
            const QJsonObject news = nextNews();
            QVERIFY2(!news.isEmpty(), follower->readAllStandardError().constData());
            notCaptured += quint64(news.value("notCaptured"_L1).toInteger());
            deadlock = news.value("deadlock"_L1).toObject();
        }
        QCOMPARE(deadlock.value("cause"_L1).toString(), u"order"_s);
        QVERIFY(deadlock.value("text"_L1).toString().contains(u"WHERE id = %1"_s.arg(row)));
    }
    QCOMPARE(notCaptured, quint64(0));
    QCOMPARE(follower->state(), QProcess::Running);

    // A server that is gone for a while is said once, and what comes afterwards is told.
    m_used->restart();
    m_observer = std::make_unique<Observer>(*m_used);
    QVERIFY(makeDeadlock(*m_observer, *m_used, 3, 9));
    QCOMPARE(nextNews().value("deadlock"_L1).toObject().value("cause"_L1).toString(), u"order"_s);
    follower->terminate();
    QVERIFY(follower->waitForFinished());
}

void LockctlBlockersTest::aChosenTransactionThatIsOverIsLeftAlone()
{
    const auto idle = holder();
    const auto waits = waiter();
    const QJsonArray roots = lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    const qint64 transaction = find(roots, idle->id())[u"transaction"_s][u"id"_s].toInteger();
    QVERIFY(transaction > 0);
    const QStringList words{u"kill"_s,  text(idle->id()), u"--reason"_s,     u"test"_s,
                            u"--yes"_s, u"--json"_s,      u"--transaction"_s};
    const auto other = ctl().run(words + QStringList{QString::number(transaction + 1)});
    QVERIFY2(other.exitCode == 3 && other.object()[u"outcome"_s].toString() == u"changed"_s, other.text());
    QVERIFY(isThere({idle->id(), waits->id()}));
    const auto right = ctl().run(words + QStringList{QString::number(transaction)});
    QVERIFY2(right.exitCode == 0, right.text());
    QVERIFY(waits->finish());
    Actor plain(*m_used);
    QVERIFY(plain.run("DO 1"));
    const auto none = ctl().run({u"kill"_s, text(plain.id()), u"--reason"_s, u"test"_s, u"--yes"_s, u"--transaction"_s,
                                 QString::number(transaction)});
    QVERIFY2(none.exitCode == 3 && none.err.contains("nothing was done") && none.err.contains("has no transaction."),
             none.text());
}

void LockctlBlockersTest::aStatementIsEndedAndItsSessionStays()
{
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    const auto killed = ctl().run({u"kill"_s, text(waits->id()), u"--query"_s, u"--reason"_s, u"test"_s, u"--yes"_s});
    QVERIFY2(killed.exitCode == 0, killed.text());
    const Reply reply = waits->finish();
    QVERIFY(reply.error && reply.error->kind == LockError::Kind::Interrupted);
    QVERIFY(isThere({idle->id(), waits->id()}));
    QVERIFY(!audit().isEmpty() && audit().last()[u"statement"_s].toString().contains(u"KILL QUERY"_s));
}

void LockctlBlockersTest::anIdleSessionHasNoStatementToEnd()
{
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    const auto killed =
        ctl().run({u"kill"_s, text(idle->id()), u"--query"_s, u"--reason"_s, u"test"_s, u"--yes"_s, u"--json"_s});
    QVERIFY2(killed.exitCode == 3 && killed.err.contains("free nothing"), killed.text());
    QCOMPARE(killed.object()[u"outcome"_s].toString(), u"refused"_s);
    QVERIFY2(killed.object()[u"error"_s].toString().contains(u"free nothing"_s), killed.text());
    QVERIFY(isThere({idle->id(), waits->id()}));
}

void LockctlBlockersTest::withoutARecordNothingIsDone()
{
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    QFile obstacle(m_home->filePath(u"lockscope"_s));
    QVERIFY(obstacle.open(QIODevice::WriteOnly));
    const auto killed = ctl().run({u"kill"_s, text(idle->id()), u"--reason"_s, u"test"_s, u"--yes"_s});
    QVERIFY2(killed.exitCode == 1 && killed.err.contains("audit file"), killed.text());
    QVERIFY(isThere({idle->id(), waits->id()}));
}

void LockctlBlockersTest::withoutTheRightToKillNothingIsDone()
{
    makeUser("looks", {"PROCESS ON *.*", "SELECT ON performance_schema.*"});
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    const auto seen = ctl(u"looks"_s).run({u"blockers"_s, u"--json"_s});
    QVERIFY2(!find(seen.array(), waits->id()).isEmpty(), seen.text());
    const auto killed = ctl(u"looks"_s).run({u"kill"_s, text(idle->id()), u"--reason"_s, u"test"_s, u"--yes"_s});
    QVERIFY2(killed.exitCode == 77 && killed.err.contains("CONNECTION ADMIN"), killed.text());
    QVERIFY(isThere({idle->id(), waits->id()}));
    QCOMPARE(audit().size(), 2); // that it was tried is on record too
}

void LockctlBlockersTest::whatAUserMayNotSeeIsNamedWithItsRemedy()
{
    makeUser("nobody", {});
    const auto result = ctl(u"nobody"_s).run({u"blockers"_s});
    QVERIFY2(result.exitCode == 77 && result.err.contains("GRANT PROCESS"), result.text());
    QVERIFY2(result.out == "Whether somebody waits cannot be seen.\n", result.text());
    QCOMPARE(ctl(u"nobody"_s).run({u"blockers"_s, u"--json"_s}).exitCode, 77);
    const auto idle = holder();
    const auto killed = ctl(u"nobody"_s).run({u"kill"_s, text(idle->id()), u"--reason"_s, u"test"_s, u"--yes"_s});
    QVERIFY2(killed.exitCode == 1 && killed.err.contains("cannot be told now. The user lacks PROCESS."), killed.text());
    QVERIFY(isThere(idle->id()));
    const auto check = ctl(u"nobody"_s).run({u"check"_s, u"--max-wait"_s, u"1h"_s});
    QVERIFY2(check.exitCode == 3 && check.out.startsWith("UNKNOWN - "), check.text());
}

/// What cannot be done is said before what would be, and that is not forecast.
void LockctlBlockersTest::whatIsRefusedIsSaidFirst()
{
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    const auto dry = ctl().run({u"kill"_s, text(idle->id()), u"--query"_s, u"--reason"_s, u"x"_s, u"--dry-run"_s});
    const QByteArrayList lines = dry.out.split('\n');
    QVERIFY2(lines.value(1).startsWith("Refused: "), dry.text());
    QVERIFY2(!dry.out.contains("goes on") && !dry.out.contains("KILL QUERY " + text(idle->id()).toLatin1()),
             dry.text());
}

void LockctlBlockersTest::hostileNamesReachNoTerminal()
{
    const QByteArray table = "`a'b\"``\x1b[31m\xe2\x80\xae\xd7\xa9`";
    m_observer->run("CREATE TABLE shop." + table + " (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop." + table + " VALUES (1,0)");
    Actor idle(*m_used);
    QVERIFY(idle.run("BEGIN"));
    QVERIFY(idle.run("UPDATE shop." + table + " SET n = n + 1"));
    const auto waits =
        waiter("UPDATE shop." + table + " SET n = 2 /* \x1b]0;x\x07 " + QByteArray(qsizetype(64) * 1024, '7') + " */");
    lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    const auto shown = ctl().run({u"blockers"_s});
    const auto dry = ctl().run({u"kill"_s, text(waits->id()), u"--reason"_s, u"x"_s, u"--dry-run"_s});
    const auto list = ctl().run({u"list"_s, u"--all"_s});
    for (const auto &result : {shown, dry, list}) {
        QVERIFY2(result.exitCode == 0, result.text());
        for (const char *bad : {"\x1b", "\x07", "\xe2\x80\xae"})
            QVERIFY2(!result.out.contains(bad), result.text());
    }
    QVERIFY2(shown.out.contains("a'b\"`\\x1b[31m\\xe2\\x80\\xae"), shown.text());
    const auto killed = ctl().run({u"kill"_s, text(waits->id()), u"--reason"_s, u"it's \"long\""_s, u"--yes"_s});
    QVERIFY2(killed.exitCode == 0, killed.text());
    QVERIFY(eventually([&] { return !isThere(waits->id()); }));
    QVERIFY(isThere(idle.id()));
    QCOMPARE(audit()[0][u"reason"_s].toString(), u"it's \"long\""_s);
}

void LockctlBlockersTest::whoAsksWithoutATerminalIsRefused()
{
    for (const QStringList &words :
         {QStringList{u"kill"_s, u"1"_s, u"--reason"_s, u"x"_s},
          QStringList{u"kill"_s, u"1"_s, u"--reason"_s, u"x"_s, u"--json"_s},
          QStringList{u"kill"_s, u"1"_s, u"--yes"_s}, QStringList{u"kill"_s, u"0"_s, u"--reason"_s, u"x"_s, u"--yes"_s},
          QStringList{u"kill"_s, u"-1"_s, u"--reason"_s, u"x"_s, u"--yes"_s},
          QStringList{u"kill"_s, u"1"_s, u"2"_s, u"--transaction"_s, u"3"_s, u"--reason"_s, u"x"_s, u"--yes"_s},
          QStringList{u"kill"_s, u"1"_s, u"--transaction"_s, u"0"_s, u"--reason"_s, u"x"_s, u"--yes"_s},
          QStringList{u"kill"_s, u"1"_s, u"--transaction"_s, u"281474976710656"_s, u"--reason"_s, u"x"_s, u"--yes"_s},
          QStringList{u"kill"_s, u"1"_s, u"2"_s, u"--reason"_s, u"x"_s, u"--yes"_s}, QStringList{u"check"_s},
          QStringList{u"check"_s, u"--max-wait"_s, u"30"_s}}) {
        const auto result = ctl().run(words);
        QVERIFY2(result.exitCode == 64, qPrintable(words.join(u' ') + QString::fromUtf8(result.text())));
    }
}

void LockctlBlockersTest::theQuestionIsAnsweredAtTheTerminal()
{
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &now) { return !find(now, waits->id()).isEmpty(); });
    ::setenv("XDG_DATA_HOME", qPrintable(m_home->path()), 1);
    const QStringList words{CtlRunner::program(), u"--url"_s,    url(), u"kill"_s,
                            text(idle->id()),     u"--reason"_s, u"x"_s};
    for (const char *keys : {"\n", "n\n"}) {
        AtTerminal program(words);
        QVERIFY2(program.shows("[y/N]"), program.seen());
        program.type(keys);
        QCOMPARE(program.exitCode(), 3);
    }
    QVERIFY(isThere(idle->id()));
    AtTerminal program(words);
    QVERIFY2(program.shows("[y/N]"), program.seen());
    QVERIFY2(program.seen().contains("1 waiter goes on"), program.seen());
    program.type("y\n");
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(waits->finish());
}

void LockctlBlockersTest::severalNeedTheNameOfTheServer()
{
    const auto idle = holder();
    const auto first = waiter();
    const auto second = waiter();
    lookUntil([&](const QJsonArray &now) { return find(now, idle->id())[u"frees"_s].toInt() == 2; });
    ::setenv("XDG_DATA_HOME", qPrintable(m_home->path()), 1);
    const QStringList words{CtlRunner::program(), u"--url"_s,     url(),         u"kill"_s, text(first->id()),
                            text(second->id()),   u"999999999"_s, u"--reason"_s, u"x"_s};
    const QByteArray server = m_used->url().socket.toUtf8();
    for (const char *keys : {"y\n", "another\n"}) {
        AtTerminal program(words);
        QVERIFY2(program.shows("Type the server's name (" + server + ")"), program.seen());
        program.type(keys);
        QCOMPARE(program.exitCode(), 3);
    }
    QVERIFY(isThere({idle->id(), first->id(), second->id()}));
    AtTerminal program(words);
    QVERIFY2(program.shows("Type the server's name"), program.seen());
    program.type(server + "\n");
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(eventually([&] { return !isThere(first->id()) && !isThere(second->id()); }));
    QVERIFY(isThere(idle->id()));
    QCOMPARE(auditedTargets().size(), 2);
}

void LockctlBlockersTest::aScriptThatEndsSeveralNamesTheServer()
{
    const auto idle = holder();
    const auto first = waiter();
    const auto second = waiter();
    lookUntil([&](const QJsonArray &now) { return find(now, idle->id())[u"frees"_s].toInt() == 2; });
    const QString server = m_used->url().socket;
    const QStringList words{u"kill"_s, text(first->id()), text(second->id()), u"--reason"_s, u"x"_s};
    const auto unnamed = ctl().run(words + QStringList{u"--yes"_s});
    QVERIFY2(unnamed.exitCode == 64 && unnamed.err.contains("--server"), unnamed.text());
    const auto another = ctl().run(words + QStringList{u"--yes"_s, u"--server"_s, u"db1"_s});
    QVERIFY2(another.exitCode == 3 && another.err.contains(server.toUtf8()), another.text());
    const auto one = ctl().run({u"kill"_s, text(first->id()), u"--reason"_s, u"x"_s, u"--yes"_s, u"--server=db1"_s});
    QVERIFY2(one.exitCode == 3, one.text());
    QVERIFY(isThere({idle->id(), first->id(), second->id()}));
    QVERIFY(audit().isEmpty());
    const auto dry = ctl().run(words + QStringList{u"--dry-run"_s});
    QVERIFY2(dry.exitCode == 0, dry.text());
    const auto killed = ctl().run(words + QStringList{u"--yes"_s, u"--server"_s, server});
    QVERIFY2(killed.exitCode == 0, killed.text());
    QVERIFY(eventually([&] { return !isThere(first->id()) && !isThere(second->id()); }));
    QVERIFY(isThere(idle->id()));
    QCOMPARE(auditedTargets().size(), 2);
}

/// Those that are let in hold the row themselves, and commit when it suits them.
void LockctlBlockersTest::aKillSaysWhatBecameOfTheWaiters()
{
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    const auto idle = holder();
    QVERIFY(idle->run("UPDATE shop.stock SET n = n + 1 WHERE id = 7"));
    std::vector<std::unique_ptr<Actor>> waiters;
    for (const QByteArray row : {"5", "5", "5", "7", "7"}) {
        waiters.push_back(std::make_unique<Actor>(*m_used));
        QVERIFY(waiters.back()->run("BEGIN"));
        waiters.back()->start("UPDATE shop.stock SET n = 0 WHERE id = " + row);
    }
    const QJsonArray roots =
        lookUntil([&](const QJsonArray &now) { return find(now, idle->id())[u"frees"_s].toInt() == 5; });
    QCOMPARE(find(roots, idle->id())[u"freesAtOnce"_s].toInt(), 2);
    const auto killed = ctl().run({u"kill"_s, text(idle->id()), u"--reason"_s, u"test"_s, u"--yes"_s});
    QVERIFY2(killed.exitCode == 0 && killed.out.contains("2 waiters go on at once: ")
                 && killed.out.contains("Up to 3 later, one after the other, if each commits: "),
             killed.text());
    QVERIFY2(killed.out.contains("of those who waited: 2 went on, 3 wait, now blocked by "), killed.text());
    QList<quint64> wentOn;
    QVERIFY(eventually([&] { // their answers are on the way
        wentOn.clear();
        for (const auto &one : waiters) {
            if (!one->isBusy())
                wentOn.append(one->id());
        }
        return wentOn.size() == 2;
    }));
    for (const quint64 session : wentOn)
        QVERIFY2(killed.out.mid(killed.out.indexOf("now blocked by")).contains(text(session).toLatin1()),
                 killed.text());
}

void LockctlBlockersTest::monitoringIsTold()
{
    const auto check = [&](const QStringList &limits) { return ctl().run(QStringList{u"check"_s} + limits); };
    const QStringList generous{u"--max-wait"_s, u"1h"_s};
    lookUntil([](const QJsonArray &now) { return now.isEmpty(); }); // sessions of the test before are gone
    const auto quiet = check(generous);
    QVERIFY2(quiet.exitCode == 0 && quiet.out.startsWith("OK - nobody waits|wait=0.0s;;3600;0 queue=0;;;0 held="),
             quiet.text());
    QCOMPARE(quiet.out.count('\n'), 1);
    const auto idle = holder();
    const auto waits = waiter();
    lookUntil([&](const QJsonArray &now) { return find(now, waits->id())[u"waitedMs"_s].toInteger() > 1'000; });
    QCOMPARE(check(generous).exitCode, 0);
    QCOMPARE(check(generous + QStringList{u"--warn"_s, u"1ms"_s}).exitCode, 1);
    const auto critical = check({u"--max-wait"_s, u"1ms"_s, u"--warn"_s, u"1ms"_s});
    QVERIFY2(critical.exitCode == 2, critical.text());
    QVERIFY2(critical.out.startsWith("CRITICAL - 1 session waits")
                 && critical.out.contains(text(idle->id()).toLatin1()),
             critical.text());
    QCOMPARE(check(generous + QStringList{u"--max-queue"_s, u"0"_s}).exitCode, 2);
    QCOMPARE(check(generous + QStringList{u"--max-queue"_s, u"1"_s}).exitCode, 0);
    QCOMPARE(check(generous + QStringList{u"--max-held"_s, u"1ms"_s}).exitCode, 2);
    const auto json = check(generous + QStringList{u"--json"_s});
    QVERIFY2(json.exitCode == 0 && json.object()[u"state"_s].toString() == u"ok"_s, json.text());
    QCOMPARE(json.object()[u"heldBy"_s].toInteger(), qint64(idle->id()));
    const auto unknown = CtlRunner(u"mysql://root@127.0.0.1:1/absent"_s).run({u"check"_s, u"--max-wait"_s, u"1s"_s});
    QVERIFY2(unknown.exitCode == 3 && unknown.out.startsWith("UNKNOWN - "), unknown.text());
}

void LockctlBlockersTest::aSilentServerIsGivenUp()
{
    makeUser("stalled", {"PROCESS ON *.*", "SELECT, UPDATE ON *.*"});
    const auto idle = holder();
    const QList<std::pair<QStringList, int>> commands = {
        {{u"check"_s, u"--max-wait"_s, u"1h"_s}, 3},
        {{u"blockers"_s}, 69},
        {{u"top"_s, u"--once"_s}, 69},
        {{u"list"_s}, 69},
        {{u"list"_s, u"--all"_s}, 69},
        {{u"waiters"_s, u"a"_s}, 69},
        {{u"events"_s}, 69},
        {{u"kill"_s, u"1"_s, u"--reason"_s, u"x"_s, u"--dry-run"_s}, 69},
        {{u"release"_s, u"--prefix"_s, u"a"_s, u"--reason"_s, u"x"_s, u"--dry-run"_s}, 69}};
    // The server greets and lets in, and then answers no statement; no frozen one can be met at that moment.
    m_observer->run("SET GLOBAL init_connect = 'SET innodb_lock_wait_timeout = 1000; SELECT n FROM shop.stock WHERE id "
                    "= 5 FOR UPDATE'");
    ServerUrl url = m_used->url();
    url.user = u"stalled"_s;
    std::vector<std::unique_ptr<QProcess>> running;
    for (const auto &[words, exitCode] : commands)
        running.push_back(CtlRunner(url.toString()).start(words));
    std::vector<CtlResult> results;
    for (const auto &process : running)
        results.push_back(CtlRunner::finish(*process));
    m_observer->run("SET GLOBAL init_connect = ''");
    for (qsizetype i = 0; i < commands.size(); ++i) {
        const auto &[words, exitCode] = commands[i];
        const CtlResult &result = results[std::size_t(i)];
        QVERIFY2(result.exitCode == exitCode, words.join(u' ').toUtf8() + ": " + result.text());
        QVERIFY2((result.out + result.err).contains("The connection to the server broke"), result.text());
    }
}

void LockctlBlockersTest::aFrozenServerIsUnknownToMonitoring()
{
    m_used->freeze();
    const auto check = ctl().start({u"check"_s, u"--max-wait"_s, u"1h"_s});
    const auto blockers = ctl().start({u"blockers"_s});
    const auto unknown = CtlRunner::finish(*check);
    const auto gone = CtlRunner::finish(*blockers);
    m_used->thaw();
    QVERIFY2(unknown.exitCode == 3 && unknown.out.startsWith("UNKNOWN - The connection to the server broke"),
             unknown.text());
    QVERIFY2(gone.exitCode == 69 && gone.out.isEmpty(), gone.text());
}

QTEST_GUILESS_MAIN(LockctlBlockersTest)
#include "tst_lockctlblockers.moc"
