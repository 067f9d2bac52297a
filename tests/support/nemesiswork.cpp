// SPDX-License-Identifier: MIT
#include "nemesiswork.h"

#include "engine/core/wait_p.h"

#include <QtCore/QFile>
#include <QtCore/QUuid>

#include <csignal>
#include <cstdio>
#include <random>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace lockscope::test {

namespace {

using namespace std::chrono_literals;

constexpr int kThreads = 3;
const QByteArray kResource = "r";

qint64 nanosecondsOf(LeaseClock::time_point time)
{
    return time.time_since_epoch().count();
}

bool isAlive(quint64 holder)
{
    return ::kill(pid_t(holder >> 32), 0) == 0;
}

/// A guarded store would look at the token. Here grants are compared, but for one that was over before it got here.
void count(NemesisTally &tally, quint64 me, const LockStore::Grant &grant, quint64 place)
{
    const auto isOver = [](qint64 until) { return nanosecondsOf(LeaseClock::now()) >= until; };
    const qint64 until = nanosecondsOf(grant.deadline);
    if (isOver(until))
        return;
    const quint64 lastToken = tally.lastToken.exchange(grant.lease.token);
    const quint64 lastPlace = place != 0 ? tally.lastTicket.exchange(place) : 0;
    const quint64 before = tally.holder.exchange(me);
    const qint64 beforeUntil = tally.holderUntil.exchange(until);
    if (isOver(until))
        return; // it froze in between, and what it wrote came late
    ++tally.grants;
    tally.tokensOutOfOrder += grant.lease.token <= lastToken;
    tally.inversions += place != 0 && place < lastPlace;
    tally.doubleHolders += before != 0 && !isOver(beforeUntil) && isAlive(before);
}

void work(const NemesisWork &work, NemesisTally &tally, int number)
{
    const quint64 me = (quint64(::getpid()) << 32) | quint64(number);
    std::mt19937 dice{unsigned(me)};
    const PlaceOf place = work.newPlace ? work.newPlace() : PlaceOf();
    for (;;) {
        StoreWait wait(std::make_shared<detail::Wait>(detail::Wait::endOf(30s)), false);
        const LockStore::Grant grant = work.store.acquire({kResource, "{}", {}, work.ttl}, wait);
        if (grant.outcome != Outcome::Granted) {
            ++tally.refusals;
            continue;
        }
        count(tally, me, grant, place ? place(grant.lease.token) : 0);
        std::this_thread::sleep_for(std::chrono::microseconds(dice() % unsigned(work.longestHold.count())));
        quint64 mine = me;
        tally.holder.compare_exchange_strong(mine, 0);
        work.store.release(grant.lease, Duration::zero());
    }
}

} // namespace

int runNemesisWork(const NemesisWork &plan, const QString &tallyFile)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    QFile file(tallyFile);
    auto *const tally = file.open(QIODevice::ReadWrite)
        ? reinterpret_cast<NemesisTally *>(file.map(0, qint64(sizeof(NemesisTally))))
        : nullptr;
    Owner owner;
    owner.session = QUuid::createUuid().toRfc4122().toHex();
    const auto error = plan.store.connect(owner, {});
    if (!tally || error) {
        std::fprintf(stderr, "nemesis: %s\n", error ? qPrintable(error->toString()) : qPrintable(file.errorString()));
        return 1;
    }
    std::vector<std::thread> threads;
    for (int i = 1; i <= kThreads; ++i)
        threads.emplace_back([&, i] { work(plan, *tally, i); });
    for (std::thread &thread : threads)
        thread.join();
    return 0;
}

} // namespace lockscope::test
