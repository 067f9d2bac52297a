// SPDX-License-Identifier: MIT
#include "storectltest.h"

#include "strict.h"

#include <QtTest/QTest>

#include <csignal>

namespace lockscope::test {

using namespace Qt::StringLiterals;

CtlResult end(QProcess &run)
{
    ::kill(static_cast<pid_t>(run.processId()), SIGTERM);
    return CtlRunner::finish(run);
}

void StoreCtlTest::init()
{
    failOnWarnings();
    m_bench.begin();
    m_engine = m_bench.newEngine();
    m_ctl = std::make_unique<CtlRunner>(url());
    m_ctl->set("XDG_DATA_HOME", m_home.path());
}

std::unique_ptr<QProcess> StoreCtlTest::hold() const
{
    auto run = m_ctl->start({u"run"_s, u"nightly"_s, u"--note"_s, u"the night run"_s, u"--"_s, u"sh"_s, u"-c"_s,
                             u"trap 'exit 3' TERM; echo ready; while :; do sleep 0.02; done"_s});
    if (const QByteArray said = nextLine(*run); said != "ready")
        qFatal("The holder did not start: %s", said.constData());
    return run;
}

void StoreCtlTest::aRunHoldsTheLeaseWhileItsCommandRuns()
{
    const QString script = u"echo $LOCKSCOPE_RESOURCE $LOCKSCOPE_TOKEN; exit 7"_s;
    const auto ran = m_ctl->run({u"run"_s, u"nightly"_s, u"--"_s, u"sh"_s, u"-c"_s, script});
    QVERIFY2(ran.exitCode == 7, ran.text());
    const QByteArrayList said = ran.out.trimmed().split(' ');
    QCOMPARE(said.value(0), "nightly");
    QVERIFY2(said.value(1).toULongLong() > 0, ran.text());
    QVERIFY(!isHeld());
    const auto run = hold();
    QVERIFY(isHeld());
    QCOMPARE(end(*run).exitCode, 3);
    QVERIFY(!isHeld());
}

void StoreCtlTest::aTakenLeaseIs75AndAWaitingRunIsNext()
{
    const auto holder = hold();
    const auto tried = m_ctl->run({u"run"_s, u"nightly"_s, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s});
    QVERIFY2(tried.exitCode == 75 && tried.err.contains("nightly is held by somebody else"), tried.text());
    const auto next = m_ctl->start({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"mine"_s});
    QVERIFY(m_bench.haveJoined(1, "nightly"));
    end(*holder);
    const auto done = CtlRunner::finish(*next);
    QVERIFY2(done.exitCode == 0 && done.out == "mine\n", done.text());
}

void StoreCtlTest::aForceReleasedRunIs76()
{
    const auto holder = hold();
    const QString token = QString::number(locks()[0][u"token"_s].toInteger());
    const auto release = [this](const QStringList &words) {
        return m_ctl->run(QStringList{u"release"_s, u"nightly"_s, u"--reason"_s, u"stuck"_s, u"--token"_s} + words);
    };
    const auto wrong = release({u"1"_s});
    QVERIFY2(wrong.exitCode != 0, wrong.text());
    QVERIFY(isHeld());
    const auto shown = release({token, u"--dry-run"_s});
    QVERIFY2(shown.exitCode == 0 && shown.out.contains(m_guard + QByteArray::number(token.toULongLong(), m_base)),
             shown.text());
    QVERIFY(isHeld());
    const auto released = release({token});
    QVERIFY2(released.exitCode == 0, released.text());
    QVERIFY(!isHeld());
    const auto ended = CtlRunner::finish(*holder); // it is told, or learns of it at its next renewal
    QVERIFY2(ended.exitCode == 76, ended.text());
}

void StoreCtlTest::theHolderIsAsked()
{
    const auto nobody = m_ctl->run({u"ask"_s, u"nightly"_s, u"--reason"_s, u"deploying"_s});
    QVERIFY2(nobody.exitCode == 3
                 && nobody.out
                     == "No lease of the name nightly is held; what other programs hold: lockctl list --all.\n",
             nobody.text());
    const auto holder = hold();
    const auto asked = m_ctl->run({u"ask"_s, u"nightly"_s, u"--reason"_s, u"deploying"_s});
    QVERIFY2(asked.exitCode == 0 && asked.out.startsWith("Asked lockctl"), asked.text());
    QByteArray told;
    QVERIFY(eventually([&] {
        holder->waitForReadyRead(10);
        told += holder->readAllStandardError();
        return told.contains("lockctl: somebody asks for nightly: deploying\n");
    }));
    end(*holder);
}

void StoreCtlTest::whoAsksForANameOfNobodyIsToldWhereToLook()
{
    const QByteArray others = "what other programs hold: lockctl list --all";
    const auto waiters = m_ctl->run({u"waiters"_s, u"nightly"_s, u"--json"_s});
    QVERIFY2(waiters.exitCode == 0 && waiters.out == "[]\n" && waiters.err.contains(others), waiters.text());
    QVERIFY2(!waiters.err.contains("blockers"), waiters.text());
    const auto release = m_ctl->run({u"release"_s, u"nightly"_s, u"--token"_s, u"1"_s, u"--reason"_s, u"stuck"_s});
    QVERIFY2(release.exitCode == 3 && release.err.contains("--guard") && !release.err.contains("--table"),
             release.text());
    const auto holder = hold();
    const auto held = m_ctl->run({u"waiters"_s, u"nightly"_s});
    QVERIFY2(held.exitCode == 0 && held.err.isEmpty() && held.out.count('\n') == 1, held.text());
    end(*holder);
}

void StoreCtlTest::locksAndTheirQueueAreListed()
{
    QCOMPARE(m_ctl->run({u"list"_s, u"--json"_s}).out, "[]\n");
    const auto holder = hold();
    const auto waiter = m_ctl->start({u"run"_s, u"nightly"_s, u"--note"_s, u"next"_s, u"--"_s, u"true"_s});
    QVERIFY(m_bench.haveJoined(1, "nightly"));
    const auto listed = m_ctl->run({u"list"_s, u"--json"_s});
    QVERIFY2(listed.exitCode == 0 && listed.array().size() == 1, listed.text());
    const QJsonObject lock = listed.array()[0].toObject();
    QCOMPARE(lock[u"resource"_s].toString(), u"nightly"_s);
    QCOMPARE(lock[u"state"_s].toString(), u"held"_s);
    QCOMPARE(lock[u"note"_s].toString(), u"the night run"_s);
    QCOMPARE(lock[u"waiters"_s].toInteger(), 1);
    QCOMPARE(lock[u"owner"_s][u"pid"_s].toInteger(), holder->processId());
    QVERIFY2(lock[u"sessionAlive"_s].toBool(), listed.text());
    const auto table = m_ctl->run({u"list"_s});
    QVERIFY2(table.out.startsWith("RESOURCE") && table.out.contains("the night run"), table.text());
    const auto queue = m_ctl->run({u"waiters"_s, u"nightly"_s, u"--json"_s});
    QVERIFY2(queue.exitCode == 0 && queue.array().size() == 1, queue.text());
    QCOMPARE(queue.array()[0][u"note"_s].toString(), u"next"_s);
    const auto checked = m_ctl->run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"1h"_s});
    QVERIFY2(checked.exitCode == 0, checked.text());
    end(*holder);
    CtlRunner::finish(*waiter);
}

void StoreCtlTest::whatTheStoreCannotDoIsRefused()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, told);
    const auto run =
        m_ctl->run(QStringList{u"run"_s, u"nightly"_s} + options + QStringList{u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY2(run.exitCode != 0 && run.out.isEmpty() && run.err.contains(told), run.text());
}

void StoreCtlTest::aWrongAddressIsToldBeforeAnythingIsRun()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, told);
    const auto run = CtlRunner(url).run({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY2(run.exitCode > 0 && run.out.isEmpty(), run.text());
    QVERIFY2(run.err.contains(told) && !run.err.contains("secret"), run.text());
}

} // namespace lockscope::test
