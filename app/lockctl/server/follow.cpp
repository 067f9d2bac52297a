// SPDX-License-Identifier: MIT
#include "follow.h"

#include "session/validation_p.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

#include <chrono>
#include <thread>

namespace lockscope::ctl {

namespace {

constexpr auto kFollowInterval = std::chrono::seconds(1);

} // namespace

int pollOrFollow(std::unique_ptr<ReconnectingSession> link, bool follow, const PolledSession::Step &read,
                 const std::function<void()> &printFound)
{
    PolledSession server(std::move(link), PollPace(kFollowInterval, kFollowInterval));
    for (;;) {
        const bool isReported = server.pace().isFailing(); // the next errors say the same
        const auto error = server.poll(read);
        if (error && (!follow || !detail::isUnreachable(*error))) // it goes on following once the server is back
            return printError(*error);
        if (error && !isReported)
            printError(*error);
        if (!error)
            printFound();
        if (!follow)
            return Done;
        std::this_thread::sleep_until(*server.pace().next());
    }
}

} // namespace lockscope::ctl
