// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/recordingfeed.h"
#include "lockscope/serverurl.h"

#include <QtCore/QObject>

#include <memory>

namespace lockscope::ui {

class ServerConnection;

/// The recording that a person has begun of the server that is looked at. It ends with another server. GUI thread only.
class ServerRecording : public QObject
{
    Q_OBJECT
public:
    explicit ServerRecording(ServerConnection *connection);

    bool isOn() const { return m_feed != nullptr; }
    const QString &path() const { return m_path; }
    const RecorderStatus &status() const { return m_status; }
    /// Why nothing is kept at present; empty: it is.
    const QString &trouble() const { return m_trouble; }
    void start(const QString &path);
    void stop();

Q_SIGNALS:
    void changed();
    /// It is over, because it could not begin or go on.
    void failed(const QString &why);
    /// What was kept is in the file and in its log beside it: the end could not be written.
    void incomplete(const QString &path, const QString &why);

private:
    void onOpened();

    ServerConnection *const m_connection;
    ServerUrl m_url; ///< of the server that is recorded
    QString m_path;
    RecorderStatus m_status;
    QString m_trouble;
    std::unique_ptr<RecordingFeed> m_feed;
};

} // namespace lockscope::ui
