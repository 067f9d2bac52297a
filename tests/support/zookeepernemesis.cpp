// SPDX-License-Identifier: MIT
// One process of tests/stores/zookeeper/tst_zookeepernemesis.cpp: three threads that take one lease, hold it for a
// moment and give it back, until they are killed. They use the store without the engine, whose own queue would hide its
// order.
//   zookeepernemesis URL SESSION_MS TALLY_FILE
#include "nemesistally.h"

#include "engine/core/wait_p.h"
#include "lockscope/zookeeperstore.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QUuid>

#include <csignal>
#include <cstdio>
#include <random>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

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

/// A guarded store would look at the token, which is the place in the queue too. Here grants are compared, but for one
/// that was over before it got here.
void count(NemesisTally &tally, quint64 me, const LockStore::Grant &grant)
{
    const auto isOver = [](qint64 until) { return nanosecondsOf(LeaseClock::now()) >= until; };
    const qint64 until = nanosecondsOf(grant.deadline);
    if (isOver(until))
        return;
    const quint64 lastToken = tally.lastToken.exchange(grant.lease.token);
    const quint64 before = tally.holder.exchange(me);
    const qint64 beforeUntil = tally.holderUntil.exchange(until);
    if (isOver(until))
        return; // it froze in between, and what it wrote came late
    ++tally.grants;
    tally.tokensOutOfOrder += grant.lease.token <= lastToken;
    tally.doubleHolders += before != 0 && !isOver(beforeUntil) && isAlive(before);
}

void work(ZooKeeperStore &store, std::chrono::milliseconds ttl, NemesisTally &tally, int number)
{
    const quint64 me = (quint64(::getpid()) << 32) | quint64(number);
    std::mt19937 dice{unsigned(me)};
    for (;;) {
        StoreWait wait(std::make_shared<detail::Wait>(detail::Wait::endOf(30s)), false);
        const LockStore::Grant grant = store.acquire({kResource, "{}", {}, ttl}, wait);
        if (grant.outcome != Outcome::Granted) {
            ++tally.refusals;
            continue;
        }
        count(tally, me, grant);
        std::this_thread::sleep_for(std::chrono::microseconds(dice() % 20000)); // long enough to be frozen in it
        quint64 mine = me;
        tally.holder.compare_exchange_strong(mine, 0);
        store.release(grant.lease, Duration::zero());
    }
}

} // namespace

int main(int argc, char **argv)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const QCoreApplication application(argc, argv);
    ZooKeeperConfig config;
    QString wrong;
    QFile file(argc == 4 ? QFile::decodeName(argv[3]) : QString());
    if (argc != 4 || !ZooKeeperUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &wrong)
        || !file.open(QIODevice::ReadWrite)) {
        std::fprintf(stderr, "zookeepernemesis URL SESSION_MS TALLY_FILE: %s\n", qPrintable(wrong));
        return 64;
    }
    config.sessionTimeout = std::chrono::milliseconds(QByteArray(argv[2]).toInt());
    auto *tally = reinterpret_cast<NemesisTally *>(file.map(0, qint64(sizeof(NemesisTally))));
    Owner owner;
    owner.session = QUuid::createUuid().toRfc4122().toHex();
    ZooKeeperStore store(config);
    if (const auto error = store.connect(owner, {})) {
        std::fprintf(stderr, "zookeepernemesis: %s\n", qPrintable(error->toString()));
        return 1;
    }
    std::vector<std::thread> threads;
    for (int i = 1; i <= kThreads; ++i)
        threads.emplace_back([&, i] { work(store, config.sessionTimeout, *tally, i); });
    for (std::thread &thread : threads)
        thread.join();
    return 0;
}
