// SPDX-License-Identifier: MIT
// Lessons on a server of somebody's own: what is made there goes again, whatever happens; the rights that are shipped
// are enough and none of them too many; a production server is left alone.
#include "actor.h"
#include "knownplace.h"
#include "lockctlrunner.h"

#include "lessons/lessonexpectation.h"
#include "lessons/lessonlibrary.h"
#include "lessons/lessonschema.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

Lesson smallLesson()
{
    Lesson lesson;
    lesson.setup = {u"CREATE TABLE t (id INT PRIMARY KEY)"_s};
    return lesson;
}

/// Where no pattern finds it.
const QByteArray kHidden = "/*! XA PREPARE 'left' */";

QByteArray setupThatPrepares(const QByteArray &work, const QByteArray &prepare)
{
    return "CREATE TABLE s(id INT PRIMARY KEY);\nCREATE TABLE t(id INT PRIMARY KEY, v INT);\n"
           "INSERT INTO t VALUES(1,0);\nXA START 'left';\n"
        + work + ";\nXA END 'left';\n" + prepare + ";";
}

SessionTarget with(const ServerUrl &url)
{
    SessionTarget target;
    target.url = url;
    target.password = url.user == u"root" ? QString() : u"pw"_s;
    return target;
}

} // namespace

class TestLessonPlaces : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { QCOMPARE(KnownPlace::leftovers(), QStringList()); }
    void aRunHasASchemaAndAnAccountOfItsOwn_data();
    void aRunHasASchemaAndAnAccountOfItsOwn();
    void theShippedRightsAreEnough_data();
    void theShippedRightsAreEnough();
    void theCommandPlaysWithTheseRights();
    void aMissingRightIsTold_data();
    void aMissingRightIsTold();
    void whatFailsMidwayLeavesNothing();
    void whatADeadRunLeftIsRemovedWithTheseRights();
    void whatALessonPreparedGoesWithIt_data();
    void whatALessonPreparedGoesWithIt();
    void aStrangersPreparedTransactionIsLeftAlone();
    void whoJustLooksAtATableIsWaitedFor();
    void aStatementThatNobodyWaitsForEndsWithTheRun();
    void aRunWhoseMarkIsGoneIsNotTakenForDead();
    void aProductionServerIsLeftAlone_data();
    void aProductionServerIsLeftAlone();
    void thePasswordSuitsAPolicy();

private:
    QStringList prepared() const;

    std::unique_ptr<KnownPlace> m_place;
};

/// Their names.
QStringList TestLessonPlaces::prepared() const
{
    QStringList names;
    for (const QVariantList &row : m_observer->rows("XA RECOVER"))
        names += row.value(3).toString();
    names.sort();
    return names;
}

void TestLessonPlaces::initTestCase()
{
    EngineTest::initTestCase();
    m_place = std::make_unique<KnownPlace>();
}

void TestLessonPlaces::aRunHasASchemaAndAnAccountOfItsOwn_data()
{
    QTest::addColumn<ServerUrl>("url");
    QTest::addColumn<QString>("host");
    QTest::newRow("as root") << KnownPlace::socketUrl(u"root"_s) << u"localhost"_s;
    QTest::newRow("over a socket") << KnownPlace::socketUrl() << u"localhost"_s;
    QTest::newRow("over TCP") << m_place->url() << u"127.0.0.1"_s;
}

void TestLessonPlaces::aRunHasASchemaAndAnAccountOfItsOwn()
{
    QFETCH(ServerUrl, url);
    QFETCH(QString, host);
    LockError error;
    const auto schema = LessonSchema::make(with(url), smallLesson(), &error);
    QVERIFY2(schema, qPrintable(error.toString()));
    const ServerUrl &own = schema->learner().url;
    QCOMPARE(KnownPlace::leftovers(), QStringList({own.user + u'@' + host, own.schema}));
    const auto session = Session::open(schema->learner(), &error);
    QVERIFY2(session, qPrintable(error.toString()));
    QVERIFY(session->run("INSERT INTO t VALUES (1)", "test"));
    QVERIFY(!session->run("CREATE TABLE lockscope.t (id INT)", "test"));
    QVERIFY(!session->run("CREATE DATABASE lockscope_lesson_of_mine", "test"));
    for (const QString &kind : {u"[a-z]"_s, u"[A-Z]"_s, u"[0-9]"_s, u"[^a-zA-Z0-9]"_s})
        QVERIFY2(schema->learner().password.contains(QRegularExpression(kind)), qPrintable(kind));
}

void TestLessonPlaces::theShippedRightsAreEnough_data()
{
    QTest::addColumn<QString>("id");
    for (const char *id : {"ghost-stock", "alter-in-the-queue", "kill-the-holder", "dead-client", "xa-prepare"})
        QTest::newRow(id) << QString::fromLatin1(id);
}

void TestLessonPlaces::theShippedRightsAreEnough()
{
    QFETCH(QString, id);
    const auto lesson = std::get<Lesson>(libraryLesson(id));
    LockError error;
    const auto run = LessonRun::start(with(m_place->url()), lesson, lesson.isolations.constFirst(), &error);
    QVERIFY2(run, qPrintable(error.toString()));
    for (const LessonStep &step : lesson.steps) {
        const LessonStepResult result = run->play(step);
        QCOMPARE(result.failure.value_or(LockError()).toString(), LockError().toString());
        const LessonOutcome &expected = step.expected.at(run->place());
        QVERIFY2(agrees(expected, result.outcome), qPrintable(toString(result.outcome)));
    }
}

void TestLessonPlaces::theCommandPlaysWithTheseRights()
{
    CtlRunner runner(m_place->url().toString());
    runner.set("LOCKSCOPE_PASSWORD", u"pw"_s);
    const auto played = runner.run({u"lesson"_s, u"run"_s, u"ghost-stock"_s, u"--auto"_s, u"--yes"_s});
    QVERIFY2(played.exitCode == 0, played.text());
}

void TestLessonPlaces::aMissingRightIsTold_data()
{
    QTest::addColumn<QByteArray>("revoke");
    QTest::addColumn<QString>("words"); // the server's
    QTest::newRow("to make accounts") << QByteArray("CREATE USER ON *.*") << u"CREATE USER"_s;
    QTest::newRow("to see who waits") << QByteArray("PROCESS ON *.*") << u"PROCESS"_s;
    QTest::newRow("to hand that on") << QByteArray("GRANT OPTION ON *.*") << u"denied"_s;
    QTest::newRow("on schemas of lessons") << QByteArray("ALL ON `lockscope\\_lesson\\_%`.*") << u"denied"_s;
    QTest::newRow("to drop them") << QByteArray("DROP ON `lockscope\\_lesson\\_%`.*") << u"denied"_s;
    if (TestServer::instance().family() == Family::MySql) {
        QTest::newRow("to read locks") << QByteArray("SELECT ON performance_schema.*") << u"data_locks"_s;
        QTest::newRow("to see prepared transactions") << QByteArray("XA_RECOVER_ADMIN ON *.*") << u"denied"_s;
    }
}

void TestLessonPlaces::aMissingRightIsTold()
{
    QFETCH(QByteArray, revoke);
    QFETCH(QString, words);
    KnownPlace::makeUser("poor", "localhost");
    m_observer->run("REVOKE " + revoke + " FROM 'poor'@'localhost'");
    LockError error;
    const auto schema = LessonSchema::make(with(KnownPlace::socketUrl(u"poor"_s)), smallLesson(), &error);
    m_observer->run("DROP USER 'poor'@'localhost'");
    QVERIFY(!schema);
    QCOMPARE(error.kind, LockError::Kind::NoPermission);
    const QString file = u"sql/grants/lessons.%1.sql"_s.arg(familyName(m_server->family()).toLower());
    QVERIFY2(error.message.contains(file) && error.message.contains(words), qPrintable(error.message));
}

void TestLessonPlaces::whatFailsMidwayLeavesNothing()
{
    Lesson lesson = smallLesson();
    lesson.setup += u"INSERT INTO nowhere VALUES (1)"_s;
    LockError error;
    QVERIFY(!LessonSchema::make(with(m_place->url()), lesson, &error));
    QVERIFY2(error.serverText.contains(u"nowhere"_s), qPrintable(error.toString()));
}

/// Its connection has gone, and with it the mark that it lives.
void TestLessonPlaces::whatADeadRunLeftIsRemovedWithTheseRights()
{
    m_observer->run("CREATE USER 'lockscope_l_0123456789abcdef'@'127.0.0.1' IDENTIFIED BY 'Ls-1'");
    m_observer->run("CREATE DATABASE lockscope_lesson_0123456789abcdef");
    LockError error;
    const auto schema = LessonSchema::make(with(m_place->url()), smallLesson(), &error);
    QVERIFY2(schema, qPrintable(error.toString()));
    QCOMPARE(KnownPlace::leftovers().filter(u"0123456789abcdef"_s), QStringList());
}

void TestLessonPlaces::whatALessonPreparedGoesWithIt_data()
{
    QTest::addColumn<QByteArray>("work");
    QTest::addColumn<QByteArray>("prepare");
    const QByteArray write = "UPDATE t SET v=1 WHERE id=1";
    QTest::newRow("in its setup") << write << QByteArray("XA PREPARE 'left'");
    QTest::newRow("in a comment") << write << kHidden;
    if (TestServer::instance().family() == Family::MySql) // on MariaDB it locks nothing then
        QTest::newRow("in a comment, without a write") << QByteArray("SELECT * FROM t") << kHidden;
}

/// With these rights. Nothing could drop the table that it locks.
void TestLessonPlaces::whatALessonPreparedGoesWithIt()
{
    QFETCH(QByteArray, work);
    QFETCH(QByteArray, prepare);
    QStringList told;
    const auto tell = [&told](const LessonRemains &remains) { told += remains.schema; };
    LockError error;
    {
        const Lesson lesson = lessonOf("```sql A any\nSELECT 1\n```\n", setupThatPrepares(work, prepare));
        const auto schema = LessonSchema::make(with(m_place->url()), lesson, &error, {{}, tell});
        QVERIFY2(schema, qPrintable(error.toString()));
        QCOMPARE(prepared(), QStringList{u"left"_s});
    }
    QCOMPARE(told, QStringList());
    QCOMPARE(prepared(), QStringList());
}

/// Where it cannot be said which ones are the lessons', none is ended; the next run removes what is left once it can.
void TestLessonPlaces::aStrangersPreparedTransactionIsLeftAlone()
{
    m_observer->run("CREATE TABLE lockscope.shop(id INT PRIMARY KEY)");
    {
        Actor stranger(*m_server);
        for (const char *sql :
             {"XA START 'paid'", "INSERT INTO lockscope.shop VALUES(1)", "XA END 'paid'", "XA PREPARE 'paid'"})
            QVERIFY(stranger.run(sql));
    }
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"x.md"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(fileOf("```sql A ok\nBEGIN\n```\n", setupThatPrepares("UPDATE t SET v=1 WHERE id=1", kHidden)));
    file.close();
    CtlRunner runner(m_place->url().toString());
    runner.set("LOCKSCOPE_PASSWORD", u"pw"_s);
    const auto played = runner.run({u"lesson"_s, u"run"_s, file.fileName(), u"--auto"_s, u"--yes"_s, u"--json"_s});
    QVERIFY2(played.exitCode == 1, played.text());
    const QStringList left = KnownPlace::leftovers();
    QCOMPARE(left.size(), 2);
    for (const QString &name : left)
        QVERIFY2(played.err.contains(name.toUtf8()), played.text());
    const QJsonObject told = played.array().at(0).toObject()[u"left"_s].toArray().at(0).toObject();
    QCOMPARE(told[u"account"_s].toString(), left.first());
    QVERIFY2(told[u"reason"_s].toString().contains(u"timeout"_s), played.text());
    QVariantList rollbacks = told[u"rollbacks"_s].toArray().toVariantList();
    std::ranges::sort(rollbacks, {}, &QVariant::toString);
    QCOMPARE(rollbacks, QVariantList({u"XA ROLLBACK 'left'"_s, u"XA ROLLBACK 'paid'"_s}));
    QCOMPARE(prepared(), QStringList({u"left"_s, u"paid"_s}));
    const QByteArray another = setupThatPrepares("UPDATE t SET v=1 WHERE id=1", kHidden).replace("'left'", "'more'");
    LockError error;
    QVERIFY(LessonSchema::make(with(m_place->url()), lessonOf("```sql A ok\nBEGIN\n```\n", another), &error));
    QCOMPARE(KnownPlace::leftovers().size(), 4);
    QCOMPARE(prepared(), QStringList({u"left"_s, u"more"_s, u"paid"_s}));
    m_observer->run("XA ROLLBACK 'paid'");
    QVERIFY(LessonSchema::make(with(m_place->url()), smallLesson(), &error));
    QCOMPARE(KnownPlace::leftovers(), QStringList());
    QCOMPARE(prepared(), QStringList());
    m_observer->run("DROP TABLE lockscope.shop");
}

/// Its client has gone; a table that a statement reads cannot be dropped.
void TestLessonPlaces::aStatementThatNobodyWaitsForEndsWithTheRun()
{
    LockError error;
    auto schema = LessonSchema::make(with(m_place->url()), smallLesson(), &error);
    QVERIFY2(schema, qPrintable(error.toString()));
    Actor lost(schema->learner());
    QVERIFY(lost.run("INSERT INTO t VALUES(1)"));
    lost.start("SELECT SLEEP(1000) FROM t");
    QTRY_COMPARE(
        m_observer->value("SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'"), 1);
    schema.reset();
    QCOMPARE(KnownPlace::leftovers(), QStringList());
    QVERIFY(lost.finish().error);
}

/// As long as ten seconds.
void TestLessonPlaces::whoJustLooksAtATableIsWaitedFor()
{
    QStringList told;
    const auto tell = [&told](const LessonRemains &remains) { told += remains.schema; };
    LockError error;
    auto schema = LessonSchema::make(with(m_place->url()), smallLesson(), &error, {{}, tell});
    QVERIFY2(schema, qPrintable(error.toString()));
    Actor stranger(*m_server);
    QVERIFY(stranger.run("BEGIN"));
    QVERIFY(stranger.run("SELECT * FROM `" + schema->learner().url.schema.toUtf8() + "`.t"));
    const QByteArray tries = "SHOW GLOBAL STATUS LIKE 'Com_drop_db'";
    const int before = m_observer->rows(tries)[0][1].toInt();
    const std::jthread ending([&](const std::stop_token &isOver) {
        Actor other(TestServer::instance());
        const auto soFar = [&] { return other.run(tries).set(-1).rows.value(0).value(1).toInt(); };
        while (soFar() < before + 2 && !isOver.stop_requested()) // it has tried once, and tries again
            std::this_thread::yield();
        stranger.run("COMMIT");
    });
    schema.reset();
    QCOMPARE(told, QStringList());
}

/// The connection that holds it may break between two steps, and others look for dead runs meanwhile.
void TestLessonPlaces::aRunWhoseMarkIsGoneIsNotTakenForDead()
{
    LockError error;
    const auto schema = LessonSchema::make(with(m_place->url()), smallLesson(), &error);
    QVERIFY2(schema, qPrintable(error.toString()));
    const QStringList made = KnownPlace::leftovers();
    const QByteArray mark = "IS_USED_LOCK('" + schema->learner().url.schema.toLatin1() + "')";
    m_observer->kill(m_observer->value("SELECT " + mark).toByteArray());
    QTRY_VERIFY(m_observer->value("SELECT " + mark).isNull());
    QVERIFY(LessonSchema::make(with(m_place->url()), smallLesson(), &error));
    QCOMPARE(KnownPlace::leftovers(), made);
}

void TestLessonPlaces::aProductionServerIsLeftAlone_data()
{
    QTest::addColumn<bool>("isByAddress");
    QTest::newRow("by its address") << true;
    QTest::newRow("by what it calls itself") << false;
}

void TestLessonPlaces::aProductionServerIsLeftAlone()
{
    QFETCH(bool, isByAddress);
    LockError error;
    QTemporaryDir home;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    {
        QSettings settings(u"lockscope"_s, u"lockscope"_s);
        settings.setValue(u"servers/size"_s, 1);
        ServerUrl url = m_place->url(u"somebody"_s);
        url.schema = u"shop"_s;
        if (!isByAddress) {
            const auto session = Session::open(with(m_place->url()), &error);
            QVERIFY2(session, qPrintable(error.toString()));
            settings.setValue(u"servers/1/ownName"_s, session->info().ownName);
            url.host = u"db1"_s;
        }
        settings.setValue(u"servers/1/url"_s, url.toString());
        settings.setValue(u"servers/1/production"_s, true);
    }
    const auto schema = LessonSchema::make(with(m_place->url()), smallLesson(), &error);
    const bool isMade = schema != nullptr;
    QSettings(u"lockscope"_s, u"lockscope"_s).clear();
    QVERIFY(!isMade);
    QVERIFY2(error.message.contains(u"production"_s), qPrintable(error.message));
}

void TestLessonPlaces::thePasswordSuitsAPolicy()
{
    if (m_server->family() == Family::MariaDb)
        QSKIP("Debian's server package has no plugin that checks passwords");
    m_observer->run("INSTALL COMPONENT 'file://component_validate_password'");
    m_observer->run("SET GLOBAL validate_password.policy = 'MEDIUM'");
    LockError error;
    const auto schema = LessonSchema::make(with(m_place->url()), smallLesson(), &error);
    m_observer->run("UNINSTALL COMPONENT 'file://component_validate_password'");
    QVERIFY2(schema, qPrintable(error.toString()));
}

QTEST_GUILESS_MAIN(TestLessonPlaces)
#include "tst_lessonplaces.moc"
