#include "rawclient.h"

#include <QtCore/QFile>
#include <QtCore/QtGlobal>

#include <mysql.h>

#include <algorithm>

namespace lockscope::bench {

void RawClient::Closer::operator()(st_mysql *connection) const
{
    mysql_close(connection);
}

RawClient::RawClient(const ServerUrl &url)
    : m_connection(mysql_init(nullptr))
{
    const QByteArray host = url.host.toUtf8();
    const QByteArray socket = QFile::encodeName(url.socket);
    const QByteArray password = qgetenv("LOCKSCOPE_PASSWORD");
    mysql_options(m_connection.get(), MYSQL_SET_CHARSET_NAME, "utf8mb4");
    const bool isOpen =
        mysql_real_connect(m_connection.get(), host.isEmpty() ? nullptr : host.constData(),
                           url.user.toUtf8().constData(), password.constData(), url.schema.toUtf8().constData(),
                           unsigned(url.port), socket.isEmpty() ? nullptr : socket.constData(), CLIENT_MULTI_STATEMENTS)
        != nullptr;
    if (!isOpen)
        fail("connect");
    const QByteArray version = value("SELECT VERSION()");
    m_family = version.toLower().contains("mariadb") ? Family::MariaDb : Family::MySql;
    run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; " + sqlText("server/session", m_family));
}

RawClient::~RawClient() = default;

void RawClient::fail(const QByteArray &packet) const
{
    qFatal("The raw client failed: %s (%u)\n%s", mysql_error(m_connection.get()), mysql_errno(m_connection.get()),
           packet.constData());
}

RawClient::Answer RawClient::run(const QByteArray &packet)
{
    st_mysql *const connection = m_connection.get();
    if (mysql_real_query(connection, packet.constData(), static_cast<unsigned long>(packet.size())) != 0)
        fail(packet);
    Answer answer;
    for (int more = 0; more == 0; more = mysql_next_result(connection)) {
        if (MYSQL_RES *const result = mysql_store_result(connection)) {
            const unsigned columns = mysql_num_fields(result);
            answer.row.clear();
            if (const MYSQL_ROW row = mysql_fetch_row(result)) {
                for (unsigned i = 0; i < columns; ++i)
                    answer.row.emplace_back(row[i]);
            }
            mysql_free_result(result);
        } else if (mysql_field_count(connection) == 0) {
            answer.affected += qint64(mysql_affected_rows(connection));
            answer.insertId = std::max<quint64>(answer.insertId, mysql_insert_id(connection));
        }
        if (mysql_errno(connection) != 0)
            fail(packet);
    }
    if (mysql_errno(connection) != 0)
        fail(packet);
    return answer;
}

QByteArray RawClient::value(const QByteArray &packet)
{
    const Answer answer = run(packet);
    return answer.row.empty() ? QByteArray() : answer.row.front();
}

quint64 RawClient::connectionId() const
{
    return mysql_thread_id(m_connection.get());
}

} // namespace lockscope::bench
