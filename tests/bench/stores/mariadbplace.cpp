// SPDX-License-Identifier: MIT
#include "benchmark.h"
#include "place.h"
#include "session/schema.h"
#include "testserver.h"

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

class MariaDbPlace : public Place
{
public:
    explicit MariaDbPlace(Keeping keeping)
        : m_keeping(keeping)
        , m_server({keeping == Keeping::Memory ? u"--innodb-flush-log-at-trx-commit=0"_s
                                               : u"--innodb-flush-log-at-trx-commit=1"_s})
    {
        SessionTarget target;
        target.url = m_server.url();
        if (const auto error = installSchema(target))
            qFatal("%ls", qUtf16Printable(error->toString()));
        m_control = std::make_unique<RawClient>(target.url);
    }

    QString name() const override
    {
        return m_keeping == Keeping::Memory ? u"MariaDB, in memory"_s : u"MariaDB, durable"_s;
    }
    EngineConfig engineConfig() override
    {
        EngineConfig config;
        config.server = m_server.url();
        config.maxConnections = 4;
        return config;
    }
    /// lockscope_bench has it, with what the engine adds to each packet.
    std::unique_ptr<BareLock> bareLock(const QByteArray & /*resource*/) override { return nullptr; }
    int requests(const QByteArray &resource) override
    {
        return m_control->run(firstBlocksSql(resource)).row.empty() ? 1 : 2;
    }

private:
    const Keeping m_keeping;
    test::TestServer m_server;
    std::unique_ptr<RawClient> m_control;
};

} // namespace

std::unique_ptr<Place> mariaDbPlace(Keeping keeping)
{
    return std::make_unique<MariaDbPlace>(keeping);
}

} // namespace lockscope::bench
