// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QSplitter>

class QAction;

namespace lockscope::ui {

/// A list with an inspector beside it, which leaves while there is too little room for both.
class InspectorSplitter : public QSplitter
{
    Q_OBJECT
public:
    /// `action` shows and hides the inspector: it becomes checkable, and Enter in the widgets that it is added to.
    InspectorSplitter(QWidget *list, QWidget *inspector, QAction *action, QWidget *parent = nullptr);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *m_inspector;
    QAction *m_show;
    bool m_isFolded = false; ///< too narrow for the inspector, whatever the action says
};

} // namespace lockscope::ui
