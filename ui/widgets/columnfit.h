// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

class QAbstractItemModel;
class QFontMetrics;

namespace lockscope::ui {

class FlatHeader;

/// How wide a column is. What is left over, and what columns have beside their texts, goes to those whose texts need
/// more, to numbers before texts and to the first one before the others; the rest to those that have a `share`. Those
/// with the highest `drop` leave first when the view is too narrow.
struct ColumnSpec
{
    QString sample;       ///< text that must fit
    int share = 0;        ///< part of the space that is left over
    int drop = 0;         ///< 0 = stays
    int extra = 0;        ///< pixels beside the text, for a mark or a bar
    bool isWhole = false; ///< a part of it tells nothing, as of a number: it gets its room before texts do

    static constexpr int Nothing = 1; ///< is needed where each cell in sight holds a dash
    int needed = 0;                   ///< by what is in it, where that is wider; 0: not known yet
    std::optional<int> wished = {};   ///< a person's width: it stays so
    std::optional<bool> isShown = {}; ///< a person's choice; none: when there is room
    bool isOffered = true;            ///< false: there is nothing in it at present, and nobody can choose it
};

/// The width of each column in a view that is `width` wide; 0 = hidden. Together they are wider than that only if a
/// person made them so.
QList<int> fitColumns(const QList<ColumnSpec> &columns, const QAbstractItemModel &model, const FlatHeader &header,
                      const QFontMetrics &metrics, int width);

} // namespace lockscope::ui
