// SPDX-License-Identifier: MIT
#pragma once

#include "flatheader.h"

#include <QtWidgets/QTableView>

namespace lockscope::ui {

/// A table whose rows change under the reader: it keeps what is on screen in its place, and never lets the current row
/// slip to a neighbour when its row goes (the next key might then act on something else).
class LiveTableView : public QTableView
{
    Q_OBJECT
public:
    explicit LiveTableView(QWidget *parent = nullptr);

    void setColumns(const QList<ColumnSpec> &columns);
    /// Muted text: this is how it was, not how it is. Everything can still be read and selected.
    void setStale(bool stale);
    /// Call around each change of the model.
    void keepPlace();
    void restorePlace();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last) override;

private:
    void layoutColumns();
    void applyRowHeight();

    FlatHeader *m_header;
    QList<ColumnSpec> m_columns;
    bool m_isStale = false;
    struct Anchor
    {
        QPersistentModelIndex index;
        int row = 0;
    };
    QList<Anchor> m_anchors;
};

} // namespace lockscope::ui
