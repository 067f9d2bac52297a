// SPDX-License-Identifier: MIT
// One process of tests/stores/redis/tst_redisnemesis.cpp: see nemesiswork.h.
//   redisnemesis URL TTL_MS TALLY_FILE
#include "nemesiswork.h"

#include "lockscope/redisstore.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QLoggingCategory>

#include <cstdio>
#include <memory>

#include <hiredis/hiredis.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

/// The place in the queue by which the lease was granted; 0: there was no queue. `look` for the own lease.
class Place
{
public:
    explicit Place(const QString &socket)
        : m_context(redisConnectUnix(QFile::encodeName(socket).constData()))
    {
    }
    ~Place() { redisFree(m_context); }
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    /// 0 also when somebody else has it by now.
    quint64 of(quint64 token)
    {
        auto *reply = static_cast<redisReply *>(redisCommand(m_context, "HMGET lockscope:{r} token ticket"));
        quint64 ticket = 0;
        if (reply && reply->type == REDIS_REPLY_ARRAY && reply->element[0]->type == REDIS_REPLY_STRING
            && QByteArray(reply->element[0]->str).toULongLong() == token)
            ticket = QByteArray(reply->element[1]->str).toULongLong();
        if (reply)
            freeReplyObject(reply);
        return ticket;
    }

private:
    redisContext *m_context;
};

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("lockscope.redis.warning=false"));
    RedisConfig config;
    QString wrong;
    if (argc != 4 || !RedisUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &wrong)) {
        std::fprintf(stderr, "redisnemesis URL TTL_MS TALLY_FILE: %s\n", qPrintable(wrong));
        return 64;
    }
    RedisStore store(config);
    const auto newPlace = [&config]() -> PlaceOf {
        const auto place = std::make_shared<Place>(config.server.socket);
        return [place](quint64 token) { return place->of(token); };
    };
    return runNemesisWork({store, std::chrono::milliseconds(QByteArray(argv[2]).toInt()), 3ms, newPlace},
                          QString::fromLocal8Bit(argv[3]));
}
