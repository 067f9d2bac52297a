// SPDX-License-Identifier: MIT
#include "tourring.h"

namespace lockscope {

namespace {

/// Longer than the tour looks at it.
const QByteArray kPatience = "SET SESSION innodb_lock_wait_timeout = 300";

} // namespace

TourRing::TourRing(const ServerUrl &url, Over over)
{
    m_target.url = url;
    LockError error;
    if (const auto session = Session::open(m_target, &error)) {
        session->run("CREATE TABLE IF NOT EXISTS tour_stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB",
                     "tour");
        session->run("REPLACE INTO tour_stock VALUES (5, 1), (7, 1)", "tour");
    }
    const bool isOverName = over == Over::RowAndName;
    const QByteArray row = "UPDATE tour_stock SET n = n - 1 WHERE id = 5";
    const QByteArray name =
        isOverName ? "DO GET_LOCK('stock report', 300)" : "UPDATE tour_stock SET n = n - 1 WHERE id = 7";
    m_first = std::jthread([this, row, name] { wait(row, name, &m_row); });
    m_second = std::jthread([this, row, name] { wait(name, row, &m_name); });
}

TourRing::~TourRing()
{
    LockError error;
    const auto session = Session::open(m_target, &error);
    if (!session)
        return;
    for (const quint64 id : {m_row.load(), m_name.load()})
        session->run("KILL " + QByteArray::number(id), "tour");
    m_first.join();
    m_second.join();
    session->run("DROP TABLE tour_stock", "tour");
}

/// Takes the first lock, waits until both have theirs, and asks for the second.
void TourRing::wait(const QByteArray &first, const QByteArray &second, std::atomic<quint64> *id)
{
    LockError error;
    const auto session = Session::open(m_target, &error);
    if (session) {
        session->run(kPatience, "tour");
        session->run("BEGIN", "tour");
        session->run(first, "tour");
    }
    *id = session ? session->connectionId() : ~0ULL;
    id->notify_all();
    for (const std::atomic<quint64> *ready : {&m_row, &m_name})
        ready->wait(0);
    if (session)
        session->run(second, "tour");
}

} // namespace lockscope
