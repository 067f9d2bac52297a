// SPDX-License-Identifier: MIT
#include "waitdrawing.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

/// Those of sessions behind a "+N" lead to and from that.
void addArrows(const WaitOutline &outline, const QHash<int, int> &boxOfRow, WaitDrawing *drawing)
{
    const WaitGraph &graph = drawing->picture->graph;
    QSet<std::pair<int, int>> known;
    for (const WaitEdge &edge : graph.links) {
        if (!outline.places.contains(edge.waiter) || !outline.places.contains(edge.blocker))
            continue;
        const int from = boxOfRow.value(outline.places.value(edge.waiter));
        const int to = boxOfRow.value(outline.places.value(edge.blocker));
        if (from == to || known.contains({from, to}))
            continue;
        known.insert({from, to});
        drawing->shape.arrows.append({from, to});
        const WaitNode *waiter = drawing->picture->node(edge.waiter);
        const WaitNode *blocker = drawing->picture->node(edge.blocker);
        const bool isRing = waiter->cycle >= 0 && waiter->cycle == blocker->cycle;
        drawing->kinds.append(isRing                ? WaitArrow::Kind::Ring
                                  : edge.isInferred ? WaitArrow::Kind::Inferred
                                                    : WaitArrow::Kind::Wait);
    }
}

} // namespace

WaitDrawing WaitDrawing::of(const WaitPicturePtr &picture, const WaitOutline &outline, const QSizeF &boxSize)
{
    WaitDrawing drawing;
    drawing.picture = picture;
    drawing.shape.boxSize = boxSize;
    QHash<int, int> boxOfRow;
    for (int row = 0; row < outline.rows.size(); ++row) {
        const WaitRow &one = outline.rows[row];
        const WaitRow above = one.parent < 0 ? WaitRow() : outline.rows[one.parent];
        const bool isFolded = above.key.kind == WaitKey::Kind::Equal && !above.isOpen;
        if (isFolded)
            boxOfRow.insert(row, boxOfRow.value(one.parent));
        if (isFolded || one.key.kind == WaitKey::Kind::Ring || one.isOpen)
            continue;
        boxOfRow.insert(row, int(drawing.boxes.size()));
        drawing.boxes.append(one);
    }
    for (const WaitRow &row : outline.rows) {
        if (row.key.kind != WaitKey::Kind::Ring)
            continue;
        QList<int> members;
        for (const int member : row.children)
            members.append(boxOfRow.value(member));
        drawing.shape.groups.append(members);
    }
    drawing.shape.boxes = int(drawing.boxes.size());
    addArrows(outline, boxOfRow, &drawing);
    return drawing;
}

bool WaitDrawing::hasSameBoxes(const WaitDrawing &other) const
{
    return shape == other.shape
        && std::equal(boxes.cbegin(), boxes.cend(), other.boxes.cbegin(), other.boxes.cend(),
                      [](const WaitRow &a, const WaitRow &b) { return a.key == b.key; });
}

} // namespace lockscope::ui
