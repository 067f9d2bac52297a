// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonfile.h"

#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;

namespace lockscope::ui {

/// Stands where a lesson would: the file of one's own that cannot be played, where it is wrong and why.
class LessonFaultBox : public QWidget
{
    Q_OBJECT
public:
    explicit LessonFaultBox(QWidget *parent = nullptr);

    void show(const LessonFile &file);
    /// "/home/ada/mine.md:14: there is no session B yet", and below it that line.
    QString text() const;
    QPushButton *againButton() const { return m_again; }
    QPushButton *takeOffButton() const { return m_takeOff; }

Q_SIGNALS:
    void readAgain();
    void takenOff(const QString &path);

private:
    QLabel *m_title;
    QLabel *m_reason;
    QLabel *m_line;
    QPushButton *m_again;
    QPushButton *m_takeOff;
    QString m_path;
};

} // namespace lockscope::ui
