// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"

#include <QtGui/QIcon>
#include <QtGui/QPalette>

class QPainter;

namespace lockscope::ui {

/// What a mark says. Each has a colour that colour-blind eyes can tell apart, a shape, and a word beside it.
enum class Mark {
    Held,      ///< filled circle
    Waiting,   ///< hollow circle
    Orphan,    ///< half circle
    Expired,   ///< ring with a gap
    Violation, ///< hexagon
    Alarm,     ///< triangle
    Released,  ///< check
    Unknown,   ///< question mark
    Open,      ///< diamond
    Idle       ///< two bars: holds, and does nothing
};

Mark markOf(LockState state);
Mark markOf(Event::Kind kind);
/// At least 4.5:1 on the palette's base.
QColor markColor(Mark mark, const QPalette &palette);
/// Paints the shape into `rect`, square and centred.
void paintMark(QPainter *painter, const QRectF &rect, Mark mark, const QColor &color);
/// An icon that follows the palette and every scale.
QIcon markIcon(Mark mark);

} // namespace lockscope::ui
