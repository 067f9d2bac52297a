// SPDX-License-Identifier: MIT
// Children that must not outlive the process that has started them.
#include "privateserver/ownedchild.h"

#include <QtTest/QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace lockscope;

namespace {

constexpr int kGoesOn = 7;

/// Of a new process; what it returns is its exit code.
int exitCodeOf(const std::function<int()> &work)
{
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(work());
    int status = 0;
    return ::waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class TestOwnedChild : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itsOwnersChildGoesOn();
    void whoBeganAfterItsOwnersEndEndsAtOnce();
};

void TestOwnedChild::itsOwnersChildGoesOn()
{
    const auto begin = endsWithItsOwner();
    QCOMPARE(exitCodeOf([&] {
                 begin();
                 return kGoesOn;
             }),
             kGoesOn);
}

/// Whose parent is another one than asked for it has lost the one that did, and no signal comes any more.
void TestOwnedChild::whoBeganAfterItsOwnersEndEndsAtOnce()
{
    const auto begin = endsWithItsOwner();
    QCOMPARE(exitCodeOf([&] {
                 return exitCodeOf([&] {
                     begin();
                     return kGoesOn;
                 });
             }),
             1);
}

QTEST_GUILESS_MAIN(TestOwnedChild)
#include "tst_ownedchild.moc"
