// A process with a lock engine of its own, driven line by line, for tests that crash, freeze or outlive it.
//   lockworker URL
// Commands on stdin, one answer line each on stdout ("ready" comes first):
//   acquire NAME TTL_MS WAIT_MS   granted TOKEN | busy | timedout | cancelled | unknown | failed TEXT
//   release                       released | notheld | unknown | failed
//   held                          yes | no
//   lost                          waits until the lease is lost: expired | takenover | maxhold
#include "engine/lockengine.h"

#include <QtCore/QCoreApplication>

#include <condition_variable>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>

using namespace lockscope;

namespace {

struct LossNews
{
    std::mutex mutex;
    std::condition_variable told;
    std::optional<LossReason> reason;

    void tell(LossReason why)
    {
        const std::lock_guard lock(mutex);
        reason = why;
        told.notify_all();
    }
    std::string wait()
    {
        std::unique_lock lock(mutex);
        told.wait(lock, [this] { return reason.has_value(); });
        switch (*reason) {
        case LossReason::Expired:
            return "expired";
        case LossReason::TakenOver:
            return "takenover";
        case LossReason::MaxHoldReached:
            return "maxhold";
        case LossReason::SessionEnded:
            return "sessionended";
        case LossReason::TransactionEnded:
            return "transactionended";
        }
        return "?";
    }
};

std::string outcomeText(const AcquireResult &result)
{
    switch (result.outcome) {
    case Outcome::Granted:
        return "granted " + std::to_string(result.handle.token());
    case Outcome::Busy:
        return "busy";
    case Outcome::TimedOut:
        return "timedout";
    case Outcome::Cancelled:
        return "cancelled";
    case Outcome::Unknown:
        return "unknown";
    case Outcome::Deadlock:
        return "deadlock";
    case Outcome::Failed:
        break;
    }
    return "failed " + (result.error ? result.error->toString().toStdString() : std::string());
}

std::string releaseText(ReleaseOutcome outcome)
{
    switch (outcome) {
    case ReleaseOutcome::Released:
        return "released";
    case ReleaseOutcome::NotHeld:
        return "notheld";
    case ReleaseOutcome::Unknown:
        return "unknown";
    case ReleaseOutcome::Failed:
        break;
    }
    return "failed";
}

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

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    EngineConfig config;
    QString error;
    if (argc != 2 || !ServerUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &error)) {
        std::cerr << "lockworker URL: " << error.toStdString() << '\n';
        return 64;
    }
    config.service = QStringLiteral("worker");
    LossNews news; // outlives the engine, whose threads tell it
    LockEngine engine(config);
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
            std::cout << releaseText(handle.release()) << std::endl;
        } else if (command == "held") {
            std::cout << (handle.isHeld() ? "yes" : "no") << std::endl;
        } else if (command == "lost") {
            std::cout << news.wait() << std::endl;
        }
    }
    return 0;
}
