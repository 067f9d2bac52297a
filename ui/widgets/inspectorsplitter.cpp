// SPDX-License-Identifier: MIT
#include "inspectorsplitter.h"

#include "ui/style/theme.h"

#include <QtGui/QAction>

#include <utility>

namespace lockscope::ui {

namespace {

/// Below this width the list needs the room more than the inspector does.
constexpr int kFoldWidth = 1000;

} // namespace

InspectorSplitter::InspectorSplitter(QWidget *list, QWidget *inspector, QAction *action, QWidget *parent)
    : QSplitter(parent)
    , m_inspector(inspector)
    , m_show(action)
{
    addWidget(list);
    addWidget(inspector);
    setChildrenCollapsible(false);
    setStretchFactor(0, 1);
    setStretchFactor(1, 0);
    setSizes({900, 300});
    setHandleWidth(1);
    action->setCheckable(true);
    action->setChecked(true);
    action->setShortcuts({Qt::Key_Return, Qt::Key_Enter});
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::toggled, this, [this](bool isWanted) {
        // Asked for by hand, it is shown in a narrow window too.
        if (std::exchange(m_isFolded, false) && !isWanted)
            m_show->setChecked(true);
        else
            m_inspector->setVisible(isWanted);
    });
}

void InspectorSplitter::resizeEvent(QResizeEvent *event)
{
    QSplitter::resizeEvent(event);
    const bool isNarrow = width() < forType(kFoldWidth);
    if (isNarrow == m_isFolded)
        return;
    m_isFolded = isNarrow;
    m_inspector->setVisible(!isNarrow && m_show->isChecked());
}

} // namespace lockscope::ui
