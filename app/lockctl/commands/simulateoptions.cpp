// SPDX-License-Identifier: MIT
#include "simulateoptions.h"

#include "arguments.h"
#include "console/duration.h"
#include "console/durationtext.h"
#include "lab/labreport.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QString oneOf(const QStringList &names)
{
    return names.join(u", ");
}

QStringList wayNames()
{
    QStringList names;
    for (const LabWay way : allLabWays())
        names += QString::fromLatin1(traitsOf(way).name);
    return names;
}

QStringList scenarioNames()
{
    QStringList names;
    for (const LabPlan &plan : labScenarios())
        names += plan.name;
    return names;
}

/// Scenarios that say what to set side by side.
QStringList comparisons()
{
    QStringList names;
    for (const LabPlan &plan : labScenarios()) {
        if (labSideBySide(plan, labComparisonOf(plan)).size() > 1)
            names += plan.name;
    }
    return names;
}

/// "2ms", or "2ms:exponential".
std::optional<QJsonObject> timeOf(const std::string &text)
{
    const auto colon = text.find(':');
    const auto mean = parseDuration(std::string_view(text).substr(0, colon));
    if (!mean)
        return std::nullopt;
    const QString shape = colon == std::string::npos ? u"fixed"_s : QString::fromStdString(text.substr(colon + 1));
    return QJsonObject{{u"shape"_s, shape}, {u"meanUs"_s, qint64(mean->count())}};
}

/// "freeze@4s", "crash@2s/5s" (again every 5 s), "crowd@3s+2s*40" (for 2 s, 40 workers).
std::optional<QJsonObject> faultOf(const std::string &text)
{
    const auto end = text.find_first_of("@/+*");
    if (!labFaultOf(QString::fromStdString(text.substr(0, end))))
        return std::nullopt;
    QJsonObject fault{{u"kind"_s, QString::fromStdString(text.substr(0, end))}};
    for (auto at = end; at != std::string::npos;) {
        const auto next = text.find_first_of("@/+*", at + 1);
        const std::string value = text.substr(at + 1, next == std::string::npos ? next : next - at - 1);
        if (text[at] == '*') {
            fault[u"count"_s] = QString::fromStdString(value).toInt();
        } else {
            const auto duration = parseDuration(value);
            if (!duration)
                return std::nullopt;
            const QString key = text[at] == '@' ? u"atUs"_s : text[at] == '/' ? u"everyUs"_s : u"lengthUs"_s;
            fault[key] = qint64(duration->count());
        }
        at = next;
    }
    return fault;
}

/// The plan in this file, or that of the run in it.
std::optional<QJsonObject> planInFile(const std::string &name, QString *error)
{
    QFile file(QString::fromStdString(name));
    if (!file.open(QIODevice::ReadOnly)) {
        *error = u"%1 cannot be read: %2"_s.arg(file.fileName(), file.errorString());
        return std::nullopt;
    }
    QJsonParseError wrong;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &wrong);
    if (wrong.error != QJsonParseError::NoError) {
        *error = u"%1 is damaged or cut off: %2"_s.arg(file.fileName(), wrong.errorString());
        return std::nullopt;
    }
    if (!document.isObject()) {
        *error = u"%1 is not one run or plan: `compare` saves several."_s.arg(file.fileName());
        return std::nullopt;
    }
    if (!document.object().contains(u"format"_s))
        return document.object();
    // A run of a version that is not known may mean something else by its plan.
    const auto run = LabReport::fromJson(document.object(), error);
    return run ? std::optional(run->plan.toJson()) : std::nullopt;
}

std::optional<QJsonObject> basis(const SimulateOptions &options, QString *error)
{
    if (!options.planFile.empty())
        return planInFile(options.planFile, error);
    if (options.scenario.empty()) {
        QList<LabWay> ways;
        for (const std::string &mode : options.modes)
            ways.append(labWayOf(QString::fromStdString(mode)).value_or(LabWay::Unique));
        return labPlanFor(ways).toJson();
    }
    if (const auto plan = labScenarioOf(QString::fromStdString(options.scenario)))
        return plan->toJson();
    *error = u"There is no scenario of that name. Choose one of: %1."_s.arg(oneOf(scenarioNames()));
    return std::nullopt;
}

/// Faults that a mode, scenario or file brings are of their own times; who gives a shorter duration has not asked for
/// them.
QString tooShortFor(const LabPlan &own, const SimulateOptions &options)
{
    Duration last{0};
    for (const LabFault &fault : own.faults)
        last = std::max({last, fault.at, fault.every, fault.length});
    if (options.duration < Duration::zero() || last <= options.duration)
        return {};
    const QString whose = !options.planFile.empty() ? u"The plan in %1"_s.arg(QString::fromStdString(options.planFile))
        : !options.scenario.empty()                 ? u"The scenario %1"_s.arg(own.name)
                                    : u"The load of mode %1"_s.arg(QString::fromLatin1(traitsOf(own.way).name));
    return u"%1 has faults of its own, the last of which needs a run of %2: give a --duration of that at least."_s.arg(
        whose, formatDuration(last));
}

QString wrongTime(const std::string &text)
{
    return u"\"%1\" is not a length of time. Examples: 2ms, 2ms:exponential, 5ms:uniform."_s.arg(
        QString::fromStdString(text));
}

QString wrongFault(const std::string &text)
{
    return u"\"%1\" is not a fault. Examples: freeze@4s, crash@2s/5s, kill-session@1s/1s, restart@3s, cut@2s+1s, "
           "crowd@3s+2s*40, node-cut@1s*2."_s.arg(QString::fromStdString(text));
}

/// Options that are given, in place of what the basis says.
void replaceValues(const SimulateOptions &options, QJsonObject *json)
{
    const auto setNumber = [json](const char *key, const auto &value) {
        if (value)
            json->insert(QLatin1StringView(key), qint64(*value));
    };
    const auto setTime = [json](const char *key, Duration value) {
        if (value >= Duration::zero())
            json->insert(QLatin1StringView(key), qint64(value.count()));
    };
    const auto setWord = [json](const char *key, const std::string &value) {
        if (!value.empty())
            json->insert(QLatin1StringView(key), QString::fromStdString(value));
    };
    setNumber("workers", options.workers);
    setNumber("resources", options.resources);
    setNumber("connections", options.connections);
    setNumber("seed", options.seed);
    setNumber("stock", options.stock);
    setNumber("servers", options.servers);
    setTime("ttlUs", options.ttl);
    setTime("waitUs", options.wait);
    setTime("durationUs", options.duration);
    setWord("skew", options.skew);
    setWord("job", options.job);
    if (options.isUnfenced)
        json->insert(u"fenced"_s, false);
    if (options.isBarging)
        json->insert(u"fair"_s, false);
    if (options.usesProcesses)
        json->insert(u"processes"_s, true);
}

/// The load that all have in common.
std::optional<LabPlan> loadOf(const SimulateOptions &options, QString *error)
{
    auto json = basis(options, error);
    if (!json)
        return std::nullopt;
    const auto own = LabPlan::fromJson(*json, error);
    if (own)
        *error = tooShortFor(*own, options);
    if (!error->isEmpty())
        return std::nullopt;
    replaceValues(options, &*json);
    for (const auto &[key, text] : {std::pair{u"hold"_s, options.hold}, std::pair{u"think"_s, options.think}}) {
        const auto time = text.empty() ? std::optional(json->value(key).toObject()) : timeOf(text);
        if (!time)
            *error = wrongTime(text);
        json->insert(key, time.value_or(QJsonObject()));
    }
    QJsonArray faults = json->value(u"faults"_s).toArray();
    for (const std::string &text : options.faults) {
        const auto fault = faultOf(text);
        if (!fault)
            *error = wrongFault(text);
        faults.append(fault.value_or(QJsonObject()));
    }
    if (!error->isEmpty())
        return std::nullopt;
    json->insert(u"faults"_s, faults);
    return LabPlan::fromJson(*json, error);
}

template<typename Value>
QList<Value> valuesOf(const std::vector<std::string> &words, std::optional<Value> (*parse)(const QString &),
                      const QString &wrong, QString *error)
{
    QList<Value> values;
    for (const std::string &word : words) {
        if (word.empty())
            continue;
        if (const auto value = parse(QString::fromStdString(word)))
            values += *value;
        else if (error->isEmpty())
            *error = wrong.arg(QString::fromStdString(word));
    }
    return values;
}

} // namespace

QString modeNames()
{
    return oneOf(wayNames());
}

QList<LabPlan> plansOf(const SimulateOptions &options, bool isComparison, QString *error)
{
    const auto ways =
        valuesOf(options.modes, labWayOf, u"There is no mode \"%1\". Choose one of: "_s + modeNames() + u'.', error);
    const auto keepings = valuesOf(options.stores, labKeepingOf,
                                   u"A store keeps nothing \"%1\". Choose one of: memory, everysec, durable."_s, error);
    const auto load = error->isEmpty() ? loadOf(options, error) : std::nullopt;
    if (!load)
        return {};
    LabComparison wanted = isComparison ? labComparisonOf(*load) : LabComparison{{load->way}};
    if (!ways.isEmpty())
        wanted.ways = ways;
    if (!keepings.isEmpty())
        wanted.keepings = keepings;
    const QList<LabPlan> plans = labSideBySide(*load, wanted);
    for (const LabPlan &plan : plans) {
        if (const auto wrong = plan.validate())
            *error = *wrong;
    }
    if (!isComparison && plans.size() > 1)
        *error = u"One run has one --store: `lockctl compare` takes several."_s;
    if (isComparison && ways.isEmpty() && plans.size() == 1)
        *error =
            u"Say with --modes what to compare, or choose a scenario that says it: %1."_s.arg(oneOf(comparisons()));
    return error->isEmpty() ? plans : QList<LabPlan>();
}

void addRunOptions(CLI::App &command, SimulateOptions &options)
{
    command
        .add_option("--scenario", options.scenario, "Begin with the plan of: " + oneOf(scenarioNames()).toStdString())
        ->type_name("NAME");
    command.add_option("--plan", options.planFile, "Begin with the plan in this file, or that of a saved run")
        ->type_name("FILE");
    command.add_option("--workers", options.workers, "How many workers ask for locks")->check(decimal());
    command.add_option("--resources", options.resources, "How many resources they ask for")->check(decimal());
    command.add_option("--skew", options.skew, "uniform, zipf, hot or own (each worker its own)")->type_name("WORD");
    command.add_option("--hold", options.hold, "How long each holds: 2ms, 2ms:uniform, 2ms:exponential")
        ->type_name("TIME");
    command.add_option("--think", options.think, "How long each rests between two requests")->type_name("TIME");
    command.add_option("--connections", options.connections, "How many connections the engine may open")
        ->check(decimal());
    command.add_option("--seed", options.seed, "The same seed makes the same requests")->check(decimal());
    command.add_option("--job", options.job, "What to do under the lock: stock, sale, once or nothing")
        ->type_name("WORD");
    command
        .add_option("--store", options.stores,
                    "What the nodes of a run keep of their writes, for modes on Redis and ZooKeeper: memory, everysec "
                    "or durable; compare takes several")
        ->type_name("WORD")
        ->delimiter(',');
    command.add_option("--servers", options.servers, "How many servers the ZooKeeper or etcd of a run has: 1 or 3")
        ->check(decimal());
    command.add_option("--stock", options.stock, "How many pieces a sale has")->check(decimal());
    command
        .add_option("--fault", options.faults,
                    "kill-session, crash, freeze, cut, slow, restart (of the private server), crowd, node-forgets (a "
                    "restart of a Redis of the run), clock-jump, failover, server-pause, leader-kill or node-cut, with "
                    "@when, /again, +length, *count: crash@2s/5s")
        ->type_name("FAULT");
    command.add_flag("--no-fence", options.isUnfenced, "The store does not check tokens");
    command.add_flag("--barging", options.isBarging, "Workers of an engine's mode try again instead of queueing");
    command.add_flag("--processes", options.usesProcesses, "Each worker is a process of its own");
    command.add_flag("--yes", options.isAgreed, "Do not ask before loading a server that is not the private one");
    command.add_option("--save", options.saveTo, "Keep the run in this file")->type_name("FILE");
    addDuration(command, "--ttl", options.ttl, "How long a lock lives without renewal");
    addDuration(command, "--wait", options.wait, "How long each waits");
    addDuration(command, "--duration", options.duration, "How long the run takes");
}

} // namespace lockscope::ctl
