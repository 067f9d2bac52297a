// SPDX-License-Identifier: MIT
#pragma once

#include "event.h"
#include "lab/faultyproxy.h"
#include "storesite.h"
#include "testserver.h"

#include <QtCore/QJsonObject>
#include <QtCore/QProcess>

#include <chrono>
#include <functional>
#include <memory>

namespace lockscope::faults {

/// Who works at the places of a crew.
struct CrewPlan
{
    int places = 0;
    QString program; ///< PROGRAM ORDER FILE: the order as JSON, and where its lines go; ends when its input does
    std::function<QJsonObject(int place)> orderFor; ///< gets "url" and "process" besides
    std::chrono::milliseconds endWithin = std::chrono::minutes(1);
    /// Where their locks are; null: on the server. Their networks lead there, and the order gets "storeUrl".
    const test::StoreSite *site = nullptr;
};

/// The worker processes of a run, each at a place with a network and a server account of its own. What is done to one
/// is written down here. Thread: its maker's.
class Crew
{
public:
    /// Starts them. Each writes its lines into a file of the folder.
    Crew(CrewPlan plan, const test::TestServer &server, const QString &folder, EventFile &events);
    ~Crew();
    Crew(const Crew &) = delete;
    Crew &operator=(const Crew &) = delete;

    /// The letter of the account that test::World made for the place.
    static QString accountOf(int place) { return QChar(u'A' + place); }

    /// SIGKILL, and another process takes its place.
    void kill(int place);
    void freeze(int place);
    void thaw(int place);
    void setNetwork(int place, FaultyProxy::State state);
    int processAt(int place) const { return m_places[std::size_t(place)].number; }
    qint64 pidAt(int place) const { return m_places[std::size_t(place)].process->processId(); }
    /// Writes down who ended by himself, and starts another.
    void findDead();
    /// All end what they do; those that do not in time are written down as dead.
    void stop();

private:
    struct Place
    {
        std::unique_ptr<FaultyProxy> network;
        std::unique_ptr<QProcess> process;
        int number = 0;
    };

    void start(int place);
    void tell(Kind kind, int place, qint64 value = 0);

    const CrewPlan m_plan;
    const ServerUrl m_url;
    const QString m_folder;
    EventFile &m_events;
    std::vector<Place> m_places;
    int m_started = 0;
};

} // namespace lockscope::faults
