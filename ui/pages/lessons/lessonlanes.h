// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QTableView>

namespace lockscope::ui {

class LessonStepModel;

/// The sessions of a lesson beside each other, and below them their statements: to read. Where many do not fit beside
/// each other, they scroll.
class LessonLanes : public QTableView
{
    Q_OBJECT
public:
    /// `steps` is not owned.
    LessonLanes(LessonStepModel *steps, QWidget *parent);

    /// It is in sight from now on, in its session's lane, whatever grows or shrinks.
    void showStep(int row);

protected:
    void changeEvent(QEvent *event) override;

private:
    void setLeastWidth();
    void showAgain();

    LessonStepModel *m_steps;
    int m_shown = 0;
};

} // namespace lockscope::ui
