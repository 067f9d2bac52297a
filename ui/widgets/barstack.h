// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace lockscope::ui {

/// Bars at the foot of a page. One that comes stands on top of those that are there, whose buttons somebody may be
/// about to click: these stay where they are.
class BarStack : public QWidget
{
    Q_OBJECT
public:
    explicit BarStack(QWidget *parent = nullptr);

    /// Becomes its child; shown or hidden by whoever has it. It may have been in another stack.
    void add(QWidget *bar);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QVBoxLayout *m_column;
};

} // namespace lockscope::ui
