// SPDX-License-Identifier: MIT
#include "waits/statementshape.h"

#include <QtTest/QTest>

using namespace lockscope;

class TestStatementShape : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theShapeOfAStatementHasNoValues_data();
    void theShapeOfAStatementHasNoValues();
    void anyBytesHaveAShape();
};

void TestStatementShape::theShapeOfAStatementHasNoValues_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QByteArray>("shape");
    const auto row = [](const char *name, const char *statement, const char *shape) {
        QTest::newRow(name) << QByteArray(statement) << QByteArray(shape);
    };
    row("numbers", "SET a = -2.5, b = 0xAF, c = 1e9, d = 1.5E-3+2", "SET a = -?, b = ?, c = ?, d = ?+?");
    row("texts", "a = 'x' AND b = \"y\"", "a = ? AND b = ?");
    row("a quote in a text", "a = 'it''s' OR b = 'it\\'s'", "a = ? OR b = ?");
    row("names with digits", "SELECT t1.c2 FROM `t 3`", "SELECT t1.c2 FROM `t 3`");
    row("white space", " SELECT\n\t1 ", "SELECT ?");
    row("a text that does not end", "a = 'x", "a = ?");
    row("a text that ends with a backslash", "a = 'x\\", "a = ?");
    row("many rows", "INSERT INTO t VALUES (1,'a'),\n (2,'b')", "INSERT INTO t VALUES (?)");
    row("a list", "select * from t where id in (1, 2, 3)", "select * from t where id in (?)");
    row("a prepared list", "select * from t where id in (?, ?)", "select * from t where id in (?)");
    row("comments", "/* shop:17 */ delete from t -- now\n where a='/* no */' # and\n and b=1",
        "delete from t where a=? and b=?");
    row("a comment that does not end", "delete from t /* shop:17", "delete from t");
    row("no comment", "SELECT a--1, b-c, d/e*f", "SELECT a--?, b-c, d/e*f");
    row("a quote in a comment", "/* it's */ SELECT 'a'", "SELECT ?");
    row("letters of any language", "SELECT naïf FROM größe WHERE n = 'é'", "SELECT naïf FROM größe WHERE n = ?");
    row("none", "", "");
}

void TestStatementShape::theShapeOfAStatementHasNoValues()
{
    QFETCH(QByteArray, statement);
    QTEST(statementShape(statement), "shape");
}

void TestStatementShape::anyBytesHaveAShape()
{
    const QByteArray parts = "'\"`\\/*-#\n?,() 1ae.\xff\0";
    for (qsizetype i = 0; i < parts.size(); ++i) {
        for (qsizetype j = 0; j < parts.size(); ++j) {
            for (const char third : parts)
                statementShape(QByteArray(1, parts[i]) + parts[j] + third);
        }
    }
    QCOMPARE(statementShape(QByteArray(100'000, '\'')), QByteArray("?"));
    QCOMPARE(statementShape("(" + QByteArray("1,").repeated(100'000) + "1)"), QByteArray("(?)"));
}

QTEST_GUILESS_MAIN(TestStatementShape)
#include "tst_statementshape.moc"
