// SPDX-License-Identifier: MIT
#include "durationtext.h"

#include <array>
#include <charconv>

namespace lockscope::ctl {

namespace {

struct Unit
{
    std::string_view name;
    Duration::rep microseconds;
};

constexpr std::array<Unit, 4> kUnits = {{{"ms", 1'000}, {"s", 1'000'000}, {"m", 60'000'000}, {"h", 3'600'000'000}}};

} // namespace

std::optional<Duration> parseDuration(std::string_view text)
{
    if (text == "0")
        return Duration::zero();
    // from_chars takes a minus sign, no plus and no space.
    Duration::rep number = 0;
    const char *end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || number < 0)
        return std::nullopt;
    const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    for (const Unit &known : kUnits) {
        if (unit == known.name && number <= Forever.count() / known.microseconds)
            return Duration(number * known.microseconds);
    }
    return std::nullopt;
}

std::optional<Duration> parseDurationOrForever(std::string_view text)
{
    return text == "forever" ? Forever : parseDuration(text);
}

} // namespace lockscope::ctl
