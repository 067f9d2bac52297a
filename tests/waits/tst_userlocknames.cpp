// SPDX-License-Identifier: MIT
// Which program takes a user-level lock, told by its name. The numbers are those that the programs compute.
#include "waits/serverwaits.h"
#include "waits/userlocknames.h"

#include <QtTest/QtTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

class UserLockNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aProgramIsToldByTheNameItTakes_data();
    void aProgramIsToldByTheNameItTakes();
    void aChecksumNeedsItsSchema();
    void schemasAreThoseThatALookNames();
};

void UserLockNamesTest::aProgramIsToldByTheNameItTakes_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("program");
    const auto row = [](const char *name, const QString &program) {
        QTest::newRow(*name != '\0' ? name : "empty") << QByteArray(name) << program;
    };
    row("Flyway--320650056", u"Flyway of app"_s);
    row("flyway--320650056", u"Flyway of app"_s);
    row("Flyway-12", u"Flyway"_s);
    row("Flyway", {});
    row("Flyway-of-ours", {});
    row("6939591962871035475", u"Rails migrations of app"_s);
    row("6939591962871035476", {});
    row("prisma_migrate", u"Prisma Migrate"_s);
    row("72707369", {}); // Prisma's on Postgres only
    row("2850886998", u"golang-migrate of app"_s);
    row("ea586330-2c93-47c8-908d-981d9d270f9d", u"Kysely migrations"_s);
    row("core/lock/vault/vault_lock", u"Vault of vault"_s);
    row("core/lock/other/vault_lock", {});
    row("vault/t", {});
    row("gh-ost.4711.lock", u"gh-ost"_s);
    row("gh-ost.x.lock", {});
    row("gh-ost..lock", {});
    row("orders-abcdefghij0123456789klmnopqrstuv", u"DistributedLock (.NET), by its form"_s);
    row("Orders-abcdefghij0123456789klmnopqrstuv", {});
    row("abcdefghij0123456789klmnopqrstuv", {});
    row("sum-d41d8cd98f00b204e9800998ecf8427e", {});
    row("lockscope:init:73686f70", u"lockctl init"_s);
    row("", {});
    row("nightly", {});
}

void UserLockNamesTest::aProgramIsToldByTheNameItTakes()
{
    QFETCH(QByteArray, name);
    QFETCH(QString, program);
    QCOMPARE(userLockProgram(name, {u"other"_s + u" schema"_s, u"app"_s, u"vault"_s}), program);
}

void UserLockNamesTest::aChecksumNeedsItsSchema()
{
    for (const char *name : {"6939591962871035475", "2850886998"}) {
        QCOMPARE(userLockProgram(name, {}), QString());
        QCOMPARE(userLockProgram(name, {u"App"_s}), QString());
        QVERIFY(userLockProgram(name, {u"App"_s, u"app"_s}).endsWith(u" of app"_s));
    }
    QCOMPARE(userLockProgram("Flyway--320650056", {}), u"Flyway"_s);
}

void UserLockNamesTest::schemasAreThoseThatALookNames()
{
    ServerWaits waits;
    waits.sessions.insert(1, {});
    waits.sessions[1].schema = u"shop"_s;
    waits.locks.append(ServerLock{});
    waits.locks.last().object.schema = u"app"_s;
    waits.edges.append(WaitEdge{});
    waits.edges.last().object.schema = u"shop"_s;
    QCOMPARE(schemasOf(waits), QStringList({u"app"_s, u"shop"_s}));
}

QTEST_GUILESS_MAIN(UserLockNamesTest)
#include "tst_userlocknames.moc"
