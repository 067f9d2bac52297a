// SPDX-License-Identifier: MIT
#pragma once

#include "graphlayout.h"
#include "waitgraphitems.h"
#include "waitoutline.h"

namespace lockscope::ui {

/// The boxes and arrows of a graph, all of one look; where they go is the layout's matter.
struct WaitDrawing
{
    WaitPicturePtr picture;
    QList<WaitRow> boxes;
    GraphShape shape;
    QList<WaitArrow::Kind> kinds; ///< of the arrows

    /// Boxes are the rows but for rings, which are frames around their members. Equal waiters are one box, or each of
    /// them is.
    static WaitDrawing of(const WaitPicturePtr &picture, const WaitOutline &outline, const QSizeF &boxSize);
    bool hasSameBoxes(const WaitDrawing &other) const;
};

} // namespace lockscope::ui
