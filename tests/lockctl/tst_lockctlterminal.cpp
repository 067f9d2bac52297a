// SPDX-License-Identifier: MIT
#include "atterminal.h"
#include "session/session.h"
#include "strict.h"
#include "testserver.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class LockctlTerminalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }
    void theCommandReadsFromTheTerminal();
    void controlCEndsTheCommand();
    void controlCEndsTheWaiting();
    void controlZStopsBothAndForegroundContinuesThem();
    void aPipelineKeepsItsTerminal();
    void manyAreReleasedWhenTheServerIsNamed();
    void controlCEndsNoFurtherSession();
    void aPasswordIsAskedForAndNotShown();
    void aPasswordThatIsNotGivenIs77();
    void aSignalLeavesTheTerminalAsItWas_data();
    void aSignalLeavesTheTerminalAsItWas();

private:
    QStringList run(const QString &resource, const QStringList &command) const
    {
        return QStringList{CtlRunner::program(), u"--url"_s, m_url, u"run"_s, resource, u"--"_s} + command;
    }

    QTemporaryDir m_home;
    QString m_url;
    CtlRunner m_ctl;
};

void LockctlTerminalTest::initTestCase()
{
    m_url = TestServer::instance().url().toString();
    m_ctl = CtlRunner(m_url);
    ::unsetenv("LOCKSCOPE_PASSWORD");
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8()); // of the record
    const auto initialised = m_ctl.run({u"init"_s});
    QVERIFY2(initialised.exitCode == 0, initialised.text());

    SessionTarget target;
    target.url = TestServer::instance().url();
    LockError error;
    const auto session = Session::open(target, &error);
    QVERIFY(session);
    QVERIFY(session->run("CREATE USER 'asked'@'localhost' IDENTIFIED BY 'zwölf 12'", "test"));
    QVERIFY(session->run("GRANT SELECT ON lockscope.* TO 'asked'@'localhost'", "test"));
}

void LockctlTerminalTest::theCommandReadsFromTheTerminal()
{
    AtTerminal program(run(u"reads"_s, {u"sh"_s, u"-c"_s, u"read word; echo \"got <$word>\"; exit 5"_s}));
    program.type("hello\n");
    QVERIFY2(program.shows("got <hello>"), program.seen());
    QCOMPARE(program.exitCode(), 5);
}

void LockctlTerminalTest::controlCEndsTheCommand()
{
    // Not a shell that starts something: a signal at that moment is lost in dash.
    AtTerminal program(run(u"ctrl-c"_s, {u"cat"_s}));
    program.type("ping\n");
    QVERIFY2(program.shows("ping\r\nping"), program.seen()); // the terminal's echo, then the command's
    program.type("\x03");
    QCOMPARE(program.exitCode(), 130);
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).out, QByteArray("[]\n"));
}

void LockctlTerminalTest::controlCEndsTheWaiting()
{
    const auto holder = m_ctl.start({u"run"_s, u"waits"_s, u"--"_s, u"sleep"_s, u"1000"_s});
    QVERIFY(eventually([this] { return m_ctl.run({u"list"_s, u"--json"_s}).array().size() == 1; }));
    AtTerminal program(run(u"waits"_s, {u"true"_s}));
    QVERIFY(eventually([this] { return m_ctl.run({u"waiters"_s, u"waits"_s, u"--json"_s}).array().size() == 1; }));
    program.type("\x03");
    QCOMPARE(program.exitCode(), 130);
    QCOMPARE(m_ctl.run({u"waiters"_s, u"waits"_s, u"--json"_s}).out, QByteArray("[]\n"));
    holder->terminate();
    QCOMPARE(CtlRunner::finish(*holder).exitCode, 143);
}

void LockctlTerminalTest::controlZStopsBothAndForegroundContinuesThem()
{
    // A shell with job control, as people use it.
    AtTerminal shell({u"/bin/bash"_s, u"-mc"_s,
                      u"\"$0\" --url \"$1\" run ctrl-z -- sh -c 'echo ready; read word; echo \"got <$word>\"; exit 6'\n"
                      u"echo \"stopped $?\"; read -r go; fg >/dev/null; echo \"ended $?\""_s,
                      CtlRunner::program(), m_url});
    QVERIFY2(shell.shows("ready"), shell.seen());
    shell.type("\x1a");
    QVERIFY2(shell.shows("stopped 148"), shell.seen()); // 128 + SIGTSTP
    shell.type("go\n");
    shell.forget();
    shell.type("again\n");
    QVERIFY2(shell.shows("got <again>"), shell.seen());
    QVERIFY2(shell.shows("ended 6"), shell.seen());
}

void LockctlTerminalTest::aPipelineKeepsItsTerminal()
{
    // The reader at the pipe's end is in lockctl's own group and reads from the terminal, as a pager does.
    AtTerminal shell({u"/bin/bash"_s, u"-mc"_s,
                      u"\"$0\" --url \"$1\" run pipe -- echo text | { read -r line; read -r word < /dev/tty; "
                      u"echo \"$line and $word\"; }"_s,
                      CtlRunner::program(), m_url});
    shell.type("typed\n");
    QVERIFY2(shell.shows("text and typed"), shell.seen());
    QCOMPARE(shell.exitCode(), 0);
}

void LockctlTerminalTest::manyAreReleasedWhenTheServerIsNamed()
{
    const auto holder = m_ctl.start({u"run"_s, u"many/1"_s, u"--"_s, u"sleep"_s, u"1000"_s});
    QVERIFY(eventually([this] { return m_ctl.run({u"list"_s, u"--json"_s}).array().size() == 1; }));
    const QStringList words{CtlRunner::program(), u"--url"_s, m_url,         u"release"_s,
                            u"--prefix"_s,        u"many/"_s, u"--reason"_s, u"the test"_s};
    for (const char *keys : {"\n", "y\n", "yes\n", "another\n", "\x04"}) {
        AtTerminal program(words);
        QVERIFY2(
            program.shows("Type the server's name (" + TestServer::instance().url().socket.toUtf8() + ") to go on: "),
            program.seen());
        QVERIFY2(program.seen().contains("many/1"), program.seen());
        program.type(keys);
        QCOMPARE(program.exitCode(), 3);
    }
    {
        AtTerminal program(words);
        QVERIFY2(program.shows("server's name"), program.seen());
        program.type("\x03");
        QCOMPARE(program.exitCode(), -1); // ended by the signal, as any program that only asks
    }
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).array().size(), 1);
    AtTerminal program(words);
    QVERIFY2(program.shows("server's name"), program.seen());
    program.type(TestServer::instance().url().socket.toUtf8() + "\n");
    QVERIFY2(program.shows("Released 1"), program.seen());
    QCOMPARE(program.exitCode(), 0);
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).array().size(), 0);
    QCOMPARE(CtlRunner::finish(*holder).exitCode, 76);
}

/// Broken off while the first one's changes are being undone.
void LockctlTerminalTest::controlCEndsNoFurtherSession()
{
    SessionTarget target;
    target.url = TestServer::instance().url();
    LockError error;
    const auto many = Session::open(target, &error);
    const auto few = Session::open(target, &error);
    QVERIFY(many && few);
    const QByteArray eight =
        "(SELECT 0 AS i UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 "
        "UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7)";
    QVERIFY(few->run("CREATE TABLE big (id INT PRIMARY KEY AUTO_INCREMENT, n INT NOT NULL) ENGINE=InnoDB", "test"));
    QVERIFY(few->run("INSERT INTO big (n) SELECT 0 FROM " + eight + " a, " + eight + " b, " + eight + " c, " + eight
                         + " d, " + eight + " e, " + eight + " f",
                     "test"));
    QVERIFY(many->run("BEGIN; UPDATE big SET n = n + 1 WHERE id > 1", "test"));
    QVERIFY(few->run("BEGIN; UPDATE big SET n = n + 1 WHERE id = 1", "test"));
    AtTerminal program({CtlRunner::program(), u"--url"_s, m_url, u"kill"_s, QString::number(many->connectionId()),
                        QString::number(few->connectionId()), u"--reason"_s, u"stuck"_s, u"--yes"_s, u"--server"_s,
                        TestServer::instance().url().socket});
    QVERIFY2(program.shows("rows are left to be undone"), program.seen());
    program.type("\x03");
    QCOMPARE(program.exitCode(), 130);
    QVERIFY2(program.shows("interrupted first"), program.seen());
    QVERIFY(few->run("COMMIT", "test"));
    QVERIFY(!many->run("COMMIT", "test"));
}

void LockctlTerminalTest::aPasswordIsAskedForAndNotShown()
{
    ServerUrl url = TestServer::instance().url();
    url.user = u"asked"_s;
    AtTerminal program({CtlRunner::program(), u"--url"_s, url.toString(), u"list"_s, u"--json"_s});
    QVERIFY2(program.shows("Password of asked"), program.seen());
    program.type("wr\x15zw\xc3\xb6lg\x7f\x66 12\n"); // cleared with Ctrl+U, then one letter taken back
    QVERIFY2(program.shows("[]"), program.seen());
    QVERIFY2(!program.seen().contains("zw"), "the password is on the screen");
    QCOMPARE(program.exitCode(), 0);
}

void LockctlTerminalTest::aPasswordThatIsNotGivenIs77()
{
    ServerUrl url = TestServer::instance().url();
    url.user = u"asked"_s;
    for (const char *keys : {"\x03", "\x04", "wrong\n"}) {
        AtTerminal program({CtlRunner::program(), u"--url"_s, url.toString(), u"list"_s});
        QVERIFY2(program.shows("Password of asked"), program.seen());
        program.type(keys);
        QCOMPARE(program.exitCode(), 77);
    }
}

void LockctlTerminalTest::aSignalLeavesTheTerminalAsItWas_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("interrupt") << SIGINT;
    QTest::newRow("terminate") << SIGTERM;
    QTest::newRow("hang up") << SIGHUP;
    QTest::newRow("quit") << SIGQUIT;
}

/// A shell that goes on keeps the terminal there to be looked at.
void LockctlTerminalTest::aSignalLeavesTheTerminalAsItWas()
{
    QFETCH(int, number);
    ServerUrl url = TestServer::instance().url();
    url.user = u"asked"_s;
    AtTerminal program({u"/bin/sh"_s, u"-c"_s,
                        u"trap : INT TERM HUP QUIT; ulimit -c 0; echo begin; read x; \"$0\" --url \"$1\" list; "
                        "echo over $?; read x"_s,
                        CtlRunner::program(), url.toString()});
    QVERIFY2(program.shows("begin"), program.seen());
    const QByteArray before = program.modes();
    program.type("\n");
    QVERIFY2(program.shows("Password of asked"), program.seen());
    QVERIFY(program.modes() != before);
    ::kill(-program.pid(), number);
    QVERIFY2(program.shows("over " + QByteArray::number(128 + number)), program.seen());
    QCOMPARE(program.modes(), before);
}

QTEST_GUILESS_MAIN(LockctlTerminalTest)
#include "tst_lockctlterminal.moc"
