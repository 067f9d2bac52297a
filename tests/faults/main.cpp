// SPDX-License-Identifier: MIT
// lockscope_faults: workers of every mode under faults, for as long as it is told, and the verdict on what they
// recorded.
#include "faultrun.h"
#include "soak.h"

#include <CLI/CLI.hpp>

#include <QtCore/QCoreApplication>
#include <QtCore/QTemporaryDir>

#include <cstdio>
#include <random>

using namespace Qt::StringLiterals;

namespace {

using namespace lockscope;
using namespace lockscope::faults;

struct Options
{
    RunPlan plan;
    SoakPlan soak{.leases = 0};
    Promises promises;
    std::string mode = "unique";
    std::string store;   ///< empty: none
    std::string history; ///< to check again
    double grace = 3;
    int thinkMs = 30;
    int soakTtl = 15;
    int runs = 1;
    bool isUnfenced = false;
    bool keeps = false;
};

/// Nothing to go on; else what to exit with.
std::optional<int> parse(int argc, char **argv, Options &options)
{
    CLI::App app(
        "Worker processes under a seeded nemesis on a private server (MariaDB; LOCKSCOPE_TEST_MYSQL=FOLDER for "
        "MySQL), and a checker of what they recorded. See tests/faults/README.md.",
        "lockscope_faults");
    app.add_option("--mode", options.mode)->check(CLI::IsMember({"unique", "pessimistic", "optimistic"}));
    app.add_option("--store", options.store, "Leases (--mode unique) are there; redis-set: a plain SET NX, unfenced")
        ->check(CLI::IsMember({"redis", "zookeeper", "etcd", "redis-set"}));
    app.add_option("--seconds", options.plan.seconds, "How long (default 20)")->check(CLI::Range(8, 86400));
    app.add_option("--seed", options.plan.seed, "Default: a new one, which is printed");
    app.add_option("--runs", options.runs, "One after the other, with the next seeds")->check(CLI::PositiveNumber);
    app.add_option("--processes", options.plan.processes)->check(CLI::Range(1, 26));
    app.add_option("--threads", options.plan.threads, "Of each process (default 2)")->check(CLI::Range(1, 16));
    app.add_option("--resources", options.plan.resources, "For all of them (default 4)")->check(CLI::Range(1, 1000));
    app.add_option("--think", options.thinkMs, "Milliseconds between reading and writing, at most (default 30)");
    app.add_option("--grace", options.grace, "Longest gap that is allowed, in seconds (default 3)");
    app.add_flag("--freezes-only", options.plan.freezesOnly, "No other faults");
    app.add_flag("--unfenced", options.isUnfenced, "The store takes every write: the checker must find stale ones");
    app.add_flag("--keep", options.keeps, "Keep the history also of a run without findings");
    app.add_option("--soak", options.soak.leases, "Instead: hold and renew so many leases")
        ->check(CLI::Range(100, 1000000));
    app.add_option("--rounds", options.soak.rounds, "Of the soak: a kill, freeze, cut and killed connection each");
    app.add_option("--ttl", options.soakTtl, "Of the soak's leases, in seconds (default 15)")
        ->check(CLI::Range(10, 86400));
    app.add_option("--check", options.history, "Only check the history in this folder again")
        ->check(CLI::ExistingDirectory);
    options.plan.seed = std::random_device()();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &end) { // help as well
        return app.exit(end) == 0 ? 0 : 64;
    }
    options.plan.way = wayOf(QString::fromStdString(options.mode)).value();
    options.plan.think = std::chrono::milliseconds(options.thinkMs);
    options.plan.store = QString::fromStdString(options.store);
    options.plan.isFenced = !options.isUnfenced && !options.plan.isPlainLock();
    options.soak.ttl = std::chrono::seconds(options.soakTtl);
    options.promises.way = options.plan.way;
    options.promises.ttl = std::chrono::microseconds(options.plan.ttl).count();
    options.promises.grace = qint64(options.grace * 1e6);
    return std::nullopt;
}

void print(const QString &text)
{
    std::fputs(text.toUtf8().constData(), stdout);
    std::fflush(stdout);
}

/// True: nothing was found.
bool soakOnce(const Options &options, test::TestServer &server)
{
    print(u"soak of %1 leases, %2 rounds, seed %3\n"_s.arg(options.soak.leases)
              .arg(options.soak.rounds)
              .arg(options.plan.seed));
    const QTemporaryDir folder;
    SoakPlan plan = options.soak;
    plan.seed = options.plan.seed;
    const SoakVerdict verdict = soak(plan, server, folder.path());
    print(verdict.text);
    for (const Finding &finding : verdict.findings)
        print(u"BROKEN %1: %2\n"_s.arg(finding.rule, finding.text));
    return verdict.findings.empty();
}

/// True: nothing was found.
bool runOnce(const Options &options, const RunPlan &plan, test::TestServer &server)
{
    const QString where = plan.store.isEmpty() ? QString() : u" on "_s + plan.store;
    print(u"%1%2, %3 s, seed %4\n"_s.arg(QLatin1StringView(nameOf(plan.way)), where).arg(plan.seconds).arg(plan.seed));
    QTemporaryDir folder(QDir::temp().filePath(u"lockscope-faults-XXXXXX"_s));
    const Verdict verdict = runUnderFaults(plan, options.promises, server, folder.path());
    print(reportOf(verdict));
    const bool isGood = verdict.findings.empty();
    folder.setAutoRemove(isGood && !options.keeps);
    if (!folder.autoRemove())
        print(u"history: %1\n"_s.arg(folder.path()));
    return isGood;
}

int checkOnly(const Options &options)
{
    QString error;
    const auto verdict = checkAgain(options.promises, QString::fromStdString(options.history), &error);
    print(verdict ? reportOf(*verdict) : error + u'\n');
    return verdict && verdict->findings.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    Options options;
    if (const auto code = parse(argc, argv, options))
        return *code;
    const QCoreApplication application(argc, argv);
    if (!options.history.empty())
        return checkOnly(options);
    test::TestServer server;
    if (options.soak.leases > 0)
        return soakOnce(options, server) ? 0 : 1;
    int failed = 0;
    for (int run = 0; run < options.runs; ++run) {
        RunPlan plan = options.plan;
        plan.seed += quint64(run);
        failed += runOnce(options, plan, server) ? 0 : 1;
    }
    return failed == 0 ? 0 : 1;
}
