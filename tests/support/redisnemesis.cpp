// SPDX-License-Identifier: MIT
// One process of tests/stores/redis/tst_redisnemesis.cpp: three threads that take one lease, hold it for a moment and
// give it back, until they are killed. They use the store without the engine, whose own queue would hide its order.
//   redisnemesis URL TALLY_FILE
#include "nemesistally.h"

#include "engine/core/wait_p.h"
#include "lockscope/redisstore.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QLoggingCategory>
#include <QtCore/QUuid>

#include <csignal>
#include <cstdio>
#include <random>
#include <sys/prctl.h>
#include <thread>
#include <vector>

#include <hiredis/hiredis.h>
#include <unistd.h>

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

/// The place in the queue by which the lease was granted; 0: there was no queue. `look` for the own lease.
class Place
{
public:
    explicit Place(const QString &socket)
        : m_context(redisConnectUnix(QFile::encodeName(socket).constData()))
    {
    }
    ~Place() { redisFree(m_context); }
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    /// 0 also when somebody else has it by now.
    quint64 of(quint64 token)
    {
        auto *reply = static_cast<redisReply *>(redisCommand(m_context, "HMGET lockscope:{r} token ticket"));
        quint64 ticket = 0;
        if (reply && reply->type == REDIS_REPLY_ARRAY && reply->element[0]->type == REDIS_REPLY_STRING
            && QByteArray(reply->element[0]->str).toULongLong() == token)
            ticket = QByteArray(reply->element[1]->str).toULongLong();
        if (reply)
            freeReplyObject(reply);
        return ticket;
    }

private:
    redisContext *m_context;
};

/// A guarded store would look at the token. Here grants are compared, but for one that was over before it got here.
void count(NemesisTally &tally, quint64 me, const LockStore::Grant &grant, quint64 ticket)
{
    const auto isOver = [](qint64 until) { return nanosecondsOf(LeaseClock::now()) >= until; };
    const qint64 until = nanosecondsOf(grant.deadline);
    if (isOver(until))
        return;
    const quint64 token = grant.lease.token;
    const quint64 lastToken = tally.lastToken.exchange(token);
    const quint64 lastTicket = ticket != 0 ? tally.lastTicket.exchange(ticket) : 0;
    const quint64 before = tally.holder.exchange(me);
    const qint64 beforeUntil = tally.holderUntil.exchange(until);
    if (isOver(until))
        return; // it froze in between, and what it wrote came late
    ++tally.grants;
    tally.tokensOutOfOrder += token <= lastToken;
    tally.inversions += ticket != 0 && ticket < lastTicket;
    tally.doubleHolders += before != 0 && !isOver(beforeUntil) && isAlive(before);
}

void work(RedisStore &store, const QString &socket, NemesisTally &tally, int number)
{
    const quint64 me = (quint64(::getpid()) << 32) | quint64(number);
    std::mt19937 dice{unsigned(me)};
    Place place(socket);
    for (;;) {
        StoreWait wait(std::make_shared<detail::Wait>(detail::Wait::endOf(5s)), false);
        const LockStore::Grant grant = store.acquire({kResource, "{}", {}, NemesisTtl}, wait);
        if (grant.outcome != Outcome::Granted) {
            ++tally.refusals;
            continue;
        }
        count(tally, me, grant, place.of(grant.lease.token));
        std::this_thread::sleep_for(std::chrono::microseconds(dice() % 3000));
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
    QLoggingCategory::setFilterRules(QStringLiteral("lockscope.redis.warning=false"));
    RedisConfig config;
    QString wrong;
    QFile file(argc == 3 ? QFile::decodeName(argv[2]) : QString());
    if (argc != 3 || !RedisUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &wrong)
        || !file.open(QIODevice::ReadWrite)) {
        std::fprintf(stderr, "redisnemesis URL TALLY_FILE: %s\n", qPrintable(wrong));
        return 64;
    }
    auto *tally = reinterpret_cast<NemesisTally *>(file.map(0, qint64(sizeof(NemesisTally))));
    Owner owner;
    owner.session = QUuid::createUuid().toRfc4122().toHex();
    RedisStore store(config);
    if (const auto error = store.connect(owner, {})) {
        std::fprintf(stderr, "redisnemesis: %s\n", qPrintable(error->toString()));
        return 1;
    }
    std::vector<std::thread> threads;
    for (int i = 1; i <= kThreads; ++i)
        threads.emplace_back([&, i] { work(store, config.server.socket, *tally, i); });
    for (std::thread &thread : threads)
        thread.join();
    return 0;
}
