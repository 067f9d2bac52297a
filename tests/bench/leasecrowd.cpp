// SPDX-License-Identifier: MIT
#include "leasecrowd.h"

#include "clocktime.h"

namespace lockscope::bench {

using namespace std::chrono_literals;

namespace {

constexpr int kAtOnce = 1000;
constexpr int kWaitersOfLock = 10;

QByteArray resourceOf(int number)
{
    return "orders/" + QByteArray::number(number);
}

QByteArray presenceOf(int number)
{
    return "ls:" + QByteArray::number(number, 16).rightJustified(32, '0') + ":1";
}

QByteArray waiterName(int number)
{
    return "ls:" + QByteArray::number(number, 16).rightJustified(32, 'f') + ":2";
}

QByteArray ownerOf(int number)
{
    Owner owner;
    owner.service = QStringLiteral("billing-%1").arg(number % 20);
    owner.host = QStringLiteral("app-%1.example").arg(number % 100);
    owner.pid = 1000 + number % 1000;
    owner.thread = QString::number(number % 50);
    owner.session = QByteArray::number(number % 1000, 16).rightJustified(32, '0');
    return owner.toJson();
}

QByteArray listOf(const QList<QByteArray> &names)
{
    return "'" + names.join("', '") + "'";
}

} // namespace

LeaseCrowd::LeaseCrowd(test::TestServer &server, int leases, int waiters)
    : m_server(server)
{
    test::resetTables(server);
    const auto session = open(server);
    for (int made = 0; made < leases; made += kAtOnce)
        add(*session, made, std::min(kAtOnce, leases - made));
    queueUp(*session, waiters);
    must(*session, "ANALYZE TABLE lock_lease");
    QList<QByteArray> names;
    for (int i = 0; i < leases; ++i)
        names += presenceOf(i);
    for (int i = 0; i < waiters; ++i)
        names += waiterName(i);
    for (qsizetype i = 0; i < names.size(); i += kAtOnce) { // to take one more costs a session all that it has
        m_holders.push_back(open(server));
        hold(*m_holders.back(), names.mid(i, kAtOnce));
    }
}

LeaseCrowd::~LeaseCrowd()
{
    stopLiving();
}

void LeaseCrowd::startLiving()
{
    m_thread = std::jthread([this](const std::stop_token &stop) { live(stop); });
}

void LeaseCrowd::stopLiving()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void LeaseCrowd::add(Session &session, int first, int count)
{
    QList<QByteArray> rows;
    for (int number = first; number < first + count; ++number) {
        rows += "('" + resourceOf(number) + "', 1, '" + presenceOf(number)
            + "', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL " + QByteArray::number(600 + number % 3000)
            + " SECOND, 600000000, '" + ownerOf(number) + "', 'night run " + QByteArray::number(number % 7) + "')";
        m_held += number;
    }
    must(session,
         "INSERT INTO lock_lease (resource, token, presence, acquired_at, expires_at, ttl_us, owner, note) VALUES "
             + rows.join(", "));
    m_next = first + count;
}

void LeaseCrowd::hold(Session &holder, const QList<QByteArray> &names)
{
    must(holder, "DO GET_LOCK('" + names.join("', 0), GET_LOCK('") + "', 0)");
}

void LeaseCrowd::queueUp(Session &session, int waiters)
{
    for (int first = 0; first < waiters; first += kWaitersOfLock) {
        QByteArray queue;
        for (int i = first; i < std::min(waiters, first + kWaitersOfLock); ++i)
            queue += waiterName(i) + "\\t" + QByteArray::number(i - first + 1) + "\\t30000000\\t1760000000000000\\t\\t"
                + ownerOf(i) + "\\n";
        must(session,
             "UPDATE lock_lease SET arrivals = 10, queue = '" + queue + "' WHERE resource = '"
                 + resourceOf(int(qint64(first) * m_next / waiters)) + "'");
    }
}

void LeaseCrowd::renew(Session &session)
{
    const int count = int(m_held.size()) / 100;
    QList<QByteArray> names;
    for (int i = 0; i < count; ++i)
        names += resourceOf(m_held[(m_renewed + i * 97) % m_held.size()]);
    ++m_renewed;
    if (!names.isEmpty())
        must(session,
             "UPDATE lock_lease SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ttl_us MICROSECOND WHERE resource IN ("
                 + listOf(names) + ")");
}

void LeaseCrowd::replace(Session &session, Session &holder)
{
    const int count = int(m_held.size()) / 200;
    QList<QByteArray> names; // of what ends: their presences stay held, which says nothing of a free row
    for (int i = 0; i < count; ++i) {
        const int number = m_held.takeAt(qsizetype(i) * 191 % m_held.size());
        names += resourceOf(number);
    }
    if (names.isEmpty())
        return;
    must(session, "UPDATE lock_lease SET presence = '-', queue = '' WHERE resource IN (" + listOf(names) + ")");
    QList<QByteArray> presences;
    for (int i = 0; i < count; ++i)
        presences += presenceOf(m_next + i);
    hold(holder, presences);
    add(session, m_next, count);
}

void LeaseCrowd::live(const std::stop_token &stop)
{
    const auto session = open(m_server);
    const auto holder = open(m_server); // of what begins from here on
    for (Session *own : {session.get(), holder.get()})
        must(*own, "SET SESSION long_query_time = 100"); // the log is of whoever looks
    auto next = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        const double begin = milliseconds(CLOCK_MONOTONIC);
        renew(*session);
        replace(*session, *holder);
        m_longest = std::max(m_longest.load(), milliseconds(CLOCK_MONOTONIC) - begin);
        ++m_seconds;
        next += 1s;
        std::this_thread::sleep_until(next);
    }
}

} // namespace lockscope::bench
