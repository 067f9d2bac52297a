// SPDX-License-Identifier: MIT
#include "testredis.h"

#include "freeze.h"

#include <hiredis/hiredis.h>

#include <QtCore/QFile>

#include <vector>

namespace lockscope::test {

namespace {

void freeContext(redisContext *context)
{
    redisFree(context);
}

void flatten(const redisReply &reply, QByteArrayList *rows)
{
    switch (reply.type) {
    case REDIS_REPLY_INTEGER:
        rows->append(QByteArray::number(qint64(reply.integer)));
        break;
    case REDIS_REPLY_ARRAY:
        for (std::size_t i = 0; i < reply.elements; ++i)
            flatten(*reply.element[i], rows);
        break;
    default:
        rows->append(QByteArray(reply.str, qsizetype(reply.len)));
        break;
    }
}

} // namespace

QByteArrayList TestRedis::rightsOf(const QByteArray &user)
{
    QFile file(QStringLiteral(LOCKSCOPE_GRANTS "/redis.%1.acl").arg(QString::fromLatin1(user)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qUtf8Printable(file.fileName()));
    return file.readAll().trimmed().split(' ');
}

TestRedis::TestRedis(QStringList options, Keeping keeping)
    : m_node(keeping, std::move(options))
    , m_connection(nullptr, freeContext)
{
    start();
}

TestRedis::~TestRedis() = default;

void TestRedis::start()
{
    if (const auto error = m_node.start())
        qFatal("%s", qPrintable(error->toString()));
    m_connection.reset(redisConnectUnix(QFile::encodeName(url().socket).constData()));
}

void TestRedis::stop()
{
    m_connection.reset();
    m_node.stop();
}

void TestRedis::kill9()
{
    m_connection.reset();
    m_node.kill9();
}

void TestRedis::freeze()
{
    freezeProcess(pid());
}

void TestRedis::thaw()
{
    thawProcess(pid());
}

QByteArrayList TestRedis::rows(const QByteArrayList &words)
{
    std::vector<const char *> texts;
    std::vector<std::size_t> lengths;
    for (const QByteArray &word : words) {
        texts.push_back(word.constData());
        lengths.push_back(std::size_t(word.size()));
    }
    QByteArrayList rows;
    auto *reply = static_cast<redisReply *>(
        redisCommandArgv(m_connection.get(), int(words.size()), texts.data(), lengths.data()));
    if (reply) {
        flatten(*reply, &rows);
        freeReplyObject(reply);
    }
    return rows;
}

qint64 TestRedis::calls(const QByteArray &command)
{
    const QByteArray stats = ask({"INFO", "commandstats"});
    const QByteArray name = "cmdstat_" + command + ":calls=";
    const auto found = stats.indexOf(name);
    return found < 0 ? 0 : stats.mid(found + name.size()).split(',').constFirst().toLongLong();
}

int TestRedis::waiters(const QByteArray &resource)
{
    return ask({"ZCARD", "lockscope:{" + resource + "}:q"}).toInt();
}

} // namespace lockscope::test
