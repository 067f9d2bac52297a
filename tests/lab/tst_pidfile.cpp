// SPDX-License-Identifier: MIT
// The file that a server names for its process: a server may name anything.
#include "lab/pidfile.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>

using namespace lockscope;
using namespace Qt::StringLiterals;

class TestPidFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNumberIsRead_data();
    void theNumberIsRead();
    void whatIsNoFileIsNotWaitedFor();

private:
    QTemporaryDir m_folder;
};

void TestPidFile::theNumberIsRead_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<qint64>("process");
    QTest::newRow("as servers write it") << QByteArray("1234\n") << qint64(1234);
    QTest::newRow("empty") << QByteArray() << qint64(0);
    QTest::newRow("none") << QByteArray("0\n") << qint64(0);
    QTest::newRow("a path") << QByteArray("../self") << qint64(0);
    QTest::newRow("long") << QByteArray(100, '1') << qint64(0);
}

void TestPidFile::theNumberIsRead()
{
    QFETCH(QByteArray, content);
    QFile file(m_folder.filePath(u"pid"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QTEST(processInFile(file.fileName()).value_or(0), "process");
}

void TestPidFile::whatIsNoFileIsNotWaitedFor()
{
    const QString pipe = m_folder.filePath(u"pipe"_s);
    QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    for (const QString &path : {pipe, u"/dev/zero"_s, m_folder.path(), m_folder.filePath(u"none"_s), QString()})
        QVERIFY2(!processInFile(path), qPrintable(path));
}

QTEST_GUILESS_MAIN(TestPidFile)
#include "tst_pidfile.moc"
