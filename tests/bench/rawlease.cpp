// SPDX-License-Identifier: MIT
#include "rawlease.h"

namespace lockscope::bench {

namespace {

/// Stands where the token will be; no other number in the statements looks like it.
constexpr quint64 kTokenMark = 987654321987654321;

} // namespace

RawLease::RawLease(RawClient &client, const QByteArray &resource, const QByteArray &owner, const QByteArray &gate)
    : m_client(client)
{
    const QByteArray presence = "ls:" + QByteArray(32, 'b') + ":0"; // as long as an engine's
    const auto params = [&] {
        return Params()
            .bytes("resource", resource)
            .number("slot", qint64(0))
            .number("token", kTokenMark)
            .lockName("presence", presence)
            .microseconds("ttl", std::chrono::seconds(30))
            .bytes("owner", owner)
            .bytes("note", {});
    };
    const auto render = [&](const QByteArray &name) { return renderSql(sqlText(name, client.family()), params()); };
    m_acquire = render("engine/acquire");
    m_look = render("engine/look");
    const QByteArray packet = render("engine/release");
    const QByteArray mark = QByteArray::number(kTokenMark);
    const auto at = packet.indexOf(mark);
    m_releaseHead = packet.left(at);
    m_releaseTail = packet.mid(at + mark.size());

    if (!gate.isEmpty()) {
        m_acquire.prepend("SELECT GET_LOCK('" + gate + "', 1000000); ");
        m_releaseTail += "; DO RELEASE_LOCK('" + gate + "')";
    }

    // ROW_COUNT() is 0 behind the DO, as it is behind an engine/acquire that found no row.
    const auto made = client.run("DO 0; " + render("engine/create"));
    if (made.affected == 1) {
        m_token = made.insertId;
        release();
    }
}

void RawLease::acquire()
{
    const auto answer = m_client.run(m_acquire);
    if (answer.affected != 1)
        qFatal("The raw loop did not get its lease");
    m_token = answer.insertId;
}

void RawLease::release()
{
    if (m_client.run(m_releaseHead + QByteArray::number(m_token) + m_releaseTail).affected != 1)
        qFatal("The raw loop could not release its lease");
}

void RawLease::tryHeld()
{
    if (m_client.run(m_acquire).affected != 0 || m_client.run(m_look).row.empty())
        qFatal("The raw loop found the lease free");
}

} // namespace lockscope::bench
