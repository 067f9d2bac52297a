// SPDX-License-Identifier: MIT
#include "downsample.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lockscope::ui {

namespace {

constexpr auto kByX = [](const QPointF &point, double x) { return point.x() < x; };

/// Lowest and highest of [first, last), in their order.
void appendExtremes(QList<QPointF>::const_iterator first, QList<QPointF>::const_iterator last, QList<QPointF> *cut)
{
    const auto [low, high] =
        std::minmax_element(first, last, [](const QPointF &a, const QPointF &b) { return a.y() < b.y(); });
    cut->append(*std::min(low, high));
    if (low != high)
        cut->append(*std::max(low, high));
}

} // namespace

QList<QPointF> downsample(const QList<QPointF> &points, double from, double to, int columns)
{
    QList<QPointF> cut;
    auto next = std::lower_bound(points.cbegin(), points.cend(), from, kByX);
    const auto end = std::lower_bound(next, points.cend(), to, kByX);
    if (next != points.cbegin())
        cut.append(*std::prev(next));
    const double width = (to - from) / std::max(1, columns);
    while (next != end) {
        const double column = std::max(0.0, std::floor((next->x() - from) / width));
        auto last = std::lower_bound(next, end, from + (column + 1) * width, kByX);
        last = std::max(last, std::next(next)); // however narrow a column is
        appendExtremes(next, last, &cut);
        next = last;
    }
    if (end != points.cend())
        cut.append(*end);
    return cut;
}

QList<QList<QPointF>> splitAtGaps(const QList<QPointF> &points, double longest, int most)
{
    std::vector<double> gaps;
    for (qsizetype i = 1; i < points.size(); ++i) {
        if (const double gap = points[i].x() - points[i - 1].x(); gap > longest)
            gaps.push_back(gap);
    }
    if (int(gaps.size()) >= most) {
        std::nth_element(gaps.begin(), gaps.begin() + (most - 1), gaps.end(), std::greater<>());
        longest = gaps[std::size_t(most - 1)];
    }
    QList<QList<QPointF>> parts;
    for (const QPointF &point : points) {
        if (parts.isEmpty() || point.x() - parts.last().last().x() > longest)
            parts.append(QList<QPointF>());
        parts.last().append(point);
    }
    return parts;
}

} // namespace lockscope::ui
