// SPDX-License-Identifier: MIT
#include "lessonlanes.h"

#include "ui/style/theme.h"

#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>

namespace lockscope::ui {

LessonLanes::LessonLanes(QAbstractItemModel *steps, QWidget *parent)
    : QTableView(parent)
{
    setModel(steps);
    setAccessibleName(tr("Sessions and their statements"));
    setFont(fixedFont());
    setWordWrap(true);
    setTabKeyNavigation(false);
    setSelectionMode(NoSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] { showStep(m_shown); });
}

void LessonLanes::showStep(int row)
{
    m_shown = row;
    scrollTo(model()->index(row, 0));
}

} // namespace lockscope::ui
