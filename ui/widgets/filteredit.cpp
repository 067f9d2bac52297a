// SPDX-License-Identifier: MIT
#include "filteredit.h"

#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QKeyEvent>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

FilterEdit::FilterEdit(const QString &hint, QWidget *parent)
    : QLineEdit(parent)
{
    setPlaceholderText(hint);
    setToolTip(tr("%1 ( / )").arg(hint));
    setAccessibleName(tr("Filter"));
    setClearButtonEnabled(true);
    addAction(svgIcon(u"search"_s), LeadingPosition);
    setMaximumWidth(forType(kInspectorMaxWidth));
}

void FilterEdit::take()
{
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

void FilterEdit::keyPressEvent(QKeyEvent *event)
{
    static constexpr int moving[] = {Qt::Key_Up,  Qt::Key_Down,   Qt::Key_Home,
                                     Qt::Key_End, Qt::Key_PageUp, Qt::Key_PageDown};
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (m_list && m_list->isVisible() && isPlain
        && std::find(std::begin(moving), std::end(moving), event->key()) != std::end(moving))
        QCoreApplication::sendEvent(m_list, event);
    else
        QLineEdit::keyPressEvent(event);
}

} // namespace lockscope::ui
