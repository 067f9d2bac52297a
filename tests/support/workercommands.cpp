// SPDX-License-Identifier: MIT
#include "workercommands.h"

#include <iostream>

namespace lockscope::test {

namespace {

AcquireResult acquire(LockEngine &engine, std::istringstream &words, LossNews &news)
{
    std::string name;
    long ttl = 0;
    long wait = 0;
    words >> name >> ttl >> wait;
    LockRequest request;
    request.resource = QByteArray::fromStdString(name);
    request.ttl = std::chrono::milliseconds(ttl);
    request.wait = std::chrono::milliseconds(wait);
    request.onLost = [&news](LossReason reason) { news.tell(reason); };
    return engine.acquire(request);
}

} // namespace

void runWorker(LockEngine &engine, LossNews &news, const MoreCommands &more)
{
    LockHandle handle;
    std::cout << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "acquire") {
            AcquireResult result = acquire(engine, words, news);
            std::cout << outcomeText(result) << std::endl;
            handle = std::move(result.handle);
        } else if (command == "release") {
            std::cout << outcomeText(handle.release()) << std::endl;
        } else if (command == "held") {
            std::cout << (handle.isHeld() ? "yes" : "no") << std::endl;
        } else if (command == "lost") {
            std::cout << news.wait() << std::endl;
        } else if (const auto answer = more ? more(command, words, handle) : std::nullopt) {
            std::cout << *answer << std::endl;
        }
    }
}

} // namespace lockscope::test
