// SPDX-License-Identifier: MIT
// lockctl lesson, as a shell sees it.
#include "enginetest.h"
#include "lockctlrunner.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray kHead = "---\nid: mine\ntitle: Mine\nsummary: One.\nlevel: basic\ntags: [x]\n"
                         "servers: [mariadb, mysql]\nisolation: [rr]\n---\n"
                         "```sql setup\nCREATE TABLE t(id INT PRIMARY KEY, v INT);\nINSERT INTO t VALUES(1,0);\n```\n";

} // namespace

class TestLockctlLesson : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void theCourseComesFirst();
    void aFaultyFileIsRefusedWithLineAndReason();
    void whatDiffersFromTheFileIsSaid();
    void anotherServerIsNotUsedUnasked();

private:
    CtlRunner ctl() const { return CtlRunner(m_server->url().toString()); }
    /// The path of a lesson "mine" with these blocks.
    QString fileWith(const QByteArray &blocks) const;

    QTemporaryDir m_folder;
};

QString TestLockctlLesson::fileWith(const QByteArray &blocks) const
{
    QFile file(m_folder.filePath(u"mine.md"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(kHead + blocks) < 0)
        qFatal("%ls cannot be written", qUtf16Printable(file.fileName()));
    return file.fileName();
}

void TestLockctlLesson::theCourseComesFirst()
{
    const CtlResult result = ctl().run({u"lesson"_s, u"list"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    const QList<QByteArray> lines = result.out.split('\n');
    QVERIFY2(lines.value(1).startsWith("1 ") && lines.value(1).contains("ghost-stock"), result.text());
}

void TestLockctlLesson::aFaultyFileIsRefusedWithLineAndReason()
{
    const QString path = fileWith("```sql A blocks on B\nSELECT 1\n```\n");
    for (const QString &verb : {u"check"_s, u"run"_s}) {
        const CtlResult result = ctl().run({u"lesson"_s, verb, path});
        QCOMPARE(result.exitCode, 1);
        QVERIFY2(result.err.contains("mine.md:14: there is no session B yet"), result.text());
    }
}

void TestLockctlLesson::whatDiffersFromTheFileIsSaid()
{
    const QString path = fileWith("```sql A ok 1\nUPDATE t SET v=1\n```\n```sql A rows (0)\nSELECT v FROM t\n```\n");
    QCOMPARE(ctl().run({u"lesson"_s, u"check"_s, path}).exitCode, 0);
    const CtlResult result = ctl().run({u"lesson"_s, u"run"_s, u"--yes"_s, path});
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.out.contains("rows (1)") && result.out.contains("EXPECTED rows (0)"), result.text());
}

void TestLockctlLesson::anotherServerIsNotUsedUnasked()
{
    const CtlResult result = ctl().run({u"lesson"_s, u"run"_s, u"ghost-stock"_s});
    QCOMPARE(result.exitCode, 3);
    QVERIFY2(result.err.contains("--yes"), result.text());
}

QTEST_GUILESS_MAIN(TestLockctlLesson)
#include "tst_lockctllesson.moc"
