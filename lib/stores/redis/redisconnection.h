// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/redisstore.h"
#include "redisreply.h"
#include "redisserver.h"

#include <QtCore/QByteArrayList>
#include <QtCore/QDeadlineTimer>

#include <memory>

class QTcpSocket;
struct redisReader;

namespace lockscope::detail {

/// Names a connection to the server, also after it broke.
struct RedisConnectionId
{
    QByteArray runId; ///< the server's, another one after each start
    qint64 number = 0;
};

/// A connection with Redis, signed in, to a server that is safe for locks. Thread: one at a time; calls block.
/// Once an answer is late it is closed, or that would be taken for the next one's; and once the server has become a
/// replica.
class RedisConnection
{
public:
    /// `name` is for CLIENT LIST.
    static std::unique_ptr<RedisConnection> open(const RedisConfig &config, const QByteArray &name, LockError *error);
    /// The same to a server that is not safe for locks as well: for whoever makes it one that is.
    static std::unique_ptr<RedisConnection> openAny(const RedisConfig &config, const QByteArray &name,
                                                    LockError *error);
    ~RedisConnection();
    RedisConnection(const RedisConnection &) = delete;
    RedisConnection &operator=(const RedisConnection &) = delete;

    /// `what` names it in errors. Of kind ConnectionLost: it may have been carried out.
    RedisReply run(const QByteArrayList &words, const QByteArray &what);
    /// Several in one flight, in their order: what one is refused with is its value. With an error in the last one the
    /// others have no answer.
    QList<RedisReply> runAll(const QList<QByteArrayList> &commands, const QByteArray &what);
    bool isGone() const { return m_isGone; }
    /// Gone, for it leads to a replica.
    bool isDemoted() const { return m_isDemoted; }
    const RedisConnectionId &id() const { return m_id; }
    const RedisInfo &info() const { return m_info; }

    /// Sends without waiting for an answer; false: it is gone.
    bool send(const QByteArrayList &words);
    /// The answer to what was sent. As run(), whose second half it is.
    RedisReply answer(const QByteArray &what);
    /// For what comes unasked: the next value; none in time, or it is gone.
    std::optional<RedisValue> receive(const QDeadlineTimer &deadline);
    /// Thread: any. Makes it gone, and whoever waits for its answer returns.
    void interrupt();

private:
    RedisConnection(std::unique_ptr<QTcpSocket> socket, std::chrono::milliseconds answerTimeout);
    std::optional<LockError> signIn(const RedisConfig &config, const QByteArray &name, const QDeadlineTimer &deadline);
    RedisReply run(const QByteArrayList &words, const QByteArray &what, const QDeadlineTimer &deadline);
    RedisReply answer(const QByteArray &what, const QDeadlineTimer &deadline);
    bool write(const QByteArrayList &words, const QDeadlineTimer &deadline);
    bool read(const QDeadlineTimer &deadline, RedisValue *value);
    bool parse(RedisValue *value);
    bool failClosed();
    bool fail(const QString &message, const QString &systemText = {});

    const std::unique_ptr<QTcpSocket> m_socket;
    const std::unique_ptr<redisReader, void (*)(redisReader *)> m_reader;
    const std::chrono::milliseconds m_answerTimeout;
    const int m_descriptor;   ///< a copy of the socket's, which closes its own by itself
    qsizetype m_unparsed = 0; ///< bytes of a value that is not whole yet
    bool m_hasAnswered = false;
    bool m_isGone = false;
    bool m_isDemoted = false;
    QString m_whyGone;
    QString m_systemText;
    RedisConnectionId m_id;
    RedisInfo m_info;
};

} // namespace lockscope::detail
