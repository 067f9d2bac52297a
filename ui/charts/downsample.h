// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QPointF>

namespace lockscope::ui {

/// The points of a line, in order of x, of which at most two per column of [from, to] are left: the lowest and the
/// highest, in their order. A picture of that many columns looks the same with them. One point on either side of the
/// range stays, so that the line reaches its edges.
QList<QPointF> downsample(const QList<QPointF> &points, double from, double to, int columns);

/// Where two neighbours are further apart than `longest`, the line has a hole. With more than `most` parts the smallest
/// holes are closed.
QList<QList<QPointF>> splitAtGaps(const QList<QPointF> &points, double longest, int most);

} // namespace lockscope::ui
