// SPDX-License-Identifier: MIT
// lockscope_bench: what the engine costs, each figure beside the plain client library doing the same.
#include "benchmark.h"
#include "child.h"
#include "session/schema.h"
#include "testserver.h"

#include <CLI/CLI.hpp>

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonDocument>

#include <cstdio>
#include <optional>

using namespace Qt::StringLiterals;

namespace {

using namespace lockscope;
using namespace lockscope::bench;

struct Benchmark
{
    const char *name;
    const char *about;
    Report (*run)(const Context &context);
};

constexpr Benchmark kBenchmarks[] = {
    {"pair", "acquire and release, nobody else there", pairBenchmark},
    {"rowpair", "the same in pessimistic mode", rowPairBenchmark},
    {"versionpair", "read and commit in optimistic mode", versionPairBenchmark},
    {"try", "a request that does not wait, on a held lease", tryBenchmark},
    {"handover", "from a release to the return of the waiting acquire", handoverBenchmark},
    {"rowhandover", "the same in pessimistic mode", rowHandoverBenchmark},
    {"contended", "grants per second with 1-64 contenders, and how fair they are", contendedBenchmark},
    {"distinct", "pairs per second on distinct resources with 1-64 threads", distinctBenchmark},
    {"growth", "a pair among 10 to 100,000 rows", growthBenchmark},
    {"latency", "what measuring costs a request, and its flush", latencyBenchmark},
    {"facts", "dead, late and frozen waiters; wait budgets", factsBenchmark},
};

constexpr auto kAbout =
    "Measures the lock engine beside raw loops of the client library that send the same statements,\n"
    "block by block in turn. Ratios are medians of paired blocks with their 95 % interval (order\n"
    "statistics); a target is met when the interval reaches it.";

struct Options
{
    bool json = false;
    bool quick = false;
    std::string url;
    std::string folder;
    std::vector<std::string> names;
    std::vector<int> contenders;
    std::string childResource; ///< not empty: this process is a waiter of the facts benchmark
    qint64 childTtl = 0;       ///< microseconds
};

/// Nothing to go on; else what to exit with.
std::optional<int> parse(int argc, char **argv, Options &options)
{
    CLI::App app(kAbout, "lockscope_bench");
    app.add_flag("--json", options.json, "Print one JSON document");
    app.add_flag("--quick", options.quick, "A tenth of the blocks: shows that it works, measures little");
    app.add_option(
           "--url", options.url,
           "Server to use (password: LOCKSCOPE_PASSWORD); it gets the lock tables and rows named bench:…, which "
           "are removed in the end. Default: a server of its own, gone in the end")
        ->type_name("URL");
    app.add_option("--dir", options.folder, "Where the own server's folder is made: the disk is part of the figures")
        ->type_name("FOLDER")
        ->check(CLI::ExistingDirectory);
    app.add_option("--contenders", options.contenders, "How many, for `contended` (default: 1 to 64)")
        ->delimiter(',')
        ->check(CLI::Range(1, 64));
    app.add_option("--child-wait", options.childResource)->group("");
    app.add_option("--child-ttl", options.childTtl)->group("");
    std::string names;
    for (const Benchmark &benchmark : kBenchmarks)
        names += std::string("\n  ") + benchmark.name + ": " + benchmark.about;
    std::vector<std::string> known;
    for (const Benchmark &benchmark : kBenchmarks)
        known.emplace_back(benchmark.name);
    app.add_option("names", options.names, "What to measure; default: everything")->check(CLI::IsMember(known));
    app.footer("Benchmarks:" + names + "\nExample:\n  lockscope_bench --json pair");
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError &end) { // help as well
        return app.exit(end) == 0 ? 0 : 64;
    }
}

void removeRows(const ServerUrl &url)
{
    RawClient client(url);
    for (const char *table : {"lock_lease", "lock_event", "lock_row", "lock_version"})
        while (client.run(QByteArray("DELETE FROM ") + table + " WHERE resource LIKE 'bench:%' LIMIT 5000").affected
               > 0)
            ;
    while (client.run("DELETE FROM lock_latency WHERE owner LIKE '%\"service\":\"bench\"%' LIMIT 5000").affected > 0)
        ;
}

int measure(const Options &options, const Context &context)
{
    QJsonObject all;
    for (const Benchmark &benchmark : kBenchmarks) {
        if (!options.names.empty()
            && std::find(options.names.begin(), options.names.end(), benchmark.name) == options.names.end())
            continue;
        const Report report = benchmark.run(context);
        all[QLatin1StringView(benchmark.name)] = QJsonObject{{u"unique"_s, report.json()}};
        if (!options.json) {
            std::fputs((QLatin1StringView(benchmark.name) + u'\n' + report.toText()).toUtf8().constData(), stdout);
            std::fflush(stdout);
        }
    }
    if (options.json)
        std::fputs(QJsonDocument(all).toJson(QJsonDocument::Compact).append('\n').constData(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

/// The server to measure on, with the lock tables; 0 or what to exit with.
int findServer(const Options &options, std::optional<test::TestServer> &own, Context &context)
{
    if (options.url.empty()) {
        context.url = own.emplace().url();
    } else {
        QString error;
        if (!ServerUrl::parse(QString::fromStdString(options.url), &context.url, &error)) {
            std::fprintf(stderr, "lockscope_bench: %s\n", qUtf8Printable(error));
            return 64;
        }
    }
    SessionTarget target;
    target.url = context.url;
    target.password = qEnvironmentVariable("LOCKSCOPE_PASSWORD");
    if (const auto error = installSchema(target)) {
        std::fprintf(stderr, "lockscope_bench: %s\n", qUtf8Printable(error->toString()));
        return 69;
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    Options options;
    if (const auto code = parse(argc, argv, options))
        return *code;
    if (!options.folder.empty())
        qputenv("TMPDIR", QByteArray::fromStdString(options.folder)); // the server's folder is a temporary one
    int count = 1;
    QCoreApplication application(count, argv);

    Context context;
    context.quick = options.quick;
    if (!options.contenders.empty())
        context.contenders = options.contenders;
    std::optional<test::TestServer> own;
    if (const int code = findServer(options, own, context))
        return code;
    if (!options.childResource.empty()) {
        waitAsChild(context, QByteArray::fromStdString(options.childResource),
                    std::chrono::microseconds(options.childTtl));
    }
    removeRows(context.url);
    const int code = measure(options, context);
    removeRows(context.url);
    return code;
}
