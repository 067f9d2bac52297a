// SPDX-License-Identifier: MIT
// From the release of a holder to the return of the acquire that waits first in the queue.
//
// Two engines play ping-pong, each in a thread of its own: whoever was handed the lease by waiting is the next to
// release it. The raw loop is two sessions: one updates the row and frees a user-level lock in one packet, the other
// blocks in GET_LOCK and then reads the row. A hand-over begins only when the server says that the waiter blocks.
#include "players.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;

class RawLeases : public RawPlayers
{
public:
    /// `resource` is the user-level lock's name as well.
    RawLeases(const Context &context, RawClient::Through through, const QByteArray &resource, const QByteArray &owner)
        : RawPlayers(context, through)
    {
        const auto params = Params()
                                .bytes("resource", resource)
                                .lockName("lock", resource)
                                .microseconds("ttl", 30s)
                                .bytes("owner", owner);
        control().run(renderSql("INSERT IGNORE INTO lock_lease (resource) VALUES (:resource)", params));
        m_give = renderSql("UPDATE lock_lease SET presence = :lock, token = token + 1, kept = 0, "
                           "acquired_at = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND, "
                           "ttl_us = :ttl, owner = :owner, note = '' "
                           "WHERE resource = :resource AND slot = 0; DO RELEASE_LOCK(:lock)",
                           params);
        m_take = renderSql("SELECT GET_LOCK(:lock, 1000000); "
                           "SELECT presence, token, expires_at FROM lock_lease WHERE resource = :resource AND slot = 0",
                           params);
        begin();
    }

protected:
    void take(std::size_t player) override
    {
        if (client(player).run(m_take).row.size() != 3)
            qFatal("The raw loop did not find its row");
    }
    void give(std::size_t player) override { client(player).run(m_give); }
    QByteArray isBlockedSql(std::size_t player) const override
    {
        return "SELECT 1 FROM information_schema.processlist WHERE state = 'User lock' AND id = "
            + QByteArray::number(client(player).connectionId());
    }

private:
    QByteArray m_give;
    QByteArray m_take;
};

} // namespace

Report handoverBenchmark(const Context &context)
{
    const QByteArray resource = "bench:handover:engine";
    EnginePlayers engines(context, request(resource, Forever), firstBlocksSql(resource));
    Owner owner = engines.owner();
    owner.thread = u"1"_s;
    RawLeases raw(context, RawClient::Through::ClientLibrary, "bench:handover:raw", owner.toJson());
    RawLeases driven(context, RawClient::Through::QtDriver, "bench:handover:driven", owner.toJson());
    return handoverReport(context, u"hand-over"_s, context.blocks(kBlocks), engines, raw, driven, atMost(1.3));
}

} // namespace lockscope::bench
