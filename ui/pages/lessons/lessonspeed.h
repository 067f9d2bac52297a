// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QComboBox>

#include <chrono>

namespace lockscope::ui {

/// How fast a lesson plays on by itself. What is chosen is kept in the settings.
class LessonSpeed : public QComboBox
{
    Q_OBJECT
public:
    explicit LessonSpeed(QWidget *parent = nullptr);

    /// From one step to the next.
    std::chrono::milliseconds interval() const;

Q_SIGNALS:
    void intervalChanged(std::chrono::milliseconds interval);
};

} // namespace lockscope::ui
