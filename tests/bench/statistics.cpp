// SPDX-License-Identifier: MIT
#include "statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace lockscope::bench {

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

double sortedMedian(const Values &sorted)
{
    if (sorted.empty())
        return kNotANumber;
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/// Chance of exactly `k` heads in `n` throws; by logarithms, because 2^-n is too small for a double soon.
double headsChance(std::size_t n, std::size_t k)
{
    const auto factorial = [](std::size_t i) { return std::lgamma(double(i) + 1); };
    return std::exp(factorial(n) - factorial(k) - factorial(n - k) - double(n) * std::log(2.0));
}

/// The largest k such that fewer than k heads come up in at most 2.5 % of all series of n throws; at least 1.
std::size_t intervalRank(std::size_t n)
{
    double chance = 0;
    std::size_t k = 0;
    while (k < n && chance + headsChance(n, k) <= 0.025)
        chance += headsChance(n, k++);
    return std::max<std::size_t>(k, 1);
}

} // namespace

double median(Values values)
{
    std::sort(values.begin(), values.end());
    return sortedMedian(values);
}

double quantile(Values values, double part)
{
    if (values.empty())
        return kNotANumber;
    std::sort(values.begin(), values.end());
    const auto rank = std::ptrdiff_t(std::ceil(part * double(values.size())));
    return values[std::size_t(std::clamp<std::ptrdiff_t>(rank - 1, 0, std::ptrdiff_t(values.size()) - 1))];
}

Interval medianInterval(Values values)
{
    if (values.empty())
        return {kNotANumber, kNotANumber, kNotANumber};
    std::sort(values.begin(), values.end());
    const std::size_t rank = intervalRank(values.size());
    return {sortedMedian(values), values[rank - 1], values[values.size() - rank]};
}

double jain(const Values &shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const double squares = std::inner_product(shares.begin(), shares.end(), shares.begin(), 0.0);
    return squares > 0 ? sum * sum / (double(shares.size()) * squares) : 1;
}

Values ratios(const Values &first, const Values &second)
{
    Values result(first.size());
    std::transform(first.begin(), first.end(), second.begin(), result.begin(),
                   [](double a, double b) { return a / b; });
    return result;
}

} // namespace lockscope::bench
