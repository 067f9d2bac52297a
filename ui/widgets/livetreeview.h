// SPDX-License-Identifier: MIT
#pragma once

#include "flatheader.h"

#include <QtWidgets/QTreeView>

namespace lockscope::ui {

/// A tree whose rows change under the reader: what is on screen stays in its place. The counterpart of LiveTableView.
class LiveTreeView : public QTreeView
{
    Q_OBJECT
public:
    explicit LiveTreeView(QWidget *parent = nullptr);

    void setColumns(const QList<ColumnSpec> &columns);
    /// Muted text: this is how it was, not how it is.
    void setStale(bool stale);
    /// Call around each change of the model.
    void keepPlace();
    void restorePlace();

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void layoutColumns();

    FlatHeader *m_header;
    QList<ColumnSpec> m_columns;
    bool m_isStale = false;
    struct Anchor
    {
        QPersistentModelIndex index;
        int top = 0;
    };
    QList<Anchor> m_anchors;
};

} // namespace lockscope::ui
