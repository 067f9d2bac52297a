// SPDX-License-Identifier: MIT
// The hand-over of pessimistic mode: from the end of the holder's transaction to the return of the acquire that waits
// for the row. The raw loop is two sessions that send the packets of the engine.
#include "players.h"

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;
const QByteArray kEngineRow = "bench:rowhandover:engine";

/// Gives a row when a session waits for the row of `resource`. Not from INNODB_TRX: that is a copy, and not renewed as
/// long as somebody asks every millisecond.
QByteArray rowWaitsSql(const QByteArray &resource)
{
    return "SELECT 1 FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND info LIKE '%FROM lock_row "
           "WHERE "
           "resource = x''"
        + resource.toHex() + "''%FOR UPDATE%'";
}

class RawRows : public RawPlayers
{
public:
    RawRows(const Context &context, RawClient::Through through, const QByteArray &resource, const QByteArray &owner)
        : RawPlayers(context, through)
        , m_isBlockedSql(rowWaitsSql(resource))
    {
        const Family family = control().family();
        const auto values = Params()
                                .bytes("resource", resource)
                                .bytes("owner", owner)
                                .bytes("note", {})
                                .number("idle", qint64(30))
                                .number("row_wait", qint64(100'000'000))
                                .number("milliseconds", qint64(0))
                                .lockName("presence", "ls:" + QByteArray(32, 'b') + ":c:123");
        control().run(renderSql(sqlText("engine/row_ensure", family), values));
        for (const char *name : {"engine/row_begin", "engine/row_lock", "engine/row_holder"})
            m_take += renderSql(sqlText(name, family), values) + "; ";
        m_take.chop(2);
        m_give = sqlText("engine/row_free", family);
        begin();
    }

protected:
    void take(std::size_t player) override
    {
        if (client(player).run(m_take).row.empty())
            qFatal("The raw loop did not find its row");
    }
    void give(std::size_t player) override { client(player).run(m_give); }
    QByteArray isBlockedSql(std::size_t) const override { return m_isBlockedSql; }

private:
    const QByteArray m_isBlockedSql;
    QByteArray m_take;
    QByteArray m_give;
};

} // namespace

Report rowHandoverBenchmark(const Context &context)
{
    LockRequest asked = request(kEngineRow, Forever);
    asked.mode = Mode::Pessimistic;
    EnginePlayers engines(context, asked, rowWaitsSql(kEngineRow));
    Owner owner = engines.owner();
    owner.thread = u"1"_s;
    RawRows raw(context, RawClient::Through::ClientLibrary, "bench:rowhandover:raw", owner.toJson());
    RawRows driven(context, RawClient::Through::QtDriver, "bench:rowhandover:driven", owner.toJson());
    RawRows threaded(context, RawClient::Through::OwnThread, "bench:rowhandover:threaded", owner.toJson());
    return handoverReport(context, u"row hand-over"_s, context.blocks(kBlocks), engines, raw, driven, atMost(1.15),
                          &threaded);
}

} // namespace lockscope::bench
