// SPDX-License-Identifier: MIT
#include "faultrun.h"

#include "enginefixture.h"
#include "guardedstore.h"
#include "nemesis.h"
#include "pulse.h"
#include "sampler.h"
#include "storemaker.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QThread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::faults {

namespace {

constexpr unsigned long kTick = 10; // ms
constexpr auto kCleanWithin = 75s;  // what the dead left in a queue may stay for a minute
constexpr std::size_t kToldFindings = 30;

void prepare(const RunPlan &plan, test::World &world)
{
    world.install();
    world.sql(storeSql(plan.resources));
    for (int place = 0; place < plan.processes; ++place) {
        const QByteArray user = test::SessionClient::userOf(Crew::accountOf(place)).toUtf8();
        world.sql("GRANT SELECT, UPDATE ON faults.store TO '" + user + "'@'localhost'");
    }
}

void disturbAll(const RunPlan &plan, test::World &world, const QString &folder)
{
    EventFile events(folder + u"/nemesis.events"_s);
    EventFile looks(folder + u"/looks.events"_s);
    CrewPlan workers{plan.processes, QStringLiteral(FAULTS_WORKER), [&plan](int) { return plan.toJson(); }};
    workers.site = world.site();
    Crew crew(workers, world.server(), folder, events);
    Nemesis nemesis(plan, world, crew, events);
    std::optional<Sampler> sampler;
    if (!plan.isPlainLock()) // which no console knows
        sampler.emplace(plan, test::targetFor(world.server()), world.site() ? world.site()->url() : QString(), looks);
    const Pulse pulse(test::targetFor(world.server()), looks);
    while (nemesis.elapsed() < plan.seconds * qint64(1'000'000)) {
        nemesis.act();
        crew.findDead();
        QThread::msleep(kTick);
    }
    nemesis.endAll();
    crew.stop();
}

void readJournal(const test::TestServer &server, EventFile &events)
{
    const qint64 now = Event::now();
    for (const QVariantList &row : test::Observer(server).rows(journalSql())) {
        const auto writer = writerOf(row.value(2).toString()).value_or(std::pair(0, 0));
        events.add({now, Kind::Stored, writer.first, writer.second, row.value(0).toInt(), row.value(1).toULongLong(),
                    row.value(3).toLongLong()});
    }
}

/// Everything can be had again, and then nothing is left: no row, no request, no connection, no transaction.
void sweep(const RunPlan &plan, test::World &world, std::vector<Finding> *findings)
{
    EngineConfig config = test::configFor(world.server());
    if (world.site())
        config.store = test::makeTestStore(world.site()->url(), plan.ttl);
    auto engine = std::make_unique<LockEngine>(config);
    for (int resource = 0; resource < plan.resources; ++resource) {
        LockRequest request = test::requestFor(resourceName(resource), test::Patience);
        request.mode = plan.way == Way::Pessimistic ? Mode::Pessimistic : Mode::Unique;
        if (engine->acquire(request).outcome != Outcome::Granted)
            findings->push_back({u"stuck"_s, u"resource %1 cannot be had after the end"_s.arg(resource)});
    }
    if (world.site())
        engine.reset(); // a store is cleaned by nobody, and an engine is seen there
    if (const QString left = leftAfterCleaning(world, engine.get()); !left.isEmpty())
        findings->push_back({u"left behind"_s, left});
}

QString stillText(const Gap &gap)
{
    return gap.still == 0 ? QString() : u" (and %1 in which the machine stood still)"_s.arg(span(gap.still));
}

} // namespace

QString leftAfterCleaning(test::World &world, LockEngine *engine)
{
    const QDeadlineTimer deadline(kCleanWithin);
    QString left = world.leftOver();
    while (!left.isEmpty() && !deadline.hasExpired()) {
        if (engine)
            engine->clean();
        QThread::sleep(1);
        left = world.leftOver();
    }
    return left;
}

Verdict runUnderFaults(const RunPlan &plan, const Promises &promises, test::TestServer &server, const QString &folder)
{
    const QString store = plan.storeKind();
    test::World world(server, store.isEmpty() ? QString::fromLatin1(nameOf(plan.way)) : store);
    prepare(plan, world);
    disturbAll(plan, world, folder);
    {
        EventFile journal(folder + u"/journal.events"_s);
        readJournal(server, journal);
    }
    std::vector<Finding> after;
    sweep(plan, world, &after);
    QString error;
    auto verdict = checkAgain(promises, folder, &error);
    if (!verdict)
        qFatal("%ls", qUtf16Printable(error));
    verdict->findings.insert(verdict->findings.end(), after.begin(), after.end());
    return *verdict;
}

std::optional<Verdict> checkAgain(const Promises &promises, const QString &folder, QString *error)
{
    std::vector<Event> events;
    if (!readEvents(folder, &events, error))
        return std::nullopt;
    return check(historyOf(events), promises);
}

QString reportOf(const Verdict &verdict)
{
    const Figures &figures = verdict.figures;
    QString text = u"%1 requests, %2 grants, %3 writes acknowledged, %4 refused, %5 answers unknown; %6 seen in a "
                   "queue, %7 looks, %8 disturbances; the machine stood still for %9\n"_s.arg(figures.requests)
                       .arg(figures.grants)
                       .arg(figures.writes)
                       .arg(figures.refusals)
                       .arg(figures.doubts)
                       .arg(figures.queued)
                       .arg(figures.looks)
                       .arg(figures.disturbances)
                       .arg(span(figures.stoodStill));
    for (const Gap &gap : figures.gaps)
        text += u"gap of %1%5, resource %2: %3; waited: %4\n"_s.arg(span(gap.length()))
                    .arg(gap.resource)
                    .arg(gap.state, gap.waiters, stillText(gap));
    for (std::size_t i = 0; i < std::min(verdict.findings.size(), kToldFindings); ++i)
        text += u"BROKEN %1: %2\n"_s.arg(verdict.findings[i].rule, verdict.findings[i].text);
    if (verdict.findings.size() > kToldFindings)
        text += u"… and %1 more findings\n"_s.arg(verdict.findings.size() - kToldFindings);
    return text;
}

} // namespace lockscope::faults
