// SPDX-License-Identifier: MIT
#include "barlayout.h"

#include <QtWidgets/QWidget>

#include <algorithm>
#include <limits>

namespace lockscope::ui {

namespace {

int heightOf(const QLayoutItem *item, int width)
{
    return item->hasHeightForWidth() ? item->heightForWidth(width) : item->sizeHint().height();
}

} // namespace

BarLayout::BarLayout(QWidget *parent)
    : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(0);
}

BarLayout::~BarLayout() = default;

void BarLayout::closeGaps()
{
    m_isClosing = true;
    invalidate();
}

void BarLayout::addItem(QLayoutItem *item)
{
    m_items.emplace_back(item);
}

QLayoutItem *BarLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[std::size_t(index)].get() : nullptr;
}

QLayoutItem *BarLayout::takeAt(int index)
{
    if (!itemAt(index))
        return nullptr;
    QLayoutItem *taken = m_items[std::size_t(index)].release();
    m_items.erase(m_items.begin() + index);
    m_places.remove(taken);
    return taken;
}

/// Those that are shown: the ones that were there already, from below, and then those that have come.
std::vector<QLayoutItem *> BarLayout::fromBelow() const
{
    std::vector<QLayoutItem *> shown;
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            shown.push_back(item.get());
    }
    const auto bottomOf = [this](QLayoutItem *item) {
        const auto known = m_places.constFind(item);
        return known == m_places.cend() ? std::numeric_limits<int>::max() : known->bottom;
    };
    std::stable_sort(shown.begin(), shown.end(),
                     [&](QLayoutItem *a, QLayoutItem *b) { return bottomOf(a) < bottomOf(b); });
    return shown;
}

int BarLayout::topOf(const Places &places)
{
    int top = 0;
    for (const Place &place : places)
        top = std::max(top, place.top());
    return top;
}

BarLayout::Places BarLayout::placesIn(int width) const
{
    const std::vector<QLayoutItem *> shown = fromBelow();
    const bool mayMove = m_isClosing || width != m_width;
    Places places;
    int ceiling = std::numeric_limits<int>::max();
    for (auto item = shown.rbegin(); item != shown.rend() && !mayMove; ++item) {
        const auto known = m_places.constFind(*item);
        const int height = heightOf(*item, width);
        if (known == m_places.cend() || height > ceiling - known->bottom)
            continue;
        places.insert(*item, {known->bottom, height});
        ceiling = known->bottom;
    }
    for (QLayoutItem *item : shown) {
        if (!places.contains(item))
            places.insert(item, {topOf(places), heightOf(item, width)});
    }
    return places;
}

int BarLayout::heightForWidth(int width) const
{
    return topOf(placesIn(width));
}

QSize BarLayout::sizeHint() const
{
    QSize size = minimumSize();
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo(item->sizeHint());
    }
    return {size.width(), heightForWidth(m_width > 0 ? m_width : size.width())};
}

QSize BarLayout::minimumSize() const
{
    QSize size;
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void BarLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    m_places = placesIn(rect.width());
    m_width = rect.width();
    m_isClosing = false;
    for (auto place = m_places.cbegin(); place != m_places.cend(); ++place)
        place.key()->setGeometry({rect.left(), rect.bottom() + 1 - place->top(), rect.width(), place->height});
}

} // namespace lockscope::ui
