// SPDX-License-Identifier: MIT
#include "serverrecording.h"

#include "serverconnection.h"

namespace lockscope::ui {

ServerRecording::ServerRecording(ServerConnection *connection)
    : QObject(connection)
    , m_connection(connection)
{
    connect(connection, &ServerConnection::opened, this, &ServerRecording::onOpened);
}

void ServerRecording::start(const QString &path)
{
    RecordingOptions options;
    options.path = path;
    m_path = path;
    m_url = m_connection->url();
    m_status = {};
    m_trouble.clear();
    m_feed = std::make_unique<RecordingFeed>(m_connection->target(), options);
    connect(m_feed.get(), &RecordingFeed::advanced, this, [this](const RecorderStatus &status, const QString &trouble) {
        m_status = status;
        m_trouble = trouble;
        Q_EMIT changed();
    });
    connect(m_feed.get(), &RecordingFeed::failed, this, [this](const QString &why) {
        stop();
        Q_EMIT failed(why);
    });
    Q_EMIT changed();
}

/// A statement in flight may take seconds to end; nobody waits for it here.
void ServerRecording::stop()
{
    if (!m_feed)
        return;
    m_status.failure.clear();
    RecordingFeed *feed = m_feed.release();
    feed->disconnect(this);
    connect(feed, &RecordingFeed::ended, this, [this, path = m_path](const QString &failure) {
        if (!failure.isEmpty())
            Q_EMIT incomplete(path, failure);
    });
    feed->setParent(this);
    connect(feed, &RecordingFeed::stopped, feed, &QObject::deleteLater);
    feed->stop();
    Q_EMIT changed();
}

/// The same server may be opened anew, for another window.
void ServerRecording::onOpened()
{
    if (m_feed && (m_connection->isStore() || m_connection->url() != m_url))
        stop();
}

} // namespace lockscope::ui
