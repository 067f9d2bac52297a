// SPDX-License-Identifier: MIT
// What a person at a terminal without a display watches while an application stands still, and that the terminal is
// theirs again afterwards, whatever ended it.
#include "actor.h"
#include "atterminal.h"
#include "enginetest.h"

#include <QtCore/QThread>
#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// InnoDB tells nothing new to who asks more often, in milliseconds.
constexpr int kInnoDbKeeps = 120;
constexpr auto kEnters = "\x1b[?1049h";
constexpr auto kLeaves = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

} // namespace

class LockctlTopTest : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void aBlockerIsShownAndItsEndFollowed();
    void aPausedPictureStaysUntilOneLooks();
    void aSmallScreenCountsWhatItCannotShow();
    void aLongTreeIsScrolled();
    void aNarrowScreenSaysWhatItCuts();
    void whateverEndsItTheTerminalIsAsBefore_data();
    void whateverEndsItTheTerminalIsAsBefore();
    void controlZGivesTheTerminalBackAndForegroundDrawsAnew();
    void aServerThatWentAwayIsToldAndFoundAgain();
    void aSilentServerDoesNotHoldTheKeys();
    void aRefusedPasswordEndsIt();
    void withoutATerminalThereIsOnePlainPicture_data();
    void withoutATerminalThereIsOnePlainPicture();
    void onceAtATerminalIsPlainToo();
    void wrongWordsAreUsageErrors_data();
    void wrongWordsAreUsageErrors();

private:
    QString url(const QString &user = u"root"_s) const;
    QStringList top(const QStringList &words = {u"--interval"_s, u"200ms"_s}) const;
    /// An idle transaction that holds row 5.
    std::unique_ptr<Actor> holder() const;
    std::unique_ptr<Actor> waiter() const;
};

void LockctlTopTest::initTestCase()
{
    qputenv("TERM", "xterm");
    qunsetenv("NO_COLOR");
    qunsetenv("LOCKSCOPE_PASSWORD");
    EngineTest::initTestCase();
}

void LockctlTopTest::init()
{
    EngineTest::init();
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (5,0)");
}

QString LockctlTopTest::url(const QString &user) const
{
    ServerUrl url = m_server->url();
    url.user = user;
    return url.toString();
}

QStringList LockctlTopTest::top(const QStringList &words) const
{
    return QStringList{CtlRunner::program(), u"--url"_s, url(), u"top"_s} + words;
}

std::unique_ptr<Actor> LockctlTopTest::holder() const
{
    auto actor = std::make_unique<Actor>(*m_server);
    if (!actor->run("BEGIN") || !actor->run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"))
        qFatal("The row cannot be locked.");
    return actor;
}

std::unique_ptr<Actor> LockctlTopTest::waiter() const
{
    auto actor = std::make_unique<Actor>(*m_server);
    actor->start("UPDATE shop.stock SET n = n + 1 WHERE id = 5");
    return actor;
}

void LockctlTopTest::aBlockerIsShownAndItsEndFollowed()
{
    const auto idle = holder();
    const auto waits = waiter();
    AtTerminal program(top());
    QVERIFY2(program.shows("frees 1 waiter"), program.seen());
    QVERIFY2(program.shows("\x1b[1m" + QByteArray::number(idle->id()) + "\x1b[0m"), program.seen());
    QVERIFY2(program.shows("waits"), program.seen());
    QVERIFY2(program.shows("shop.stock PRIMARY"), program.seen());
    QVERIFY2(program.seen().contains(kEnters) && program.seen().contains(" UTC  looked in "), program.seen());
    QVERIFY2(program.seen().contains(m_server->family() == Family::MySql ? "MySQL " : "MariaDB "), program.seen());
    program.forget();
    QVERIFY(idle->run("COMMIT"));
    QVERIFY(waits->finish());
    QVERIFY2(program.shows("  nobody waits"), program.seen());
    QVERIFY2(program.shows("Nobody waits."), program.seen());
    program.type("q");
    QCOMPARE(program.exitCode(), 0);
    QVERIFY2(program.seen().endsWith(kLeaves), program.seen());
}

void LockctlTopTest::aPausedPictureStaysUntilOneLooks()
{
    const auto idle = holder();
    const auto waits = waiter();
    AtTerminal program(top());
    QVERIFY2(program.shows("frees 1 waiter"), program.seen());
    program.type("p");
    QVERIFY2(program.shows("old: paused"), program.seen());
    QVERIFY(idle->run("COMMIT"));
    QVERIFY(waits->finish());
    program.forget();
    QVERIFY2(program.shows("old: paused"), program.seen()); // older by a second
    QVERIFY2(program.shows("frees 1 waiter"), program.seen());
    QVERIFY2(!program.seen().contains("Nobody waits."), program.seen());
    program.type("\x1b[A\x1bOp\x1b[1;5p "); // keys whose codes have letters of ours, then Space
    QVERIFY2(program.shows("Nobody waits."), program.seen());
    program.forget();
    QVERIFY2(program.shows("old: paused"), program.seen());
    program.type("p");
    QVERIFY2(eventually([&] {
                 program.forget();
                 return program.shows("Nobody waits.") && !program.seen().contains("paused");
             }),
             program.seen());
}

void LockctlTopTest::aSmallScreenCountsWhatItCannotShow()
{
    const auto idle = holder();
    std::vector<std::unique_ptr<Actor>> waiters;
    for (int i = 0; i < 9; ++i)
        waiters.push_back(waiter());
    AtTerminal program(top());
    program.resize(24, 100);
    QVERIFY2(program.shows("frees 1 at once, up to 8 later"), program.seen());
    program.resize(9, 100);
    QVERIFY2(program.shows(" more lines"), program.seen());
    program.forget();
    QVERIFY2(program.shows("Space refresh now") && program.shows("\x1b[H"), program.seen());
    const qsizetype frame = program.seen().indexOf("\x1b[H");
    const QByteArray drawn = program.seen().mid(frame, program.seen().indexOf("refresh now", frame) - frame);
    QCOMPARE(drawn.count('\n'), 8); // a ninth would move the screen
    program.resize(40, 100);
    program.forget();
    QVERIFY2(eventually([&] {
                 program.forget();
                 return program.shows("Space refresh now") && !program.seen().contains(" more lines");
             }),
             program.seen());
    program.type("q");
    QCOMPARE(program.exitCode(), 0);
}

void LockctlTopTest::aLongTreeIsScrolled()
{
    std::vector<std::unique_ptr<Actor>> actors;
    for (int row = 10; row < 20; ++row) {
        m_observer->run("INSERT INTO shop.stock VALUES (" + QByteArray::number(row) + ", 0)");
        for (const char *begin : {"BEGIN", ""}) { // who holds it, and who waits for it
            actors.push_back(std::make_unique<Actor>(*m_server));
            if (*begin)
                QVERIFY(actors.back()->run(begin));
            actors.back()->start("UPDATE shop.stock SET n = 1 WHERE id = " + QByteArray::number(row));
            if (*begin)
                QVERIFY(actors.back()->finish());
        }
    }
    AtTerminal program(top());
    program.resize(12, 100);
    QVERIFY2(program.shows(" more lines") && program.shows("PgDn"), program.seen());
    const QByteArray last = "\x1b[1m" + QByteArray::number(actors[actors.size() - 2]->id()) + "\x1b[0m";
    program.forget();
    program.type("\x1b[F"); // End
    QVERIFY2(program.shows(last) && program.shows(" lines above"), program.seen());
    program.forget();
    program.type("\x1b[A\x1b[5~g"); // up, a page up, to the top
    QVERIFY2(program.shows(" more lines") && eventually([&] {
                 program.forget();
                 return program.shows("\x1b[H") && program.shows(" more lines") && !program.seen().contains(" above");
             }),
             program.seen());
}

/// The terminal would cut longer lines without a word.
void LockctlTopTest::aNarrowScreenSaysWhatItCuts()
{
    const auto idle = holder();
    const auto waits = waiter();
    AtTerminal program(top());
    program.resize(24, 20);
    QVERIFY2(program.shows("q quit   p pause   …"), program.seen());
    program.forget();
    QVERIFY2(program.shows("\x1b[H") && program.shows("q quit   p pause   …"), program.seen());
    QVERIFY2(program.seen().contains("blocks row shop.…"), program.seen());
}

void LockctlTopTest::whateverEndsItTheTerminalIsAsBefore_data()
{
    QTest::addColumn<QByteArray>("keys");
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("exitCode"); // -1: by the signal

    QTest::newRow("q") << QByteArray("q") << 0 << 0;
    QTest::newRow("Ctrl+C") << QByteArray("\x03") << 0 << 130;
    QTest::newRow("SIGTERM") << QByteArray() << SIGTERM << 143;
    QTest::newRow("SIGHUP") << QByteArray() << SIGHUP << 129;
    QTest::newRow("a crash") << QByteArray() << SIGABRT << -1;
}

void LockctlTopTest::whateverEndsItTheTerminalIsAsBefore()
{
    QFETCH(QByteArray, keys);
    QFETCH(int, signal);
    QFETCH(int, exitCode);
    AtTerminal program(top());
    const QByteArray before = program.modes();
    QVERIFY2(program.shows("Nobody waits."), program.seen());
    QVERIFY(program.modes() != before);
    if (signal != 0)
        ::kill(program.pid(), signal);
    program.type(keys);
    QCOMPARE(program.exitCode(), exitCode);
    QCOMPARE(program.modes(), before);
    QVERIFY2(program.seen().endsWith(kLeaves), program.seen());
}

void LockctlTopTest::controlZGivesTheTerminalBackAndForegroundDrawsAnew()
{
    AtTerminal shell({u"/bin/bash"_s, u"-mc"_s,
                      u"echo \"modes $(stty -g)\"; \"$0\" --url \"$1\" top --interval 200ms\n"
                      u"echo \"stopped $?\"; echo \"modes $(stty -g)\"; read -r go; fg >/dev/null\n"
                      u"echo \"ended $?\"; echo \"modes $(stty -g)\""_s,
                      CtlRunner::program(), url()});
    QVERIFY2(shell.shows("Nobody waits."), shell.seen());
    shell.type("\x1a");
    QVERIFY2(shell.shows("stopped 148"), shell.seen()); // 128 + SIGTSTP
    // The shell of Debian 12 says first which of its jobs was stopped.
    static const QRegularExpression stopped(QRegularExpression::escape(QString::fromLatin1(kLeaves))
                                            + uR"((\r\n\[1\]\+ [^\r\n]*\r\n)?stopped)"_s);
    QVERIFY2(QString::fromUtf8(shell.seen()).contains(stopped), shell.seen());
    QByteArray all = shell.seen();
    shell.forget();
    shell.type("go\n");
    QVERIFY2(shell.shows(kEnters) && shell.shows("Nobody waits."), shell.seen());
    shell.type("q");
    QVERIFY2(shell.shows("ended 0"), shell.seen());
    QVERIFY2(shell.seen().contains(QByteArray(kLeaves) + "ended"), shell.seen());
    QCOMPARE(shell.exitCode(), 0);
    all += shell.seen();
    static const QRegularExpression modes(u"modes ([0-9a-f:]+)"_s);
    QStringList found;
    for (auto matches = modes.globalMatch(QString::fromUtf8(all)); matches.hasNext();)
        found.append(matches.next().captured(1));
    QCOMPARE(found.size(), 3);
    QCOMPARE(found[1], found[0]);
    QCOMPARE(found[2], found[0]);
}

void LockctlTopTest::aServerThatWentAwayIsToldAndFoundAgain()
{
    AtTerminal program(top());
    QVERIFY2(program.shows("Nobody waits."), program.seen());
    m_server->stop();
    QVERIFY2(program.shows(" old: tried again "), program.seen());
    program.forget();
    QVERIFY2(program.shows("Nobody waits.") && program.shows(" old: "), program.seen()); // the last picture stays
    m_server->start();
    QVERIFY2(eventually([&] {
                 program.forget();
                 return program.shows("Nobody waits.") && program.shows("Space refresh now")
                     && !program.seen().contains(" old: ");
             }),
             program.seen());
    program.type("q");
    QCOMPARE(program.exitCode(), 0);
    QVERIFY2(program.seen().endsWith(kLeaves), program.seen());
}

void LockctlTopTest::aSilentServerDoesNotHoldTheKeys()
{
    AtTerminal program(top());
    QVERIFY2(program.shows("Nobody waits."), program.seen());
    m_server->freeze();
    const bool isTold = program.shows("no answer for ");
    program.type("q");
    const int exitCode = program.exitCode(); // before the server goes on
    m_server->thaw();
    QVERIFY2(isTold, program.seen());
    QCOMPARE(exitCode, 0);
    QVERIFY2(program.seen().endsWith(kLeaves), program.seen());
}

void LockctlTopTest::aRefusedPasswordEndsIt()
{
    m_observer->run("DROP USER IF EXISTS 'watcher'@'localhost'");
    m_observer->run("CREATE USER 'watcher'@'localhost' IDENTIFIED BY 'first'");
    m_observer->run("GRANT PROCESS ON *.* TO 'watcher'@'localhost'");
    m_observer->run("GRANT SELECT ON performance_schema.* TO 'watcher'@'localhost'");
    AtTerminal program({CtlRunner::program(), u"--url"_s, url(u"watcher"_s), u"top"_s, u"--interval"_s, u"200ms"_s});
    QVERIFY2(program.shows("Password of watcher"), program.seen());
    program.type("first\n");
    QVERIFY2(program.shows("Nobody waits."), program.seen());
    m_observer->run("ALTER USER 'watcher'@'localhost' IDENTIFIED BY 'second'");
    const QVariant id = m_observer->value("SELECT id FROM information_schema.processlist WHERE user = 'watcher'");
    m_observer->run("KILL " + id.toByteArray());
    QCOMPARE(program.exitCode(), 77);
    QVERIFY2(program.seen().contains(QByteArray(kLeaves) + "lockctl: "), program.seen());
    QVERIFY2(program.seen().count("Password of") == 1, program.seen());
}

void LockctlTopTest::withoutATerminalThereIsOnePlainPicture_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("--once") << QStringList{u"top"_s, u"--once"_s};
    QTest::newRow("a pipe") << QStringList{u"top"_s};
}

void LockctlTopTest::withoutATerminalThereIsOnePlainPicture()
{
    QFETCH(QStringList, words);
    const auto idle = holder();
    const auto waits = waiter();
    const QByteArray blocker = "\n\n" + QByteArray::number(idle->id()) + "  root@localhost";
    CtlResult result;
    eventually([&] {
        QThread::msleep(kInnoDbKeeps);
        result = CtlRunner(url()).run(words);
        return result.exitCode != 0 || (result.out.contains(blocker) && result.out.contains("frees 1 waiter"));
    });
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.out.contains(blocker) && result.out.contains("  1 waits\n"), result.text());
    QVERIFY2(!result.out.contains('\x1b') && !result.out.contains("quit"), result.text());
}

void LockctlTopTest::onceAtATerminalIsPlainToo()
{
    AtTerminal program(top({u"--once"_s}));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY2(program.seen().contains(" UTC  looked in ") && !program.seen().contains('\x1b'), program.seen());
}

void LockctlTopTest::wrongWordsAreUsageErrors_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("no unit") << QStringList{u"--interval"_s, u"1"_s};
    QTest::newRow("never") << QStringList{u"--interval"_s, u"0"_s};
    QTest::newRow("too often") << QStringList{u"--interval"_s, u"199ms"_s};
    QTest::newRow("too seldom") << QStringList{u"--interval"_s, u"2h"_s};
    QTest::newRow("for programs") << QStringList{u"--json"_s};
}

void LockctlTopTest::wrongWordsAreUsageErrors()
{
    QFETCH(QStringList, words);
    const auto result = CtlRunner(url()).run(QStringList{u"top"_s, u"--once"_s} + words);
    QVERIFY2(result.exitCode == 64 && result.out.isEmpty() && !result.err.isEmpty(), result.text());
}

QTEST_GUILESS_MAIN(LockctlTopTest)
#include "tst_lockctltop.moc"
