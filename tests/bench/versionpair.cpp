// SPDX-License-Identifier: MIT
// Reading and committing one resource in optimistic mode, nobody else there.
#include "benchmark.h"

#include "lockscope/optimistic.h"
#include "session/statement.h"

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
    const auto times = interleave(context, context.blocks(kBlocks), {engineBlock, rawBlock, drivenBlock});

    Report report;
    addPair(report, u"version pair"_s, times[0], times[1], times[2]);
    return report;
}

} // namespace lockscope::bench
