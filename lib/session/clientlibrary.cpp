// SPDX-License-Identifier: MIT
#include "clientlibrary.h"

#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlDriver>

#include <dlfcn.h>

namespace lockscope {

namespace {

/// MYSQL_OPT_LOCAL_INFILE, the same in both families' libraries.
constexpr int kLocalFiles = 8;

} // namespace

void *clientFunction(const char *name)
{
    void *const library = ::dlopen("libmariadb.so.3", RTLD_LAZY | RTLD_NOLOAD);
    return library ? ::dlsym(library, name) : nullptr;
}

void *clientConnection(const QSqlDatabase &database)
{
    const QVariant handle = database.driver()->handle();
    const bool isPointer = handle.metaType().flags().testFlag(QMetaType::IsPointer); // its type's name has changed
    return isPointer ? *static_cast<void *const *>(handle.constData()) : nullptr;
}

int clientSocket(const QSqlDatabase &database)
{
    using GetSocket = int(void *connection);
    auto *const getSocket = reinterpret_cast<GetSocket *>(clientFunction("mysql_get_socket"));
    void *const connection = clientConnection(database);
    return getSocket && connection ? getSocket(connection) : -1;
}

void refuseLocalFiles(const QSqlDatabase &database)
{
    using SetOptions = int(void *connection, int option, const void *value);
    auto *const setOptions = reinterpret_cast<SetOptions *>(clientFunction("mysql_options"));
    const unsigned int no = 0;
    if (void *const connection = clientConnection(database); setOptions && connection)
        setOptions(connection, kLocalFiles, &no);
}

} // namespace lockscope
