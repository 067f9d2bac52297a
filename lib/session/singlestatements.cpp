// SPDX-License-Identifier: MIT
#include "singlestatements.h"

#include "clientlibrary.h"

#include <QtSql/QSqlDatabase>

namespace lockscope {

namespace {

thread_local int t_asked = 0;

/// As the protocol numbers it (COM_SET_OPTION).
constexpr int kOneStatement = 1;

} // namespace

SingleStatements::SingleStatements(const QSqlDatabase &ofSession)
{
    ++t_asked;
    using SetOption = int(void *connection, int option);
    auto *const setOption = reinterpret_cast<SetOption *>(clientFunction("mysql_set_server_option"));
    void *const connection = clientConnection(ofSession);
    if (setOption && connection)
        setOption(connection, kOneStatement); // fails where the connection is broken, which the next statement tells
}

SingleStatements::~SingleStatements()
{
    --t_asked;
}

bool SingleStatements::areAsked()
{
    return t_asked > 0;
}

} // namespace lockscope
