// SPDX-License-Identifier: MIT
#include "barstack.h"

#include "barlayout.h"
#include "messagebar.h"

namespace lockscope::ui {

BarStack::BarStack(QWidget *parent)
    : QWidget(parent)
    , m_layout(new BarLayout(this))
{
}

void BarStack::add(QWidget *bar)
{
    const bool isShown = !bar->isHidden(); // which a new parent makes it forget
    m_layout->addWidget(bar);
    if (const auto *message = qobject_cast<MessageBar *>(bar))
        connect(message, &MessageBar::closed, this, &BarStack::closeGaps, Qt::UniqueConnection);
    bar->setVisible(isShown);
}

void BarStack::closeGaps()
{
    m_layout->closeGaps();
}

} // namespace lockscope::ui
