// SPDX-License-Identifier: MIT
#include "commandpalette.h"

#include "ui/style/theme.h"
#include "ui/widgets/rowdelegate.h"
#include "windowactions.h"

#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QMenu>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

namespace {

QString plainText(const QAction *action)
{
    return WindowActions::withoutMnemonic(action->text());
}

} // namespace

CommandPalette::CommandPalette(const QList<QAction *> &actions, QWidget *parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint)
    , m_search(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    for (QAction *action : actions) {
        if (action->isEnabled() && !action->text().isEmpty() && !action->menu())
            m_actions.append(action);
    }
    setAttribute(Qt::WA_DeleteOnClose);
    setFixedSize(forType(440), forType(320));
    m_search->setPlaceholderText(tr("What do you want to do?"));
    m_search->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setIconSize(QSize(fontMetrics().height(), fontMetrics().height()));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_search, &QLineEdit::returnPressed, this, &CommandPalette::trigger);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::trigger);
    fill();
    m_search->setFocus();
}

void CommandPalette::fill()
{
    m_list->clear();
    for (int i = 0; i < m_actions.size(); ++i) {
        const QAction *action = m_actions[i];
        if (!action)
            continue;
        const QString text = plainText(action);
        if (!text.contains(m_search->text(), Qt::CaseInsensitive))
            continue;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        auto *item = new QListWidgetItem(keys.isEmpty() ? text : tr("%1   (%2)").arg(text, keys), m_list);
        item->setIcon(action->icon());
        item->setSizeHint({0, RowDelegate::rowHeight(fontMetrics())});
        item->setData(Qt::UserRole, i);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::trigger()
{
    const QListWidgetItem *item = m_list->currentItem();
    if (!item)
        return;
    const QPointer<QAction> action = m_actions[item->data(Qt::UserRole).toInt()];
    close();
    if (action)
        action->trigger();
}

/// Arrow keys move in the list while the text keeps the focus.
bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace lockscope::ui
