// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace lockscope::ui {

class LaneView;

/// What can be done with the lanes: speed, single steps, more or less time; below them, while the
/// picture stands or plays slowly, what happened at a step: large, for the last row of a class.
class LaneBar : public QWidget
{
    Q_OBJECT
public:
    /// `view` is not owned and must outlive the bar.
    explicit LaneBar(LaneView *view, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    QToolButton *addButton(const QString &text, const QString &tip);
    void showSpeed();

    LaneView *m_view;
    QHBoxLayout *m_buttons;
    QList<QToolButton *> m_speeds;
    QLabel *m_sentence;
};

} // namespace lockscope::ui
