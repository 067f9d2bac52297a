// SPDX-License-Identifier: MIT
#pragma once

#include "lessonserver.h"

#include <QtNetwork/QTcpServer>

namespace lockscope::test {

/// The test's server as one of somebody's own, over TCP too, with the user of sql/grants/lessons.*.sql and the password
/// "pw".
class KnownPlace
{
public:
    KnownPlace()
    {
        QTcpServer free;
        free.listen(QHostAddress::LocalHost);
        m_port = free.serverPort();
        free.close();
        TestServer &server = TestServer::instance();
        server.setOptions(lessonOptions(server.family())
                          + QStringList{QStringLiteral("--skip-networking=0"),
                                        QStringLiteral("--bind-address=127.0.0.1"),
                                        QStringLiteral("--port=%1").arg(m_port)});
        server.restart();
        for (const char *host : {"localhost", "127.0.0.1"}) // it looks up no names
            makeUser("lockscope_lessons", host);
    }

    /// With the rights of the grants.
    static void makeUser(const QByteArray &name, const QByteArray &host)
    {
        const TestServer &server = TestServer::instance();
        Observer administrator(server);
        administrator.run("CREATE USER '" + name + "'@'" + host + "' IDENTIFIED BY 'pw'");
        QByteArray grants = sqlText("grants/lessons", server.family());
        administrator.run(grants.replace("'lockscope_lessons'@'localhost'", "'" + name + "'@'" + host + "'"));
    }

    ServerUrl url(const QString &user = QStringLiteral("lockscope_lessons")) const
    {
        ServerUrl url;
        url.user = user;
        url.host = QStringLiteral("127.0.0.1");
        url.port = m_port;
        return url;
    }
    static ServerUrl socketUrl(const QString &user = QStringLiteral("lockscope_lessons"))
    {
        ServerUrl url = TestServer::instance().url();
        url.user = user;
        url.schema.clear();
        return url;
    }

    /// "account@host" of all runs, and names of schemas.
    static QStringList leftovers()
    {
        Observer observer(TestServer::instance());
        QStringList all;
        for (const char *sql :
             {"SELECT CONCAT(user, '@', host) FROM mysql.user WHERE user LIKE 'lockscope\\_l\\_%'",
              "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'lockscope\\_lesson%'"}) {
            for (const QVariantList &row : observer.rows(sql))
                all += row.value(0).toString();
        }
        return all;
    }

private:
    int m_port = 0;
};

} // namespace lockscope::test
