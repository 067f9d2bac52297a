#pragma once

#include "engine/serverurl.h"
#include "server/statement.h"

#include <QtCore/QByteArray>

#include <memory>
#include <vector>

struct st_mysql;

namespace lockscope::bench {

/// A session of the plain client library, with the settings that the engine's sessions have: what the engine is
/// measured against. An error ends the program: a loop that failed has measured nothing.
/// Thread: one at a time.
class RawClient
{
public:
    struct Answer
    {
        qint64 affected = 0;         ///< rows that all statements together changed
        quint64 insertId = 0;        ///< of the statement that gave one
        std::vector<QByteArray> row; ///< first row of the last SELECT; NULL is a null array
    };

    explicit RawClient(const ServerUrl &url);
    ~RawClient();
    RawClient(const RawClient &) = delete;
    RawClient &operator=(const RawClient &) = delete;

    /// Sends one or more statements as one packet and reads every result.
    Answer run(const QByteArray &packet);
    /// The first value of the answer.
    QByteArray value(const QByteArray &packet);

    Family family() const { return m_family; }
    quint64 connectionId() const;

private:
    struct Closer
    {
        void operator()(st_mysql *connection) const;
    };

    [[noreturn]] void fail(const QByteArray &packet) const;

    std::unique_ptr<st_mysql, Closer> m_connection;
    Family m_family = Family::MariaDb;
};

} // namespace lockscope::bench
