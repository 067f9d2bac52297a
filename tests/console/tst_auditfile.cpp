// SPDX-License-Identifier: MIT
// The record of what operators did: it is whole, private and told when it cannot be written.
#include "console/auditlog.h"
#include "fulldisk.h"

#include <QtTest/QtTest>

#include <memory>

#include <sys/wait.h>
#include <unistd.h>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

AuditEntry entry(const QString &target = u"session 12"_s)
{
    return {.server = u"mysql://ops@db1/shop"_s,
            .target = target,
            .statement = u"KILL CONNECTION 12"_s,
            .reason = u"idle for an hour"_s,
            .outcome = u"ended"_s};
}

QByteArray readAll(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class AuditFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void anActionIsALineThatOnlyItsUserCanRead();
    void linesAreAddedToThoseThatAreThere();
    void textOfAnyKindStaysOneLine();
    void whereItCannotBeMadeItSaysSo();
    void somethingElseThanAFileIsRefused();
    void aLineThatCannotBeWrittenIsTold();
    void aLineThatBrokeOffSwallowsNoOther();
    void ofLinesThatDoNotFitNoneIsLeft();
    void processesThatAppendAtOnceKeepEveryLine();
    void whatIsWrittenIsReadOnce();
    void anotherFileAtItsPlaceIsReadFromItsBeginning();
    void ofALongFileTheEndIsRead();
    void whatCannotBeReadIsTold();
    void linesOfOneActAreOne();

private:
    QString path() const { return m_folder->filePath(u"data/audit.jsonl"_s); }
    void makeFolder() { QDir().mkpath(m_folder->filePath(u"data"_s)); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void AuditFileTest::anActionIsALineThatOnlyItsUserCanRead()
{
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    QCOMPARE(file.append(entry()), QString());
    const auto mode = QFileInfo(path()).permissions();
    QCOMPARE(mode & ~(QFile::ReadUser | QFile::WriteUser), QFile::ReadOwner | QFile::WriteOwner);
    const QByteArray bytes = readAll(path());
    QVERIFY(bytes.endsWith("}\n"));
    const QJsonObject line = QJsonDocument::fromJson(bytes).object();
    QCOMPARE(line.keys().join(u' '), u"account at operator outcome reason server statement target"_s);
    QCOMPARE(line[u"statement"_s].toString(), u"KILL CONNECTION 12"_s);
    QCOMPARE(line[u"operator"_s].toString(), AuditFile::operatorName());
    const QDateTime at = QDateTime::fromString(line[u"at"_s].toString(), Qt::ISODateWithMs);
    QCOMPARE(at.timeSpec(), Qt::UTC);
    QVERIFY(qAbs(at.secsTo(QDateTime::currentDateTimeUtc())) < 600);
}

void AuditFileTest::linesAreAddedToThoseThatAreThere()
{
    makeFolder();
    QFile former(path());
    QVERIFY(former.open(QIODevice::WriteOnly) && former.write("{\"former\":1}\n") > 0);
    former.close();
    QVERIFY(QFile::setPermissions(path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    for (int i = 0; i < 2; ++i) {
        AuditFile file(path());
        QCOMPARE(file.open(), QString());
        QCOMPARE(file.append(entry()), QString());
    }
    QCOMPARE(readAll(path()).count('\n'), 3);
    QVERIFY(readAll(path()).startsWith("{\"former\":1}\n"));
    QVERIFY(!QFileInfo(path()).permission(QFile::ReadOther));
}

void AuditFileTest::textOfAnyKindStaysOneLine()
{
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    const QString hostile = u"a\"b\\c\nd\r\x1b[31m\u202e'`"_s;
    QCOMPARE(file.append(entry(hostile)), QString());
    QCOMPARE(readAll(path()).count('\n'), 1);
    QCOMPARE(QJsonDocument::fromJson(readAll(path())).object()[u"target"_s].toString(), hostile);
}

void AuditFileTest::whereItCannotBeMadeItSaysSo()
{
    // A file stands where the folder should be: refused to root too, whom no mode stops.
    QFile obstacle(m_folder->filePath(u"data"_s));
    QVERIFY(obstacle.open(QIODevice::WriteOnly));
    AuditFile file(path());
    const QString error = file.open();
    QVERIFY2(error.contains(path()) && error.contains(u"cannot be opened"_s), qPrintable(error));
    QVERIFY(!file.append(entry()).isEmpty());
}

void AuditFileTest::somethingElseThanAFileIsRefused()
{
    makeFolder();
    QVERIFY(QFile::link(u"/dev/null"_s, path()));
    AuditFile file(path());
    QVERIFY(file.open().contains(u"not an ordinary file"_s));
}

void AuditFileTest::aLineThatCannotBeWrittenIsTold()
{
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    const test::FullDisk disk(20);
    const QString error = file.append(entry());
    QVERIFY2(error.contains(u"cannot be written"_s), qPrintable(error));
}

void AuditFileTest::aLineThatBrokeOffSwallowsNoOther()
{
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    QFile broken(path());
    QVERIFY(broken.open(QIODevice::Append) && broken.write("{\"at\":\"2026-11-2") > 0 && broken.flush());
    QCOMPARE(file.append(entry()), QString());
    const auto lines = readAll(path()).split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(QJsonDocument::fromJson(lines[1]).object()[u"outcome"_s].toString(), u"ended"_s);
}

void AuditFileTest::ofLinesThatDoNotFitNoneIsLeft()
{
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    QCOMPARE(file.append(entry()), QString());
    const QByteArray before = readAll(path());
    {
        const test::FullDisk disk(rlim_t(before.size()) * 2 + 20);
        QVERIFY(!file.append(QList<AuditEntry>{entry(), entry()}).isEmpty());
    }
    QCOMPARE(readAll(path()), before);
    QCOMPARE(file.append(entry()), QString());
    QCOMPARE(readAll(path()).count('\n'), 2);
}

void AuditFileTest::processesThatAppendAtOnceKeepEveryLine()
{
    constexpr int processes = 4;
    constexpr int each = 50;
    const QString target(5000, u'x'); // longer than what a pipe keeps whole
    QList<pid_t> children;
    for (int i = 0; i < processes; ++i) {
        const pid_t child = ::fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            AuditFile file(path());
            bool isWritten = file.open().isEmpty();
            for (int n = 0; n < each; ++n)
                isWritten = isWritten && file.append(entry(target)).isEmpty();
            ::_exit(isWritten ? 0 : 1);
        }
        children.append(child);
    }
    for (const pid_t child : children) {
        int status = -1;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
    }
    auto lines = readAll(path()).split('\n');
    lines.removeLast();
    QCOMPARE(lines.size(), processes * each);
    for (const QByteArray &line : lines)
        QCOMPARE(QJsonDocument::fromJson(line).object()[u"target"_s].toString(), target);
}

void AuditFileTest::whatIsWrittenIsReadOnce()
{
    AuditLog log(path());
    QCOMPARE(log.readNew(), QList<AuditLine>());
    QCOMPARE(log.error(), QString()); // nothing was done so far
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    const QString hostile = u"a\"b\\c\nd\r\x1b[31m\u202e'`"_s;
    QCOMPARE(file.append(entry(hostile)), QString());
    const QList<AuditLine> lines = log.readNew();
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0].target, hostile);
    QCOMPARE(lines[0].server, entry().server);
    QCOMPARE(lines[0].statement, entry().statement);
    QCOMPARE(lines[0].reason, entry().reason);
    QCOMPARE(lines[0].outcome, entry().outcome);
    QCOMPARE(lines[0].operatorName, AuditFile::operatorName());
    QVERIFY(qAbs(lines[0].at.secsTo(QDateTime::currentDateTimeUtc())) < 600);
    QCOMPARE(log.readNew(), QList<AuditLine>());

    QFile raw(path()); // a line in two parts, and one that is none
    QVERIFY(raw.open(QIODevice::ReadOnly));
    const QByteArray line = raw.readAll();
    raw.close();
    QVERIFY(raw.open(QIODevice::Append) && raw.write("no record\n" + line.left(20)) > 0 && raw.flush());
    QCOMPARE(log.readNew(), QList<AuditLine>());
    QVERIFY(raw.write(line.mid(20)) > 0 && raw.flush());
    QCOMPARE(log.readNew(), lines);
}

void AuditFileTest::anotherFileAtItsPlaceIsReadFromItsBeginning()
{
    AuditLog log(path());
    for (const QString &target : {u"session 12"_s, u"session 13"_s}) {
        QFile::rename(path(), path() + u".1"_s); // as a rotation of logs does
        AuditFile file(path());
        QCOMPARE(file.open(), QString());
        QCOMPARE(file.append(entry(target)), QString());
        const QList<AuditLine> lines = log.readNew();
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines[0].target, target);
    }
}

void AuditFileTest::ofALongFileTheEndIsRead()
{
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    for (int i = 0; i < 20; ++i)
        QCOMPARE(file.append(entry(u"session %1"_s.arg(i))), QString());
    AuditLog log(path());
    const QList<AuditLine> lines = log.readNew(1000);
    QVERIFY(lines.size() >= 2 && lines.size() < 20);
    QCOMPARE(lines.last().target, u"session 19"_s);
}

void AuditFileTest::whatCannotBeReadIsTold()
{
    QVERIFY(QDir().mkpath(path())); // a folder, for root may read any file
    AuditLog log(path());
    QCOMPARE(log.readNew(), QList<AuditLine>());
    QVERIFY2(log.error().contains(path()), qPrintable(log.error()));
}

void AuditFileTest::linesOfOneActAreOne()
{
    AuditFile file(path());
    QCOMPARE(file.open(), QString());
    const auto write = [&file](const QString &target, const QString &outcome) {
        AuditEntry one = entry(target);
        one.outcome = outcome;
        QCOMPARE(file.append(one), QString());
    };
    const QString intent = AuditFile::intentOutcome();
    write(u"session 12"_s, intent);
    write(u"session 13"_s, intent);
    write(u"session 12"_s, u"ended, 10 rows to be undone"_s);
    write(u"session 12"_s, u"ended"_s);
    write(u"session 12"_s, intent);     // once more
    write(u"session 14"_s, u"ended"_s); // of a version that wrote one line only
    QStringList told;
    for (const AuditLine &act : auditActs(AuditLog(path()).readNew()))
        told += act.target + u": "_s + act.outcome;
    QCOMPARE(told,
             QStringList({u"session 12: ended"_s, u"session 13: to be done"_s, u"session 12: to be done"_s,
                          u"session 14: ended"_s}));
}

QTEST_GUILESS_MAIN(AuditFileTest)
#include "tst_auditfile.moc"
