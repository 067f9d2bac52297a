// SPDX-License-Identifier: MIT
#include "ownedchild.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockscope {

std::function<void()> endsWithItsOwner()
{
    return [owner = ::getpid()] {
        if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != owner)
            ::_exit(1);
    };
}

} // namespace lockscope
