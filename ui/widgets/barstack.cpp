// SPDX-License-Identifier: MIT
#include "barstack.h"

#include <QtCore/QEvent>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

BarStack::BarStack(QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
}

void BarStack::add(QWidget *bar)
{
    const bool isShown = !bar->isHidden(); // which a new parent makes it forget
    m_column->insertWidget(0, bar);
    bar->installEventFilter(this);
    bar->setVisible(isShown);
}

bool BarStack::eventFilter(QObject *watched, QEvent *event)
{
    auto *bar = static_cast<QWidget *>(watched);
    if (event->type() == QEvent::ParentChange)
        bar->removeEventFilter(this);
    else if (event->type() == QEvent::ShowToParent && m_column->indexOf(bar) > 0)
        m_column->insertWidget(0, bar);
    return QWidget::eventFilter(watched, event);
}

} // namespace lockscope::ui
