// SPDX-License-Identifier: MIT
#include <lockscope/fenceguard.h>
#include <lockscope/lockengine.h>
#include <lockscope/once.h>

#include <QtCore/QCoreApplication>
#include <QtSql/QSqlQuery>

#include <cstdio>

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    lockscope::EngineConfig config;
    config.service = QStringLiteral("consumer");
    lockscope::LockEngine engine(config);

    // Nothing is held, so it is not called.
    lockscope::AcquireResult nothing;
    nothing.handle.inTransaction([](QSqlDatabase &database) { QSqlQuery(database).exec(QStringLiteral("DO 0")); });

    lockscope::LockRequest request; // without a resource: refused before any server is asked
    const lockscope::AcquireResult result = engine.acquire(request);
    const bool refused = result.outcome == lockscope::Outcome::Failed && result.error
        && result.error->kind == lockscope::LockError::Kind::BadRequest && !result.handle.isHeld()
        && lockscope::FenceGuard({}).check()                                                // no names
        && lockscope::once(engine, {}, [](lockscope::LockHandle &) { return true; }).error; // nor here
    std::puts(refused ? "consumer: as expected" : "consumer: a request without names was not refused");
    return refused ? 0 : 1;
}
