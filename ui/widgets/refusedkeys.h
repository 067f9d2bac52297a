// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>

class QAction;
class QWidget;

namespace lockscope::ui {

/// Hears the keys of an action while it is disabled.
class RefusedKeys : public QObject
{
    Q_OBJECT
public:
    /// Belongs to `widget`, which has to have the focus. `action` is not owned and must outlive it.
    RefusedKeys(QWidget *widget, QAction *action);

Q_SIGNALS:
    /// With what the action says of itself.
    void pressed(const QString &why);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QAction *m_action;
};

} // namespace lockscope::ui
