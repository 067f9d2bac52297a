// SPDX-License-Identifier: MIT
// A program that ends while it holds locks, in a way that is named:
//   lastlock URL HOW
// It holds the lease "lease" and the row "row", and ends with 0 when both were granted. HOW:
//   threadlocal    handles of a thread that ends before the engine does
//   mainlocal      the same of the main thread
//   return         engine and handles are global; main() returns
//   exit           … and main() calls exit(), so that the application object is never destroyed
//   waiting        … while other threads wait for locks of which one is never free
//   exitinthread   … and another thread calls exit()
//   exitatwork     … and the row's own thread does, in the middle of inTransaction()
//   late           the engine is made in the place of a static object after another one was used
#include "lockscope/lockengine.h"

#include <QtCore/QCoreApplication>

#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<LockEngine> globalEngine;
LockHandle globalLease;
LockHandle globalRow;

LockRequest requestFor(const QByteArray &resource, Mode mode)
{
    LockRequest request;
    request.resource = resource;
    request.mode = mode;
    request.ttl = 10min;
    return request;
}

/// Ends the program with 1 when it is not granted.
LockHandle acquire(LockEngine &engine, const QByteArray &resource, Mode mode)
{
    AcquireResult got = engine.acquire(requestFor(resource, mode));
    if (got.outcome != Outcome::Granted) {
        std::cerr << resource.constData() << " was not granted\n";
        std::_Exit(1);
    }
    return std::move(got.handle);
}

void holdInThisThread(LockEngine &engine)
{
    thread_local LockHandle lease; // before the engine's own objects of this thread, and so destroyed after them
    thread_local LockHandle row;
    lease = acquire(engine, "lease", Mode::Unique);
    row = acquire(engine, "row", Mode::Pessimistic);
}

void holdGlobally(const EngineConfig &config)
{
    globalEngine = std::make_unique<LockEngine>(config);
    globalLease = acquire(*globalEngine, "lease", Mode::Unique);
    globalRow = acquire(*globalEngine, "row", Mode::Pessimistic);
}

LockEngine &lateEngine(const EngineConfig &config)
{
    static LockEngine engine(config);
    return engine;
}

/// Threads that wait for what this one holds: nobody joins them.
void letOthersWait()
{
    for (const Mode mode : {Mode::Unique, Mode::Pessimistic}) {
        std::thread([mode] {
            LockRequest request = requestFor(mode == Mode::Unique ? "lease" : "row", mode);
            request.wait = Forever;
            globalEngine->acquire(request);
        }).detach();
    }
}

void end(const std::string &how, const EngineConfig &config)
{
    LockEngine engine(config);
    if (how == "threadlocal")
        return std::thread([&] { holdInThisThread(engine); }).join();
    if (how == "mainlocal") {
        static LockEngine lasting(config);
        return holdInThisThread(lasting);
    }
    if (how == "late") {
        if (engine.connectToServer())
            std::_Exit(1);
        globalLease = acquire(lateEngine(config), "lease", Mode::Unique);
        globalRow = acquire(lateEngine(config), "row", Mode::Pessimistic);
        return;
    }
    holdGlobally(config);
    if (how == "waiting")
        letOthersWait();
    if (how == "exit")
        std::exit(0);
    if (how == "exitinthread")
        std::thread([] { std::exit(0); }).join();
    if (how == "exitatwork")
        globalRow.inTransaction([](QSqlDatabase &) { std::exit(0); });
}

} // namespace

int main(int argc, char **argv)
{
    const std::string how = argc == 3 ? argv[2] : "";
    const QCoreApplication application(argc, argv);
    EngineConfig config;
    QString error;
    if (argc != 3 || !ServerUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &error)) {
        std::cerr << "lastlock URL HOW: " << error.toStdString() << '\n';
        return 64;
    }
    end(how, config);
    return 0;
}
