// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QPointer>
#include <QtWidgets/QDialog>

class QAction;
class QLineEdit;
class QListWidget;

namespace lockscope::ui {

/// Type a few letters, press Enter: every action of the menus in one list. Ctrl+K.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    /// The actions are not owned and may go; those without text or disabled are left out.
    CommandPalette(const QList<QAction *> &actions, QWidget *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void trigger();

    QList<QPointer<QAction>> m_actions;
    QLineEdit *m_search;
    QListWidget *m_list;
};

} // namespace lockscope::ui
