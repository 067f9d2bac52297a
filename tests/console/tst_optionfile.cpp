// SPDX-License-Identifier: MIT
// The group [client] of option files: read as the servers' own clients read it, and only when asked for.
#include "console/optionfile.h"
#include "enginefixture.h"
#include "lockctlrunner.h"
#include "strict.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kForMe = QFile::ReadOwner | QFile::WriteOwner;

} // namespace

class TestOptionFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }

    void theGroupClientNamesTheServer_data();
    void theGroupClientNamesTheServer();
    void aFileThatCannotBeUsedSaysWhy_data();
    void aFileThatCannotBeUsedSaysWhy();
    void whatIsIncludedIsLookedAtToo_data();
    void whatIsIncludedIsLookedAtToo();
    void aFileWithoutPasswordMayBeSeen();
    void lockctlConnectsAsTheFileSays_data();
    void lockctlConnectsAsTheFileSays();
    void whatIsNamedOtherwiseWins();
    void whatReadsTheFileIsNotGivenThePassword();
    void lockctlRefusesAFileThatOthersCanRead();
    void aFileThatNobodyNamedIsNotRead();

private:
    QString write(const QByteArray &content, QFile::Permissions permissions = kForMe);
    /// Of a user with the password "secret".
    QByteArray clientGroup() const;

    QTemporaryDir m_folder;
    std::unique_ptr<TestServer> m_server;
};

void TestOptionFile::initTestCase()
{
    m_server = std::make_unique<TestServer>();
    resetTables(*m_server);
    Observer(*m_server).run(
        "CREATE USER app@localhost IDENTIFIED BY 'secret'; GRANT ALL ON lockscope.* TO app@localhost");
}

QString TestOptionFile::write(const QByteArray &content, QFile::Permissions permissions)
{
    const QString path = m_folder.filePath(u".my.cnf"_s);
    QFile::remove(path);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) < 0 || !file.setPermissions(permissions))
        qFatal("Cannot write %ls", qUtf16Printable(path));
    return path;
}

QByteArray TestOptionFile::clientGroup() const
{
    return "[client]\nuser=app\npassword=secret\nsocket=" + m_server->url().socket.toUtf8() + '\n';
}

void TestOptionFile::theGroupClientNamesTheServer_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("password");
    QTest::newRow("all") << QByteArray("[client]\nhost=db1\nport=3307\nuser=ops\npassword=secret\nssl-ca=/ca.pem\n")
                         << "mysql://ops@db1:3307/lockscope?ssl-ca=%2Fca.pem"
                         << "secret";
    QTest::newRow("quotes, spaces and comments")
        << QByteArray("# a comment\n[client]\nhost = db1\nuser=\"ops\"\npassword=\"a b#c;=\" # another\n")
        << "mysql://ops@db1/lockscope"
        << "a b#c;=";
    QTest::newRow("a line below") << QByteArray("[client]\nhost=db1\nssl_ca=/ca.pem\nuser=a\nuser=ops\n")
                                  << "mysql://ops@db1/lockscope?ssl-ca=%2Fca.pem" << QString();
    QTest::newRow("other groups") << QByteArray("[mysql]\nuser=x\nhost=x\n[client]\nhost=db1\nuser=ops\n[mysqld]\n"
                                                "port=1\n")
                                  << "mysql://ops@db1/lockscope" << QString();
    QTest::newRow("a socket") << QByteArray("[client]\nsocket=/run/s\nuser=ops\n")
                              << "mysql://ops@localhost/lockscope?socket=%2Frun%2Fs" << QString();
    QTest::newRow("a socket is for this machine only")
        << QByteArray("[client]\nsocket=/run/s\nhost=db1\nuser=ops\n") << "mysql://ops@db1/lockscope" << QString();
    QTest::newRow("a user only") << QByteArray("[client]\nuser=ops\n") << "mysql://ops@localhost/lockscope"
                                 << QString();
}

void TestOptionFile::theGroupClientNamesTheServer()
{
    QFETCH(QByteArray, content);
    QString error;
    const auto file = OptionFile::read(write(content), &error);
    QVERIFY2(file, qPrintable(error));
    QTEST(file->url.toString(), "url");
    QTEST(file->password, "password");
}

void TestOptionFile::aFileThatCannotBeUsedSaysWhy_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("permissions");
    QTest::addColumn<QString>("says");
    QTest::newRow("a password for the group")
        << QByteArray("[client]\nuser=ops\npassword=secret\n") << int(kForMe | QFile::ReadGroup) << "chmod 600";
    QTest::newRow("a password for all") << QByteArray("[client]\nuser=ops\npassword=secret\n")
                                        << int(kForMe | QFile::ReadOther) << "chmod 600";
    QTest::newRow("no password, but all may write it")
        << QByteArray("[client]\nuser=ops\n") << int(kForMe | QFile::WriteOther) << "written by others";
    QTest::newRow("a host named twice") << QByteArray("[client]\nuser=ops\nhost=db1\n[mysql]\n[client]\nhost = db2\n")
                                        << int(kForMe) << ".my.cnf:6 names the server's host, which";
    QTest::newRow("no group") << QByteArray("[mysqld]\nuser=ops\n") << int(kForMe) << "names no user";
    QTest::newRow("no options") << QByteArray() << int(kForMe) << "names no user";
    QTest::newRow("not an option file") << QByteArray("user=ops\n") << int(kForMe) << "could not be read";
    QTest::newRow("a host that would end the driver's option")
        << QByteArray("[client]\nuser=ops\nhost=\"a;ssl-verify-server-cert=0\"\n") << int(kForMe) << "URL";
    QTest::newRow("a line break") << QByteArray("[client]\nuser=ops\npassword=a\\nb\n") << int(kForMe) << "line break";
}

void TestOptionFile::aFileThatCannotBeUsedSaysWhy()
{
    QFETCH(QByteArray, content);
    QFETCH(int, permissions);
    QFETCH(QString, says);
    QString error;
    QVERIFY(!OptionFile::read(write(content, QFile::Permissions(permissions)), &error));
    QVERIFY2(error.contains(says), qPrintable(error));
    QVERIFY2(!error.contains(u"secret"), qPrintable(error));
}

void TestOptionFile::whatIsIncludedIsLookedAtToo_data()
{
    QTest::addColumn<QByteArray>("content"); // of the included one
    QTest::addColumn<int>("permissions");
    QTest::addColumn<QString>("says"); // empty: it is used
    QTest::newRow("a password for all") << QByteArray("[client]\npassword=secret\n") << int(kForMe | QFile::ReadOther)
                                        << "further.cnf:2 has a password";
    QTest::newRow("another host, written by anybody")
        << QByteArray("[client]\nhost=evil\n") << int(kForMe | QFile::WriteOther) << "written by others";
    QTest::newRow("a host named twice") << QByteArray("[client]\nhost=evil\n") << int(kForMe) << "named";
    QTest::newRow("a password for me") << QByteArray("[client]\npassword=secret\n") << int(kForMe) << QString();
}

void TestOptionFile::whatIsIncludedIsLookedAtToo()
{
    QFETCH(QByteArray, content);
    QFETCH(int, permissions);
    QFETCH(QString, says);
    QVERIFY(QDir(m_folder.path()).mkpath(u"more"_s));
    QFile further(m_folder.filePath(u"more/further.cnf"_s));
    QVERIFY(further.open(QIODevice::WriteOnly) && further.write(content) > 0);
    further.close();
    QVERIFY(further.setPermissions(QFile::Permissions(permissions)));
    const QByteArray folder = m_folder.path().toUtf8();
    for (const QByteArray &how : {"!include " + folder + "/more/further.cnf", "!includedir " + folder + "/more"}) {
        QString error;
        const auto read = OptionFile::read(write("[client]\nuser=ops\nhost=db1\n" + how + '\n'), &error);
        QCOMPARE(read.has_value(), says.isEmpty());
        QVERIFY2(error.contains(says), qPrintable(error));
        QCOMPARE(read ? read->password : QString(), says.isEmpty() ? u"secret"_s : QString());
    }
    QVERIFY(further.remove());
}

void TestOptionFile::aFileWithoutPasswordMayBeSeen()
{
    QString error;
    QVERIFY(OptionFile::read(write("[client]\nuser=ops\n", kForMe | QFile::ReadGroup | QFile::ReadOther), &error));
    error.clear();
    QVERIFY(!OptionFile::read(m_folder.filePath(u"nothing"_s), &error));
    QVERIFY2(error.contains(u"cannot be read"), qPrintable(error));
}

void TestOptionFile::lockctlConnectsAsTheFileSays_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("list") << QStringList{u"list"_s};
    QTest::newRow("run") << QStringList{u"run"_s, u"r"_s, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s};
}

void TestOptionFile::lockctlConnectsAsTheFileSays()
{
    QFETCH(QStringList, words);
    const QString path = write(clientGroup());
    const CtlResult result = CtlRunner().run(QStringList{u"--defaults-file"_s, path} + words);
    QVERIFY2(result.exitCode == 0, result.text());
}

void TestOptionFile::whatIsNamedOtherwiseWins()
{
    const QString path = write(clientGroup().replace("user=app", "user=nobody"));
    const QStringList words{u"--defaults-file"_s, path, u"list"_s};
    QCOMPARE(CtlRunner().run(words).exitCode, 77);
    QCOMPARE(CtlRunner(m_server->url().toString()).run(words).exitCode, 0);
    QCOMPARE(CtlRunner().run(QStringList{u"--url"_s, m_server->url().toString()} + words).exitCode, 0);
    write(clientGroup());
    CtlRunner lockctl;
    lockctl.set("LOCKSCOPE_PASSWORD", u"wrong"_s);
    QCOMPARE(lockctl.run(words).exitCode, 77);
}

void TestOptionFile::whatReadsTheFileIsNotGivenThePassword()
{
    QFile reader(m_folder.filePath(u"my_print_defaults"_s));
    QVERIFY(reader.open(QIODevice::WriteOnly));
    const QString seen = m_folder.filePath(u"seen"_s);
    reader.write("#!/bin/sh\nenv > '" + seen.toUtf8() + "'\n");
    reader.close();
    QVERIFY(reader.setPermissions(kForMe | QFile::ExeOwner));
    CtlRunner lockctl;
    lockctl.set("PATH", m_folder.path() + u":/usr/bin:/bin"_s);
    lockctl.set("LOCKSCOPE_PASSWORD", u"Very secret"_s);
    lockctl.run({u"--defaults-file"_s, write(clientGroup()), u"list"_s});
    QFile file(seen);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray environment = file.readAll();
    QVERIFY(environment.contains("PATH="));
    QVERIFY2(!environment.contains("Very secret"), environment);
    QVERIFY(reader.remove());
}

void TestOptionFile::lockctlRefusesAFileThatOthersCanRead()
{
    const QString path = write(clientGroup(), kForMe | QFile::ReadOther);
    const CtlResult result = CtlRunner().run({u"--defaults-file"_s, path, u"list"_s});
    QVERIFY2(result.exitCode == 64, result.text());
    QVERIFY2(result.err.contains("chmod 600"), result.text());
}

void TestOptionFile::aFileThatNobodyNamedIsNotRead()
{
    write(clientGroup());
    CtlRunner lockctl;
    for (const char *name : {"HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
        lockctl.set(name, m_folder.path());
    const CtlResult result = lockctl.run({u"list"_s});
    QVERIFY2(result.exitCode == 69, result.text());
    QVERIFY2(result.err.contains("no server is named"), result.text());
}

QTEST_GUILESS_MAIN(TestOptionFile)
#include "tst_optionfile.moc"
