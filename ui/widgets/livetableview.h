// SPDX-License-Identifier: MIT
#pragma once

#include "liveview.h"

#include <QtWidgets/QTableView>

namespace lockscope::ui {

/// A table whose rows change under the reader. It never lets the current row slip to a neighbour when its row goes: the
/// next key might then act on something else.
class LiveTableView : public LiveView<QTableView>
{
    Q_OBJECT
public:
    explicit LiveTableView(QWidget *parent = nullptr);

    /// Selects this row alone, whatever keys are held.
    void chooseRow(int row);
    /// The first and the last row on screen; none: the last is before the first.
    std::pair<int, int> rowsInSight() const;
    /// Ascending. For very many, which as indexes would take long.
    QList<int> selectedRowNumbers() const;
    /// Call around each change of the model, with ListDiff::newRowOf: the selection model would keep an index of each
    /// of several selected rows, and where all are selected it would select new ones too.
    void holdSelection();
    void restoreSelection(const QList<int> &newRowOf);

protected:
    QModelIndex below(const QModelIndex &index) const override { return index.sibling(index.row() + 1, 0); }
    /// Home and End go to the first and the last row: the current one is a row, not a cell.
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void changeEvent(QEvent *event) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last) override;

private:
    void applyRowHeight();

    QList<int> m_held; ///< rows that are selected, while the model changes
};

} // namespace lockscope::ui
