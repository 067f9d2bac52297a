// SPDX-License-Identifier: MIT
#include "filteredit.h"

#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QMetaMethod>
#include <QtGui/QKeyEvent>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeastWidth = 140;

} // namespace

FilterEdit::FilterEdit(const QString &hint, QWidget *parent)
    : QLineEdit(parent)
{
    setPlaceholderText(hint);
    setToolTip(tr("%1 ( / )").arg(hint));
    setAccessibleName(tr("Filter"));
    setClearButtonEnabled(true);
    addAction(svgIcon(u"search"_s), LeadingPosition);
    setMinimumWidth(forType(kLeastWidth));
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
    else if (m_list && m_list->isVisible() && isPlain && isForList(event->key()))
        enterList();
    else
        QLineEdit::keyPressEvent(event);
}

/// Where Return means nothing else, and Del has nothing to delete.
bool FilterEdit::isForList(int key) const
{
    if (key == Qt::Key_Return || key == Qt::Key_Enter)
        return !isSignalConnected(QMetaMethod::fromSignal(&QLineEdit::returnPressed));
    return key == Qt::Key_Delete && !hasSelectedText() && cursorPosition() == text().size();
}

/// The list acts on the next press, when it is seen on what.
void FilterEdit::enterList()
{
    m_list->setFocus(Qt::TabFocusReason);
    if (m_list->selectionModel() && m_list->selectionModel()->hasSelection())
        return;
    QKeyEvent down(QEvent::KeyPress, Qt::Key_Down, Qt::NoModifier);
    QCoreApplication::sendEvent(m_list, &down); // the first one chooses the first row
}

} // namespace lockscope::ui
