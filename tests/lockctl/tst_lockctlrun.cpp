// SPDX-License-Identifier: MIT
#include "actor.h"
#include "freeze.h"
#include "lockctlrunner.h"
#include "session/schema.h"
#include "strict.h"
#include "testserver.h"

#include <QtTest/QtTest>

#include <csignal>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// A command that lives until it is told to end, and tells what it was told.
const QString kPatient = u"trap 'echo told TERM; exit 3' TERM; echo ready; while :; do sleep 0.02; done"_s;

QString text(const QProcess &process)
{
    return u"process %1"_s.arg(process.processId());
}

void addEvent(Actor &actor, const QString &resource, int token)
{
    const Reply added =
        actor.run("INSERT INTO lock_event (at, kind, resource, token) VALUES (UTC_TIMESTAMP(6), 'takeover', '"
                  + resource.toUtf8() + "', " + QByteArray::number(token) + ')');
    if (!added)
        qFatal("%s", qPrintable(added.error->toString()));
}

/// Reads what a follower prints until the event of this token has come; `told` gets all of the resource.
bool follow(QProcess &follower, const QString &resource, int token, QList<int> *told)
{
    return eventually([&] {
        const QJsonObject event = QJsonDocument::fromJson(nextLine(follower)).object();
        if (event[u"resource"_s].toString() == resource)
            told->append(event[u"token"_s].toInt());
        return told->contains(token);
    });
}

void send(const QProcess &process, int signal)
{
    ::kill(static_cast<pid_t>(process.processId()), signal);
}

/// False once it ended; a zombie counts as ended.
bool isRunning(qint64 pid)
{
    QFile file(u"/proc/%1/stat"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray stat = file.readAll();
    return stat.at(stat.lastIndexOf(')') + 2) != 'Z';
}

} // namespace

class LockctlRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void theCommandsCodeIsReturned_data();
    void theCommandsCodeIsReturned();
    void theCommandGetsResourceAndToken();
    void theCommandsWordsArriveAsTheyAre();
    void theCommandInheritsNothingOfTheEngine();
    void tokensGrowFromRunToRun();
    void aTakenLockIs75_data();
    void aTakenLockIs75();
    void twoRunsNeverOverlap();
    void theLockIsRenewedAndThenFreed();
    void aLockIsKeptForItsMinimumTime();
    void aSignalWhileWaitingLeavesNothing_data();
    void aSignalWhileWaitingLeavesNothing();
    void signalsReachTheCommandsWholeGroup_data();
    void signalsReachTheCommandsWholeGroup();
    void anIgnoredSignalStaysIgnored();
    void aForceReleasedRunIs76AndItsWholeGroupEnds();
    void aCommandThatIgnoresTheEndIsKilledLater();
    void nothingOutsideItsGroupIsTouched();
    void aRunFrozenPastItsTtlHasLost();
    void aKilledRunLeavesAnOrphanAndTellsItsCommand();
    void aRunOutlivesARestartOfTheServer();
    void waitersAndReleaseTellTheTruth();
    void aDryRunChangesNothing();
    void aProductionServerHasToBeNamed();
    void eventsAreFollowed();
    void anEventThatIsCommittedLateIsFollowedToo();
    void eventsAreFollowedOverARestartOfTheServer();

private:
    QJsonObject lock(const QString &resource) const;
    int waiting(const QString &resource) const;
    bool isFree(const QString &resource) const { return lock(resource).isEmpty(); }
    qint64 token(const QString &resource) const { return lock(resource).value(u"token"_s).toInteger(); }
    CtlResult release(const QString &resource, qint64 token) const;
    std::unique_ptr<QProcess> hold(const QString &resource, const QStringList &options = {}) const;

    CtlRunner m_ctl;
    QString m_name;
};

void LockctlRunTest::initTestCase()
{
    m_ctl = CtlRunner(TestServer::instance().url().toString());
    const auto initialised = m_ctl.run({u"init"_s});
    QVERIFY2(initialised.exitCode == 0, initialised.text());
}

/// Each test has a resource of its own.
void LockctlRunTest::init()
{
    failOnWarnings();
    m_name = QString::fromLatin1(QTest::currentTestFunction());
    if (QTest::currentDataTag())
        m_name += u'/' + QString::fromLatin1(QTest::currentDataTag());
}

QJsonObject LockctlRunTest::lock(const QString &resource) const
{
    const QJsonArray locks = m_ctl.run({u"list"_s, u"--json"_s}).array();
    for (const auto &entry : locks) {
        if (entry.toObject().value(u"resource"_s).toString() == resource)
            return entry.toObject();
    }
    return {};
}

int LockctlRunTest::waiting(const QString &resource) const
{
    return int(m_ctl.run({u"waiters"_s, resource, u"--json"_s}).array().size());
}

CtlResult LockctlRunTest::release(const QString &resource, qint64 token) const
{
    return m_ctl.run(
        {u"release"_s, resource, u"--token"_s, QString::number(token), u"--reason"_s, u"the test says so"_s});
}

/// A run that holds `resource` and whose command has said that it is ready.
std::unique_ptr<QProcess> LockctlRunTest::hold(const QString &resource, const QStringList &options) const
{
    auto run =
        m_ctl.start(QStringList{u"run"_s, resource} + options + QStringList{u"--"_s, u"sh"_s, u"-c"_s, kPatient});
    if (nextLine(*run) != "ready")
        qFatal("The holder of %ls did not start", qUtf16Printable(resource));
    return run;
}

void LockctlRunTest::theCommandsCodeIsReturned_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("code");
    const auto shell = [](const QString &script) { return QStringList{u"sh"_s, u"-c"_s, script}; };
    QTest::newRow("success") << shell(u"exit 0"_s) << 0;
    QTest::newRow("failure") << shell(u"exit 7"_s) << 7;
    QTest::newRow("a code that lockctl has as well") << shell(u"exit 75"_s) << 75;
    QTest::newRow("the largest code") << shell(u"exit 255"_s) << 255;
    QTest::newRow("ended by SIGKILL") << shell(u"kill -KILL $$"_s) << 137;
    QTest::newRow("ended by SIGTERM") << shell(u"kill -TERM $$"_s) << 143;
    QTest::newRow("cannot be run") << QStringList{u"/"_s} << 126;
    QTest::newRow("not executable") << QStringList{u"/etc/passwd"_s} << 126;
    QTest::newRow("not found") << QStringList{u"no-such-command"_s} << 127;
    QTest::newRow("not found, with a path") << QStringList{u"/no/such/command"_s} << 127;
}

void LockctlRunTest::theCommandsCodeIsReturned()
{
    QFETCH(QStringList, command);
    QFETCH(int, code);
    const auto result = m_ctl.run(QStringList{u"run"_s, m_name, u"--"_s} + command);
    QVERIFY2(result.exitCode == code, result.text());
    QVERIFY2(isFree(m_name), "the lock is left behind");
}

void LockctlRunTest::theCommandGetsResourceAndToken()
{
    const QString resource = u"ä $HOME \"'\\ \n💥"_s;
    const auto result = m_ctl.run({u"run"_s, resource, u"--"_s, u"sh"_s, u"-c"_s,
                                   u"printf '%s|%s' \"$LOCKSCOPE_RESOURCE\" \"$LOCKSCOPE_TOKEN\""_s});
    QVERIFY2(result.exitCode == 0, result.text());
    const qsizetype bar = result.out.lastIndexOf('|');
    QCOMPARE(result.out.left(bar), resource.toUtf8());
    QVERIFY(result.out.mid(bar + 1).toULongLong() > 0);
}

void LockctlRunTest::theCommandsWordsArriveAsTheyAre()
{
    const QStringList words{u"[a,b]"_s, u"[x]"_s, QString(), u"--"_s,  u"--json"_s,
                            u"-h"_s,    u"a b"_s, u"*"_s,    u"--x="_s};
    const auto result = m_ctl.run(QStringList{u"run"_s, m_name, u"--"_s, u"printf"_s, u"<%s>"_s} + words);
    QVERIFY2(result.exitCode == 0, result.text());
    QCOMPARE(QString::fromUtf8(result.out), u'<' + words.join(u"><"_s) + u'>');
    const auto bytes = m_ctl.shell(u"\"$0\" run '%1' -- printf %s \"$(printf 'caf\\351')\""_s.arg(m_name));
    QVERIFY2(bytes.exitCode == 0, bytes.text());
    QCOMPARE(bytes.out, QByteArray("caf\351"));
}

void LockctlRunTest::theCommandInheritsNothingOfTheEngine()
{
    // One file that the caller passes on arrives; no connection to the server does, which would keep the presence of
    // a killed lockctl alive.
    const auto result = m_ctl.shell(u"\"$0\" run '%1' -- ls -l /proc/self/fd 7</dev/null"_s.arg(m_name));
    QVERIFY2(result.exitCode == 0, result.text());
    QVERIFY2(result.out.contains("7 -> /dev/null"), result.text());
    QVERIFY2(!result.out.contains("socket:"), result.text());
    const auto password =
        m_ctl.shell(u"LOCKSCOPE_PASSWORD= \"$0\" run '%1' -- printenv LOCKSCOPE_PASSWORD"_s.arg(m_name));
    QVERIFY2(password.exitCode == 1 && password.out.isEmpty(), password.text()); // printenv knows no such variable
}

void LockctlRunTest::tokensGrowFromRunToRun()
{
    quint64 last = 0;
    for (int i = 0; i < 5; ++i) {
        const auto result = m_ctl.run({u"run"_s, m_name, u"--"_s, u"printenv"_s, u"LOCKSCOPE_TOKEN"_s});
        QVERIFY2(result.exitCode == 0, result.text());
        QVERIFY(result.out.trimmed().toULongLong() > last);
        last = result.out.trimmed().toULongLong();
    }
}

void LockctlRunTest::aTakenLockIs75_data()
{
    QTest::addColumn<QString>("wait");
    QTest::addColumn<int>("atLeastMs");
    QTest::newRow("0") << u"0"_s << 0;
    QTest::newRow("400ms") << u"400ms"_s << 400;
    QTest::newRow("1s") << u"1s"_s << 1000;
}

void LockctlRunTest::aTakenLockIs75()
{
    QFETCH(QString, wait);
    QFETCH(int, atLeastMs);
    const auto holder = hold(m_name);
    QElapsedTimer timer;
    timer.start();
    const auto result = m_ctl.run({u"run"_s, m_name, u"--wait"_s, wait, u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY2(result.exitCode == 75, result.text());
    QVERIFY2(timer.elapsed() >= atLeastMs, "it gave up too early");
    QVERIFY2(result.out.isEmpty(), result.text());
    QVERIFY2(result.err.contains(m_name.toUtf8()), result.text());
    QCOMPARE(waiting(m_name), 0);
    send(*holder, SIGTERM);
    QCOMPARE(CtlRunner::finish(*holder).exitCode, 3);
}

void LockctlRunTest::twoRunsNeverOverlap()
{
    QTemporaryDir folder;
    const QString mark = folder.filePath(u"inside"_s);
    std::vector<std::unique_ptr<QProcess>> loops(2);
    for (auto &loop : loops) {
        loop = m_ctl.startProgram(
            u"/bin/sh"_s,
            {u"-c"_s,
             u"for i in 1 2 3 4 5 6 7 8 9 10; do "
             u"\"$0\" run '%1' -- sh -c 'mkdir \"$0\" && rmdir \"$0\"' '%2' || exit 1; done"_s.arg(m_name, mark),
             CtlRunner::program()});
    }
    for (const auto &loop : loops) {
        const auto result = CtlRunner::finish(*loop);
        QVERIFY2(result.exitCode == 0, result.text());
    }
    QVERIFY(isFree(m_name));
}

void LockctlRunTest::theLockIsRenewedAndThenFreed()
{
    const auto run = hold(m_name, {u"--ttl"_s, u"6s"_s});
    const QString first = lock(m_name).value(u"expiresAt"_s).toString();
    QVERIFY(!first.isEmpty());
    // Twice past the first end: the watchdog renews, and the token stays.
    const QDateTime past = QDateTime::fromString(first, Qt::ISODateWithMs).addMSecs(6000);
    const qint64 held = token(m_name);
    QVERIFY(eventually([&] {
        return QDateTime::fromString(lock(m_name).value(u"expiresAt"_s).toString(), Qt::ISODateWithMs) > past;
    }));
    QCOMPARE(token(m_name), held);
    send(*run, SIGTERM);
    QCOMPARE(CtlRunner::finish(*run).exitCode, 3);
    QVERIFY(isFree(m_name));
}

void LockctlRunTest::aLockIsKeptForItsMinimumTime()
{
    const QStringList words{u"run"_s, m_name, u"--hold-at-least"_s, u"1h"_s};
    QCOMPARE(m_ctl.run(words + QStringList{u"--ttl"_s, u"1m"_s, u"--"_s, u"true"_s}).exitCode, 64);
    QCOMPARE(m_ctl.run(words + QStringList{u"--"_s, u"true"_s}).exitCode, 0); // as long as it has to be
    QCOMPARE(m_ctl.run({u"run"_s, m_name, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s}).exitCode, 75);
    QCOMPARE(lock(m_name).value(u"state"_s).toString(), u"held"_s);
}

void LockctlRunTest::aSignalWhileWaitingLeavesNothing_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
    QTest::newRow("SIGQUIT") << SIGQUIT;
    QTest::newRow("SIGKILL") << SIGKILL;
}

void LockctlRunTest::aSignalWhileWaitingLeavesNothing()
{
    QFETCH(int, signal);
    const auto holder = hold(m_name);
    const auto waiter = m_ctl.start({u"run"_s, m_name, u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY(eventually([this] { return waiting(m_name) == 1; }));
    send(*waiter, signal);
    const auto result = CtlRunner::finish(*waiter);
    QVERIFY2(result.exitCode == (signal == SIGKILL ? -1 : 128 + signal), result.text());
    QVERIFY2(result.out.isEmpty(), result.text());
    QVERIFY(eventually([this] { return waiting(m_name) == 0; })); // at once, but for SIGKILL
    send(*holder, SIGTERM);
    QCOMPARE(CtlRunner::finish(*holder).exitCode, 3);
    QVERIFY2(isFree(m_name), "somebody who has gone was granted the lock");
}

void LockctlRunTest::signalsReachTheCommandsWholeGroup_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("name");
    QTest::newRow("SIGINT") << SIGINT << u"INT"_s;
    QTest::newRow("SIGTERM") << SIGTERM << u"TERM"_s;
    QTest::newRow("SIGHUP") << SIGHUP << u"HUP"_s;
    QTest::newRow("SIGQUIT") << SIGQUIT << u"QUIT"_s;
    QTest::newRow("SIGUSR1") << SIGUSR1 << u"USR1"_s;
}

void LockctlRunTest::signalsReachTheCommandsWholeGroup()
{
    QFETCH(int, signal);
    QFETCH(QString, name);
    // The outer shell runs its trap when the inner one has ended: both got the signal, and the code is the outer one's.
    const QString inner = u"trap 'echo inner; exit' %1; echo ready; while :; do sleep 0.02; done"_s.arg(name);
    const QString outer = u"trap 'echo outer; exit 9' %1; sh -c \"$0\"; exit 1"_s.arg(name);
    const auto run = m_ctl.start({u"run"_s, m_name, u"--"_s, u"sh"_s, u"-c"_s, outer, inner});
    QCOMPARE(nextLine(*run), QByteArray("ready"));
    send(*run, signal);
    QCOMPARE(nextLine(*run), QByteArray("inner"));
    QCOMPARE(nextLine(*run), QByteArray("outer"));
    const auto result = CtlRunner::finish(*run);
    QVERIFY2(result.exitCode == 9, result.text());
    QVERIFY(isFree(m_name));
}

void LockctlRunTest::anIgnoredSignalStaysIgnored()
{
    // As under nohup.
    const auto run = m_ctl.startProgram(
        u"/bin/sh"_s,
        {u"-c"_s,
         u"trap '' HUP; exec \"$0\" run '%1' -- sh -c 'echo ready; read x < \"$0\"; exit 4' \"$1\""_s.arg(m_name),
         CtlRunner::program(), u"/dev/null"_s});
    QCOMPARE(nextLine(*run), QByteArray("ready"));
    send(*run, SIGHUP);
    QCOMPARE(CtlRunner::finish(*run).exitCode, 4);
}

void LockctlRunTest::aForceReleasedRunIs76AndItsWholeGroupEnds()
{
    const QString script = u"sh -c 'echo $$; while :; do sleep 0.02; done' & %1"_s.arg(kPatient);
    const auto run = m_ctl.start({u"run"_s, m_name, u"--ttl"_s, u"6s"_s, u"--"_s, u"sh"_s, u"-c"_s, script});
    QSet<QByteArray> lines{nextLine(*run), nextLine(*run)};
    QVERIFY(lines.remove("ready"));
    const qint64 grandchild = lines.values().constFirst().toLongLong();
    QVERIFY(isRunning(grandchild));

    QCOMPARE(release(m_name, token(m_name)).exitCode, 0);
    const auto result = CtlRunner::finish(*run);
    QVERIFY2(result.exitCode == 76, result.text());
    QVERIFY2(result.out.contains("told TERM"), result.text());
    QVERIFY2(result.err.contains("lost " + m_name.toUtf8()), result.text());
    QVERIFY2(!isRunning(grandchild), "a process of the group works on without the lock");
}

void LockctlRunTest::aCommandThatIgnoresTheEndIsKilledLater()
{
    const auto run = m_ctl.start({u"run"_s, m_name, u"--ttl"_s, u"6s"_s, u"--kill-after"_s, u"300ms"_s, u"--"_s,
                                  u"sh"_s, u"-c"_s, u"trap '' TERM; echo ready; while :; do sleep 0.02; done"_s});
    QCOMPARE(nextLine(*run), QByteArray("ready"));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(release(m_name, token(m_name)).exitCode, 0);
    const auto result = CtlRunner::finish(*run);
    QVERIFY2(result.exitCode == 76, result.text());
    QVERIFY2(timer.elapsed() >= 300, "it was killed too early");
}

void LockctlRunTest::nothingOutsideItsGroupIsTouched()
{
    // Another process of lockctl's own group, and one that left the command's group, as a daemon does.
    const QString command = u"setsid sh -c 'echo $$; exec sleep 1000' & %1"_s.arg(kPatient);
    const auto shell = m_ctl.startProgram(
        u"/bin/sh"_s,
        {u"-c"_s, u"sleep 1000 & echo $!; \"$0\" run '%1' --ttl 6s -- sh -c \"$1\"; echo code $?"_s.arg(m_name),
         CtlRunner::program(), command});
    QList<qint64> bystanders;
    for (int i = 0; i < 3; ++i) {
        const QByteArray line = nextLine(*shell);
        if (line != "ready")
            bystanders.append(line.toLongLong());
    }
    QCOMPARE(bystanders.size(), 2);
    QVERIFY(eventually([this] { return token(m_name) > 0; }));
    QCOMPARE(release(m_name, token(m_name)).exitCode, 0);
    QCOMPARE(nextLine(*shell), QByteArray("told TERM"));
    QCOMPARE(nextLine(*shell), QByteArray("code 76"));
    for (const qint64 pid : bystanders) {
        QVERIFY2(isRunning(pid), "a process that lockctl did not start, or that left its group, was ended");
        ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    CtlRunner::finish(*shell);
}

void LockctlRunTest::aRunFrozenPastItsTtlHasLost()
{
    const auto frozen = hold(m_name, {u"--ttl"_s, u"3s"_s});
    freezeProcess(frozen->processId());
    const auto next = m_ctl.run({u"run"_s, m_name, u"--"_s, u"printenv"_s, u"LOCKSCOPE_TOKEN"_s});
    QVERIFY2(next.exitCode == 0, next.text());
    QVERIFY(next.out.trimmed().toLongLong() > 1);
    thawProcess(frozen->processId());
    const auto result = CtlRunner::finish(*frozen);
    QVERIFY2(result.exitCode == 76, result.text());
    QVERIFY2(result.out.contains("told TERM"), result.text());
}

void LockctlRunTest::aKilledRunLeavesAnOrphanAndTellsItsCommand()
{
    QTemporaryDir folder;
    const QString told = folder.filePath(u"told"_s);
    const QString script = u"trap 'echo TERM > \"$0\"; exit' TERM; echo ready; while :; do sleep 0.02; done"_s;
    const auto run = m_ctl.start({u"run"_s, m_name, u"--ttl"_s, u"1h"_s, u"--"_s, u"sh"_s, u"-c"_s, script, told});
    QCOMPARE(nextLine(*run), QByteArray("ready"));
    const qint64 held = token(m_name);
    send(*run, SIGKILL);
    QVERIFY(run->waitForFinished(60'000));
    QVERIFY(eventually([&] { return lock(m_name).value(u"state"_s).toString() == u"orphan"_s; }));
    QVERIFY(!lock(m_name).value(u"sessionAlive"_s).toBool(true));
    QVERIFY(eventually([&] { return QFileInfo::exists(told); }));
    QCOMPARE(m_ctl.run({u"run"_s, m_name, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s}).exitCode, 75);
    QCOMPARE(release(m_name, held).exitCode, 0);
    QCOMPARE(m_ctl.run({u"run"_s, m_name, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s}).exitCode, 0);
}

void LockctlRunTest::aRunOutlivesARestartOfTheServer()
{
    const auto run = hold(m_name, {u"--ttl"_s, u"60s"_s}); // its presence is looked after every 8 s
    const qint64 held = token(m_name);
    TestServer::instance().restart();
    QVERIFY(eventually([&] { return lock(m_name).value(u"state"_s).toString() == u"held"_s; })); // present again
    QCOMPARE(token(m_name), held);
    send(*run, SIGTERM);
    const auto result = CtlRunner::finish(*run);
    QVERIFY2(result.exitCode == 3, result.text());
    QVERIFY(isFree(m_name));
}

void LockctlRunTest::waitersAndReleaseTellTheTruth()
{
    const auto holder = hold(m_name, {u"--ttl"_s, u"9s"_s});
    const auto waiter =
        m_ctl.start({u"run"_s, m_name, u"--note"_s, u"next one"_s, u"--"_s, u"sh"_s, u"-c"_s, kPatient});
    QVERIFY(eventually([this] { return waiting(m_name) == 1; }));
    const QJsonObject first = m_ctl.run({u"waiters"_s, m_name, u"--json"_s}).array().first().toObject();
    QCOMPARE(first.value(u"position"_s).toInt(), 1);
    QCOMPARE(first.value(u"note"_s).toString(), u"next one"_s);
    QCOMPARE(first.value(u"owner"_s)[u"pid"_s].toInteger(), waiter->processId());
    QCOMPARE(lock(m_name).value(u"waiters"_s).toInt(), 1);

    const qint64 held = token(m_name);
    for (const qint64 stale : {qint64(0), held + 1, held + 1000}) {
        const auto refused = release(m_name, stale);
        QVERIFY2(refused.exitCode == 3, refused.text());
    }
    QCOMPARE(token(m_name), held);
    QCOMPARE(release(m_name + u"/other"_s, held).exitCode, 3);

    const auto released = release(m_name, held);
    QVERIFY2(released.exitCode == 0, released.text());
    QCOMPARE(nextLine(*waiter), QByteArray("ready")); // handed over, woken, running
    QCOMPARE(lock(m_name).value(u"owner"_s)[u"pid"_s].toInteger(), waiter->processId());
    QVERIFY(token(m_name) > held);
    QCOMPARE(release(m_name, held).exitCode, 3);

    const QJsonArray events = m_ctl.run({u"events"_s, u"--json"_s}).array();
    QJsonObject audited;
    for (const auto &event : events) {
        if (event[u"resource"_s].toString() == m_name && event[u"kind"_s].toString() == u"force_release"_s)
            audited = event.toObject();
    }
    QCOMPARE(audited.value(u"token"_s).toInteger(), held);
    QCOMPARE(audited.value(u"reason"_s).toString(), u"the test says so"_s);
    QVERIFY(audited.value(u"operator"_s).toString().contains(u'@'));

    send(*waiter, SIGTERM);
    QCOMPARE(CtlRunner::finish(*waiter).exitCode, 3);
    CtlRunner::finish(*holder);
}

/// As the window's list says, though the address is from the environment.
void LockctlRunTest::aProductionServerHasToBeNamed()
{
    const auto holder = hold(m_name);
    QTemporaryDir home;
    QSettings list(home.filePath(u"lockscope/lockscope.conf"_s), QSettings::IniFormat);
    ServerUrl url = TestServer::instance().url();
    url.user = u"another"_s;
    list.setValue(u"servers/size"_s, 1);
    list.setValue(u"servers/1/url"_s, url.toString());
    list.setValue(u"servers/1/production"_s, true);
    list.sync();
    CtlRunner ctl(TestServer::instance().url().toString());
    ctl.set("XDG_CONFIG_HOME", home.path());
    ctl.set("XDG_DATA_HOME", home.path());

    LockError error;
    SessionTarget target;
    target.url = TestServer::instance().url();
    const auto session = Session::open(target, &error);
    QVERIFY2(session, qPrintable(error.toString()));
    const QStringList release{u"release"_s,  m_name,   u"--token"_s, QString::number(token(m_name)),
                              u"--reason"_s, u"test"_s};
    const QStringList kill{u"kill"_s, QString::number(session->connectionId()), u"--yes"_s, u"--reason"_s, u"test"_s};
    const QStringList simulate{u"simulate"_s, u"--yes"_s, u"--duration"_s, u"300ms"_s};
    const QStringList lesson{u"lesson"_s, u"run"_s, u"ghost-stock"_s, u"--yes"_s};
    const QStringList init{u"init"_s};
    const QStringList forget{u"events"_s, u"--remove-older-than"_s, u"24h"_s};
    for (const QStringList &words : {release, kill, simulate, lesson, init, forget}) {
        const auto refused = ctl.run(words);
        QVERIFY2(refused.exitCode == 3 && refused.err.contains("production server"), refused.text());
        const auto elsewhere = ctl.run(words + QStringList{u"--server"_s, u"db9"_s});
        QVERIFY2(elsewhere.exitCode != 0, elsewhere.text());
    }
    list.setValue(u"servers/1/url"_s, u"mysql://ops@db9/lockscope"_s); // this is another way to it
    list.setValue(u"servers/1/ownName"_s, session->info().ownName);
    list.sync();
    for (const QStringList &words : {release, kill, simulate, lesson, forget}) {
        const auto refused = ctl.run(words);
        QVERIFY2(refused.exitCode == 3 && refused.err.contains("production server"), refused.text());
    }
    QVERIFY(session->run("SELECT 1", "test"));
    QVERIFY2(ctl.run(QStringList{u"list"_s, u"--json"_s}).out.contains(m_name.toUtf8()), "it is not held any more");
    for (const QStringList &words : {release, kill, init, forget}) {
        const auto done = ctl.run(words + QStringList{u"--server"_s, url.socket});
        QVERIFY2(done.exitCode == 0, done.text());
    }
    QVERIFY(!session->run("SELECT 1", "test"));
    CtlRunner::finish(*holder);
}

void LockctlRunTest::aDryRunChangesNothing()
{
    const auto holder = hold(m_name);
    const qint64 held = token(m_name);
    const QStringList words{u"release"_s, m_name, u"--reason"_s, u"only looking"_s, u"--dry-run"_s, u"--token"_s};
    const auto shown = m_ctl.run(words + QStringList{QString::number(held)});
    QVERIFY2(shown.exitCode == 0, shown.text());
    QVERIFY2(shown.out.contains("UPDATE lock_lease"), shown.text());
    const auto json = m_ctl.run(words + QStringList{QString::number(held), u"--json"_s});
    QVERIFY2(json.object().value(u"statement"_s).toString().contains(u"UPDATE lock_lease"_s), json.text());
    const auto stale = m_ctl.run(words + QStringList{QString::number(held + 1)});
    QVERIFY2(stale.exitCode == 3, stale.text());
    QCOMPARE(token(m_name), held);
    QCOMPARE(lock(m_name).value(u"state"_s).toString(), u"held"_s);
    send(*holder, SIGTERM);
    QCOMPARE(CtlRunner::finish(*holder).exitCode, 3);
}

void LockctlRunTest::eventsAreFollowed()
{
    const auto follower = m_ctl.start({u"events"_s, u"--follow"_s, u"--json"_s});
    const auto holder = hold(m_name, {u"--ttl"_s, u"6s"_s});
    QCOMPARE(release(m_name, token(m_name)).exitCode, 0);
    QCOMPARE(CtlRunner::finish(*holder).exitCode, 76);
    const bool isSeen = eventually([&] {
        const QJsonObject event = QJsonDocument::fromJson(nextLine(*follower)).object();
        return event.value(u"resource"_s).toString() == m_name && event.value(u"kind"_s).toString() == u"lost"_s;
    });
    QVERIFY2(isSeen, qPrintable(text(*follower)));
    follower->kill();
    follower->waitForFinished();
}

void LockctlRunTest::anEventThatIsCommittedLateIsFollowedToo()
{
    Actor slow(TestServer::instance());
    Actor quick(TestServer::instance());
    QVERIFY(slow.run("BEGIN"));
    addEvent(slow, m_name, 1); // gets the smaller number
    const auto follower = m_ctl.start({u"events"_s, u"--follow"_s, u"--json"_s});
    QList<int> told;
    addEvent(quick, m_name, 2);
    QVERIFY2(follow(*follower, m_name, 2, &told), qPrintable(text(*follower)));
    QVERIFY(slow.run("COMMIT"));
    QVERIFY2(follow(*follower, m_name, 1, &told), qPrintable(text(*follower)));
    addEvent(quick, m_name, 3);
    QVERIFY2(follow(*follower, m_name, 3, &told), qPrintable(text(*follower)));
    QCOMPARE(told, QList<int>({2, 1, 3})); // each once
    follower->kill();
    follower->waitForFinished();
}

void LockctlRunTest::eventsAreFollowedOverARestartOfTheServer()
{
    const auto follower = m_ctl.start({u"events"_s, u"--follow"_s, u"--json"_s});
    QList<int> told;
    Actor before(TestServer::instance());
    addEvent(before, m_name, 1);
    QVERIFY2(follow(*follower, m_name, 1, &told), qPrintable(text(*follower)));
    TestServer::instance().restart();
    Actor after(TestServer::instance());
    addEvent(after, m_name, 2);
    QVERIFY2(follow(*follower, m_name, 2, &told), qPrintable(text(*follower)));
    QCOMPARE(told, QList<int>({1, 2}));
    follower->kill();
    follower->waitForFinished();
}

QTEST_GUILESS_MAIN(LockctlRunTest)
#include "tst_lockctlrun.moc"
