// SPDX-License-Identifier: MIT
// A process with a lock engine of its own, driven line by line by the scripts of the conformance suite.
//   conformance_session ENGINE_URL DIRECT_URL MODE
// Each line is an owner and the hexadecimal words of a command; each owner is a thread and answers in order, one line
// "OWNER answer". "ready" with the name of its engine's session comes first. `cancel` ends what its owner waits for and
// has no answer of its own. The end of the input ends the process: what waits is cancelled, what is held is released.
// As conformance_session_store, ENGINE_URL is that of a store, and SHORTEST_TTL_MS stands in front of MODE.
#include "sessionowner.h"
#ifdef CONFORMANCE_STORES
#    include "storemaker.h"
#endif

#include <QtCore/QCoreApplication>

#include <iostream>
#include <sstream>

using namespace lockscope;
using namespace lockscope::test;

namespace {

/// False, with `*error`: its server's address is wrong, or words are missing.
bool isEngineSetUp(const QStringList &words, SessionConfig *config, [[maybe_unused]] QString *error)
{
#ifdef CONFORMANCE_STORES
    config->shortestTtl = std::chrono::milliseconds(words.value(3).toInt());
    if (words.size() == 5)
        config->engine.store = makeTestStore(words[1], config->shortestTtl);
    return words.size() == 5;
#else
    return words.size() == 4 && ServerUrl::parse(words[1], &config->engine.server, error);
#endif
}

void serve(SessionProcessState &process)
{
    std::map<std::string, SessionOwner> owners;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream stream(line);
        std::string name;
        stream >> name;
        Words words;
        for (std::string word; stream >> word;)
            words.push_back(QByteArray::fromHex(QByteArray::fromStdString(word.substr(1))));
        SessionOwner &owner = owners.try_emplace(name, name, process).first->second;
        if (words[0] == "cancel")
            owner.cancel();
        else
            owner.post(std::move(words));
    }
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    SessionProcessState process;
    QString error;
    const QStringList words = QCoreApplication::arguments();
    if (!isEngineSetUp(words, &process.config, &error) || !ServerUrl::parse(words[2], &process.config.direct, &error)) {
        std::cerr << words[0].toStdString() << " ENGINE_URL DIRECT_URL … MODE: " << error.toStdString() << '\n';
        return 64;
    }
    process.config.mode = words.last().toLatin1();
    process.config.engine.service = QStringLiteral("conformance");
    std::mutex output;
    process.say = [&output](const std::string &owner, const std::string &answer) {
        const std::lock_guard lock(output);
        std::cout << owner << ' ' << answer << std::endl;
    };
    process.engine = std::make_unique<LockEngine>(process.config.engine);
    std::cout << "ready " << process.engine->owner().session.toStdString() << std::endl;
    serve(process);
    process.held.clear();
    process.engine.reset();
    return 0;
}
