// SPDX-License-Identifier: MIT
#include "crew.h"

#include "freeze.h"
#include "sessionclient.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

Crew::Crew(CrewPlan plan, const test::TestServer &server, const QString &folder, EventFile &events)
    : m_plan(std::move(plan))
    , m_url(server.url())
    , m_folder(folder)
    , m_events(events)
    , m_places(std::size_t(m_plan.places))
{
    for (Place &place : m_places) {
        place.network = std::make_unique<FaultyProxy>(m_plan.site ? m_plan.site->target() : m_url.socket);
        if (!place.network->isListening())
            qFatal("Cannot listen on a port of this machine");
    }
    for (int place = 0; place < m_plan.places; ++place)
        start(place);
}

Crew::~Crew()
{
    for (Place &place : m_places) {
        place.process->kill();
        place.process->waitForFinished();
    }
}

void Crew::start(int place)
{
    Place &mine = m_places[std::size_t(place)];
    mine.number = ++m_started;
    ServerUrl url = m_url;
    url.user = test::SessionClient::userOf(accountOf(place));
    QJsonObject order = m_plan.orderFor(place);
    if (m_plan.site) {
        order[u"storeUrl"_s] = m_plan.site->url(mine.network->port());
    } else {
        url.socket.clear();
        url.host = u"127.0.0.1"_s;
        url.port = mine.network->port();
    }
    order[u"url"_s] = url.toString();
    order[u"process"_s] = mine.number;
    mine.process = std::make_unique<QProcess>();
    mine.process->setProcessChannelMode(QProcess::ForwardedChannels);
    mine.process->start(m_plan.program,
                        {QString::fromUtf8(QJsonDocument(order).toJson(QJsonDocument::Compact)),
                         u"%1/%2.events"_s.arg(m_folder).arg(mine.number)});
    if (!mine.process->waitForStarted())
        qFatal("A worker cannot be started: %ls", qUtf16Printable(mine.process->errorString()));
}

void Crew::tell(Kind kind, int place, qint64 value)
{
    m_events.add({Event::now(), kind, processAt(place), 0, -1, 0, value});
}

/// Written down before it is done, as every fault is: what comes of it comes after.
void Crew::kill(int place)
{
    tell(Kind::Killed, place);
    QProcess &process = *m_places[std::size_t(place)].process;
    process.kill();
    process.waitForFinished();
    start(place);
}

void Crew::freeze(int place)
{
    tell(Kind::Frozen, place);
    test::freezeProcess(pidAt(place));
}

void Crew::thaw(int place)
{
    test::thawProcess(pidAt(place));
    tell(Kind::Thawed, place);
}

void Crew::setNetwork(int place, FaultyProxy::State state)
{
    using State = FaultyProxy::State;
    const Kind kind = state == State::Cut ? Kind::Cut
        : state == State::Stalled         ? Kind::Stalled
        : state == State::Reset           ? Kind::Reset
                                          : Kind::Healed;
    if (kind != Kind::Healed)
        tell(kind, place);
    m_places[std::size_t(place)].network->setState(state);
    if (kind == Kind::Healed)
        tell(kind, place);
}

void Crew::findDead()
{
    for (int index = 0; index < m_plan.places; ++index) {
        QProcess &process = *m_places[std::size_t(index)].process;
        process.waitForFinished(0);
        if (process.state() != QProcess::NotRunning)
            continue;
        tell(Kind::Died, index, process.exitCode());
        start(index);
    }
}

void Crew::stop()
{
    m_events.add({Event::now(), Kind::Stop});
    for (Place &place : m_places)
        place.process->closeWriteChannel();
    const QDeadlineTimer deadline(m_plan.endWithin);
    for (int index = 0; index < m_plan.places; ++index) {
        QProcess &process = *m_places[std::size_t(index)].process;
        const bool hasEnded =
            process.state() == QProcess::NotRunning || process.waitForFinished(int(deadline.remainingTime()));
        if (!hasEnded || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
            tell(Kind::Died, index, hasEnded ? process.exitCode() : -1);
    }
}

} // namespace lockscope::faults
