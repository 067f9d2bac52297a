// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace lockscope::bench {

using Values = std::vector<double>;

/// A median and the bounds between which the true one lies with at least 95 % confidence.
struct Interval
{
    double median = 0;
    double low = 0;
    double high = 0;
};

/// NaN for no values.
double median(Values values);

/// The value below which the share `part` (0–1) of the values lies, by the nearest rank. NaN for no values.
double quantile(Values values, double part);

/// By order statistics: the k-th smallest and k-th largest value, with the largest k that keeps the chance of the true
/// median lying outside at 5 % or less (binomial, exact). Asks nothing of the values' distribution and needs no random
/// numbers. With fewer than six values no k does; then the bounds are smallest and largest.
Interval medianInterval(Values values);

/// Jain's index of fairness: 1 = all got the same, 1/n = one got everything. 1 where nobody got anything.
double jain(const Values &shares);

/// first[i] / second[i]; both have the same size.
Values ratios(const Values &first, const Values &second);

} // namespace lockscope::bench
