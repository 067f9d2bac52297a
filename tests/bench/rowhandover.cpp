// The hand-over of pessimistic mode: from the end of the holder's transaction to the return of the acquire that waits
// for the row. The raw loop is two sessions that send the packets of the engine.
#include "players.h"

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;
const QByteArray kEngineRow = "bench:rowhandover:engine";
const QByteArray kRawRow = "bench:rowhandover:raw";

/// Gives a row when a session waits for the row of `resource`. Not from INNODB_TRX: that is a copy, and not renewed as
/// long as somebody asks every millisecond.
QByteArray rowWaitsSql(const QByteArray &resource)
{
    return "SELECT 1 FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND info LIKE '%FROM lock_row "
           "WHERE "
           "resource = x''"
        + resource.toHex() + "''%FOR UPDATE%'";
}

class RawRows : public Players
{
public:
    RawRows(const Context &context, const QByteArray &owner)
        : Players(context)
        , m_clients{RawClient(context.url), RawClient(context.url)}
    {
        const Family family = control().family();
        const auto values = Params()
                                .bytes("resource", kRawRow)
                                .bytes("owner", owner)
                                .bytes("note", {})
                                .number("idle", qint64(30))
                                .number("milliseconds", qint64(0))
                                .lockName("presence", "ls:" + QByteArray(32, 'b') + ":c:123");
        control().run(renderSql(sqlText("engine/row_ensure", family), values));
        for (const char *name : {"engine/row_begin", "engine/row_lock", "engine/row_holder"})
            m_take += renderSql(sqlText(name, family), values) + "; ";
        m_take.chop(2);
        m_give = sqlText("engine/row_free", family);
        RawRows::take(0);
    }
    ~RawRows() override
    {
        thread(0).stop();
        thread(1).stop();
    }

protected:
    void take(std::size_t player) override
    {
        if (m_clients[player].run(m_take).row.empty())
            qFatal("The raw loop did not find its row");
    }
    void give(std::size_t player) override { m_clients[player].run(m_give); }
    QByteArray isBlockedSql(std::size_t) const override { return rowWaitsSql(kRawRow); }

private:
    std::array<RawClient, 2> m_clients;
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
    RawRows raw(context, owner.toJson());
    const auto times =
        interleave(context.blocks(kBlocks), {[&] { return engines.block(); }, [&] { return raw.block(); }});
    return handoverReport(u"row hand-over"_s, engines, raw, times, atMost(1.15));
}

} // namespace lockscope::bench
