// SPDX-License-Identifier: MIT
// The part of the connection that starts the private server.
#include "serverconnection.h"

#include "session/schema.h"

namespace lockscope::ui {

using Phase = MonitorStatus::Phase;

namespace {

struct StartedServer
{
    PrivateServer::StartResult start;
    std::optional<LockError> schema;
};

StartedServer startWithTables(const QString &folder, PrivateServerUser *user)
{
    StartedServer result;
    result.start = user->start(folder);
    if (result.start.error.isEmpty()) {
        SessionTarget target;
        target.url = result.start.url;
        result.schema = installSchema(target);
    }
    return result;
}

} // namespace

void ServerConnection::startPrivateServer()
{
    const auto start = [folder = m_profile.folder, user = m_privateUser] {
        return startWithTables(folder, user.get());
    };
    m_calls.run(start, this, [this, generation = m_generation](const StartedServer &result) {
        if (generation != m_generation)
            return;
        if (!result.start.error.isEmpty()) {
            LockError error;
            error.kind = LockError::Kind::Unavailable;
            error.message = tr("The private server did not start.");
            error.serverText = result.start.error;
            return onNotStarted(error);
        }
        if (isOpen())
            return refreshFeeds();
        if (result.schema)
            return onNotStarted(*result.schema);
        m_target.url = result.start.url;
        retireFeeds();
        startFeeds();
    });
}

void ServerConnection::onNotStarted(const LockError &error)
{
    m_notStarted = error;
    if (!isOpen()) { // else its feeds say whether it answers
        m_told.phase = Phase::Failing;
        m_told.error = error;
    }
    showStatus();
}

/// Until it runs, further servers are read all the same.
void ServerConnection::startWithoutServer()
{
    std::get<std::unique_ptr<Monitor>>(m_feeds) = std::make_unique<Monitor>();
    connect(feed<Monitor>(), &Monitor::listUpdated, this, &ServerConnection::onList);
    connect(feed<Monitor>(), &Monitor::released, this, &ServerConnection::released);
    connect(feed<Monitor>(), &Monitor::keyReleased, this, &ServerConnection::keyReleased);
    pacePolls();
    Q_EMIT feedsMade();
}

void ServerConnection::leavePrivateServer()
{
    m_feeds = {};
    m_calls.waitForAll();
    m_privateUser->leave();
}

} // namespace lockscope::ui
