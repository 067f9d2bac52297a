// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"
#include "session/statement.h"

#include <QtCore/QByteArray>

#include <memory>
#include <vector>

namespace lockscope::bench {

/// A session with the settings that the engine's sessions have and nothing around it: what the engine is measured
/// against. An error ends the program: a loop that failed has measured nothing.
/// Thread: one at a time; with Qt's driver only that of its making.
class RawClient
{
public:
    /// OwnThread: Qt's driver in a thread that belongs to the connection, as a connection has it that is kept alive
    /// whatever its user does.
    enum class Through { ClientLibrary, QtDriver, OwnThread };

    struct Answer
    {
        qint64 affected = 0;         ///< rows that all statements together changed
        quint64 insertId = 0;        ///< of the statement that gave one
        std::vector<QByteArray> row; ///< first row of the last SELECT; NULL is a null array
    };

    explicit RawClient(const ServerUrl &url, Through through = Through::ClientLibrary);
    ~RawClient();
    RawClient(const RawClient &) = delete;
    RawClient &operator=(const RawClient &) = delete;

    /// Sends one or more statements as one packet and reads every result.
    Answer run(const QByteArray &packet);
    /// The first value of the answer.
    QByteArray value(const QByteArray &packet);

    Family family() const;
    quint64 connectionId() const;

private:
    class Connection;
    class ClientLibrary;
    class QtDriver;
    class OwnThread;

    std::unique_ptr<Connection> m_connection;
};

} // namespace lockscope::bench
