// SPDX-License-Identifier: MIT
#include "enginetarget.h"

#include "server.h"
#include "storetarget.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// One engine per command; it holds one lock at most.
constexpr int kConnections = 4;

std::optional<LockError> connectEngine(EngineConfig config, std::unique_ptr<LockEngine> *engine)
{
    config.service = u"lockctl"_s;
    config.maxConnections = kConnections;
    *engine = std::make_unique<LockEngine>(config);
    return (*engine)->connectToServer();
}

std::optional<LockError> connectStore(const QString &url, const QString &password, std::unique_ptr<LockEngine> *engine)
{
    EngineConfig config;
    config.store = makeStore(url, password);
    return connectEngine(std::move(config), engine);
}

} // namespace

std::optional<EngineTarget> findEngineTarget(const Globals &globals, int *exitCode)
{
    EngineTarget target;
    const QString url = namedUrl(globals);
    if (!isStore(url)) {
        const auto server = findServer(globals, exitCode);
        if (!server)
            return std::nullopt;
        target.server = *server;
        return target;
    }
    if (const QString wrong = wrongStore(url); !wrong.isEmpty()) {
        printError(wrong);
        *exitCode = Usage;
        return std::nullopt;
    }
    const auto password = givenPassword(globals, exitCode);
    if (!password)
        return std::nullopt;
    target.store = url;
    target.server.password = *password;
    return target;
}

std::optional<LockError> openEngine(const EngineTarget &target, std::unique_ptr<LockEngine> *engine)
{
    if (!target.store.isEmpty())
        return withStorePassword(target.store, target.server.password,
                                 [&](const QString &password) { return connectStore(target.store, password, engine); });
    SessionTarget server = target.server;
    return withPassword(&server, [engine](const SessionTarget &to) {
        EngineConfig config;
        config.server = to.url;
        config.password = to.password;
        return connectEngine(std::move(config), engine);
    });
}

} // namespace lockscope::ctl
