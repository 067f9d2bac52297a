// SPDX-License-Identifier: MIT
#include "lessonlanes.h"

#include "lessonstepmodel.h"
#include "ui/style/theme.h"

#include <QtCore/QEvent>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>

namespace lockscope::ui {

namespace {

/// In which a statement can be read, though over several lines, and for whom its session waits.
constexpr int kLeastColumns = 26;

} // namespace

LessonLanes::LessonLanes(LessonStepModel *steps, QWidget *parent)
    : QTableView(parent)
    , m_steps(steps)
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
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter); // what is cut is its end
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    setLeastWidth();
    for (const QScrollBar *bar : {verticalScrollBar(), horizontalScrollBar()})
        connect(bar, &QScrollBar::rangeChanged, this, &LessonLanes::showAgain);
}

void LessonLanes::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        setLeastWidth();
}

void LessonLanes::setLeastWidth()
{
    horizontalHeader()->setMinimumSectionSize(kLeastColumns * fontMetrics().horizontalAdvance(u'0') + 2 * kSpace);
}

void LessonLanes::showStep(int row)
{
    m_shown = row;
    showAgain();
}

void LessonLanes::showAgain()
{
    scrollTo(m_steps->index(m_shown, m_steps->laneOf(m_shown)));
    if (m_shown > 0) // what it follows tells why; it wins where there is no room for both
        scrollTo(m_steps->index(m_shown - 1, m_steps->laneOf(m_shown)));
}

} // namespace lockscope::ui
