// SPDX-License-Identifier: MIT
#include "flatheader.h"

#include "rowdelegate.h"
#include "ui/style/theme.h"

#include <QtCore/QSettings>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QMenu>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

const QString kGroup = u"tables/"_s;
const QString kOrder = u"order"_s;
const QString kWidths = u"widths"_s;
const QString kShown = u"shown"_s;
const QString kSorted = u"sorted"_s;
const QString kIsDescending = u"descending"_s;
constexpr int kWidest = 10'000; ///< of a column, whatever the settings say

constexpr int kTriangle = 7;
constexpr int kGap = 4;

void paintTriangle(QPainter *painter, const QPointF &center, bool isDown)
{
    const qreal half = kTriangle / 2.0;
    const qreal tip = isDown ? half / 1.4 : -half / 1.4;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(painter->pen().color());
    painter->setPen(Qt::NoPen);
    painter->drawPolygon(
        QPolygonF({center + QPointF(-half, -tip), center + QPointF(half, -tip), center + QPointF(0, tip)}));
}

} // namespace

FlatHeader::FlatHeader(QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setHighlightSections(false);
    setSectionsClickable(true);
    setMinimumSectionSize(16);
    connect(this, &QHeaderView::sectionResized, this, [this](int column, int, int width) { onResized(column, width); });
}

void FlatHeader::setColumns(const QList<ColumnSpec> &columns)
{
    m_columns = columns;
}

void FlatHeader::setOffered(int column, bool isOffered)
{
    if (std::exchange(m_columns[column].isOffered, isOffered) != isOffered)
        Q_EMIT changed();
}

void FlatHeader::setNeeds(const QList<int> &needs)
{
    for (qsizetype column = 0; column < std::min(needs.size(), m_columns.size()); ++column)
        m_columns[column].needed = std::max(m_columns[column].needed, needs[column]);
}

void FlatHeader::setNames(const QString &table, const QStringList &names)
{
    m_table = table;
    m_names = names;
    setSectionResizeMode(QHeaderView::Interactive);
    setSectionsMovable(true);
}

int FlatHeader::titleWidth(const QString &title) const
{
    const int triangle = isSortIndicatorShown() ? kTriangle + kGap : 0;
    return fontMetrics().horizontalAdvance(title) + triangle + 2 * RowDelegate::Padding;
}

void FlatHeader::fit(int width)
{
    if (!model() || m_columns.size() != count())
        return;
    const QList<int> widths = fitColumns(m_columns, *model(), *this, fontMetrics(), width);
    m_isFitting = true;
    for (int column = 0; column < widths.size(); ++column) {
        setSectionHidden(column, widths[column] == 0);
        if (widths[column] > 0)
            resizeSection(column, widths[column]);
    }
    m_isFitting = false;
    m_isWider = length() > width;
}

/// What stands before it keeps its place, so that the border stays under the mouse.
void FlatHeader::onResized(int column, int width)
{
    if (m_isFitting || m_names.isEmpty() || width <= 0 || m_columns.size() != count())
        return;
    for (int visual = 0; visual < visualIndex(column); ++visual) {
        const int before = logicalIndex(visual);
        if (!isSectionHidden(before))
            m_columns[before].wished = sectionSize(before);
    }
    m_columns[column].wished = width;
    Q_EMIT changed();
}

void FlatHeader::show(int column, bool isShown)
{
    m_columns[column].isShown = isShown;
    Q_EMIT changed();
}

/// Columns as a new user has them.
void FlatHeader::forget()
{
    for (ColumnSpec &spec : m_columns) {
        spec.wished.reset();
        spec.isShown.reset();
    }
    for (int column = 0; column < count(); ++column)
        moveSection(visualIndex(column), column);
    Q_EMIT changed();
}

void FlatHeader::fillMenu(QMenu *menu)
{
    for (int visual = 0; visual < count(); ++visual) {
        const int column = logicalIndex(visual);
        if (!m_columns.value(column).isOffered)
            continue;
        QAction *action = menu->addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isSectionHidden(column));
        action->setEnabled(isSectionHidden(column) || count() - hiddenSectionCount() > 1);
        connect(action, &QAction::toggled, this, [this, column](bool isShown) { show(column, isShown); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Usual columns")), &QAction::triggered, this, &FlatHeader::forget);
}

void FlatHeader::contextMenuEvent(QContextMenuEvent *event)
{
    if (m_names.isEmpty())
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(menu);
    menu->popup(event->globalPos());
}

QStringList FlatHeader::inOrder() const
{
    QStringList names;
    for (int visual = 0; visual < count(); ++visual)
        names += m_names.value(logicalIndex(visual));
    return names;
}

void FlatHeader::save(QSettings &settings) const
{
    QVariantMap widths;
    QVariantMap shown;
    for (qsizetype column = 0; column < m_columns.size(); ++column) {
        const ColumnSpec &spec = m_columns[column];
        if (spec.wished) // in terms of the type, which may be another one next time
            widths[m_names[column]] = double(*spec.wished) / fontMetrics().height();
        if (spec.isShown)
            shown[m_names[column]] = *spec.isShown;
    }
    const QString group = kGroup + m_table + u'/';
    settings.setValue(group + kOrder, inOrder());
    settings.setValue(group + kWidths, widths);
    settings.setValue(group + kShown, shown);
    settings.setValue(group + kSorted, isSortIndicatorShown() ? m_names.value(sortIndicatorSection()) : QString());
    settings.setValue(group + kIsDescending, sortIndicatorOrder() == Qt::DescendingOrder);
}

/// A column that is new follows the one that it follows for a new user.
void FlatHeader::restore(const QSettings &settings)
{
    const QString group = kGroup + m_table + u'/';
    QStringList order = settings.value(group + kOrder).toStringList();
    order.removeIf([this](const QString &name) { return !m_names.contains(name); });
    order.removeDuplicates();
    for (qsizetype column = 0; column < m_names.size(); ++column) {
        if (!order.contains(m_names[column]))
            order.insert(column == 0 ? 0 : order.indexOf(m_names[column - 1]) + 1, m_names[column]);
    }
    for (qsizetype visual = 0; visual < order.size(); ++visual)
        moveSection(visualIndex(int(m_names.indexOf(order[visual]))), int(visual));
    const QVariantMap widths = settings.value(group + kWidths).toMap();
    const QVariantMap shown = settings.value(group + kShown).toMap();
    for (qsizetype column = 0; column < std::min(m_columns.size(), m_names.size()); ++column) {
        const QVariant width = widths.value(m_names[column]);
        const QVariant isShown = shown.value(m_names[column]);
        if (const double pixels = width.toDouble() * fontMetrics().height(); pixels >= minimumSectionSize())
            m_columns[column].wished = int(std::min(pixels, double(kWidest)));
        if (isShown.isValid())
            m_columns[column].isShown = isShown.toBool();
    }
    if (std::none_of(m_columns.cbegin(), m_columns.cend(),
                     [](const ColumnSpec &spec) { return spec.isShown.value_or(true); }))
        m_columns.first().isShown = true;
    if (const auto sorted = m_names.indexOf(settings.value(group + kSorted).toString()); sorted >= 0)
        setSortIndicator(int(sorted),
                         settings.value(group + kIsDescending).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
    Q_EMIT changed();
}

QSize FlatHeader::sectionSizeFromContents(int section) const
{
    const QString title = model()->headerData(section, Qt::Horizontal).toString();
    return {titleWidth(title), RowDelegate::rowHeight(fontMetrics())};
}

void FlatHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    painter->save();
    painter->fillRect(rect, palette().color(QPalette::Base));
    painter->setPen(lineColor(palette()));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());

    const QString title = model()->headerData(section, Qt::Horizontal).toString();
    const auto alignment = Qt::Alignment(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    const bool isRight = alignment.testFlag(Qt::AlignRight);
    const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    QRect text = rect.adjusted(RowDelegate::Padding, 0, -RowDelegate::Padding, 0);
    painter->setPen(isSorted ? palette().color(QPalette::Text) : mutedText(palette()));
    painter->setFont(font());
    const QString shown = fontMetrics().elidedText(title, Qt::ElideRight, text.width());
    painter->drawText(text, int((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter) | Qt::TextSingleLine,
                      shown);
    if (isSorted) {
        const int width = fontMetrics().horizontalAdvance(shown) + kGap + kTriangle / 2;
        const int x = isRight ? text.right() - width : text.left() + width;
        paintTriangle(painter, QPointF(x, text.center().y() + 1), sortIndicatorOrder() == Qt::AscendingOrder);
    }
    painter->restore();
}

} // namespace lockscope::ui
