// SPDX-License-Identifier: MIT
#include "briefspin.h"

#include <algorithm>

namespace lockscope {

namespace {

std::atomic<int> &freePlaces()
{
    static std::atomic<int> places = std::max(2, int(std::thread::hardware_concurrency()));
    return places;
}

} // namespace

BriefSpin::Turn::Turn()
    : isOurs(freePlaces().fetch_sub(1) > 0)
{
}

BriefSpin::Turn::~Turn()
{
    freePlaces().fetch_add(1);
}

} // namespace lockscope
