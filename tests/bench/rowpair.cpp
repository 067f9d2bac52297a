// SPDX-License-Identifier: MIT
// Locking and freeing a row in pessimistic mode that nobody else wants.
#include "benchmark.h"

#include "session/statement.h"

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;
constexpr int kPerBlock = 20;

/// The packets that the engine sends, from the plain client library.
class RawRow
{
public:
    RawRow(const Context &context, RawClient::Through through, const QByteArray &resource, const QByteArray &owner)
        : m_client(context.url, through)
    {
        const Family family = m_client.family();
        const auto values = Params()
                                .bytes("resource", resource)
                                .bytes("owner", owner)
                                .bytes("note", {})
                                .number("idle", qint64(30))
                                .number("row_wait", qint64(1))
                                .lockName("presence", "ls:" + QByteArray(32, 'b') + ":c:123");
        m_client.run(renderSql(sqlText("engine/row_ensure", family), values));
        for (const char *name : {"engine/row_begin", "engine/row_try", "engine/row_holder"})
            m_lock += renderSql(sqlText(name, family), values) + "; ";
        m_lock.chop(2);
        m_free = sqlText("engine/row_free", family);
    }

    void pair()
    {
        m_client.run(m_lock);
        m_client.run(m_free);
    }

private:
    RawClient m_client;
    QByteArray m_lock;
    QByteArray m_free;
};

} // namespace

Report rowPairBenchmark(const Context &context)
{
    LockEngine engine(engineConfig(context));
    LockRequest asked = request("bench:row:engine");
    asked.mode = Mode::Pessimistic;
    const QByteArray owner = engine.owner().toJson();
    RawRow raw(context, RawClient::Through::ClientLibrary, "bench:row:raw", owner);
    RawRow driven(context, RawClient::Through::QtDriver, "bench:row:driven", owner);
    RawRow threaded(context, RawClient::Through::OwnThread, "bench:row:threaded", owner);
    const auto engineBlock = [&] {
        return timePerCall(kPerBlock, [&] {
            auto result = expect(Outcome::Granted, engine.acquire(asked));
            expectReleased(std::move(result.handle));
        });
    };
    const auto blockOf = [](RawRow &row) { return [&row] { return timePerCall(kPerBlock, [&row] { row.pair(); }); }; };
    const auto times =
        interleave(context, context.blocks(kBlocks), {engineBlock, blockOf(raw), blockOf(driven), blockOf(threaded)});

    Report report;
    addPair(report, u"row pair"_s, times[0], times[1], times[2]);
    addThreaded(report, u"row pair: a thread of its own / engine"_s, ratios(times[3], times[0]), times[3]);
    return report;
}

} // namespace lockscope::bench
