// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

class QComboBox;
class QPushButton;

namespace lockscope::ui {

/// Lets a lesson play on by itself, and how fast. The speed is kept in the settings.
class LessonAutoPlay : public QWidget
{
    Q_OBJECT
public:
    explicit LessonAutoPlay(QWidget *parent = nullptr);

    QPushButton *button() const { return m_button; }
    QComboBox *speed() const { return m_speed; }
    std::chrono::milliseconds interval() const { return m_timer.intervalAsDuration(); }
    bool isOn() const;
    void stop();
    /// There is something to go on to.
    void setOffered(bool isOffered);

Q_SIGNALS:
    /// The next step, if it can be played just now.
    void due();

private:
    void setSpeed();

    QPushButton *m_button;
    QComboBox *m_speed;
    QTimer m_timer;
};

} // namespace lockscope::ui
