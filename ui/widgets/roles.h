// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/Qt>

namespace lockscope::ui {

/// What models tell delegates beside text. A delegate knows these and no model.
enum Role {
    MarkRole = Qt::UserRole, ///< int of Mark: the shape before the text
    TintRole,                ///< double 0…1: how strongly a row that is new is marked
    VanishedRole,            ///< bool: the row is struck through and leaves soon
    FractionRole,            ///< double 0…1 of the bar behind the text; invalid = no bar
    StaleRole,               ///< bool: nobody knows whether it is still so
    DotRole,                 ///< int of Tint: a dot of this colour before the text
    ElideMiddleRole,         ///< bool: a name, cut in the middle
    SortRole                 ///< what a column is sorted by, where that is not its text
};

} // namespace lockscope::ui
