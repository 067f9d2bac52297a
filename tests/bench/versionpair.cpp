// Reading and committing one resource in optimistic mode, nobody else there.
#include "benchmark.h"

#include "engine/optimistic.h"
#include "server/statement.h"

#include <QtCore/QRandomGenerator>

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;
constexpr int kPerBlock = 20;

/// The packets that the engine sends, from the plain client library.
class RawVersion
{
public:
    RawVersion(const Context &context, RawClient::Through through, QByteArray resource)
        : m_client(context.url, through)
        , m_resource(std::move(resource))
    {
        const auto name = Params().bytes("resource", m_resource);
        m_read = renderSql(sqlText("engine/version_read", m_client.family()), name);
        m_client.run(renderSql(sqlText("engine/version_create", m_client.family()), name));
    }

    void pair()
    {
        const quint64 id = QRandomGenerator::system()->generate64();
        const auto values = Params()
                                .bytes("resource", m_resource)
                                .number("version", m_client.value(m_read).toLongLong())
                                .bytes("commit", QByteArray(reinterpret_cast<const char *>(&id), sizeof id));
        if (m_client.run(renderSql(sqlText("engine/version_commit", m_client.family()), values)).affected != 1)
            qFatal("The raw loop could not commit");
    }

private:
    RawClient m_client;
    const QByteArray m_resource;
    QByteArray m_read;
};

} // namespace

Report versionPairBenchmark(const Context &context)
{
    LockEngine engine(engineConfig(context));
    OptimisticStore store(engine);
    RawVersion raw(context, RawClient::Through::ClientLibrary, "bench:version:raw");
    RawVersion driven(context, RawClient::Through::QtDriver, "bench:version:driven");
    const auto engineBlock = [&] {
        return timePerCall(kPerBlock, [&] {
            const ReadResult read = store.read("bench:version:engine");
            if (read.outcome != ReadOutcome::Read || store.commit(read.snapshot).outcome != CommitOutcome::Committed)
                qFatal("The engine could not commit");
        });
    };
    const auto rawBlock = [&] { return timePerCall(kPerBlock, [&] { raw.pair(); }); };
    const auto drivenBlock = [&] { return timePerCall(kPerBlock, [&] { driven.pair(); }); };
    const int blocks = context.blocks(kBlocks);
    const auto times = interleave(blocks, {engineBlock, rawBlock, drivenBlock});

    Report report;
    report.add(u"ratio"_s, u"version pair: raw / engine"_s, medianInterval(ratios(times[1], times[0])), {},
               atLeast(0.95));
    report.add(u"driverRatio"_s, u"version pair: Qt's driver alone / engine"_s,
               medianInterval(ratios(times[2], times[0])), {}, atLeast(0.95));
    report.add(u"engineUs"_s, u"engine's read and commit"_s, median(times[0]), u"us"_s);
    report.add(u"rawUs"_s, u"raw read and commit"_s, median(times[1]), u"us"_s);
    report.add(u"driverUs"_s, u"version pair by Qt's driver alone"_s, median(times[2]), u"us"_s);
    report.note(u"blocks"_s, blocks);
    return report;
}

} // namespace lockscope::bench
