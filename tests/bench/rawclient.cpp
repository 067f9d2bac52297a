// SPDX-License-Identifier: MIT
#include "rawclient.h"

#include "session/connectionthread.h"

#include <QtCore/QFile>
#include <QtCore/QtGlobal>

#include <mysql.h>

#include <algorithm>

namespace lockscope::bench {

class RawClient::Connection
{
public:
    virtual ~Connection() = default;
    virtual Answer run(const QByteArray &packet) = 0;
    virtual Family family() const = 0;
    virtual quint64 id() const = 0;
};

class RawClient::ClientLibrary : public RawClient::Connection
{
public:
    explicit ClientLibrary(const ServerUrl &url)
        : m_mysql(mysql_init(nullptr))
    {
        const QByteArray host = url.host.toUtf8();
        const QByteArray socket = QFile::encodeName(url.socket);
        const QByteArray password = qgetenv("LOCKSCOPE_PASSWORD");
        mysql_options(m_mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
        const bool isOpen =
            mysql_real_connect(m_mysql, host.isEmpty() ? nullptr : host.constData(), url.user.toUtf8().constData(),
                               password.constData(), url.schema.toUtf8().constData(), unsigned(url.port),
                               socket.isEmpty() ? nullptr : socket.constData(), CLIENT_MULTI_STATEMENTS)
            != nullptr;
        if (!isOpen)
            fail("connect");
        const QByteArray version = run("SELECT VERSION()").row.front();
        m_family = version.toLower().contains("mariadb") ? Family::MariaDb : Family::MySql;
        run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; " + sqlText("server/session", m_family));
    }
    ~ClientLibrary() override { mysql_close(m_mysql); }
    ClientLibrary(const ClientLibrary &) = delete;
    ClientLibrary &operator=(const ClientLibrary &) = delete;

    Answer run(const QByteArray &packet) override
    {
        if (mysql_real_query(m_mysql, packet.constData(), static_cast<unsigned long>(packet.size())) != 0)
            fail(packet);
        Answer answer;
        for (int more = 0; more == 0; more = mysql_next_result(m_mysql)) {
            if (MYSQL_RES *const result = mysql_store_result(m_mysql)) {
                const unsigned columns = mysql_num_fields(result);
                answer.row.clear();
                if (const MYSQL_ROW row = mysql_fetch_row(result)) {
                    for (unsigned i = 0; i < columns; ++i)
                        answer.row.emplace_back(row[i]);
                }
                mysql_free_result(result);
            } else if (mysql_field_count(m_mysql) == 0) {
                answer.affected += qint64(mysql_affected_rows(m_mysql));
                answer.insertId = std::max<quint64>(answer.insertId, mysql_insert_id(m_mysql));
            }
            if (mysql_errno(m_mysql) != 0)
                fail(packet);
        }
        if (mysql_errno(m_mysql) != 0)
            fail(packet);
        return answer;
    }
    Family family() const override { return m_family; }
    quint64 id() const override { return mysql_thread_id(m_mysql); }

private:
    [[noreturn]] void fail(const QByteArray &packet) const
    {
        qFatal("The raw client failed: %s (%u)\n%s", mysql_error(m_mysql), mysql_errno(m_mysql), packet.constData());
    }

    MYSQL *const m_mysql;
    Family m_family = Family::MariaDb;
};

class RawClient::QtDriver : public RawClient::Connection
{
public:
    explicit QtDriver(const ServerUrl &url)
    {
        SessionTarget target;
        target.url = url;
        target.password = qEnvironmentVariable("LOCKSCOPE_PASSWORD");
        LockError error;
        m_session = Session::open(target, &error);
        if (!m_session)
            qFatal("The raw session was not opened: %s", qPrintable(error.toString()));
    }

    Answer run(const QByteArray &packet) override
    {
        const Reply reply = m_session->run(packet, "raw");
        if (!reply)
            qFatal("The raw session failed: %s", qPrintable(reply.error->toString()));
        Answer answer;
        for (const ResultSet &set : reply.sets) {
            if (set.affected < 0) {
                answer.row.clear();
                for (const QVariant &value : set.rows.value(0))
                    answer.row.push_back(value.toByteArray());
            } else {
                answer.affected += set.affected;
                answer.insertId = std::max(answer.insertId, set.insertId);
            }
        }
        return answer;
    }
    Family family() const override { return m_session->info().family; }
    quint64 id() const override { return m_session->connectionId(); }

private:
    std::unique_ptr<Session> m_session;
};

class RawClient::OwnThread : public RawClient::Connection
{
public:
    explicit OwnThread(const ServerUrl &url)
    {
        m_thread.run([&](ReconnectingSession &) { m_driver = std::make_unique<QtDriver>(url); });
    }
    ~OwnThread() override
    {
        m_thread.run([this](ReconnectingSession &) { m_driver.reset(); });
    }
    OwnThread(const OwnThread &) = delete;
    OwnThread &operator=(const OwnThread &) = delete;

    Answer run(const QByteArray &packet) override
    {
        Answer answer;
        m_thread.run([&](ReconnectingSession &) { answer = m_driver->run(packet); });
        return answer;
    }
    Family family() const override { return m_driver->family(); }
    quint64 id() const override { return m_driver->id(); }

private:
    std::unique_ptr<QtDriver> m_driver;
    ConnectionThread m_thread{SessionTarget{}}; // its session is never used
};

RawClient::RawClient(const ServerUrl &url, Through through)
{
    switch (through) {
    case Through::ClientLibrary:
        m_connection = std::make_unique<ClientLibrary>(url);
        break;
    case Through::QtDriver:
        m_connection = std::make_unique<QtDriver>(url);
        break;
    case Through::OwnThread:
        m_connection = std::make_unique<OwnThread>(url);
        break;
    }
}

RawClient::~RawClient() = default;

RawClient::Answer RawClient::run(const QByteArray &packet)
{
    return m_connection->run(packet);
}

QByteArray RawClient::value(const QByteArray &packet)
{
    const Answer answer = run(packet);
    return answer.row.empty() ? QByteArray() : answer.row.front();
}

Family RawClient::family() const
{
    return m_connection->family();
}

quint64 RawClient::connectionId() const
{
    return m_connection->id();
}

} // namespace lockscope::bench
