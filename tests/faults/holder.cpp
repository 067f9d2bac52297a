// SPDX-License-Identifier: MIT
// A process of a soak:
//   faults_holder ORDER FILE
// Holds many leases for as long as it lives, and takes again what it lost. ORDER is JSON: "url", "process", "prefix",
// "leases", "ttlMs"; FILE gets a line for each lease that was lost. It ends when its input does.
#include "event.h"

#include "lockscope/lockengine.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

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

constexpr auto kPollEvery = std::chrono::milliseconds(200);

class Holder
{
public:
    Holder(const QJsonObject &order, const ServerUrl &url, EventFile &events)
        : m_process(order[u"process"_s].toInt())
        , m_prefix(order[u"prefix"_s].toString().toLatin1())
        , m_ttl(order[u"ttlMs"_s].toInteger())
        , m_events(events)
        , m_engine(configFor(url))
        , m_handles(std::size_t(order[u"leases"_s].toInt()))
    {
    }

    /// Looks after all of them, again and again.
    void run(const std::stop_token &stop)
    {
        while (!stop.stop_requested()) {
            for (std::size_t i = 0; i < m_handles.size() && !stop.stop_requested(); ++i) {
                if (!m_handles[i].isHeld())
                    take(i, stop);
            }
            std::this_thread::sleep_for(kPollEvery);
        }
    }

private:
    static EngineConfig configFor(const ServerUrl &url)
    {
        EngineConfig config;
        config.server = url;
        config.service = u"soak"_s;
        return config;
    }

    void take(std::size_t i, const std::stop_token &stop)
    {
        LockRequest request;
        request.resource = m_prefix + QByteArray::number(qulonglong(i));
        request.ttl = m_ttl;
        request.wait = 2 * Duration(m_ttl);
        request.stop = stop;
        request.onLost = [this, i](LossReason) { m_events.add({Event::now(), Kind::Gone, m_process, qint64(i)}); };
        m_handles[i] = m_engine.acquire(request).handle;
    }

    const int m_process;
    const QByteArray m_prefix;
    const std::chrono::milliseconds m_ttl;
    EventFile &m_events;
    LockEngine m_engine;
    std::vector<LockHandle> m_handles; // after the engine: released before it ends
};

} // namespace

int main(int argc, char **argv)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nothing is left behind when the soak is broken off
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    const QJsonObject order = QJsonDocument::fromJson(words.value(1).toUtf8()).object();
    ServerUrl url;
    QString error;
    if (words.size() != 3 || !ServerUrl::parse(order[u"url"_s].toString(), &url, &error)) {
        std::fprintf(stderr, "faults_holder ORDER FILE: %s\n", qPrintable(error));
        return 64;
    }
    EventFile events(words[2]);
    Holder holder(order, url, events);
    std::jthread work([&holder](const std::stop_token &stop) { holder.run(stop); });
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (::poll(&input, 1, -1) < 0) { } // interrupted
    work.request_stop();
    work.join();
    return 0;
}
