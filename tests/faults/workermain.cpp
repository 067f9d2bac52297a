// SPDX-License-Identifier: MIT
// A process of a run under faults:
//   faults_worker ORDER FILE
// ORDER is the JSON of a RunPlan with "url", "process" and, where there is one, "storeUrl"; FILE gets its lines. It
// ends when its input does.
#include "storemaker.h"
#include "worker.h"
#ifdef FAULTS_PLAIN_REDIS
#    include "plainredis.h"
#endif

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonDocument>

#include <csignal>
#include <cstdio>
#include <thread>

#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace lockscope;
using namespace lockscope::faults;
using namespace Qt::StringLiterals;

namespace {

std::shared_ptr<LockStore> storeOf(const RunPlan &plan, const QString &url)
{
#ifdef FAULTS_PLAIN_REDIS
    if (plan.isPlainLock())
        return makePlainRedis(url);
#endif
    return url.isEmpty() ? nullptr : test::makeTestStore(url, plan.ttl);
}

void work(const RunPlan &plan, int number, const SessionTarget &target, const QString &storeUrl, EventFile &events)
{
    EngineConfig config;
    config.server = target.url;
    config.store = storeOf(plan, storeUrl);
    config.service = u"faults"_s;
    LockEngine engine(config);
    WorkerProcess process{number, plan, target, engine, events};
    events.add({Event::now(), Kind::Began, number});
    std::stop_source stop;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < plan.threads; ++thread)
        threads.emplace_back([&process, thread, token = stop.get_token()] { Worker(process, thread).run(token); });
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (::poll(&input, 1, -1) < 0) { } // interrupted
    stop.request_stop();
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace

int main(int argc, char **argv)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nothing is left behind when the run is broken off
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    const QJsonObject order = QJsonDocument::fromJson(words.value(1).toUtf8()).object();
    SessionTarget target;
    QString error;
    if (words.size() != 3 || !ServerUrl::parse(order[u"url"_s].toString(), &target.url, &error)) {
        std::fprintf(stderr, "faults_worker ORDER FILE: %s\n", qPrintable(error));
        return 64;
    }
    EventFile events(words[2]);
    const int number = order[u"process"_s].toInt();
    work(RunPlan::fromJson(order), number, target, order[u"storeUrl"_s].toString(), events);
    events.add({Event::now(), Kind::Ended, number}); // its engine has closed all that it had
    return 0;
}
