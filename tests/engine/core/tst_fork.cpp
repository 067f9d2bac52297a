// SPDX-License-Identifier: MIT
// A child after fork() neither uses nor releases what its parent holds.
#include "enginetest.h"

#include "lockscope/optimistic.h"

#include <QtTest/QTest>

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockscope;
using namespace lockscope::test;

// A leak checker in a child does not see the stacks of the parent's threads, and takes what they own for forgotten.
#if defined(__SANITIZE_ADDRESS__)
#    define LOCKSCOPE_CHECKS_LEAKS 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define LOCKSCOPE_CHECKS_LEAKS 1
#    endif
#endif
#ifndef LOCKSCOPE_CHECKS_LEAKS
#    define LOCKSCOPE_CHECKS_LEAKS 0
#endif

namespace {

/// Runs `work` in a child that then ends as programs do, and returns what it wrote.
QByteArray inChild(const std::function<QByteArray()> &work)
{
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0)
        return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        const QByteArray text = work();
        const bool isWritten = write(ends[1], text.constData(), std::size_t(text.size())) == text.size();
        if (LOCKSCOPE_CHECKS_LEAKS)
            _exit(isWritten ? 0 : 1);
        std::exit(isWritten ? 0 : 1); // with the destructors of this thread and of static objects
    }
    close(ends[1]);
    QByteArray text;
    char buffer[4096];
    for (ssize_t size = read(ends[0], buffer, sizeof buffer); size > 0; size = read(ends[0], buffer, sizeof buffer))
        text.append(buffer, size);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "the child ended with " + QByteArray::number(status);
}

QByteArray kindOf(const std::optional<LockError> &error)
{
    return error && error->kind == LockError::Kind::BadRequest ? "refused" : "not refused";
}

} // namespace

class TestFork : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        QVERIFY(eventually([&] { return connections().size() == 1; })); // those that were closed just now have ended
        m_engine = std::make_unique<LockEngine>(configFor(*m_server));
        m_lease = m_engine->acquire(requestFor("lease")).handle;
        LockRequest row = requestFor("row");
        row.mode = Mode::Pessimistic;
        m_row = m_engine->acquire(row).handle;
        QVERIFY(m_lease && m_row);
        m_before = connections();
    }
    void cleanup()
    {
        QCOMPARE(connections(), m_before); // the very same: nobody closed one
        QVERIFY(m_lease.isHeld() && m_row.isHeld());
        QCOMPARE(m_lease.renew(20s), RenewOutcome::Renewed);
        QCOMPARE(m_row.renew(20s), RenewOutcome::Renewed);
        LockEngine other(configFor(*m_server));
        LockRequest row = requestFor("row");
        row.mode = Mode::Pessimistic;
        QCOMPARE(other.acquire(row).outcome, Outcome::Busy);
        QCOMPARE(other.acquire(requestFor("lease")).outcome, Outcome::Busy);
        QCOMPARE(m_lease.release(), ReleaseOutcome::Released);
        QCOMPARE(m_row.release(), ReleaseOutcome::Released);
        m_engine.reset();
    }

    void aChildThatOnlyEndsLeavesEverythingAlone();
    void aChildThatDestroysEverythingReleasesNothing();
    void aChildIsRefusedWhateverItTries();
    void aChildUsesAnEngineOfItsOwn();

private:
    QList<QVariantList> connections()
    {
        return m_observer->rows("SELECT id FROM information_schema.processlist WHERE command <> 'Daemon' ORDER BY id");
    }

    std::unique_ptr<LockEngine> m_engine;
    LockHandle m_lease;
    LockHandle m_row;
    QList<QVariantList> m_before;
};

void TestFork::aChildThatOnlyEndsLeavesEverythingAlone()
{
    QCOMPARE(inChild([] { return QByteArray("ended"); }), QByteArray("ended"));
}

void TestFork::aChildThatDestroysEverythingReleasesNothing()
{
    const QByteArray text = inChild([&] {
        m_lease = {};
        m_row = {};
        m_engine.reset();
        return QByteArray("destroyed");
    });
    QCOMPARE(text, QByteArray("destroyed"));
}

void TestFork::aChildIsRefusedWhateverItTries()
{
    OptimisticStore store(*m_engine);
    const auto snapshot = store.read("v").snapshot;
    m_before = connections();
    const QByteArray text = inChild([&] {
        QByteArrayList said;
        said << (m_lease.isHeld() || m_row.isHeld() ? "held" : "not held");
        said << (m_lease.remaining() == Duration::zero() ? "over" : "not over");
        said << (m_lease.renew(10s) == RenewOutcome::NotHeld ? "not renewed" : "renewed");
        said << (m_lease.release() == ReleaseOutcome::NotHeld && m_row.release() == ReleaseOutcome::NotHeld
                     ? "not released"
                     : "released");
        said << kindOf(m_engine->acquire(requestFor("new", Forever)).error);
        said << kindOf(m_engine->acquire(requestFor("lease")).error);
        said << kindOf(m_engine->acquireAny({"row", "other"}, {}).error);
        said << kindOf(m_engine->acquireAsync(requestFor("new")).takeResult().error);
        said << kindOf(m_engine->requestRelease("lease", QStringLiteral("why")).error);
        said << kindOf(m_engine->heldLeases({"lease"}).error);
        said << kindOf(
            m_engine->forceRelease({{"lease", m_lease.token()}}, QStringLiteral("who"), QStringLiteral("why"))
                .firstError);
        said << kindOf(m_engine->connectToServer()) << kindOf(m_engine->clean());
        said << kindOf(store.read("v").error) << kindOf(store.commit(snapshot).error);
        return said.join(", ");
    });
    QCOMPARE(
        text,
        QByteArray("not held, over, not renewed, not released, refused, refused, refused, refused, refused, refused, "
                   "refused, refused, refused, refused, refused"));
}

void TestFork::aChildUsesAnEngineOfItsOwn()
{
#ifdef __SANITIZE_THREAD__
    QSKIP("ThreadSanitizer cannot start threads in a child of a process that has some; every other build tests this.");
#endif
    const QByteArray text = inChild([&] {
        LockEngine own(configFor(*m_server));
        const auto taken = own.acquire(requestFor("own"));
        const bool isExcluded = own.acquire(requestFor("lease")).outcome == Outcome::Busy;
        return QByteArray(taken.handle.isHeld() && isExcluded ? "works" : "does not work");
    });
    QCOMPARE(text, QByteArray("works"));
    QVERIFY(eventually([&] { return connections() == m_before; })); // the server is told of their end a moment later
}

QTEST_GUILESS_MAIN(TestFork)
#include "tst_fork.moc"
