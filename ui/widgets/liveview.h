// SPDX-License-Identifier: MIT
#pragma once

#include "flatheader.h"
#include "rowdelegate.h"
#include "ui/style/theme.h"

#include <QtCore/QEvent>
#include <QtWidgets/QScrollBar>

#include <algorithm>

namespace lockscope::ui {

/// A table or a tree, as `View` is one, whose rows change under the reader: what is on screen stays in its place.
template<typename View>
class LiveView : public View
{
public:
    void setColumns(const QList<ColumnSpec> &columns)
    {
        m_columns = columns;
        layoutColumns();
    }
    /// Muted text: this is how it was, not how it is. Everything can still be read and selected.
    void setStale(bool stale)
    {
        m_isStale = stale;
        this->setPalette(listPalette(stale));
    }
    /// Call around each change of the model.
    void keepPlace()
    {
        m_anchors.clear();
        if (!this->model() || this->verticalScrollBar()->value() == 0)
            return; // at the top what comes first stays in sight
        const auto keep = [this](const QModelIndex &index) {
            m_anchors.append({index, this->visualRect(index).top()});
        };
        const QModelIndex current = this->currentIndex().siblingAtColumn(0);
        if (current.isValid() && this->viewport()->rect().intersects(this->visualRect(current)))
            keep(current);
        for (QModelIndex index = this->indexAt({0, 0}); index.isValid(); index = below(index)) {
            if (this->visualRect(index).top() > this->viewport()->height())
                break;
            keep(index);
        }
    }
    void restorePlace()
    {
        const auto anchor =
            std::find_if(m_anchors.cbegin(), m_anchors.cend(), [](const Anchor &a) { return a.index.isValid(); });
        if (anchor != m_anchors.cend()) {
            this->executeDelayedItemsLayout();
            const QRect now = this->visualRect(anchor->index);
            QScrollBar *bar = this->verticalScrollBar();
            if (now.isValid())
                bar->setValue(bar->value() + now.top() - anchor->top);
        }
        m_anchors.clear();
    }

protected:
    explicit LiveView(QWidget *parent)
        : View(parent)
        , m_header(new FlatHeader(this))
    {
        this->setItemDelegate(new RowDelegate(this));
        this->setEditTriggers(View::NoEditTriggers);
        this->setFrameShape(View::NoFrame);
        this->setVerticalScrollMode(View::ScrollPerPixel);
        this->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        this->setContextMenuPolicy(Qt::ActionsContextMenu);
    }

    /// The row that stands below this one on screen.
    virtual QModelIndex below(const QModelIndex &index) const = 0;
    void resizeEvent(QResizeEvent *event) override
    {
        View::resizeEvent(event);
        layoutColumns();
    }
    void changeEvent(QEvent *event) override
    {
        View::changeEvent(event);
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
            layoutColumns();
        if (event->type() == QEvent::PaletteChange && m_isStale)
            this->setPalette(listPalette(true)); // muted in the new theme's colours
    }

    FlatHeader *m_header;

private:
    struct Anchor
    {
        QPersistentModelIndex index;
        int top = 0;
    };

    void layoutColumns() { m_header->fit(m_columns, QFontMetrics(this->font()), this->viewport()->width()); }

    QList<ColumnSpec> m_columns;
    bool m_isStale = false;
    QList<Anchor> m_anchors;
};

} // namespace lockscope::ui
