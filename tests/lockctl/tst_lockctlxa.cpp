// SPDX-License-Identifier: MIT
// What a person at a shell does with a prepared transaction that its session has left.
#include "actor.h"
#include "enginetest.h"
#include "lockctlrunner.h"

#include <QtCore/QTemporaryDir>
#include <QtCore/QThread>
#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class LockctlXaTest : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatASessionHasLeftIsShownAndEnded();
    void whatASessionHasIsRefused();
    void aNameThatIsNotThereIsNone();
    void aWordThatMayBeSeveralIsNone();
    void whoMayNotSeeThemIsToldSo();

private:
    CtlRunner ctl() const;
    std::unique_ptr<Actor> prepare(const QByteArray &xid = "'x1'", int row = 5);
    void leave(std::unique_ptr<Actor> owner);
    /// The only root, once somebody waits for it.
    QJsonObject root() const;
    bool isThere() const { return Actor(*m_server).run("XA RECOVER").set(-1).rows.size() == 1; }
    QByteArray audit() const;

    std::unique_ptr<QTemporaryDir> m_home;
};

void LockctlXaTest::init()
{
    EngineTest::init();
    m_home = std::make_unique<QTemporaryDir>();
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (5,0), (6,0)");
}

CtlRunner LockctlXaTest::ctl() const
{
    ServerUrl url = m_server->url();
    url.schema = u"absent"_s; // nothing here needs one
    CtlRunner runner(url.toString());
    runner.set("XDG_DATA_HOME", m_home->path());
    return runner;
}

std::unique_ptr<Actor> LockctlXaTest::prepare(const QByteArray &xid, int row)
{
    auto owner = std::make_unique<Actor>(*m_server);
    bool isDone = m_server->family() == Family::MariaDb || owner->run("SET xa_detach_on_prepare = OFF");
    const QByteArray update = "UPDATE shop.stock SET n = 7 WHERE id = " + QByteArray::number(row);
    for (const QByteArray &sql : {"XA START " + xid, update, "XA END " + xid, "XA PREPARE " + xid})
        isDone = isDone && owner->run(sql);
    if (!isDone)
        qFatal("The transaction is not prepared.");
    return owner;
}

void LockctlXaTest::leave(std::unique_ptr<Actor> owner)
{
    const QByteArray isConnected =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + QByteArray::number(owner->id());
    owner.reset();
    if (!eventually([&] { return m_observer->value(isConnected).toInt() == 0; }))
        qFatal("The session does not end.");
}

QJsonObject LockctlXaTest::root() const
{
    QJsonArray roots;
    const bool isSeen = eventually([&] {
        QThread::msleep(120); // InnoDB tells nothing new to who asks more often
        roots = ctl().run({u"blockers"_s, u"--json"_s}).array();
        return roots.size() == 1 && roots.first()[u"waiters"_s].toArray().size() == 1;
    });
    return isSeen ? roots.first().toObject() : QJsonObject();
}

QByteArray LockctlXaTest::audit() const
{
    QFile file(m_home->filePath(u"lockscope/audit.jsonl"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void LockctlXaTest::whatASessionHasLeftIsShownAndEnded()
{
    QCOMPARE(ctl().run({u"init"_s}).exitCode, 0);
    leave(prepare());
    Actor waiter(*m_server);
    waiter.start("UPDATE shop.stock SET n = n + 1 WHERE id = 5");
    const QJsonObject node = root();
    QVERIFY(node[u"connectionId"_s].isNull());
    QCOMPARE(node[u"prepared"_s][u"xids"_s].toArray(), QJsonArray{u"'x1'"_s});
    QCOMPARE(node[u"frees"_s].toInt(), 1);
    const auto shown = ctl().run({u"blockers"_s});
    QVERIFY2(shown.out.contains("prepared as XA 'x1'"), shown.text());
    QVERIFY2(shown.out.contains("XA COMMIT 'x1' or XA ROLLBACK 'x1' ends it"), shown.text());
    const auto checked = ctl().run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"1ms"_s});
    QVERIFY2(checked.exitCode == 2 && checked.out.contains("prepared as XA 'x1' has been open"), checked.text());
    const auto listed = ctl().run({u"list"_s, u"--all"_s});
    QVERIFY2(listed.out.contains("prepared as XA 'x1'"), listed.text());

    const QStringList words{u"xa"_s, u"commit"_s, u"x1"_s, u"--reason"_s, u"decided so"_s};
    const auto dry = ctl().run(words + QStringList{u"--dry-run"_s});
    QVERIFY2(dry.exitCode == 0 && dry.out.endsWith("XA COMMIT 'x1';\n\n")
                 && dry.out.contains("1 waiter goes on at once"),
             dry.text());
    QVERIFY(isThere() && audit().isEmpty());
    QVERIFY(ctl().run(words).exitCode != 0); // nobody is there to be asked
    QVERIFY(isThere());

    const auto done = ctl().run(words + QStringList{u"--yes"_s});
    QVERIFY2(done.exitCode == 0 && done.out.contains("XA COMMIT 'x1': ended"), done.text());
    QVERIFY2(done.out.contains("1 went on, none of them waits"), done.text());
    QVERIFY(waiter.finish());
    QCOMPARE(m_observer->value("SELECT n FROM shop.stock WHERE id = 5").toInt(), 8);
    QCOMPARE(audit().count('\n'), 2);
    const auto record = ctl().run({u"audit"_s, u"--json"_s});
    QVERIFY2(record.out.contains("XA COMMIT 'x1', transaction ") && record.out.contains("decided so"), record.text());
    const auto events = ctl().run({u"events"_s});
    QVERIFY2(events.out.contains("prepared transaction ended  XA COMMIT 'x1'  by "), events.text());
    QVERIFY2(events.out.contains("decided so (XA COMMIT: ended)") && !events.out.contains("@:0/"), events.text());
    QCOMPARE(ctl().run(words + QStringList{u"--yes"_s}).exitCode, 3); // there is none any more
}

void LockctlXaTest::whatASessionHasIsRefused()
{
    auto owner = prepare();
    const auto refused = ctl().run({u"xa"_s, u"rollback"_s, u"'x1'"_s, u"--reason"_s, u"r"_s, u"--yes"_s});
    QVERIFY2(refused.exitCode == 3 && refused.err.contains("only that session can end it"), refused.text());
    QVERIFY(audit().isEmpty());
    const auto warned = ctl().run({u"kill"_s, QString::number(owner->id()), u"--reason"_s, u"r"_s, u"--dry-run"_s});
    QVERIFY2(warned.out.contains("Warning: Its transaction") && warned.out.contains("Nobody goes on."), warned.text());
    QVERIFY(owner->run("XA ROLLBACK 'x1'"));
}

void LockctlXaTest::aNameThatIsNotThereIsNone()
{
    leave(prepare());
    for (const QString &name :
         {u"x"_s, u"'x1','a'"_s, u"'x1','',18446744073709551617"_s, u"x1; DROP DATABASE shop"_s}) {
        const auto none = ctl().run({u"xa"_s, u"rollback"_s, name, u"--reason"_s, u"r"_s, u"--yes"_s});
        QVERIFY2(none.exitCode == 3 && none.err.contains("no prepared transaction"), none.text());
    }
    QVERIFY(isThere());
    QCOMPARE(ctl().run({u"xa"_s, u"forget"_s, u"x1"_s, u"--reason"_s, u"r"_s, u"--yes"_s}).exitCode, 64);
    QVERIFY(Actor(*m_server).run("XA ROLLBACK 'x1'"));
}

void LockctlXaTest::aWordThatMayBeSeveralIsNone()
{
    leave(prepare());
    leave(prepare("'x1','b'", 6));
    const auto two = ctl().run({u"xa"_s, u"rollback"_s, u"x1"_s, u"--reason"_s, u"r"_s, u"--dry-run"_s});
    QVERIFY2(two.exitCode == 3 && two.err.contains("'x1','b'") && two.err.contains("may be any of"), two.text());
    const auto one = ctl().run({u"xa"_s, u"rollback"_s, u"'x1'"_s, u"--reason"_s, u"r"_s, u"--dry-run"_s});
    QVERIFY2(one.exitCode == 0 && one.out.contains("XA ROLLBACK 'x1';"), one.text());
    QVERIFY(Actor(*m_server).run("XA ROLLBACK 'x1'"));
    QVERIFY(Actor(*m_server).run("XA ROLLBACK 'x1','b'"));
}

void LockctlXaTest::whoMayNotSeeThemIsToldSo()
{
    leave(prepare());
    m_observer->run("CREATE USER IF NOT EXISTS watcher@localhost, watcher@'127.0.0.1'");
    ServerUrl url = m_server->url();
    url.schema = u"absent"_s;
    url.user = u"watcher"_s;
    CtlRunner runner(url.toString());
    runner.set("XDG_DATA_HOME", m_home->path());
    const auto none = runner.run({u"xa"_s, u"rollback"_s, u"x1"_s, u"--reason"_s, u"r"_s, u"--yes"_s});
    QVERIFY2(none.exitCode == 3 && none.err.contains("nobody knows") && none.err.contains("GRANT PROCESS"),
             none.text());
    QVERIFY(isThere());
    QVERIFY(Actor(*m_server).run("XA ROLLBACK 'x1'"));
}

QTEST_GUILESS_MAIN(LockctlXaTest)
#include "tst_lockctlxa.moc"
