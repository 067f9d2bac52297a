// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

namespace lockscope::ui {

/// Shows where the keys go, around any widget of a window and in every style, when a key was the last thing that a
/// person used.
class FocusRing : public QWidget
{
    Q_OBJECT
public:
    explicit FocusRing(QWidget *window);

    /// In every window of the application, one at a time; once is enough.
    static void showInAllWindows();

    /// Around which it stands; null while it is hidden.
    QWidget *target() const { return m_target; }
    void follow(QWidget *target);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QRect seen() const;
    void place();

    QPointer<QWidget> m_target;
    QList<QPointer<QWidget>> m_followed; ///< the target and what it lies in: any of them may move it
};

} // namespace lockscope::ui
