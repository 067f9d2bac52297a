// SPDX-License-Identifier: MIT
#include "reachedsource.h"

#include "locks/leasereader.h"
#include "server.h"
#include "sources/mysqlsource.h"
#include "storetarget.h"
#include "terminal/output.h"

namespace lockscope::ctl {

std::optional<LockError> openSource(const EngineTarget &target, SourceUse use, ReachedSource *reached)
{
    if (!target.store.isEmpty()) {
        return withStorePassword(target.store, target.server.password, [&](const QString &password) {
            reached->source = makeSource(target.store, password);
            return reached->source->open();
        });
    }
    SessionTarget server = target.server;
    return withPassword(&server, [&](const SessionTarget &to) {
        reached->source.reset(); // it uses the link
        reached->link = std::make_unique<ReconnectingSession>(use == SourceUse::Look ? forReading(to) : to);
        reached->source = std::make_unique<MySqlSource>(*reached->link);
        return reached->source->open();
    });
}

std::optional<ReachedSource> reachSource(const Globals &globals, SourceUse use, int *exitCode)
{
    const auto target = findEngineTarget(globals, exitCode);
    if (!target)
        return std::nullopt;
    std::optional<ReachedSource> reached(std::in_place);
    const auto error = openSource(*target, use, &*reached);
    if (!error)
        return reached;
    *exitCode = printError(*error);
    return std::nullopt;
}

QString nameOf(const EngineTarget &target)
{
    return target.store.isEmpty() ? nameOf(target.server) : storeName(target.store);
}

ServerAccess accessTo(const EngineTarget &target, const ReachedSource &reached, bool isNamed)
{
    if (target.store.isEmpty())
        return ServerAccess::ofCommand(target.server.url, reached.source->ownName(), isNamed);
    return ServerAccess::ofCommand(isProductionStore(target.store), isNamed);
}

} // namespace lockscope::ctl
