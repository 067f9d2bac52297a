// SPDX-License-Identifier: MIT
// Server URLs as a person gives them to a console.
#include "console/consoleurl.h"

#include <QtTest/QTest>

using namespace lockscope;

class TestConsoleUrl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatNamesNoSchemaHasTheDefault_data();
    void whatNamesNoSchemaHasTheDefault();
    void whatIsWrongIsStillRefused_data();
    void whatIsWrongIsStillRefused();
};

void TestConsoleUrl::whatNamesNoSchemaHasTheDefault_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("whole");

    QTest::newRow("a host") << "mysql://ops@db1"
                            << "mysql://ops@db1:3306/lockscope";
    QTest::newRow("a port and a slash") << "mariadb://ops@db1:3307/"
                                        << "mysql://ops@db1:3307/lockscope";
    QTest::newRow("a socket") << "mysql://ops@localhost?socket=%2Frun%2Fmy.sock"
                              << "mysql://ops@localhost/lockscope?socket=%2Frun%2Fmy.sock";
    QTest::newRow("an account in capitals and signs") << "mysql://Ops%40a@db1"
                                                      << "mysql://Ops%40a@db1:3306/lockscope";
    QTest::newRow("a schema") << "mysql://ops@db1/shop"
                              << "mysql://ops@db1:3306/shop";
}

void TestConsoleUrl::whatNamesNoSchemaHasTheDefault()
{
    QFETCH(QString, text);
    QFETCH(QString, whole);
    ServerUrl url;
    QString error;
    QVERIFY2(parseConsoleUrl(text, &url, &error), qPrintable(error));
    ServerUrl expected;
    QVERIFY2(ServerUrl::parse(whole, &expected, &error), qPrintable(error));
    QCOMPARE(url, expected);
}

void TestConsoleUrl::whatIsWrongIsStillRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");

    QTest::newRow("nothing") << QString() << "Not a server URL";
    QTest::newRow("no URL") << "db1:3306"
                            << "Not a server URL";
    QTest::newRow("a password") << "mysql://ops:secret@db1"
                                << "may not carry a password";
    QTest::newRow("no user") << "mysql://db1"
                             << "names no user";
    QTest::newRow("an option") << "mysql://ops@db1?foo=1"
                               << "not known: foo";
}

void TestConsoleUrl::whatIsWrongIsStillRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, word);
    ServerUrl url;
    QString error;
    QVERIFY(!parseConsoleUrl(text, &url, &error));
    QVERIFY2(error.contains(word), qPrintable(error));
    QVERIFY(!error.contains(QLatin1String("secret")));
}

QTEST_GUILESS_MAIN(TestConsoleUrl)
#include "tst_consoleurl.moc"
