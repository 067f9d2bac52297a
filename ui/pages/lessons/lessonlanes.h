// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QTableView>

namespace lockscope::ui {

/// The sessions of a lesson beside each other, and below them their statements: to read, and not to choose from.
class LessonLanes : public QTableView
{
    Q_OBJECT
public:
    /// `steps` is not owned.
    LessonLanes(QAbstractItemModel *steps, QWidget *parent);

    /// It is in sight from now on, whatever grows or shrinks.
    void showStep(int row);

private:
    int m_shown = 0;
};

} // namespace lockscope::ui
