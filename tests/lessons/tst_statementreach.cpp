// SPDX-License-Identifier: MIT
// Which statements stay in the schema they are run in.
#include "lessons/lessonlibrary.h"
#include "lessons/statementreach.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;
using Reach = StatementReach;

class TestStatementReach : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStatementReachesWhatItsWordsSay_data();
    void aStatementReachesWhatItsWordsSay();
    void theLibrarysStatementsStayInTheirSchema();
    void anyTextIsJudged();
};

void TestStatementReach::aStatementReachesWhatItsWordsSay_data()
{
    QTest::addColumn<int>("reach");
    const auto rows = [](Reach reach, const QStringList &statements) {
        for (const QString &sql : statements)
            QTest::newRow(qPrintable(sql)) << int(reach);
    };
    rows(Reach::OwnSchema,
         {u"SELECT g.stock, 1.5 FROM goods g JOIN other o ON g.id=o.id WHERE g.id=1 FOR UPDATE"_s,
          u"UPDATE goods g, shops s SET g.stock=s.n WHERE g.id=s.id"_s, u"DELETE g.* FROM goods g"_s,
          u"INSERT INTO t(id) VALUES(1) ON DUPLICATE KEY UPDATE t.n=t.n+1"_s, u"SET @a = 1, SESSION sql_mode=''"_s,
          u"SELECT ENGINE FROM information_schema.innodb_trx"_s, u"KILL QUERY {A}"_s, u"CALL p(1)"_s,
          u"CREATE TABLE u(id INT PRIMARY KEY, r INT REFERENCES t(id))"_s, u"SELECT 'DROP DATABASE x; GRANT'"_s,
          u"SELECT 1 -- ; DROP DATABASE x"_s, u"DROP TABLE t;"_s, u"START TRANSACTION READ ONLY"_s,
          u"CREATE PROCEDURE p() BEGIN UPDATE t SET v=1; DELETE FROM t; END"_s, u"(SELECT 1) UNION (SELECT 2)"_s,
          u"XA PREPARE 'x'"_s, u"SELECT @@global.max_connections"_s, u"LOCK TABLES t WRITE"_s});
    rows(Reach::OtherSchema,
         {u"SELECT * FROM other.t"_s, u"SELECT 1 FROM t, other . t"_s,
          u"SELECT 1 FROM t a JOIN b ON a.i=b.i, other.t"_s, u"UPDATE `other`.t SET v=1"_s,
          u"UPDATE t AS other, \"other\".\"t\" SET v=1"_s, u"DELETE FROM other.t"_s, u"SELECT other.t.v FROM t"_s,
          u"SELECT other.f(1)"_s, u"CALL other.p()"_s, u"USE other"_s, u"CREATE TABLE t LIKE other.t"_s,
          u"RENAME TABLE t TO other.t"_s, u"CREATE INDEX i ON other.t(v)"_s, u"SELECT (SELECT 1 FROM other.t)"_s,
          u"INSERT INTO t SELECT 1 FROM (other.t)"_s, u"TABLE other.t"_s,
          u"UPDATE performance_schema.setup_instruments SET enabled='NO'"_s, u"LOCK TABLES t READ, other.t WRITE"_s,
          u"ALTER TABLE t ADD FOREIGN KEY (i) REFERENCES other.t(i)"_s});
    rows(Reach::Server,
         {u"DROP DATABASE mysql"_s,
          u"create  schema x"_s,
          u"DROP /* all */ DATABASE x"_s,
          u"SET GLOBAL a=1"_s,
          u"SET @a = 1, GLOBAL b = 2"_s,
          u"SET @@global.a=1"_s,
          u"SET PERSIST a=1"_s,
          u"SET PASSWORD = 'x'"_s,
          u"CREATE USER x"_s,
          u"CREATE OR REPLACE USER x"_s,
          u"ALTER USER x"_s,
          u"GRANT ALL ON *.* TO x"_s,
          u"REVOKE ALL ON t FROM x"_s,
          u"KILL 17"_s,
          u"SHUTDOWN"_s,
          u"FLUSH TABLES"_s,
          u"START SLAVE"_s,
          u"CREATE PROCEDURE p() BEGIN SELECT 1; FLUSH HOSTS; END"_s,
          u"CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DROP DATABASE x"_s,
          u"CREATE DEFINER=r PROCEDURE p() SELECT 1"_s,
          u"CREATE PROCEDURE p() GRANT ALL ON *.* TO evil"_s,
          u"CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET GLOBAL a=1"_s,
          u"CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION KILL 5; SELECT 1; END"_s,
          u"CREATE PROCEDURE p() EXECUTE IMMEDIATE @x"_s,
          u"SET STATEMENT max_statement_time=9 FOR GRANT ALL ON *.* TO evil"_s,
          u"KILL 5 + 0*{A}"_s});
    rows(Reach::Files,
         {u"SELECT 1 INTO OUTFILE '/x'"_s, u"LOAD DATA INFILE '/x' INTO TABLE t"_s, u"SELECT LOAD_FILE('/x')"_s,
          u"CREATE FUNCTION f RETURNS INT SONAME 'x.so'"_s, u"CREATE TABLE t(i INT) DATA DIRECTORY='/x'"_s});
    rows(Reach::Several,
         {u"UPDATE t SET v=1; DROP DATABASE x"_s, u"SELECT 1;\n-- no\nDELETE FROM t"_s, u"SELECT ';' ; SELECT 2"_s,
          u"CREATE TABLE event(i INT); DROP TABLE t"_s});
    rows(Reach::Unclear,
         {u"PREPARE s FROM 'DROP DATABASE x'"_s, u"EXECUTE IMMEDIATE @x"_s, u"source /x"_s, u"SELECT 1 \\! id"_s,
          u"SELECT 'a\\'; DROP DATABASE x; -- '"_s, u"SELECT 'open"_s, u"delimiter x"_s,
          u"CREATE PROCEDURE p() BEGIN SELECT 1;\ndelimiter ;\nSELECT 2; END"_s, u"SELECT 1 /*! FROM other.t */"_s,
          u"/*! SHUTDOWN */"_s, u"/*M!100500 DROP DATABASE x */"_s,
          u"SELECT 1 /*!999999 ' */; CREATE DATABASE x; -- '"_s, u"SELECT /*+ \\! id */ 1"_s,
          u"SET @{GLOBAL}.max_connections=77"_s, u"SELECT 1 -- a\rDROP DATABASE x"_s,
          u"SELECT 1 --\u00a0x FROM (SELECT 5 AS \u00a0x) d INTO OUTFILE '/x'"_s});
}

void TestStatementReach::aStatementReachesWhatItsWordsSay()
{
    QTEST(int(reachOf(QString::fromUtf8(QTest::currentDataTag()))), "reach");
}

void TestStatementReach::theLibrarysStatementsStayInTheirSchema()
{
    for (const QString &id : lessonIds()) {
        const auto lesson = std::get<Lesson>(libraryLesson(id));
        for (const QString &sql : lesson.setup)
            QVERIFY2(reachOf(sql) == Reach::OwnSchema, qPrintable(id + u": "_s + sql));
        for (const LessonStep &step : lesson.steps) {
            if (step.kind == LessonStep::Kind::Statement)
                QVERIFY2(reachOf(step.sql) == Reach::OwnSchema, qPrintable(id + u": "_s + step.sql));
        }
    }
}

void TestStatementReach::anyTextIsJudged()
{
    const QString sql = u"UPDATE `a`.t SET v='x\\'y', w=\"z\" /*! b */ -- c\n; {A} (1.5e3)"_s;
    for (qsizetype i = 0; i < sql.size(); ++i) {
        reachOf(sql.left(i));
        reachOf(sql.mid(i));
    }
    QVERIFY(reachOf(QString(100'000, u'(')) != Reach::OtherSchema);
    // Text of any length does not end what is read.
    QVERIFY(reachOf(u"SELECT '"_s + QString(200'000, u'x') + u"'; DROP DATABASE x"_s) != Reach::OwnSchema);
}

QTEST_GUILESS_MAIN(TestStatementReach)
#include "tst_statementreach.moc"
