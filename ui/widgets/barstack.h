// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

namespace lockscope::ui {

class BarLayout;

/// Bars at the foot of a page. Nothing moves a bar whose buttons somebody may be about to click: one that comes stands
/// on top of those that are there, and so does one that grows below another; where one went by itself, a gap is left
/// until all above it are gone too. A person who closes one, or makes the window wider or narrower, closes the gaps.
class BarStack : public QWidget
{
    Q_OBJECT
public:
    explicit BarStack(QWidget *parent = nullptr);

    /// Becomes its child; shown or hidden by whoever has it. It may have been in another stack.
    void add(QWidget *bar);
    /// A person let one go.
    void closeGaps();

private:
    BarLayout *m_layout;
};

} // namespace lockscope::ui
