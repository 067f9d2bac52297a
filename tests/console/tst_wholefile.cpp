// SPDX-License-Identifier: MIT
#include "console/wholefile.h"
#include "fulldisk.h"

#include <QtTest/QtTest>

#include <future>

#include <sys/stat.h>

using namespace lockscope;
using namespace Qt::StringLiterals;

class WholeFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileTakesThePlaceOfTheOneBefore();
    void aFullDiskLeavesTheFileThatIsThere_data();
    void aFullDiskLeavesTheFileThatIsThere();
    void aPlaceThatIsNotThereIsTold();
    void aPipeIsWrittenTo();

private:
    QString path() const { return m_folder.filePath(u"kept"_s); }
    QByteArray content() const
    {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
};

void WholeFileTest::aFileTakesThePlaceOfTheOneBefore()
{
    QCOMPARE(writeWhole(path(), "longer than the next"), QString());
    QCOMPARE(writeWhole(path(), "next"), QString());
    QCOMPARE(content(), QByteArray("next"));
    QCOMPARE(writeWhole(path(), {}), QString());
    QVERIFY(QFile::exists(path()) && content().isEmpty());
}

/// What fits into a buffer is written last, when all else seemed done.
void WholeFileTest::aFullDiskLeavesTheFileThatIsThere_data()
{
    QTest::addColumn<qsizetype>("bytes");
    QTest::newRow("less than a buffer") << qsizetype(100);
    QTest::newRow("more than a buffer") << qsizetype(1'000'000);
}

void WholeFileTest::aFullDiskLeavesTheFileThatIsThere()
{
    QFETCH(qsizetype, bytes);
    QCOMPARE(writeWhole(path(), "before"), QString());
    QString why;
    {
        const test::FullDisk disk(50);
        why = writeWhole(path(), QByteArray(bytes, 'x'));
    }
    QVERIFY(!why.isEmpty());
    QCOMPARE(content(), QByteArray("before"));
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), QStringList{u"kept"_s});
}

void WholeFileTest::aPlaceThatIsNotThereIsTold()
{
    QVERIFY(!writeWhole(m_folder.filePath(u"no/such/folder"_s), "x").isEmpty());
    QVERIFY(!whyNotWritable(m_folder.filePath(u"no/such/folder"_s)).isEmpty());
    QVERIFY(!whyNotWritable(m_folder.path()).isEmpty());
    QCOMPARE(whyNotWritable(path()), QString());
    QCOMPARE(whyNotWritable(m_folder.filePath(u"new"_s)), QString());
}

/// A file in its place would leave the reader waiting for good.
void WholeFileTest::aPipeIsWrittenTo()
{
    const QString pipe = m_folder.filePath(u"pipe"_s);
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    auto read = std::async(std::launch::async, [&pipe] {
        QFile file(pipe);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    });
    QCOMPARE(whyNotWritable(pipe), QString());
    QCOMPARE(writeWhole(pipe, "whole"), QString());
    struct stat place = {};
    QCOMPARE(::stat(QFile::encodeName(pipe).constData(), &place), 0);
    QVERIFY(S_ISFIFO(place.st_mode));
    QCOMPARE(read.get(), QByteArray("whole"));
}

QTEST_GUILESS_MAIN(WholeFileTest)
#include "tst_wholefile.moc"
