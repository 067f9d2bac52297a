// SPDX-License-Identifier: MIT
#pragma once

#include "timeline.h"

#include <QtWidgets/QWidget>

namespace lockscope::ui {

class TimelinePicture;

/// Shows a time line, and is the slider on it: a click or an arrow key looks at another step. Beyond the newest one
/// they choose up to where to play.
class LessonTimeline : public QWidget
{
    Q_OBJECT
public:
    explicit LessonTimeline(QWidget *parent = nullptr);

    /// Looks at the newest step.
    void show(const Timeline &line);
    const Timeline &line() const { return m_line; }
    /// The column of the step that is looked at; -1: none was played.
    qsizetype looked() const { return std::min(m_position, m_line.played - 1); }
    /// The column that is marked: that one, or one ahead.
    qsizetype position() const { return m_position; }
    /// As a click does.
    void moveTo(qsizetype column);
    QRect columnRect(qsizetype column) const;
    QRect stepRect(qsizetype column) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The user looks at another step that was played.
    void lookedAt(qsizetype column);
    /// The lesson is to be played until so many steps are.
    void runTo(qsizetype steps);
    /// What is marked has changed; it is to be seen.
    void positionChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void moveEvent(QMoveEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    TimelinePicture picture() const;
    void describe();

    Timeline m_line;
    qsizetype m_position = -1;
};

} // namespace lockscope::ui
