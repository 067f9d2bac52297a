// SPDX-License-Identifier: MIT
#pragma once

class QSqlDatabase;

namespace lockscope {

/// A function of MariaDB's client library, which Qt's driver has loaded once a connection was opened; null where it
/// uses another library. Thread: any.
void *clientFunction(const char *name);
/// The client library's own connection; null where the driver shows none.
void *clientConnection(const QSqlDatabase &database);
/// Its socket, -1 where it cannot be told. To shut it down ends what waits for an answer there.
int clientSocket(const QSqlDatabase &database);
/// A server may ask for any file of this machine while LOAD DATA LOCAL runs, and gets it by default: never from here.
void refuseLocalFiles(const QSqlDatabase &database);

} // namespace lockscope
