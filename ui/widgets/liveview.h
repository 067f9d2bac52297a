// SPDX-License-Identifier: MIT
#pragma once

#include "flatheader.h"
#include "rowdelegate.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QEvent>
#include <QtCore/QMetaEnum>
#include <QtCore/QTimer>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QScrollBar>

#include <algorithm>
#include <iterator>

namespace lockscope::ui {

/// A table or a tree, as `View` is one, whose rows change under the reader: what is on screen stays in its place.
template<typename View>
class LiveView : public View
{
public:
    void setColumns(const QList<ColumnSpec> &columns)
    {
        m_header->setColumns(columns);
        layoutColumns();
    }
    /// Lets a person arrange the columns; kept as `table`, by the names that the model has for them.
    template<typename Column>
    void nameColumns(const QString &table)
    {
        const QMetaEnum names = QMetaEnum::fromType<Column>();
        QStringList list;
        for (int column = 0; column < this->model()->columnCount(); ++column)
            list += QString::fromLatin1(names.valueToKey(column));
        m_header->setNames(table, list);
    }
    FlatHeader *flatHeader() const { return m_header; }
    void setModel(QAbstractItemModel *model) override
    {
        View::setModel(model);
        const auto measureSoon = [this] {
            if (!m_measureTimer.isActive())
                m_measureTimer.start();
        };
        for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
            QObject::connect(model, signal, &m_measureTimer, measureSoon);
        QObject::connect(model, &QAbstractItemModel::dataChanged, &m_measureTimer, measureSoon);
        QObject::connect(model, &QAbstractItemModel::layoutChanged, &m_measureTimer, measureSoon);
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
        this->setHorizontalScrollMode(View::ScrollPerPixel);
        this->setContextMenuPolicy(Qt::ActionsContextMenu);
        m_measureTimer.setSingleShot(true);
        m_measureTimer.setInterval(MeasureAfter);
        QObject::connect(&m_measureTimer, &QTimer::timeout, this, [this] { measure(); });
        QObject::connect(m_header, &FlatHeader::changed, this, [this] { layoutColumns(); });
    }

    /// The row that stands below this one on screen.
    virtual QModelIndex below(const QModelIndex &index) const = 0;
    void resizeEvent(QResizeEvent *event) override
    {
        View::resizeEvent(event);
        layoutColumns();
    }
    /// What came while it was hidden was measured without a row in sight, and beside a scroll bar that goes.
    void showEvent(QShowEvent *event) override
    {
        View::showEvent(event);
        m_measureTimer.start();
    }
    /// A view that gets the focus makes its first row the current one, and chooses none: the first step comes there,
    /// and so does a key that leads nowhere else.
    void keyPressEvent(QKeyEvent *event) override
    {
        static constexpr int moving[] = {Qt::Key_Up,  Qt::Key_Down,   Qt::Key_Home,
                                         Qt::Key_End, Qt::Key_PageUp, Qt::Key_PageDown};
        const bool isMove = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier
            && std::find(std::begin(moving), std::end(moving), event->key()) != std::end(moving);
        if (!isMove || this->selectionMode() == View::NoSelection || this->selectionModel()->hasSelection()) {
            View::keyPressEvent(event);
            return;
        }
        const QModelIndex first = this->model()->index(0, m_header->logicalIndexAt(0));
        const QModelIndex next = this->currentIndex().isValid() ? this->currentIndex() : first;
        const bool isSelectable = next.flags().testFlag(Qt::ItemIsSelectable);
        const bool isStep = event->key() == Qt::Key_Down && isSelectable;
        if (!isStep)
            View::keyPressEvent(event);
        const bool hasStayed = this->currentIndex() == next && !this->selectionModel()->hasSelection();
        if (isStep || (hasStayed && isSelectable))
            this->selectionModel()->setCurrentIndex(next,
                                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
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

    static constexpr std::chrono::milliseconds MeasureAfter{200};

    void layoutColumns()
    {
        m_header->fit(this->viewport()->width());
        this->setHorizontalScrollBarPolicy(m_header->isWider() ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    }

    /// How wide the texts in sight are.
    void measure()
    {
        QStyleOptionViewItem option;
        this->initViewItemOption(&option);
        QList<int> needs(m_header->count());
        for (QModelIndex row = this->indexAt({0, 0}); row.isValid(); row = below(row)) {
            if (this->visualRect(row.siblingAtColumn(0)).top() > this->viewport()->height())
                break;
            for (int column = 0; column < needs.size(); ++column) {
                if (m_header->isSectionHidden(column))
                    continue;
                const QModelIndex cell = row.siblingAtColumn(column);
                if (const QString text = cell.data().toString(); text.isEmpty() || text == CommonText::none()) {
                    needs[column] = std::max(needs[column], ColumnSpec::Nothing);
                    continue;
                }
                const int indent = this->visualRect(cell).left() - this->columnViewportPosition(column);
                const int text = this->itemDelegate()->sizeHint(option, cell).width();
                needs[column] = std::max(needs[column], indent + text);
            }
        }
        m_header->setNeeds(needs);
        layoutColumns();
    }

    QTimer m_measureTimer;
    bool m_isStale = false;
    QList<Anchor> m_anchors;
};

} // namespace lockscope::ui
