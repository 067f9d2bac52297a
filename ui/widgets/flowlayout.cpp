// SPDX-License-Identifier: MIT
#include "flowlayout.h"

#include <QtWidgets/QStyle>
#include <QtWidgets/QWidget>

#include <limits>

namespace lockscope::ui {

FlowLayout::FlowLayout(int spacing, QWidget *parent)
    : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem *item)
{
    m_items.emplace_back(item);
}

QLayoutItem *FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[std::size_t(index)].get() : nullptr;
}

QLayoutItem *FlowLayout::takeAt(int index)
{
    if (!itemAt(index))
        return nullptr;
    QLayoutItem *taken = m_items[std::size_t(index)].release();
    m_items.erase(m_items.begin() + index);
    return taken;
}

std::vector<std::pair<QLayoutItem *, QRect>> FlowLayout::placesIn(int width) const
{
    std::vector<std::pair<QLayoutItem *, QRect>> places;
    QPoint at;
    int rowHeight = 0;
    for (const auto &item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (at.x() > 0 && at.x() + size.width() > width) {
            at = {0, at.y() + rowHeight + spacing()};
            rowHeight = 0;
        }
        places.emplace_back(item.get(), QRect(at, size.boundedTo({width, size.height()})));
        at.rx() += size.width() + spacing();
        rowHeight = std::max(rowHeight, size.height());
    }
    return places;
}

int FlowLayout::heightForWidth(int width) const
{
    int height = 0;
    for (const auto &[item, place] : placesIn(width))
        height = std::max(height, place.y() + place.height());
    return height;
}

QSize FlowLayout::sizeHint() const
{
    QSize size;
    for (const auto &[item, place] : placesIn(std::numeric_limits<int>::max() / 2))
        size = size.expandedTo({place.x() + place.width(), place.height()});
    return size;
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    const Qt::LayoutDirection direction = parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    for (const auto &[item, place] : placesIn(rect.width()))
        item->setGeometry(QStyle::visualRect(direction, rect, place.translated(rect.topLeft())));
}

} // namespace lockscope::ui
