// SPDX-License-Identifier: MIT
// What a server says reaches terminals, spreadsheets and files as text and as nothing else.
#include "console/visibletext.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

class TestVisibleText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesHoldNothingThatATerminalObeys();
    void jsonIsReadAsItWasAndShownWithoutHarm();
    void aCellIsNoFormula_data();
    void aCellIsNoFormula();
};

void TestVisibleText::linesHoldNothingThatATerminalObeys()
{
    QCOMPARE(visibleLines(u"a\x1b[2J\r\x7f\u009b31m\u202eb\nc ü日本😀"_s),
             u"a\\u001b[2J\\u000d\\u007f\\u009b31m\\u202eb\nc ü日本😀"_s);
    QCOMPARE(visibleLines(QString::fromUcs4(U"\U000E0041")), u"\\udb40\\udc41"_s);
}

void TestVisibleText::jsonIsReadAsItWasAndShownWithoutHarm()
{
    const QString name = u"\x1b]0;x\x07\x7f\u009b\u202e\\ \"q\" "_s + QString::fromUcs4(U"\U000E0041");
    const QJsonObject object{{u"name"_s, name}};
    const QByteArray shown = visibleJson(QJsonDocument(object).toJson());
    QCOMPARE(QJsonDocument::fromJson(shown).object(), object);
    for (const char32_t character : QString::fromUtf8(shown).toUcs4())
        QVERIFY(character == U'\n' || !isUnseen(character));
}

void TestVisibleText::aCellIsNoFormula_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    for (const QString &text : {u"=1+2"_s, u"＝1+2"_s, u"+A1"_s, u"-2+3"_s, u"@SUM(A1)"_s, u"\t=1"_s, u"\r=1"_s})
        QTest::newRow(qPrintable(text)) << text << u'\'' + text;
    for (const QString &text : {u""_s, u"-"_s, u"-5"_s, u"+2.5"_s, u"orders/42"_s, u"a=b"_s, u"–"_s})
        QTest::newRow(qPrintable(u"as it is: "_s + text)) << text << text;
}

void TestVisibleText::aCellIsNoFormula()
{
    QFETCH(QString, text);
    QTEST(plainCell(text), "shown");
}

QTEST_GUILESS_MAIN(TestVisibleText)
#include "tst_visibletext.moc"
