// SPDX-License-Identifier: MIT
#include "atwork.h"

namespace lockscope {

namespace {

thread_local int depth = 0; // nothing to destroy, so it is there to the thread's very end

} // namespace

AtWork::AtWork()
{
    ++depth;
}

AtWork::~AtWork()
{
    --depth;
}

bool AtWork::isThisThread()
{
    return depth > 0;
}

} // namespace lockscope
