// SPDX-License-Identifier: MIT
#pragma once

#include "testserver.h"

#include "enginefixture.h"
#include "waits/waitsreader.h"

#include <cstdio>

namespace lockscope::bench {

[[noreturn]] inline void give(const QString &why)
{
    std::fprintf(stderr, "%s\n", qPrintable(why));
    std::exit(2);
}

inline std::unique_ptr<Session> open(const test::TestServer &server)
{
    LockError error;
    auto session = Session::open(test::targetFor(server), &error);
    if (!session)
        give(error.toString());
    return session;
}

inline Reply must(Session &session, const QByteArray &sql)
{
    Reply reply = session.run(sql, "bench");
    if (!reply)
        give(reply.error->toString());
    return reply;
}

inline ServerWaits look(WaitsReader &reader)
{
    ServerWaits waits;
    if (const auto error = reader.read(&waits))
        give(error->toString());
    return waits;
}

} // namespace lockscope::bench
