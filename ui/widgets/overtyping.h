// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>

class QAction;

namespace lockscope::ui {

/// Lets the keys of an action do what the action does in text fields too, of which many know Ctrl+E as a key of Emacs.
class OverTyping : public QObject
{
    Q_OBJECT
public:
    /// Goes with the action.
    explicit OverTyping(QAction *action);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QAction *m_action;
};

} // namespace lockscope::ui
